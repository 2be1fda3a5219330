"""Why an answer ended, in the words of its API."""

from __future__ import annotations

from typing import Any

import pytest
from tests import builders as b

REPLIES = {
    "gemini": (b.says(b.text_part("Done.")), "STOP"),
    "anthropic": (b.blocks({"type": "text", "text": "Done."}), "end_turn"),
    "copilot-chat": (b.copilot(content="Done."), "stop"),
    "openrouter": (b.openrouter(b.LS), "tool_calls"),
}


def finish_of(dialect: str, body: Any) -> str | None:
    request = b.request_body(dialect, [b.ask() if dialect == "gemini" else b.user()])
    (reading,) = b.read([b.exchange(dialect, request, body)])
    return reading.reply.finish


@pytest.mark.parametrize("dialect", REPLIES)
def test_an_answer_tells_why_it_ended(dialect: str) -> None:
    reply, wanted = REPLIES[dialect]
    assert finish_of(dialect, b.response_body(dialect, reply)) == wanted


@pytest.mark.parametrize("odd", [None, 1, ["STOP"], {}])
def test_what_is_no_word_is_no_reason(odd: Any) -> None:
    body = b.response_body("gemini", REPLIES["gemini"][0])
    body["candidates"][0]["finishReason"] = odd
    assert finish_of("gemini", body) is None
