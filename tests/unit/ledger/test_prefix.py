"""A ledger continued with one request is the ledger of all of them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests import builders as b
from tests.unit.export.servers import bundled
from tests.unit.ledger.test_repeated_requests import (
    alternating,
    runs_of,
    sessions,
    told,
)
from tests.unit.paths.test_pathmap import hop
from tests.unit.rules import responses_cases

from sigscope.dialects.histories import Histories
from sigscope.engine.sending.orders import Order, prepare
from sigscope.engine.sending.ready import applicable_to
from sigscope.exchange import Exchange
from sigscope.ledger.hops import build_hop_ledger
from sigscope.ledger.prefix import LedgerPrefix
from sigscope.reader import Reading, read_steps

pytestmark = pytest.mark.slow


def asking(exchange: Exchange, number: int, histories: Histories | None) -> Reading:
    """A request that is not sent yet."""
    bare = Exchange(request=exchange.request)
    return Reading(bare, number=number, histories=histories)


@settings(max_examples=80, deadline=None)
@given(st.one_of(sessions(), alternating()), st.booleans(), st.randoms())
def test_any_request_after_any_steps(
    exchanges: tuple[Exchange, ...], is_shared: bool, random: object
) -> None:
    """Several in a row, after one prefix: none leaves a trace in it."""
    histories = Histories() if is_shared else None
    *before, _ = exchanges
    readings = [
        Reading(exchange, number=number, histories=histories)
        for number, exchange in enumerate(before, start=1)
    ]
    prefix = LedgerPrefix(readings)
    order = [*exchanges]
    random.shuffle(order)  # type: ignore[attr-defined]
    for exchange in order[:4]:
        last = asking(exchange, len(exchanges), histories)
        ours = prefix.ledger(last)
        whole = build_hop_ledger([*readings, last])
        assert told(ours) == told(whole)
        assert runs_of(ours) == runs_of(whole)
        assert told(prefix.ledger(last)) == told(whole)


@settings(max_examples=80, deadline=None)
@given(st.one_of(sessions(), alternating()), st.booleans(), st.integers(0, 2))
def test_steps_that_are_taken_one_after_the_other(
    exchanges: tuple[Exchange, ...], is_shared: bool, at_once: int
) -> None:
    histories = Histories() if is_shared else None
    prefix = LedgerPrefix(())
    readings: list[Reading] = []
    waiting = 0
    for number, exchange in enumerate(exchanges, start=1):
        if waiting >= at_once:
            waiting = 0
            if not prefix.take(readings):
                prefix = LedgerPrefix(readings)
            last = asking(exchange, number, histories)
            ours = prefix.ledger(last)
            whole = build_hop_ledger([*readings, last])
            assert told(ours) == told(whole)
            assert runs_of(ours) == runs_of(whole)
        waiting += 1
        readings.append(Reading(exchange, number=number, histories=histories))


def test_a_chain_of_stored_answers_that_is_taken_step_by_step() -> None:
    """What a request leaves to the service is said with the name of that one."""
    (case,) = (case for case in responses_cases.GOOD if case.id == "a stored chain")
    prefix = LedgerPrefix(())
    exchanges = [*case.exchanges, case.exchanges[-1]]
    readings: list[Reading] = []
    for number, exchange in enumerate(exchanges, start=1):
        assert prefix.take(readings)
        last = asking(exchange, number, None)
        assert told(prefix.ledger(last)) == told(build_hop_ledger([*readings, last]))
        readings.append(Reading(exchange, number=number))


def test_steps_that_do_not_go_on_from_those_it_knows_are_not_taken() -> None:
    readings = bundled("claude-code-tool-loop").readings
    assert LedgerPrefix(()).take(readings)
    assert LedgerPrefix(readings).take(readings)
    assert not LedgerPrefix(readings).take(readings[:-1])
    assert not LedgerPrefix(readings[1:]).take(readings)


@pytest.mark.parametrize(
    "session",
    ["zoo-litellm-dummy", "zed-copilot-attempt-2", "claude-code-tool-loop"],
)
def test_every_ready_made_edit_of_a_bundled_step(session: str) -> None:
    document = bundled(session)
    step = document.steps[-1].number
    before = [r for r in document.readings if r.number < step]
    prefix = LedgerPrefix(before)
    for _, edits in applicable_to(document, step):
        _, pending = prepare(document, Order(step=step, edits=edits))
        whole = build_hop_ledger([*before, pending])
        assert told(prefix.ledger(pending)) == told(whole)


def test_of_no_steps_it_is_the_ledger_of_the_request_alone() -> None:
    document = bundled("zed-copilot-attempt-2")
    only = asking(document.step(2).exchange, 1, None)
    assert told(LedgerPrefix([]).ledger(only)) == told(build_hop_ledger([only]))


def test_hops_of_a_gateway_are_built_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is kept that each ledger of them makes anew."""
    ends = ("a.example", "00.000", 900), ("b.example", "00.100", 700)
    steps = [hop(*end, [b.user()], b.copilot(b.LS)) for end in ends]
    readings = read_steps(replace(s, number=n) for n, s in enumerate(steps, start=1))
    whole = build_hop_ledger(readings)
    monkeypatch.setattr("sigscope.ledger.prefix.Builder", None)
    prefix = LedgerPrefix(readings)
    assert prefix.take(readings)
    assert told(prefix.whole()) == told(whole)
    assert not prefix.take([*readings, readings[0]])
