"""From the stream to the message store: five architectures."""

from __future__ import annotations

import pytest

from sigscope.converse.flows import FLOWS, ReasoningState, ToolUse, open_flow
from sigscope.converse.memory import Captured, Heard, ReplyPiece
from sigscope.converse.policy import FlowName

SIGNATURE = Captured(value="S")
CALLS = Heard(
    pieces=(
        ReplyPiece(kind="text", text="x"),
        ReplyPiece(kind="call", call_id="a", name="f"),
        ReplyPiece(kind="call", call_id="b", name="g"),
    ),
    captured=(SIGNATURE,),
)
ANSWER = Heard(pieces=(ReplyPiece(kind="text", text="x"),), captured=(SIGNATURE,))


def carried(name: FlowName, heard: Heard) -> tuple[Captured, ...]:
    """What the next request has of a reply."""
    flow = open_flow(name)
    reply = flow.collect(flow.emit(heard))
    assert reply.pieces == heard.pieces
    return flow.recall(reply)


@pytest.mark.parametrize("name", ["event", "tool-use", "side-table"])
def test_options_a_b_and_c_bring_the_signature_of_calls_across(name: FlowName) -> None:
    assert carried(name, CALLS) == (SIGNATURE,)


@pytest.mark.parametrize("name", ["never", "stripped"])
def test_never_emitted_and_stripped_bring_nothing_across(name: FlowName) -> None:
    assert carried(name, CALLS) == ()
    assert carried(name, ANSWER) == ()


@pytest.mark.parametrize(
    ("name", "expected"),
    [("event", (SIGNATURE,)), ("tool-use", ()), ("side-table", ())],
)
def test_only_an_event_of_its_own_brings_an_answer_s_signature_across(
    name: FlowName, expected: tuple[Captured, ...]
) -> None:
    assert carried(name, ANSWER) == expected


def test_the_options_put_the_signature_in_three_different_places() -> None:
    by_event = list(open_flow("event").emit(CALLS))
    by_use = list(open_flow("tool-use").emit(CALLS))
    by_table = list(open_flow("side-table").emit(CALLS))
    assert [e for e in by_event if isinstance(e, ReasoningState)]
    assert all(not e.state for e in by_event if isinstance(e, ToolUse))
    assert all(e.state == (SIGNATURE,) for e in by_use if isinstance(e, ToolUse))
    assert not any(isinstance(e, ReasoningState) for e in (*by_use, *by_table))
    assert all(not e.state for e in by_table if isinstance(e, ToolUse))


def test_a_side_table_tells_messages_apart_by_their_calls() -> None:
    flow = open_flow("side-table")
    other = Heard(
        pieces=(ReplyPiece(kind="call", call_id="c", name="f"),),
        captured=(Captured(value="T"),),
    )
    first = flow.collect(flow.emit(CALLS))
    second = flow.collect(flow.emit(other))
    assert flow.recall(first) == (SIGNATURE,)
    assert flow.recall(second) == (Captured(value="T"),)


def test_a_side_table_knows_calls_without_ids_by_what_they_call() -> None:
    flow = open_flow("side-table")
    heard = Heard(
        pieces=(ReplyPiece(kind="call", name="f", arguments='{"a":1}'),),
        captured=(SIGNATURE,),
    )
    assert flow.recall(flow.collect(flow.emit(heard))) == (SIGNATURE,)


def test_the_store_of_a_stripping_client_is_told_and_forgets() -> None:
    flow = open_flow("stripped")
    events = list(flow.emit(CALLS))
    assert [e for e in events if isinstance(e, ReasoningState)]
    assert flow.collect(events).captured == ()


def test_every_flow_of_the_policy_s_type_exists() -> None:
    assert set(FLOWS) == {"event", "tool-use", "side-table", "never", "stripped"}
