"""Ready-made edits of the Responses API: what they make, and what comes of it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.unit.rules.responses_cases import (
    CALL,
    EARLY,
    MORE,
    OPENAI,
    RESULT,
    SAID,
    USER,
    answer,
    ask,
    exchange,
    thought,
)

from sigscope.edits.apply import apply_to_request
from sigscope.engine.sending.sender import Order, foretell
from sigscope.engine.sessions.document import Document
from sigscope.exchange import Exchange
from sigscope.readymade import Context, by_name
from sigscope.session import Session, Step

Json = Any


def streamed(**more: Json) -> Exchange:
    events = [
        {"type": "response.output_item.added", "output_index": 0,
         "item": thought(sealed=EARLY)},
        {"type": "response.output_item.done", "output_index": 0, "item": thought()},
        {"type": "response.output_item.done", "output_index": 1, "item": CALL},
        {"type": "response.completed", "response": answer(thought(), CALL, **more)},
    ]  # fmt: skip
    body = {"model": "gpt-5", "input": [USER], "stream": True, **more}
    return exchange(OPENAI, body, events=events)


OK = answer(SAID, name="resp_2")
STORED = (streamed(), ask(USER, thought(), CALL, RESULT, reply=OK))
STATELESS = (
    streamed(store=False),
    ask(USER, thought(), CALL, RESULT, reply=OK, store=False),
)
CHAIN = (
    streamed(),
    ask(RESULT, previous_response_id="resp_1", reply=OK),
    ask(MORE, previous_response_id="resp_2", reply=answer(SAID, name="resp_3")),
)
BROKEN = (streamed(), ask(USER, CALL, RESULT, reply=OK))


def document(exchanges: tuple[Exchange, ...]) -> Document:
    steps = [
        Step(number=number, id=str(number), exchange=each)
        for number, each in enumerate(exchanges, 1)
    ]
    return Document(Session(id="made", steps=steps))


def made(found: Document, name: str) -> Any:
    last = len(found.steps)
    context = Context(
        reading=found.reading(last),
        ledger=found.ledger,
        readings={reading.number: reading for reading in found.readings},
    )
    ready = by_name(name)
    assert ready is not None
    return ready.edits(context)


@pytest.mark.parametrize(
    ("session", "name", "status", "rule"),
    [
        (STORED, "responses.drop-reasoning", 400, "RSP-2"),
        (STATELESS, "responses.drop-reasoning", 200, ""),
        (STORED, "responses.start-cold", 200, ""),
        (STATELESS, "responses.drop-sealed", 404, "RSP-4"),
        (STORED, "responses.drop-sealed", 200, ""),
        (STATELESS, "responses.drop-reasoning-ids", 200, ""),
        (STATELESS, "responses.drop-other-ids", 200, ""),
        (STATELESS, "responses.renamed-items", 400, "RSP-5"),
        (STATELESS, "responses.reasoning-behind", 400, "RSP-1"),
        (STATELESS, "responses.drop-what-follows", 400, "RSP-1"),
        (STATELESS, "responses.drop-output", 400, "RSP-14"),
        (STATELESS, "responses.drop-call", 400, "RSP-1"),
        (CHAIN[:2], "responses.drop-output", 400, "RSP-14"),
        (CHAIN[:2], "responses.misnamed-output", 400, "RSP-14"),
        (STATELESS, "responses.misnamed-output", 400, "RSP-14"),
        (STATELESS, "responses.early-value", 400, "RSP-3"),
        (CHAIN, "responses.unknown-answer", 400, "RSP-8"),
        (STATELESS, "responses.include-sealed", 200, ""),
        (STATELESS, "responses.store", 200, ""),
        (STORED, "responses.no-store", 200, ""),
        (BROKEN, "responses.restore", 200, ""),
        (STATELESS, "cut", 400, "RSP-3"),
        (STATELESS, "bypass-raw", 400, "RSP-3"),
    ],
)
def test_what_the_simulator_says_to_each(
    session: tuple[Exchange, ...], name: str, status: int, rule: str
) -> None:
    found = document(session)
    edits = made(found, name)
    assert edits
    judgement = foretell(found, Order(step=len(session), edits=edits))
    assert judgement is not None
    assert (judgement.status, judgement.rule) == (status, rule), judgement.error


def sent(session: tuple[Exchange, ...], name: str) -> list[Json]:
    edits = made(document(session), name)
    request = session[-1].request
    assert request is not None
    body = json.loads(apply_to_request(edits, request).body.raw)
    items: list[Json] = body["input"]
    return items


def test_what_was_dropped_comes_back_before_what_it_led_to() -> None:
    assert sent(BROKEN, "responses.restore") == [USER, thought(), CALL, RESULT]


def test_reasoning_goes_behind_what_it_led_to_wherever_that_stands() -> None:
    name = "responses.reasoning-behind"
    assert sent(STATELESS, name) == [USER, CALL, thought(), RESULT]
    last = (STATELESS[0], ask(USER, thought(), CALL, reply=OK, store=False))
    assert sent(last, name) == [USER, CALL, thought()]


def test_items_that_are_none_are_passed_over() -> None:
    odd = ask(USER, reply=answer("odd", thought(), None, CALL, 5, []))
    lost = (odd, ask(USER, CALL, RESULT, reply=OK))
    assert sent(lost, "responses.restore") == [USER, thought(), CALL, RESULT]


def test_the_early_value_is_that_of_the_first_event() -> None:
    items = sent(STATELESS, "responses.early-value")
    assert items[1]["encrypted_content"] == EARLY


def test_starting_cold_leaves_no_id() -> None:
    items = sent(STORED, "responses.start-cold")
    assert [item.get("type") for item in items] == [
        None, "function_call", "function_call_output",
    ]  # fmt: skip
    assert not any("id" in item for item in items)


@pytest.mark.parametrize("name", ["responses.restore", "responses.store"])
def test_what_is_right_already_is_not_offered(name: str) -> None:
    stored = (STORED[0], ask(USER, thought(), CALL, RESULT, reply=OK, store=True))
    assert made(document(stored), name) is None
