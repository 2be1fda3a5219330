"""OpenRouter's known mistakes and cures make exactly the shapes they are named "
"after."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests import builders as b
from tests.unit.readymade.making import (
    Change,
    check,
    check_mended,
    context_of,
    edited,
    edits_of,
    put_at,
    step,
)

SECOND = [b.summary("Searching."), b.detail(b.GREP, b.SIG_B)]
HISTORY = [
    b.user(),
    b.openrouter(b.LS, b.READ),
    b.result(b.LS),
    b.result(b.READ),
    b.openrouter(b.GREP, details=SECOND, reasoning="Searching."),
    b.result(b.GREP),
]
OWN = {1: b.SIG, 4: b.SIG_B}


def on_signed_call(*path: str) -> Change:
    """The entries gone, the signature at a path below the call that it signs."""

    def change(history: list[Any]) -> None:
        for index, value in OWN.items():
            del history[index]["reasoning_details"]
            put_at(history[index]["tool_calls"][0], path, value)

    return change


def with_details(change: Any) -> Change:
    """Each list of entries changed in place, or replaced by what comes back."""

    def changed(history: list[Any]) -> None:
        for index in OWN:
            made = change(history[index]["reasoning_details"])
            if made is not None:
                history[index]["reasoning_details"] = made

    return changed


def drop(history: list[Any]) -> None:
    for index in OWN:
        del history[index]["reasoning_details"]


def null(history: list[Any]) -> None:
    for index in OWN:
        history[index]["reasoning_details"] = None


def on_tool_message(history: list[Any]) -> None:
    history[2]["reasoning_details"] = history[1].pop("reasoning_details")
    history[5]["reasoning_details"] = history[4].pop("reasoning_details")


def on_next_assistant(history: list[Any]) -> None:
    history[4]["reasoning_details"] = history[1].pop("reasoning_details")


def as_think_text(history: list[Any]) -> None:
    for index in OWN:
        del history[index]["reasoning_details"]
        text = history[index].pop("reasoning")
        history[index]["content"] = f"<think>{text}</think>"


def split(history: list[Any]) -> None:
    for index in (4, 1):
        message = history[index]
        first = {"role": "assistant", "content": ""}
        for key in ("reasoning", "reasoning_details"):
            first[key] = message.pop(key)
        history.insert(index, first)


def empty(history: list[Any]) -> None:
    for index in OWN:
        history[index]["content"] = []


def as_anthropic(history: list[Any]) -> None:
    for index, value in OWN.items():
        history[index]["reasoning_details"] = [
            {
                "type": "reasoning.text",
                "text": history[index]["reasoning"],
                "signature": value,
                "id": "reasoning-text-1",
                "format": "anthropic-claude-v1",
                "index": 0,
            }
        ]


def bypassed(history: list[Any]) -> None:
    for index in OWN:
        history[index]["reasoning_details"] = [
            b.detail(
                (history[index]["tool_calls"][0]["id"], "", {}),
                b.BYPASS_RAW,
            )
        ]


def glue(entries: list[Any]) -> list[Any]:
    text, sealed = entries
    return [
        {
            "type": "reasoning.textreasoning.encrypted",
            "text": text["text"],
            "format": "google-gemini-v1google-gemini-v1",
            "index": 0,
            "id": sealed["id"],
            "data": sealed["data"],
        }
    ]


SHAPES: dict[str, Change] = {
    "attempt-1-signature-on-tool-call": on_signed_call("thought_signature"),
    "attempt-2-signature-in-function": on_signed_call("function", "thought_signature"),
    "attempt-3-camel-case": on_signed_call("function", "thoughtSignature"),
    "attempt-3-camel-case-on-tool-call": on_signed_call("thoughtSignature"),
    "extra-content": on_signed_call("extra_content", "google", "thought_signature"),
    "drop": drop,
    "details-null": null,
    "details-as-anthropic-text": as_anthropic,
    "details-on-tool-message": on_tool_message,
    "details-on-next-assistant": on_next_assistant,
    "only-reasoning-text": drop,
    "think-text": as_think_text,
    "split-message": split,
    "payload-removed": with_details(lambda entries: entries[1].pop("data") and None),
    "duplicate-entry": with_details(lambda entries: [*entries, entries[1]]),
    "glued-types": with_details(glue),
    "unsigned-dropped": with_details(lambda entries: entries[1:]),
    "reversed": with_details(lambda entries: entries[::-1]),
    "ids-removed": with_details(lambda entries: entries[1].pop("id") and None),
    "bypass-entry": bypassed,
    "content-empty-list": empty,
}


@pytest.mark.parametrize("name", SHAPES)
def test_a_right_history_takes_the_shape_of_the_mistake(name: str) -> None:
    check("openrouter", HISTORY, f"openrouter.{name}", SHAPES[name])


@pytest.mark.parametrize(
    "name",
    sorted(
        SHAPES.keys()
        - {"think-text", "split-message", "content-empty-list"}
        - {"details-on-tool-message"}
    ),
)
def test_the_reply_s_own_entries_come_back(name: str) -> None:
    check_mended("openrouter", HISTORY, "openrouter.restore", SHAPES[name])


def test_entries_on_a_tool_message_stay_there_and_come_back_on_their_own() -> None:
    def still_there(history: list[Any]) -> None:
        history[2]["reasoning_details"] = history[1]["reasoning_details"]
        history[5]["reasoning_details"] = history[4]["reasoning_details"]

    check_mended(
        "openrouter", HISTORY, "openrouter.restore", on_tool_message, still_there
    )


def test_a_right_request_needs_no_cure() -> None:
    assert edits_of(step("openrouter", HISTORY), "openrouter.restore") is None


def test_a_changed_entry_is_mended_without_touching_the_others() -> None:
    sent = json.loads(json.dumps(HISTORY))
    sent[1]["reasoning_details"][1]["data"] = b.SIG[:20]
    edits = edits_of(step("openrouter", HISTORY, sent), "openrouter.restore")
    assert edits is not None
    assert [e.pointer for e in edits] == ["/messages/1/reasoning_details/1/data"]


def test_a_misplaced_signature_of_an_unknown_reply_becomes_an_entry() -> None:
    message = b.openrouter(b.LS, details=[])
    message["tool_calls"][0]["thought_signature"] = b.SIG
    sent = [b.user(), message, b.result(b.LS)]
    alone = b.exchange("openrouter", b.request_body("openrouter", sent), "{}")
    body = edited(context_of(b.read([alone])), "openrouter.restore")
    right = b.openrouter(b.LS, details=[b.detail(b.LS)])
    assert body["messages"][1] == right


def test_only_text_needs_text_and_adds_it_where_only_the_reply_has_it() -> None:
    history = [b.user(), b.openrouter(b.LS), b.result(b.LS)]
    sent = json.loads(json.dumps(history))
    del sent[1]["reasoning"]
    body = edited(step("openrouter", history, sent), "openrouter.only-reasoning-text")
    assert body["messages"][1] == b.openrouter(b.LS, details=[])
    bare = [b.user(), b.openrouter(b.LS, reasoning=None), b.result(b.LS)]
    assert edits_of(step("openrouter", bare), "openrouter.only-reasoning-text") is None


def test_pieces_of_a_stream_become_entries_of_their_own() -> None:
    pieces = [
        {"type": "reasoning.text", "text": "Look", "index": 0},
        {"type": "reasoning.text", "text": "ing.", "index": 0},
        b.detail(b.LS),
    ]
    chunks = [
        {"choices": [{"index": 0, "delta": {"reasoning_details": [piece]}}]}
        for piece in pieces
    ]
    call = {"tool_calls": [{"index": 0, **b.chat_calls(b.LS)[0]}]}
    stream = b.sse(*chunks, {"choices": [{"index": 0, "delta": call}]}, "[DONE]")
    first = b.exchange(
        "openrouter",
        b.request_body("openrouter", [b.user()]),
        stream,
        content_type="text/event-stream",
    )
    whole = {"type": "reasoning.text", "text": "Looking.", "index": 0}
    message = b.openrouter(b.LS, details=[whole, b.detail(b.LS)])
    sent = [b.user(), message, b.result(b.LS)]
    last = b.exchange("openrouter", b.request_body("openrouter", sent), "{}")
    context = context_of(b.read([first, last]))
    assert edits_of(context, "openrouter.restore") is None
    body = edited(context, "openrouter.fragments")
    assert body["messages"][1]["reasoning_details"] == pieces
    assert edits_of(step("openrouter", HISTORY), "openrouter.fragments") is None


def test_entries_without_a_common_index_are_not_glued() -> None:
    details = [b.summary(), b.detail(b.LS, index=1)]
    history = [b.user(), b.openrouter(b.LS, details=details), b.result(b.LS)]
    assert edits_of(step("openrouter", history), "openrouter.glued-types") is None


def test_the_provider_that_answered_last_is_pinned() -> None:
    first = b.response_body("openrouter", HISTORY[1]) | {"provider": "Google AI Studio"}
    steps = [
        b.exchange("openrouter", b.request_body("openrouter", HISTORY[:1]), first),
        b.exchange("openrouter", b.request_body("openrouter", HISTORY[:4]), "{}"),
    ]
    body = edited(context_of(b.read(steps)), "openrouter.pin-provider")
    assert body["provider"] == {
        "order": ["Google AI Studio"],
        "allow_fallbacks": False,
    }
    assert edits_of(step("openrouter", HISTORY), "openrouter.pin-provider") is None


def test_a_split_message_becomes_one_again() -> None:
    check_mended("openrouter", HISTORY, "openrouter.merge-messages", split)
