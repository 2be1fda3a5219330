"""Reading chat completions as clients do, rightly and wrongly."""

from __future__ import annotations

from typing import Any

import pytest

from sigscope.converse.memory import Heard
from sigscope.converse.policy import Read
from sigscope.converse.readers.chat import ChatReader

OPAQUE = Read(signatures=("reasoning_opaque",), thoughts=("reasoning_text",))


def delta(finish: str | None = None, **fields: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": fields, "finish_reason": finish}]}


def call(number: int | None, call_id: str = "", name: str = "", args: str = "") -> Any:
    piece: dict[str, Any] = {"function": {"arguments": args}}
    if number is not None:
        piece["index"] = number
    if call_id:
        piece["id"] = call_id
    if name:
        piece["function"]["name"] = name
    return piece


def hear(read: Read, *events: Any) -> Heard:
    reader = ChatReader(read)
    for event in events:
        reader.feed(event)
    return reader.heard()


def test_thoughts_and_text_are_joined_without_a_separator() -> None:
    heard = hear(
        OPAQUE,
        delta(reasoning_text="One.\n\n", content=None),
        delta(reasoning_text="Two.\n\n"),
        delta(content="Hel"),
        delta(content="lo"),
        delta("stop", content=None),
    )
    assert (heard.thoughts, heard.text) == ("One.\n\nTwo.\n\n", "Hello")
    assert heard.finish == "stop"


def test_fields_the_policy_does_not_name_are_not_read() -> None:
    heard = hear(Read(), delta(reasoning_text="One.", reasoning_opaque="abc"))
    assert heard.thoughts == ""
    assert heard.captured == ()


def test_the_first_named_field_of_reasoning_wins_in_a_delta() -> None:
    read = Read(thoughts=("cot_summary", "reasoning_text"))
    heard = hear(read, delta(reasoning_text="b", cot_summary="a"), delta(thinking="c"))
    assert heard.thoughts == "a"


@pytest.mark.parametrize(
    ("keep", "kept"),
    [
        ("first", ["one"]),
        ("last", ["two"]),
        ("all", ["one", "two"]),
        ("overwrite", []),
    ],
)
def test_of_several_envelopes_the_policy_keeps_its_own(
    keep: Any, kept: list[str]
) -> None:
    read = Read(signatures=("reasoning_opaque",), keep=keep)
    heard = hear(
        read,
        delta(reasoning_opaque="one"),
        delta(reasoning_opaque="two"),
        delta("stop", content="x"),
    )
    assert [one.value for one in heard.captured] == kept


def test_overwriting_keeps_what_came_in_the_very_last_delta() -> None:
    read = Read(signatures=("reasoning_opaque",), keep="overwrite")
    heard = hear(read, delta(content="x"), delta("stop", reasoning_opaque="two"))
    assert [one.value for one in heard.captured] == ["two"]


def test_a_list_of_signatures_is_read_item_by_item() -> None:
    read = Read(signatures=("fields/list",), keep="all")
    heard = hear(read, delta(fields={"list": ["a", "", "b", 3]}))
    assert [one.value for one in heard.captured] == ["a", "b"]


def test_signatures_of_plain_answers_may_be_let_go() -> None:
    read = Read(signatures=("reasoning_opaque",), only_with_calls=True)
    answer = hear(read, delta("stop", content="x", reasoning_opaque="a"))
    calls = hear(
        read,
        delta("tool_calls", tool_calls=[call(0, "c", "f", "{}")], reasoning_opaque="a"),
    )
    assert answer.captured == ()
    assert [one.value for one in calls.captured] == ["a"]


def test_arguments_of_two_calls_are_put_together_by_index() -> None:
    heard = hear(
        Read(),
        delta(tool_calls=[call(0, "a", "read", "{")]),
        delta(tool_calls=[call(1, "b", "list", "{}")]),
        delta("tool_calls", tool_calls=[call(0, args="}")]),
    )
    assert [(c.call_id, c.name, c.arguments) for c in heard.calls] == [
        ("a", "read", "{}"),
        ("b", "list", "{}"),
    ]


def test_without_an_index_separate_chunks_run_together() -> None:
    events = [
        delta(tool_calls=[call(None, "a", "read", '{"n":1}')]),
        delta(tool_calls=[call(None, "b", "list", '{"n":2}')]),
    ]
    merged = hear(Read(merge_calls="index"), *events)
    assert [(c.call_id, c.arguments) for c in merged.calls] == [("a", '{"n":1}{"n":2}')]
    apart = hear(Read(merge_calls="id"), *events)
    assert [(c.call_id, c.arguments) for c in apart.calls] == [
        ("a", '{"n":1}'),
        ("b", '{"n":2}'),
    ]


def test_merging_by_position_makes_one_call_of_two() -> None:
    heard = hear(
        Read(merge_calls="position"),
        delta(tool_calls=[call(0, "a", "read", "{}")]),
        delta(tool_calls=[call(1, "b", "list", "{}")]),
    )
    assert [(c.call_id, c.name, c.arguments) for c in heard.calls] == [
        ("a", "read", "{}{}")
    ]


def test_pieces_without_an_id_go_on_the_last_call_when_merged_by_id() -> None:
    heard = hear(
        Read(merge_calls="id"),
        delta(tool_calls=[call(None, "a", "read", "{")]),
        delta(tool_calls=[call(None, args="}")]),
    )
    assert [c.arguments for c in heard.calls] == ["{}"]


def test_a_call_s_own_signature_is_captured_on_its_piece() -> None:
    read = Read(call_signatures=("fields/signature",))
    signed = {**call(1, "b", "list", "{}"), "fields": {"signature": "s"}}
    heard = hear(
        read, delta(content="x", tool_calls=[call(0, "a", "read", "{}"), signed])
    )
    (captured,) = heard.captured
    assert captured.value == "s"
    assert heard.pieces[captured.piece or 0].call_id == "b"


def test_a_whole_answer_is_read_like_one_delta() -> None:
    whole = {
        "choices": [
            {
                "finish_reason": "tool_calls",
                "message": {
                    "content": "x",
                    "reasoning_opaque": "s",
                    "tool_calls": [call(None, "a", "f", "{}"), call(None, "b", "g")],
                },
            }
        ]
    }
    heard = hear(OPAQUE, whole)
    assert (heard.text, [c.name for c in heard.calls]) == ("x", ["f", "g"])


@pytest.mark.parametrize(
    "event",
    [
        None,
        3,
        [],
        {},
        {"choices": None},
        {"choices": []},
        {"choices": [3]},
        {"choices": [{"delta": None}]},
        {"choices": [{"delta": {"tool_calls": 3, "content": 4}}]},
        {"choices": [{"delta": {"tool_calls": [3, {"function": 4, "id": 5}]}}]},
        {"choices": [{"delta": {"reasoning_opaque": {"a": 1}}}]},
    ],
)
def test_odd_events_break_nothing(event: Any) -> None:
    assert hear(OPAQUE, event).captured == ()


def test_an_error_in_the_stream_is_heard() -> None:
    assert hear(Read(), {"error": {"message": "x"}}).is_error
    assert hear(Read(), delta("error")).is_error
    assert not hear(Read(), delta("stop", content="x")).is_error
