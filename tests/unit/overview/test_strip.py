"""A session as a strip: the worst of each step, and of many steps together."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.builders import LS, copilot, record, result, user
from tests.overviews import BROKEN, REFUSED, SIDE, UNKNOWN, document
from tests.tui.longstory import long_story

from sigscope.engine.engine import Engine
from sigscope.engine.sessions.document import Document
from sigscope.engine.settings.places import shipped
from sigscope.exchange import Body
from sigscope.ledger import Fate, build_ledger
from sigscope.overview import SHADES, SessionStrip, Shade, StepState, survey
from sigscope.overview.strip import MOST_LANES
from sigscope.rules.findings import Severity
from sigscope.session import Session


def strip_of(found: Document) -> SessionStrip:
    return survey(found.readings, found.ledger, found.refusals, found.findings)


def bundled(name: str) -> Document:
    return Engine().open(str(shipped("sessions") / f"{name}.session.jsonl"))


def test_each_step_shows_the_worst_that_it_did_with_a_signature() -> None:
    states = strip_of(bundled("copilot-missing-signature")).states
    assert [(s.shade.fate, s.shade.is_lost) for s in states] == [
        (Fate.RECEIVED, False),
        (Fate.DROPPED, True),
        (Fate.EXACT, False),
        (Fate.EXACT, False),
    ]
    assert [s.failure for s in states] == [None, "refused", None, None]
    assert [s.severity for s in states] == [None, Severity.ERROR, None, None]


def test_what_nobody_asks_for_any_more_hides_nothing() -> None:
    """Dropped in step 3, its turn is closed from step 9 on: then the others count."""
    strip = strip_of(Document(long_story(16, is_timed=False, drops={3})))
    fates = [state.shade.fate for state in strip.states]
    assert fates[3] is Fate.DROPPED
    assert not strip.states[3].shade.is_idle
    one_turn = [user(), copilot(LS), result(LS), copilot(content="It is."), user("So?")]
    sent = [one_turn[0], copilot(content="Hm.", opaque=None), one_turn[4]]
    readings = record("copilot-chat", one_turn, sent=sent)
    last = survey(readings, build_ledger(readings), {}, ()).states[-1]
    assert not last.shade.is_lost


def test_an_error_inside_a_stream_is_a_failure_of_its_own() -> None:
    states = strip_of(document(12, {5: REFUSED, 9: BROKEN})).states
    failures = {state.step: state.failure for state in states if state.failure}
    assert failures == {5: "refused", 9: "stream error"}


def test_what_is_not_judged_is_no_all_clear() -> None:
    strip = strip_of(document(12, {5: UNKNOWN}))
    assert not strip.states[4].shade.is_judged
    assert strip.states[4].unjudged == "dialect not known"
    lane = strip.lane_at[4]
    cell = strip.cell(lane, 0, 12)
    assert cell is not None
    assert not cell.shade.is_judged
    fine = (Fate.EXACT, Fate.RECEIVED, Fate.EARLIER, Fate.STORED, None)
    unjudged = Shade(is_judged=False)
    assert all(unjudged.rank < Shade(fate=fate).rank for fate in fine)


def test_a_step_without_an_answer_is_told_from_one_that_was_refused() -> None:
    session = long_story(4, is_timed=False)
    last = session.steps[-1]
    silent = replace(last, exchange=replace(last.exchange, response=None))
    strip = strip_of(Document(replace(session, steps=(*session.steps[:-1], silent))))
    assert [state.failure for state in strip.states] == [None, None, None, "no answer"]


def test_an_answer_that_the_service_ended_early_is_broken_off() -> None:
    session = long_story(3, is_timed=False)
    last = session.steps[-1]
    assert last.exchange.response is not None
    cut = replace(
        last.exchange.response,
        ending="upstream-aborted",
        body=Body(last.exchange.response.body.raw[:200]),
    )
    broken = replace(last, exchange=replace(last.exchange, response=cut))
    strip = strip_of(Document(replace(session, steps=(*session.steps[:-1], broken))))
    assert strip.states[-1].failure == "broken off"


def test_a_cell_of_many_steps_shows_the_worst_and_knows_where_it_is() -> None:
    strip = strip_of(document(40, {17: REFUSED}))
    cell = strip.cell(0, 12, 24)
    assert cell is not None
    assert len(cell.states) == 12
    assert cell.failure == "refused"
    assert cell.worst.step == 17
    assert strip.worst_between(12, 24) == 16
    clean = strip.cell(0, 0, 12)
    assert clean is not None
    assert (clean.failure, clean.severity, clean.fading) == (None, None, None)


def test_of_steps_alike_the_first_is_the_one_to_look_at() -> None:
    states = tuple(StepState(step=step, failure="refused") for step in (7, 3, 5))
    strip = SessionStrip(states=tuple(sorted(states, key=lambda s: s.step)))
    assert strip.worst_between(0, 3) == 0


def test_threads_are_lanes_and_a_side_request_says_so() -> None:
    strip = strip_of(bundled("vscode-copilot-four-requests"))
    assert len(strip.lanes) == 2
    assert [lane.places for lane in strip.lanes] == [(0, 1, 3), (2,)]
    assert strip.cell(1, 0, 2) is None


def test_of_many_threads_those_that_follow_one_another_share_a_lane() -> None:
    sides = dict.fromkeys(range(3, 60, 3), SIDE)
    found = document(60, sides)
    assert len(found.ledger.threads) > MOST_LANES
    strip = strip_of(found)
    assert len(strip.lanes) <= 3
    drawn = sorted(place for lane in strip.lanes for place in lane.places)
    assert drawn == list(range(60))
    for lane in strip.lanes:
        kinds = {t.kind for t in found.ledger.threads if t.number in lane.threads}
        assert kinds == {lane.kind}


def test_fading_is_marked_where_it_begins() -> None:
    states = strip_of(bundled("zoo-litellm-dummy")).states
    assert [state.step for state in states if state.fading] == [6]


def test_a_session_without_steps_is_a_strip_without_cells() -> None:
    strip = strip_of(Document(Session(id="none", title="none", steps=())))
    assert (len(strip), strip.lanes, strip.place_of(3)) == (0, (), 0)


@pytest.mark.parametrize("step", [1, 7, 12])
def test_a_step_is_found_by_its_number(step: int) -> None:
    strip = strip_of(Document(long_story(12, is_timed=False)))
    assert strip.states[strip.place_of(step)].step == step


def test_shades_are_in_one_order_each_once() -> None:
    assert len(set(SHADES)) == len(SHADES)
    assert [shade.rank for shade in SHADES] == list(range(len(SHADES)))
    assert {shade.fate for shade in SHADES if shade.fate} == set(Fate)


def test_the_worst_is_the_same_as_told_one_by_one() -> None:
    """The sums over stretches, held against a look at every fate of every step."""
    found = Document(long_story(48, is_timed=False, drops={3, 4, 20}))
    strip = strip_of(found)
    for state in strip.states:
        fates = [fate for _, fate in found.ledger.concerning(state.step)]
        kinds = {fate.fate for fate in fates}
        if state.shade.fate is not Fate.RECEIVED:
            assert state.shade.fate in kinds
        assert (Fate.DROPPED in kinds) or state.shade.fate is not Fate.DROPPED
        lost = any(fate.is_lost for fate in fates)
        assert state.shade.is_lost == lost
