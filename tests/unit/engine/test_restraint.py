"""What no fix may do behind a client's back."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.builders import (
    BYPASS_RAW,
    LS,
    OPAQUE,
    OPAQUE_B,
    URLS,
    copilot,
    raw,
    request_body,
    result,
    user,
)

from sigscope.edits.apply import apply_to_request
from sigscope.edits.records import Edit, Op
from sigscope.engine.recording.restraint import RequestChange, compare, maybe_object
from sigscope.exchange import Body, Exchange, Request
from sigscope.reader import Reading

RECEIVED = frozenset({OPAQUE})
HERE = "/messages/1/reasoning_opaque"


def reading(*history: Any) -> Reading:
    body = Body(raw(request_body("copilot-chat", history)))
    return Reading(Exchange(request=Request(url=URLS["copilot-chat"], body=body)))


def put(pointer: str, value: Any) -> Edit:
    return Edit(op=Op.SET, pointer=pointer, value=json.dumps(value))


def after(before: Reading, *edits: Edit) -> Reading:
    assert before.exchange.request is not None
    return Reading(Exchange(request=apply_to_request(edits, before.exchange.request)))


BARE = (user(), copilot(LS, opaque=None), result(LS))


def test_what_came_here_may_be_put_back() -> None:
    before = reading(*BARE)
    edit = put(HERE, OPAQUE)
    assert maybe_object([edit], before, RECEIVED) is None
    found = compare(before, after(before, edit), RECEIVED)
    assert found == RequestChange(put_back=RECEIVED)


@pytest.mark.parametrize(
    "edit",
    [
        put("/model", "other"),
        put("/tools", []),
        Edit(op=Op.HEADER, name="x", value="1"),
        Edit(op=Op.URL, value="https://other.example/"),
    ],
    ids=["model", "tools", "header", "url"],
)
def test_nothing_beside_the_conversation_is_changed(edit: Edit) -> None:
    said = maybe_object([edit], reading(*BARE), RECEIVED)
    assert said == "its fix changes more than the conversation"


@pytest.mark.parametrize(
    "edit",
    [put(HERE, OPAQUE_B), Edit(op=Op.MOVE, source="/messages/1/x", pointer=HERE)],
    ids=["set", "move"],
)
def test_what_did_not_come_here_is_not_moved(edit: Edit) -> None:
    """It stands in the request, and nobody saw who issued it."""
    astray = copilot(LS, opaque=None) | {"x": OPAQUE_B, "reasoningOpaque": OPAQUE_B}
    before = reading(user(), astray, result(LS))
    assert OPAQUE_B in {sighting.value for sighting in before.sent}
    said = maybe_object([edit], before, RECEIVED)
    assert said == "its fix moves a signature that did not come in this recording"


@pytest.mark.parametrize(
    ("edit", "why"),
    [
        (put("/messages/0/content", "Else?"), "changes what is said"),
        (put("/messages/2/content", "b.md"), "changes what is said"),
        (put("/messages/1/tool_calls/0/id", "call_9"), "changes what is said"),
        (Edit(op=Op.DROP, pointer="/messages/2"), "changes what is said"),
        (Edit(op=Op.DROP, pointer="/messages/1/reasoning_text"), "reasoning away"),
        (put(HERE, OPAQUE_B), "did not come in this recording"),
        (put(HERE, BYPASS_RAW), "bypass"),
    ],
    ids=["text", "result", "id", "dropped", "thought", "unknown", "bypass"],
)
def test_what_was_said_stays(edit: Edit, why: str) -> None:
    before = reading(*BARE)
    found = compare(before, after(before, edit), RECEIVED)
    assert isinstance(found, str)
    assert why in found


def test_a_signature_that_is_read_is_not_taken_away() -> None:
    before = reading(user(), copilot(LS), result(LS))
    gone = after(before, Edit(op=Op.DROP, pointer=HERE))
    assert compare(before, gone, RECEIVED) == "its fix takes a signature away"


def test_a_result_that_is_there_twice_may_go() -> None:
    before = reading(user(), copilot(LS), result(LS), result(LS))
    once = after(before, Edit(op=Op.DROP, pointer="/messages/3"))
    assert compare(before, once, RECEIVED) == RequestChange(dropped=1)
