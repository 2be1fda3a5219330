"""What stands in the pane of findings, without a terminal."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.tui.debugger.desk import studied

from sigscope.edits.records import Edit
from sigscope.exchange import Exchange
from sigscope.ledger.unjudged import Unjudged
from sigscope.rules.edits import drop, put
from sigscope.runs import Run, Verdict
from sigscope.tui.lines import plain
from sigscope.tui.panes import findingitems
from sigscope.tui.panes.findingitems import FindingItems, OtherSteps
from sigscope.tui.symbols import ASCII, UNICODE
from sigscope.tui.views.findings import fix_words
from sigscope.tui.views.shownsession import Overview

MISSING = "copilot-missing-signature"


def found(step: int, **more: Any) -> tuple[FindingItems, OtherSteps]:
    model, desk, _ = studied(MISSING)
    model.choose_step(step)
    desk.rest()
    assert model.overview is not None
    assert model.shown is not None
    items = FindingItems(
        overview=model.overview, shown=model.shown, symbols=UNICODE, key="f9", **more
    )
    return items, OtherSteps(model.overview, UNICODE)


def text_of(items: FindingItems, others: OtherSteps) -> str:
    rows = (row for item in items.items(others) for row in item.lines(90))
    return "\n".join(map(plain, rows))


def test_findings_stand_first_and_name_the_key_of_the_fix() -> None:
    items, others = found(2)
    kinds = [item.key[0] for item in items.items(others)]
    assert kinds[0] == "finding"
    assert "f9 " in text_of(items, others)
    assert items.figures.startswith("2 errors")


def test_a_step_without_a_finding_says_so_and_where_there_is_one() -> None:
    items, others = found(1)
    (none, rule, step) = items.items(others)
    assert (none.selectable, rule.selectable) == (False, False)
    assert step.key == ("step", 2)
    assert "no findings in step 1" in text_of(items, others)
    assert items.figures == ""


def test_that_no_step_has_a_finding_is_said_where_all_were_judged() -> None:
    model, _, _ = studied("gemini-parallel")
    assert model.overview is not None
    assert model.shown is not None

    def said(overview: Overview) -> str:
        items = FindingItems(
            overview=overview,
            shown=model.shown,  # type: ignore[arg-type]
            symbols=UNICODE,
            key="f",
        )
        return text_of(items, OtherSteps(overview, UNICODE)).strip()

    whole = model.overview
    waiting = tuple(replace(fact, is_held=True) for fact in whole.facts)
    less = (
        replace(whole, is_checked=False),
        replace(whole, facts=waiting),
        replace(whole, facts=whole.facts[:1]),
        replace(whole, unjudged=(Unjudged(steps=(2,), method="POST", place="x"),)),
    )
    remarked = replace(whole, remarks={1: ("no answer is recorded",)})
    assert said(remarked).splitlines() == [
        "no findings in step 1",
        "read with a remark: no answer is recorded",
    ]
    assert said(replace(whole, remarks={2: ("x",)})) == "no findings in step 1"
    assert said(whole) == "no findings in step 1, nor in any other"
    assert {said(each) for each in less} == {"no findings in step 1"}


def test_the_step_on_show_is_none_of_the_others() -> None:
    _, others = found(2)
    assert others.without(2) == []
    assert [item.key for item in others.without(1)] == [("step", 2)]
    assert others.most_rows >= 3


def test_others_are_made_once_for_what_is_known_and_for_each_set_of_symbols() -> None:
    items, others = found(2)
    assert others.are_of(items.overview, UNICODE)
    assert not others.are_of(items.overview, ASCII)


def test_a_fix_that_is_on_is_told_so() -> None:
    items, others = found(2)
    finding = items.shown.findings[0]
    assert finding.fix
    on, _ = found(2, edits=finding.fix, chosen=finding)
    assert text_of(on, others) != text_of(items, others)
    assert len(text_of(on, others)) > len(text_of(items, others))


def test_a_run_is_called_by_the_fixes_in_it_whoever_switched_them_on() -> None:
    items, others = found(2)
    first, second = (f.fix for f in items.shown.findings)
    assert first
    assert second
    ticked = tuple(replace(each, label="ticked by hand", origin="") for each in first)
    other = drop("/a_field_with_a_name_that_is_rather_long", "")
    runs = (run_of(1, ticked), run_of(2, (*ticked, *second)), run_of(3, (other,)))
    laid = text_of(replace(items, runs=runs), others).splitlines()
    told = [row.split() for row in laid if row.startswith("#")]
    assert told[0][1] == "CPC-1"
    assert told[1][1:4] == ["CPC-1", "+", "CPC-2"]
    assert "drop /a_field_with_a_name_that_is_rather_long " in laid[-1], "there is room"


def run_of(number: int, edits: tuple[Edit, ...]) -> Run:
    return Run(
        number=number,
        step=2,
        edits=edits,
        exchange=Exchange(),
        upstream="simulator",
        predicted=None,
        status=400,
        verdict=Verdict.REPRODUCED,
        at="",
    )


def test_a_fix_is_told_by_what_it_puts_whatever_the_words() -> None:
    gone = drop("/a", "it stands in a wrong place")
    back = put("/b", "x", "take the value that came")
    assert (
        fix_words([gone, back])
        == "take the value that came; it stands in a wrong place"
    )


def test_of_many_findings_those_around_the_open_one_are_listed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """20,000 of them held the screens for a second at every move."""
    monkeypatch.setattr(findingitems, "MOST_FINDINGS", 3)
    items, others = found(2)
    many = tuple(
        replace(items.shown.findings[0], pointer=f"/messages/{n}") for n in range(9)
    )
    shown = replace(items.shown, findings=many)
    for chosen, first in ((None, 0), (many[4], 3), (many[8], 6)):
        now = replace(items, shown=shown, chosen=chosen)
        listed = [i.key[1] for i in now.items(others) if i.key[0] == "finding"]
        assert listed == list(many[first : first + 3])
        text = text_of(now, others)
        assert (f"{first} findings before these" in text) is (first > 0)
        assert (f"{6 - first} findings after these" in text) is (first < 6)
