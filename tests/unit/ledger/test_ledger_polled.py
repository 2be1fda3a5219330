"""Signatures that come with an answer that is asked for: background mode, polled."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.unit.rules.cases import Bench, bench, exchange
from tests.unit.rules.responses_cases import (
    B1,
    CALL,
    MORE,
    OPENAI,
    RESULT,
    SAID,
    USER,
    thought,
)
from tests.unit.simulator import test_simulator_responses as simulated

from sigscope.exchange import Body, Exchange
from sigscope.ledger import Fate
from sigscope.ledger.prefix import LedgerPrefix
from sigscope.timeline.turns import figures_of

Json = Any
WHOLE: Json = {
    "id": "resp_1",
    "object": "response",
    "status": "completed",
    "model": "gpt-5",
    "store": True,
    "background": True,
    "output": [thought(), CALL],
}
QUEUED = {**WHOLE, "status": "queued", "output": []}
RUNNING = {**WHOLE, "status": "in_progress", "output": []}
DONE = {**WHOLE, "id": "resp_2", "output": [SAID]}
LOST = {"error": {"message": "Response with id 'resp_1' not found.", "type": "x"}}


def ask(items: list[Json], answer: Json, **more: Json) -> Exchange:
    return exchange(OPENAI, {"model": "gpt-5", "input": items, **more}, answer)


def poll(answer: Json, status: int = 200, url: str = f"{OPENAI}/resp_1") -> Exchange:
    made = exchange(url, {}, answer, status=status)
    assert made.request is not None
    return replace(made, request=replace(made.request, method="GET", body=Body(b"")))


BEGUN = (ask([USER], QUEUED, background=True, store=True), poll(RUNNING), poll(WHOLE))
BACK = [USER, thought(), CALL, RESULT]


def fates(found: Bench) -> dict[int, Fate]:
    (signature,) = found.ledger.signatures
    assert signature.value == B1
    return {fate.step: fate.fate for fate in signature.fates}


@pytest.mark.parametrize(
    ("items", "more", "fate"),
    [
        (BACK, {}, Fate.EXACT),
        ([USER, CALL, RESULT], {}, Fate.DROPPED),
        ([USER, thought(sealed=B1[:-9]), CALL, RESULT], {}, Fate.CUT),
        ([RESULT], {"previous_response_id": "resp_1"}, Fate.STORED),
    ],
)
def test_they_are_followed_from_the_poll_that_brought_them(
    items: list[Json], more: dict[str, Json], fate: Fate
) -> None:
    found = bench((*BEGUN, ask(items, DONE, **more)))
    (signature,) = [s for s in found.ledger.signatures if s.received]
    assert [place.step for place in signature.received] == [3]
    assert [(at.step, at.fate) for at in signature.fates] == [(4, fate)]
    (thread,) = found.ledger.threads
    assert thread.steps == (1, 2, 3, 4)


def test_a_poll_is_no_turn_and_loses_nothing() -> None:
    later = ask([*BACK, SAID, MORE], {**QUEUED, "id": "resp_3"}, background=True)
    again = poll({**DONE, "id": "resp_3"}, url=f"{OPENAI}/resp_3")
    found = bench((*BEGUN, ask(BACK, DONE), later, again))
    assert fates(found) == {4: Fate.EXACT, 5: Fate.EXACT}
    figures = figures_of(found.readings, found.ledger)
    assert [one.turn for one in figures] == [1, 1, 1, 1, 2, 2]
    assert [f.rule for step in (1, 2, 3, 5, 6) for f in found.findings(step)] == []


@pytest.mark.parametrize("items", [BACK, [USER, CALL, RESULT]])
def test_an_answer_that_is_asked_for_again_brings_nothing_new(
    items: list[Json],
) -> None:
    found = bench((ask([USER], WHOLE), poll(WHOLE), ask(items, DONE)))
    without = bench((ask([USER], WHOLE), ask(items, DONE)))
    assert fates(found) == {3: fates(without)[2]}
    (thread,) = found.ledger.threads
    assert thread.steps == (1, 2, 3)
    assert [f.rule for f in found.findings(3)] == [f.rule for f in without.findings(2)]


def test_where_only_the_poll_was_recorded_it_begins_the_conversation() -> None:
    found = bench((poll(WHOLE), ask(BACK, DONE)))
    assert fates(found) == {2: Fate.EXACT}
    assert [thread.steps for thread in found.ledger.threads] == [(1, 2)]


def test_an_answer_that_is_not_there_is_no_step_of_the_conversation() -> None:
    found = bench((BEGUN[0], poll(LOST, 404)))
    assert found.readings[1].dialect is None
    assert [thread.steps for thread in found.ledger.threads] == [(1,), (2,)]


def test_the_list_of_what_was_said_before_is_no_answer() -> None:
    items = {"object": "list", "data": [USER], "has_more": False}
    found = bench((BEGUN[0], poll(items, url=f"{OPENAI}/resp_1/input_items")))
    assert found.readings[1].dialect is None


def test_a_request_that_is_about_to_be_sent_is_held_against_the_poll() -> None:
    found = bench((*BEGUN, ask([USER, CALL, RESULT], None)))
    *before, last = found.readings
    ledger = LedgerPrefix(before).ledger(last)
    (signature,) = ledger.signatures
    assert [(at.step, at.fate) for at in signature.fates] == [(4, Fate.DROPPED)]


def test_what_the_simulator_makes_in_the_background_goes_back() -> None:
    to, url = simulated.app(), f"https://api.openai.com{simulated.PATH}"
    more = {"store": True, "background": True}
    sent = simulated.body(simulated.ASKED, **more)
    queued = simulated.ask(to, simulated.ASKED, **more)
    place = f"{simulated.PATH}/{queued['id']}"
    _, done = simulated.get(to, place)
    history = [simulated.ASKED, *done["output"], simulated.result(done["output"][-1])]
    said = simulated.ask(to, *history)
    found = bench(
        (
            exchange(url, sent, queued),
            poll(done, url=f"https://api.openai.com{place}"),
            exchange(url, simulated.body(*history), said),
        )
    )
    (signature, *_) = found.ledger.signatures
    assert [place.step for place in signature.received] == [2]
    assert [(at.step, at.fate) for at in signature.fates] == [(3, Fate.EXACT)]
