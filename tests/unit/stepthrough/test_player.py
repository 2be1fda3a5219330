"""Stepping through a response."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.stepthrough import streams as s

from sigscope.dialects.assembly import Effect
from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.opener import open_file
from sigscope.engine.settings.places import shipped
from sigscope.opaque import sha256
from sigscope.stepthrough import Player, StreamBreakpoint
from sigscope.stepthrough.mainstream import KeptCall
from sigscope.stepthrough.player import MISSING

MESSAGE = "/choices/0/message"


def player(*events: Any, **more: Any) -> Player:
    return Player(s.reading(s.sse(*events), **more))


def test_before_the_first_event_there_is_nothing() -> None:
    frame = Player(s.story()).at(0)
    assert (frame.number, frame.body, frame.changes) == (0, {}, ())


def test_an_event_tells_what_it_added_and_what_it_lengthened() -> None:
    stepped = Player(s.story())
    first = {c.pointer: c for c in stepped.at(1).changes}
    assert first[f"{MESSAGE}/reasoning_text"].kind == "added"
    assert first[f"{MESSAGE}/reasoning_text"].before is MISSING
    (second,) = stepped.at(2).changes
    assert second.kind == "extended"
    assert (second.start, second.end) == (len("**Look**"), len("**Look** I read."))
    assert second.source == "/choices/0/delta/reasoning_text"
    assert second.effect is Effect.THOUGHT


def test_a_value_that_is_replaced_is_a_change_and_not_an_addition() -> None:
    stepped = player(s.delta(reasoning_opaque="one"), s.delta(reasoning_opaque="two"))
    (change,) = stepped.at(2).changes
    assert (change.kind, change.before, change.end) == ("changed", "one", 3)


def test_text_where_null_stood_is_a_change() -> None:
    stepped = player(s.delta(content=None), s.delta(content="Hi"))
    (change,) = stepped.at(2).changes
    assert (change.kind, change.before) == ("changed", None)


def test_two_pieces_of_one_field_in_one_event_are_one_change() -> None:
    piece = {"type": "reasoning.text", "index": 0, "text": "ab"}
    stepped = player(
        s.delta(reasoning_details=[piece]),
        s.delta(reasoning_details=[piece, piece]),
        dialect="openrouter",
    )
    changes = [c for c in stepped.at(2).changes if c.pointer.endswith("/text")]
    assert [(c.kind, c.start, c.end) for c in changes] == [("extended", 2, 6)]


@given(st.lists(st.integers(0, 10), min_size=1, max_size=8))
def test_what_is_shown_of_an_event_does_not_depend_on_the_way_there(
    places: list[int],
) -> None:
    stepped, fresh = Player(s.story()), Player(s.story())
    for place in places[:-1]:
        stepped.at(place)
        stepped.kept(place)
    last = places[-1]
    assert stepped.at(last) == fresh.at(last)
    assert stepped.kept(last) == fresh.kept(last)


def test_the_last_frame_is_the_whole_answer() -> None:
    reading = s.story()
    assert Player(reading).at(10).body == reading.response_json


def test_going_past_the_end_is_an_error() -> None:
    with pytest.raises(IndexError, match="there are 10 events, not 11"):
        Player(s.story()).at(11)


def test_a_stream_of_no_known_dialect_is_stepped_without_a_message() -> None:
    reading = s.reading(s.sse({"a": 1}, {"a": 2}))
    reading.__dict__["recognised"] = (None, 0)
    stepped = Player(reading)
    assert len(stepped) == 2
    assert stepped.at(2).body is None
    assert stepped.kept(2).content is None


def test_a_field_names_the_events_that_wrote_it() -> None:
    ask = Player(s.story()).provenance
    assert ask.authors(f"{MESSAGE}/reasoning_text").events == (1, 2)
    assert ask.authors(f"{MESSAGE}/tool_calls/0/function/arguments").events == (4, 5, 6)
    assert ask.authors(f"{MESSAGE}/tool_calls/1").events == (7,)
    assert ask.authors(f"{MESSAGE}/tool_calls").events == (4, 5, 6, 7)
    assert ask.authors(f"{MESSAGE}/tool_calls", until=5).events == (4, 5)
    assert ask.authors("/usage/total_tokens").events == (9,)
    assert ask.authors("/usage/total_tokens").pointer == "/usage"


def test_a_name_that_only_begins_alike_is_not_inside() -> None:
    ask = player(s.delta(a={"b": 1}), s.delta(**{"a0": 2, "a.": 3, "ab": 4})).provenance
    assert ask.authors(f"{MESSAGE}/a").events == (1,)


def test_a_field_of_an_event_knows_where_it_went() -> None:
    ask = Player(s.story()).provenance
    source = "/choices/0/delta/tool_calls/0/function/arguments"
    assert ask.destination(5, source) == f"{MESSAGE}/tool_calls/0/function/arguments"
    assert ask.destination(7, source) == f"{MESSAGE}/tool_calls/1/function/arguments"
    assert ask.destination(9, "/usage/total_tokens") == "/usage/total_tokens"
    assert ask.destination(5, "/nowhere") is None


# --- What a mainstream client has kept ------------------------------------------------


def test_a_client_that_reads_text_and_calls_has_neither_thought_nor_signature() -> None:
    kept = Player(s.story()).kept(10)
    assert kept.content is None
    assert kept.calls == (
        KeptCall(id="call_1", name="read_file", arguments='{"path":"a.md"}'),
        KeptCall(id="call_2", name="ls", arguments="{}"),
    )
    assert kept.lost_thought == len("**Look** I read.")
    assert kept.lost_signatures == (sha256(s.OPAQUE),)
    assert kept.finish == "tool_calls"


def test_nothing_is_lost_before_it_arrives() -> None:
    stepped = Player(s.story())
    assert stepped.kept(2).lost_signatures == ()
    assert stepped.kept(3).lost_signatures == (sha256(s.OPAQUE),)
    assert stepped.kept(5).calls[0].arguments == '{"path":'


def test_a_blob_that_a_later_event_replaces_is_nobodys_loss() -> None:
    path = shipped("sessions") / "responses-dropped-reasoning.session.jsonl"
    reading = Document(open_file(path)).reading(1)
    early, last = dict.fromkeys(sighting.value for sighting in reading.received)
    stepped = Player(reading)
    assert stepped.kept(len(reading.events)).lost_signatures == (sha256(last),)
    assert sha256(early) not in stepped.kept(3).lost_signatures


def test_a_signature_in_a_call_id_is_kept_with_the_call() -> None:
    value = "EhkKFwHeWwZgVZrq0IJk1XldOQlxjN0Fq9SV"
    stepped = player(
        s.call(0, "{}", id=f"call_1__thought__{value}", type="function", name="ls"),
        dialect="litellm",
    )
    kept = stepped.kept(1)
    assert kept.kept_signatures == (sha256(value),)
    assert kept.lost_signatures == ()


def test_an_event_that_httpx_sse_does_not_see_is_not_in_the_clients_message() -> None:
    body = b"\xef\xbb\xbf" + s.sse(s.delta(content="One "), s.delta(content="two"))
    stepped = Player(s.reading(body))
    assert stepped.at(2).body["choices"][0]["message"]["content"] == "One two"
    kept = stepped.kept(2)
    assert kept.content == "two"
    assert kept.unseen == (1,)
    assert any(
        "httpx-sse does not see it" in a for a in stepped.happenings[0].anomalies
    )


def test_a_body_that_httpx_sse_refuses_leaves_the_client_with_nothing() -> None:
    stepped = Player(s.story(content_type="application/json"))
    if stepped.reader.is_read:
        assert stepped.reader.refusal
        assert stepped.kept(10).calls == ()
        assert len(stepped.kept(10).unseen) == 10


# --- Breakpoints ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("point", "events"),
    [
        (StreamBreakpoint("signature"), [3]),
        (StreamBreakpoint("call"), [4, 7]),
        (StreamBreakpoint("finish"), [8]),
        (StreamBreakpoint("error"), []),
        (StreamBreakpoint("kind", "thought"), [1, 2]),
        (StreamBreakpoint("kind", "done"), [10]),
        (StreamBreakpoint("pointer", f"{MESSAGE}/tool_calls/0"), [4, 5, 6]),
        (StreamBreakpoint("pointer", "/usage/total_tokens"), [9]),
        (StreamBreakpoint("anomaly"), []),
    ],
)
def test_a_breakpoint_stops_at_its_events_forwards_and_backwards(
    point: StreamBreakpoint, events: list[int]
) -> None:
    stepped = Player(s.story())
    found = []
    at = 0
    while stop := stepped.find_next(at, [point]):
        at = stop.event
        found.append(at)
    assert found == events
    back = []
    at = 11
    while stop := stepped.find_next(at, [point], way=-1):
        at = stop.event
        back.append(at)
    assert back == events[::-1]


def test_a_stop_says_which_breakpoint_and_what_came() -> None:
    stop = Player(s.story()).find_next(
        0, [StreamBreakpoint("call"), StreamBreakpoint("signature")]
    )
    assert stop is not None
    assert str(stop.breakpoint) == "signature arrives"
    assert stop.note == f"{sha256(s.OPAQUE)[:6]} of 240 chars"


def test_a_search_goes_no_further_than_asked() -> None:
    assert Player(s.story()).find_next(0, [StreamBreakpoint("finish")], until=7) is None


@pytest.mark.parametrize(
    ("events", "at", "words"),
    [
        ((s.delta(content="a"), b"{broken"), 2, "its JSON is broken"),
        ((s.delta(content="a"), b"oops"), 2, "its data is no JSON"),
        (
            (s.delta("stop", content="a"), s.delta(content="b")),
            2,
            "it brings a text after the finish reason",
        ),
        ((b"[DONE]", s.delta(content="b")), 2, "it stands after [DONE], event 1"),
    ],
)
def test_what_is_odd_stops_at_an_anomaly(
    events: tuple[Any, ...], at: int, words: str
) -> None:
    stop = player(*events).find_next(0, [StreamBreakpoint("anomaly")])
    assert stop is not None
    assert stop.event == at
    assert words in stop.note


def test_a_torn_stream_ends_in_an_anomaly() -> None:
    body = s.sse(s.delta(content="a")) + b'data: {"choices":[{"delta":{"cont'
    stop = Player(s.reading(body)).find_next(0, [StreamBreakpoint("anomaly")])
    assert stop is not None
    assert stop.event == 2
    assert "the body ends inside it" in stop.note


def test_an_error_in_the_stream_stops() -> None:
    stepped = player(s.delta(content="a"), {"error": {"message": "overloaded"}})
    stop = stepped.find_next(0, [StreamBreakpoint("error")])
    assert stop is not None
    assert stop.event == 2


def test_a_native_gemini_call_starts_once() -> None:
    part = {"functionCall": {"name": "ls", "args": {"a": [1, 2]}}}
    stepped = player(
        {"candidates": [{"content": {"parts": [part, part]}}]},
        {"candidates": [{"content": {"parts": [{"text": "x"}]}}]},
        dialect="gemini",
    )
    assert [len(h.calls) for h in stepped.happenings] == [2, 0]
    assert [c.name for c in stepped.kept(1).calls] == ["ls", "ls"]
    assert json.loads(stepped.kept(1).calls[0].arguments) == {"a": [1, 2]}


def test_the_word_that_ends_a_stream_is_no_json_and_nothing_odd() -> None:
    reading = s.story()
    assert reading.event_data[-1] is None
    last = Player(reading).happenings[-1]
    assert last.is_done
    assert last.anomalies == ()
