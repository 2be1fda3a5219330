"""The panel of a bisect under way: fed with what the engine yields, no terminal."""

from __future__ import annotations

from dataclasses import replace

from tests.unit.export.servers import bundled

from sigscope.bisect import FactorStanding, Observation
from sigscope.edits.notation import parse
from sigscope.engine.engine import Engine, Target
from sigscope.engine.sending.bisection import (
    AskedQuestion,
    BisectPlan,
    Certificate,
    Foreteller,
    Trial,
    bisect,
    plan_bisect,
)
from sigscope.engine.sending.factors import edit_factors, fix_factors
from sigscope.engine.sending.sender import SendProgress
from sigscope.engine.sessions.document import Document
from sigscope.runs import Run
from sigscope.tui.bisectpanel import BisectPanel
from sigscope.tui.lines import plain
from sigscope.tui.symbols import UNICODE
from sigscope.tui.views.bisect import standing_lines, trial_lines


def planned() -> tuple[Document, BisectPlan]:
    """One change that does not matter before the two that do."""
    document = bundled("copilot-missing-signature")
    idle = edit_factors([parse("set /temperature 1")])
    factors = (*idle, *fix_factors(document, 2))
    return document, plan_bisect(document, 2, factors, Foreteller(document, 2))


def rows(panel: BisectPanel) -> list[str]:
    factors = enumerate(panel.plan.factors, 1)
    return [
        plain(standing_lines(n, factor, 8, panel, UNICODE, 60)[0])
        for n, factor in factors
    ]


async def test_it_follows_a_search_from_belief_to_proof() -> None:
    document, plan = planned()
    panel = BisectPanel(plan, "simulator")
    assert plan.hint == {2, 3}
    assert panel.known == "Known: 0 needed, 0 not needed, 3 open", "a belief is none"
    seen: list[tuple[str, str, str]] = []
    async for item in bisect(Engine(), document, plan, Target()):
        if isinstance(item, Certificate):
            continue
        panel.take(item)
        if isinstance(item, AskedQuestion):
            tried, known, spent = panel.told(UNICODE)
            seen.append((tried, known, spent.split(" ·")[0]))
    assert seen == [
        (
            f"Trying {which} · asking simulator",
            f"Known: {known}",
            f"Sends: {sends} used, {20 - sends} left",
        )
        for sends, (which, known) in enumerate(
            (
                ("as recorded", "0 needed, 0 not needed, 3 open"),
                ("with 2 + 3", "0 needed, 0 not needed, 3 open"),
                ("with 3", "0 needed, 1 not needed, 2 open"),
                ("with 2", "1 needed, 1 not needed, 1 open"),
            )
        )
    ]
    assert panel.known == "Known: 2 needed, 1 not needed, 0 open"
    assert panel.sends == 4
    assert f"simulator: {plan.asked} questions" in panel.told(UNICODE)[2]
    assert [panel.knowledge.standing(n) for n in (1, 2, 3)] == [
        *(FactorStanding.NOT_NEEDED, FactorStanding.NEEDED, FactorStanding.NEEDED)
    ]


def test_the_row_of_a_factor_shows_whether_it_is_tried() -> None:
    _, plan = planned()
    panel = BisectPanel(plan, "simulator")
    panel.take(
        AskedQuestion(question=frozenset({2}), sends=3, budget=5, is_repeat=True)
    )
    panel.take(SendProgress(status=400, size=12, at_ms=3.0))
    assert [row[0] for row in rows(panel)] == [" ", UNICODE.arrow, " "]
    assert all("open" in row for row in rows(panel))
    tried, _, spent = panel.told(UNICODE)
    assert tried.startswith("Trying with 2, again · asking simulator · 400 · 12")
    assert spent.startswith("Sends: 3 used, 2 left")
    panel.end()
    assert [row[0] for row in rows(panel)] == [" ", " ", " "]


def test_of_many_changes_the_number_is_told() -> None:
    document, _ = planned()
    idle = edit_factors([parse(f"set /extra_{n} {n}") for n in range(12)])
    plan = plan_bisect(document, 2, idle, Foreteller(document, 2))
    panel = BisectPanel(plan, "simulator")
    panel.take(AskedQuestion(question=frozenset(range(1, 11)), sends=0, budget=20))
    assert panel.told(UNICODE)[0].startswith("Trying with 10 of 12 changes")


async def test_an_answer_that_contradicts_another_takes_all_knowledge_back() -> None:
    document, plan = planned()
    panel = BisectPanel(plan, "simulator")
    trials: list[Trial] = []
    async for item in bisect(Engine(), document, plan, Target()):
        if not isinstance(item, Certificate):
            panel.take(item)
        if isinstance(item, Trial):
            trials.append(item)
    as_recorded, cured, *_ = trials
    assert isinstance(cured.run, Run)
    other = Trial(question=cured.question, answer=as_recorded.answer, run=cured.run)
    panel.take(other)
    assert panel.known == "Known: nothing, the same request was answered both ways"
    assert all("open" in row for row in rows(panel))


async def test_a_trial_says_what_was_asked_and_how_it_was_refused() -> None:
    document, plan = planned()
    items = [item async for item in bisect(Engine(), document, plan, Target())]
    refused = next(
        item
        for item in items
        if isinstance(item, Trial) and item.answer is Observation.FAILS
    )
    told = "\n".join(map(plain, trial_lines(refused, "as asked", 8, UNICODE, 200)))
    assert f"run {refused.run.number}" in told
    assert "as asked" in told
    assert refused.run.error
    assert refused.run.error[:20] in told
    before = replace(refused, is_reused=True)
    (first, *_) = trial_lines(before, "as asked", 8, UNICODE, 200)
    assert "(before) " in plain(first)
