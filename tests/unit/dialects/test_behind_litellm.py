"""Reasoning state of services behind LiteLLM that are not Google's."""

from __future__ import annotations

from typing import Any

import pytest
from tests import builders as b

from sigscope.ledger import build_ledger
from sigscope.reader import Reading
from sigscope.rules.runner import check_session

SEALED = "gAAAAABpVbkAJS8QyDYQ68oaBZwLroJV680KqYVhR7bFtP8rff7l2iCqOCUwme8bSmSs"
CALLS = b.chat_calls(b.LS)

ITEM = {"type": "reasoning", "id": "rs_1", "encrypted_content": SEALED, "summary": []}
DETAIL = {"type": "reasoning.encrypted", "id": "call_1", "data": b.SIG, "index": 0}
SIGNED = {"type": "reasoning.text", "text": "Hm.", "signature": b.SIG_B, "index": 0}


def steps(received: Any, sent: Any, *, streamed: bool = False) -> tuple[Reading, ...]:
    """A call with this beside it, and the request after it with that."""
    told = {"role": "assistant", "content": None, "tool_calls": CALLS}
    if streamed:
        pieces = [{"choices": [{"index": 0, "delta": piece}]} for piece in received]
        first: Any = b.sse(
            *pieces, {"choices": [{"index": 0, "delta": told}]}, "[DONE]"
        )
    else:
        first = b.response_body("litellm", told | received)
    kind = "text/event-stream" if streamed else "application/json"
    history = [b.user(), told | sent, b.result(b.LS)]
    asked = b.request_body("litellm", [b.user()])
    good = b.response_body("litellm", {"role": "assistant", "content": "Done."})
    return b.read(
        [
            b.exchange("litellm", asked, first, content_type=kind),
            b.exchange("litellm", b.request_body("litellm", history), good),
        ]
    )


@pytest.mark.parametrize(
    ("state", "value"),
    [
        ({"reasoning_items": [ITEM]}, SEALED),
        ({"reasoning_details": [DETAIL]}, b.SIG),
        ({"reasoning_details": [SIGNED]}, b.SIG_B),
    ],
)
@pytest.mark.parametrize("streamed", [False, True])
def test_what_comes_on_the_message_goes_back_on_the_message(
    state: Any, value: str, streamed: bool
) -> None:
    received = [state] if streamed else state
    readings = steps(received, state, streamed=streamed)
    ledger = build_ledger(readings)
    (signature,) = ledger.signatures
    assert signature.value == value
    assert [fate.fate for fate in signature.fates] == ["exact"]
    assert check_session(readings, ledger, {}) == ()


@pytest.mark.parametrize(
    ("state", "value"),
    [
        ({"reasoning_details": [DETAIL]}, b.SIG),
        ({"reasoning_opaque": b.OPAQUE}, b.OPAQUE),
    ],
)
def test_what_litellm_moved_aside_is_not_read_there(state: Any, value: str) -> None:
    aside = {"provider_specific_fields": state}
    (moved,) = build_ledger(steps(aside, aside)).signatures
    assert moved.value == value
    assert [fate.fate for fate in moved.fates] == ["moved"]


def test_pieces_of_details_are_joined_as_openrouter_s() -> None:
    pieces = [
        {"reasoning_details": [{**DETAIL, "data": piece}]}
        for piece in (b.SIG[:9], b.SIG[9:])
    ]
    readings = steps(pieces, {"reasoning_details": [DETAIL]}, streamed=True)
    (signature,) = build_ledger(readings).signatures
    assert signature.value == b.SIG
    assert [fate.fate for fate in signature.fates] == ["exact"]


def test_a_lost_signature_of_openrouter_s_is_not_said_to_get_a_stand_in() -> None:
    readings = steps({"reasoning_details": [DETAIL]}, {})
    ledger = build_ledger(readings)
    (signature,) = ledger.signatures
    assert [fate.fate for fate in signature.fates] == ["dropped"]
    found = check_session(readings, ledger, {})
    assert "LLM-1" not in [finding.rule for finding in found]
