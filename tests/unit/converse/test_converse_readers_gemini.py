"""Reading Gemini's own API as clients do."""

from __future__ import annotations

from typing import Any

import pytest

from sigscope.converse.memory import Heard
from sigscope.converse.policy import Read
from sigscope.converse.readers.gemini import GeminiReader

ALL = Read(keep="all")


def chunk(*parts: Any, finish: str = "") -> dict[str, Any]:
    candidate: dict[str, Any] = {"content": {"role": "model", "parts": list(parts)}}
    if finish:
        candidate["finishReason"] = finish
    return {"candidates": [candidate]}


def call(name: str, signature: str = "", **args: Any) -> dict[str, Any]:
    part: dict[str, Any] = {
        "functionCall": {"id": f"id-{name}", "name": name, "args": args}
    }
    return part | ({"thoughtSignature": signature} if signature else {})


def hear(read: Read, *events: Any) -> Heard:
    reader = GeminiReader(read)
    for event in events:
        reader.feed(event)
    return reader.heard()


def places(heard: Heard) -> list[tuple[str, str]]:
    """Captured values with the kind of piece they sit on."""
    return [(one.value, heard.pieces[one.piece or 0].kind) for one in heard.captured]


def test_parts_of_all_chunks_are_appended_in_order() -> None:
    heard = hear(
        ALL,
        chunk({"text": "Hm.", "thought": True}),
        chunk({"text": "I look."}),
        chunk(call("read", "S1", path="a"), call("list")),
        chunk({"text": ""}, finish="STOP"),
    )
    assert [piece.kind for piece in heard.pieces] == ["thought", "text", "call", "call"]
    assert heard.calls[0].arguments == '{"path":"a"}'
    assert heard.calls[0].call_id == "id-read"
    assert places(heard) == [("S1", "call")]
    assert heard.finish == "STOP"


def test_an_empty_last_text_is_kept_for_its_signature() -> None:
    events = chunk({"text": "42."}), chunk({"text": "", "thoughtSignature": "S"})
    heard = hear(ALL, *events)
    assert [piece.text for piece in heard.pieces] == ["42.", ""]
    assert heard.captured[0].piece == 1


def test_a_client_that_skips_empty_texts_loses_what_they_carry() -> None:
    read = Read(keep="all", signed_parts=("call", "text", "thought"))
    heard = hear(read, chunk({"text": "42."}, {"text": "", "thoughtSignature": "S"}))
    assert [piece.text for piece in heard.pieces] == ["42."]
    assert heard.captured == ()


@pytest.mark.parametrize(
    ("keep", "kept"),
    [("first", ["S1"]), ("last", ["S2"]), ("all", ["S1", "S2"]), ("overwrite", [])],
)
def test_of_several_signatures_the_policy_keeps_its_own(
    keep: Any, kept: list[str]
) -> None:
    heard = hear(
        Read(keep=keep),
        chunk({"text": "x", "thoughtSignature": "S1"}),
        chunk(call("read", "S2")),
        chunk({"text": ""}),
    )
    assert [one.value for one in heard.captured] == kept


def test_only_the_named_kinds_of_part_are_asked_for_signatures() -> None:
    read = Read(keep="all", signed_parts=("call",))
    heard = hear(
        read, chunk({"text": "x", "thoughtSignature": "S1"}, call("read", "S2"))
    )
    assert places(heard) == [("S2", "call")]


def test_snake_case_is_read_as_well() -> None:
    part = {"function_call": {"name": "read", "args": {}}, "thought_signature": "S"}
    heard = hear(ALL, chunk(part))
    assert places(heard) == [("S", "call")]
    assert heard.calls[0].call_id == ""


@pytest.mark.parametrize(
    "event",
    [
        None,
        {},
        {"candidates": []},
        {"candidates": [3]},
        {"candidates": [{"content": None}]},
        {"candidates": [{"content": {"parts": 3}}]},
        {"candidates": [{"content": {"parts": [3, {}, {"text": 4}, {"other": 1}]}}]},
    ],
)
def test_odd_events_break_nothing(event: Any) -> None:
    assert hear(ALL, event).pieces == ()


def test_an_error_in_the_stream_is_heard() -> None:
    assert hear(ALL, {"error": {"code": 500}}).is_error
