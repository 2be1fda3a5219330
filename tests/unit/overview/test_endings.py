"""Where readable reasoning ends."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from tests.tui.longstory import long_story
from tests.tui.story import MODEL

from sigscope.engine.sessions.document import Document
from sigscope.exchange import Body
from sigscope.overview.endings import reasoning_ends
from sigscope.session import Step

SAID = "That is how it is. " * 4
"""As `long_story` has it, so that the next request is known to go on from it."""


def ends(steps: int, silent: set[int], **more: Any) -> frozenset[int]:
    """Every step is an answer; those that are silent have no reasoning."""
    session = long_story(steps, per_turn=1, is_timed=False)
    made = [_silent(each, **more) if each.number in silent else each
            for each in session.steps]  # fmt: skip
    document = Document(replace(session, steps=tuple(made)))
    by_number = {reading.number: reading for reading in document.readings}
    return reasoning_ends(by_number, document.ledger)


def _silent(one: Step, **asked: Any) -> Step:
    request, response = one.exchange.request, one.exchange.response
    assert request is not None
    assert response is not None
    choice = {"index": 0, "delta": {"content": SAID}, "finish_reason": "stop"}
    data = f"data: {json.dumps({'model': MODEL, 'choices': [choice]})}\n\n"
    body = {**json.loads(request.body.raw), **asked}
    exchange = replace(
        one.exchange,
        request=replace(request, body=Body(json.dumps(body).encode())),
        response=replace(response, body=Body(data.encode())),
    )
    return replace(one, exchange=exchange)


def test_it_ends_at_the_first_answer_of_several_without() -> None:
    assert ends(10, {7, 8, 9, 10}) == {7}


def test_two_answers_without_are_no_end() -> None:
    assert ends(10, {9, 10}) == frozenset()


def test_what_comes_back_had_not_ended() -> None:
    assert ends(12, {5, 6, 7, 8}) == frozenset()


def test_what_never_was_does_not_end() -> None:
    assert ends(8, set(range(1, 9))) == frozenset()


def test_who_asks_otherwise_gets_otherwise() -> None:
    assert ends(10, {7, 8, 9, 10}, reasoning_effort="none") == frozenset()
