"""URLs, headers and bodies, as clients of the real services send them."""

from __future__ import annotations

from typing import Any

import pytest
from rehearsals import READ, body, changed, hold

from sigscope.converse.loop import TalkStep
from sigscope.dialects.base import Match
from sigscope.exchange import header
from sigscope.reader import Reading


def request(taken: TalkStep) -> Any:
    return taken.step.exchange.request


@pytest.mark.parametrize(
    ("policy", "url"),
    [
        ("faithful-copilot-chat", "https://api.githubcopilot.com/chat/completions"),
        ("faithful-openrouter", "https://openrouter.ai/api/v1/chat/completions"),
        ("faithful-litellm", "https://litellm.example.com/v1/chat/completions"),
        (
            "faithful-gemini",
            "https://generativelanguage.googleapis.com/v1beta/models/"
            "gemini-3-pro-preview:streamGenerateContent?alt=sse",
        ),
        (
            "faithful-vertex",
            "https://aiplatform.googleapis.com/v1/projects/my-project/locations/global"
            "/publishers/google/models/gemini-3-pro-preview:streamGenerateContent"
            "?alt=sse",
        ),
    ],
)
def test_requests_go_to_the_service_s_own_address(policy: str, url: str) -> None:
    assert request(hold(policy, [READ])[0]).url == url


@pytest.mark.parametrize(
    "policy",
    [
        "faithful-copilot-chat",
        "faithful-openrouter",
        "faithful-litellm",
        "faithful-gemini",
        "faithful-vertex",
    ],
)
def test_an_exchange_is_recognised_as_the_dialect_it_speaks(policy: str) -> None:
    for taken in hold(policy, [READ]):
        dialect, match = Reading(taken.step.exchange).recognised
        assert dialect is not None
        assert dialect.name == changed(policy).dialects[0]
        assert match > Match.ANSWERED


def test_without_a_stream_the_whole_answer_is_asked_for() -> None:
    held = hold(changed("faithful-gemini", stream=False), [READ])
    assert request(held[0]).url.endswith(":generateContent")
    assert [t.status for t in held] == [200, 200]
    held = hold(changed("faithful-copilot-chat", stream=False), [READ])
    assert body(held[0])["stream"] is False
    assert [t.status for t in held] == [200, 200]


def test_copilot_is_told_who_began_a_request() -> None:
    held = hold("faithful-copilot-chat", [READ])
    said = [header(request(taken).headers, "x-initiator") for taken in held]
    assert said == ["user", "agent"]


def test_every_request_has_an_id_of_its_own() -> None:
    held = hold("faithful-copilot-chat", [READ, READ])
    ids = {header(request(taken).headers, "x-request-id") for taken in held}
    assert len(ids) == len(held)


def test_keys_are_placeholders_already() -> None:
    for policy in ("faithful-copilot-chat", "faithful-gemini", "faithful-vertex"):
        headers = dict(request(hold(policy, [READ])[0]).headers)
        keys = [headers.get("authorization"), headers.get("x-goog-api-key")]
        assert [key for key in keys if key] in (["Bearer [removed]"], ["[removed]"])


def test_a_client_s_own_headers_replace_and_add() -> None:
    client = {"headers": {"Editor-Version": "Mine/1", "X-Own": "2"}}
    held = hold(changed("faithful-copilot-chat", client=client), [READ])
    headers = request(held[0]).headers
    assert header(headers, "editor-version") == "Mine/1"
    assert header(headers, "x-own") == "2"
    names = [name.lower() for name, _ in headers]
    assert len(names) == len(set(names))


def test_a_client_s_own_members_go_into_the_body() -> None:
    client = {"body": {"temperature": 0.5}}
    for policy in ("faithful-copilot-chat", "faithful-gemini"):
        held = hold(changed(policy, client=client), [READ])
        assert body(held[0])["temperature"] == 0.5


def test_tools_are_offered_with_their_schemas() -> None:
    chat = body(hold("faithful-copilot-chat", [READ])[0])["tools"]
    gemini = body(hold("faithful-gemini", [READ])[0])["tools"][0]
    assert [one["function"] for one in chat] == gemini["functionDeclarations"]
