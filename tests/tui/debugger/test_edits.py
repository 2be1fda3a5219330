"""Fixes and known mistakes, switched without a terminal."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from threading import get_ident
from typing import Any

import pytest
from tests.tui.debugger.desk import FakeDesk, model_of, studied
from tests.tui.driving import EMPTY_LIST, MISSING

from sigscope.edits.records import Edit, Op
from sigscope.rules.findings import Finding
from sigscope.tui.debugger import edits
from sigscope.tui.debugger.edits import NO_FIX, UNCHECKED, Editor
from sigscope.tui.debugger.model import DebuggerModel
from sigscope.tui.study import ready_made
from sigscope.tui.symbols import UNICODE


def ready(name: str = MISSING) -> tuple[DebuggerModel, FakeDesk, Editor]:
    model, desk, _ = studied(name)
    return model, desk, Editor(model, desk)


def findings_with_fix(model: DebuggerModel) -> list[Finding]:
    assert model.shown is not None
    return [finding for finding in model.shown.findings if finding.fix]


def test_while_rules_are_checked_it_is_not_said_that_there_is_no_fix() -> None:
    desk = FakeDesk()
    model = model_of(MISSING, desk)
    model.begin()
    editor = Editor(model, desk)
    editor.apply_next_fix()
    editor.switch_all_fixes()
    assert desk.told == [UNCHECKED, UNCHECKED]


def test_f_goes_to_the_next_fix_that_is_off_and_never_takes_one_back() -> None:
    model, desk, editor = ready()
    first, second = findings_with_fix(model)
    editor.apply_next_fix()
    assert set(model.edits) == set(first.fix or ())
    editor.apply_next_fix()
    both = model.edits
    assert set(both) == {*(first.fix or ()), *(second.fix or ())}
    assert model.selection is not None
    assert model.selection.finding == second
    desk.told.clear()
    editor.apply_next_fix()
    assert model.edits == both
    (said,) = desk.told
    assert "both fixes are on" in said
    assert "backspace" in said


def test_what_the_user_wrote_in_the_same_place_makes_way_for_a_fix() -> None:
    model, desk, editor = ready(EMPTY_LIST)
    (finding,) = findings_with_fix(model)
    (fix,) = finding.fix or ()
    mine = Edit(op=Op.SET, pointer=fix.pointer, value='"x"')
    other = Edit(op=Op.SET, pointer="/stream", value="false")
    model.take_edits([mine, other], "by hand")
    editor.apply_next_fix()
    assert set(model.edits) == {other, fix}
    assert "set content to null in place of your edit; " in desk.told[-1]
    editor.undo()
    assert set(model.edits) == {mine, other}
    editor.switch_all_fixes()
    assert set(model.edits) == {other, fix}


def test_fixes_that_contradict_each_other_do_not_take_turns() -> None:
    model, _, editor = ready(EMPTY_LIST)
    (finding,) = findings_with_fix(model)
    (fix,) = finding.fix or ()
    rival = replace(finding, rule="CPC-0", fix=(replace(fix, value='"x"'),))
    assert model.shown is not None
    model.shown = replace(model.shown, findings=(finding, rival))
    editor.switch_fix(finding)
    editor.switch_fix(rival)
    assert set(model.edits) == {fix, *(rival.fix or ())}


def test_a_fix_of_a_held_request_names_the_key_that_sends_it_on() -> None:
    model, desk, editor = ready()
    model.facts = tuple(
        replace(fact, is_held=fact.number == 2, is_waiting=fact.number == 2)
        for fact in model.facts
    )
    editor.apply_next_fix()
    editor.apply_next_fix()
    editor.apply_next_fix()
    assert desk.told[1].endswith("; Y sends it on")
    assert desk.told[2].startswith("both fixes are on: Y sends it on")


def test_each_fix_that_goes_on_is_said_with_what_is_next() -> None:
    _, desk, editor = ready()
    editor.apply_next_fix()
    editor.apply_next_fix()
    assert desk.told == [
        "CPC-1 on: restore reasoning_opaque 4fc87b from step 1; 1 more: f",
        "CPC-2 on: set content to null; s sends the request",
    ]


def test_the_finding_in_focus_comes_before_the_selected_one() -> None:
    model, _, editor = ready()
    first, second = findings_with_fix(model)
    model.choose_finding(first)
    editor.apply_next_fix(second)
    assert model.edits == second.fix
    editor.apply_next_fix(second)
    assert set(model.edits) > set(second.fix or ()), "around the end"


def test_what_is_taken_back_is_the_selected_fix_else_the_last_one() -> None:
    model, desk, editor = ready()
    first, second = findings_with_fix(model)
    editor.apply_next_fix()
    editor.apply_next_fix()
    editor.take_fix_back(first)
    assert model.edits == second.fix
    desk.told.clear()
    editor.take_fix_back(first)
    assert model.edits == ()
    editor.take_fix_back()
    assert desk.told == [
        "CPC-2 reverted: set content to null",
        "no fix is on; f applies one, u undoes the last edit",
    ]
    editor.undo()
    assert model.edits == second.fix


def test_what_is_undone_and_done_again_is_named() -> None:
    model, desk, editor = ready()
    editor.apply_next_fix()
    editor.apply_next_fix()
    both = model.edits
    desk.told.clear()
    editor.undo()
    editor.redo()
    editor.redo()
    assert model.edits == both
    assert desk.told == [
        "undone: CPC-2: set content to null",
        "done again: CPC-2: set content to null",
        "nothing to redo",
    ]


def test_a_finding_of_another_step_is_not_meant() -> None:
    model, _, editor = ready(EMPTY_LIST)
    (finding,) = findings_with_fix(model)
    model.choose_step(1)
    model.edits = ()
    editor.apply_next_fix(finding)
    assert finding not in findings_with_fix(model)
    assert not set(finding.fix or ()) & set(model.edits)


def test_all_fixes_at_once_and_all_off() -> None:
    model, desk, editor = ready()
    editor.switch_all_fixes()
    wanted = {e for f in findings_with_fix(model) for e in f.fix or ()}
    assert set(model.edits) == wanted
    desk.rest()
    assert model.forecast is not None
    assert model.forecast.status == 200
    assert desk.told[-1] == "2 fixes on: s sends the request"
    editor.switch_off()
    assert model.edits == ()
    assert desk.told[-1] == "2 edits off; u brings them back"
    editor.switch_off()
    assert desk.told[-1] == "no edits are on: it is as it was recorded"
    editor.undo()
    assert set(model.edits) == wanted


def test_what_cannot_be_done_is_said() -> None:
    model, desk, editor = ready(EMPTY_LIST)
    model.choose_step(1)
    desk.told.clear()
    editor.undo()
    editor.redo()
    editor.switch_all_fixes()
    editor.apply_next_fix()
    assert desk.told == ["nothing to undo", "nothing to redo", NO_FIX, NO_FIX]


def test_a_known_mistake_is_chosen_from_a_list_and_switched_on() -> None:
    model, desk, editor = ready(EMPTY_LIST)
    asyncio.run(editor.try_ready_made(UNICODE))
    assert model.edits == (), "closed without an answer"
    names = [item.key for item in desk.asked[0]._items]
    desk.told.clear()
    desk.answers = [names[0]]
    asyncio.run(editor.try_ready_made(UNICODE))
    assert model.edits
    assert desk.told[0].startswith(f"{names[0]}: ")


@pytest.mark.parametrize("goes_on", [False, True])
def test_for_a_large_request_mistakes_are_looked_for_in_a_thread(
    goes_on: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It took a second for 3,000 calls; who went on meanwhile is asked nothing."""
    model, desk, editor = ready(MISSING)
    threads: list[int] = []

    def look(*given: Any) -> Any:
        threads.append(get_ident())
        if goes_on:
            model.choose_step(3)
            desk.rest()
        return ready_made(*given)

    monkeypatch.setattr(edits, "AT_ONCE", 0)
    monkeypatch.setattr(edits, "ready_made", look)
    asyncio.run(editor.try_ready_made(UNICODE))
    assert threads
    assert get_ident() not in threads
    assert bool(desk.asked) is not goes_on


def test_messages_name_the_keys_that_the_user_has() -> None:
    model, desk, _ = studied(MISSING)
    desk.keys |= {"fix": "F5", "fix.back": "F6", "send": "ctrl+e", "undo": "U"}
    editor = Editor(model, desk)
    editor.take_fix_back()
    editor.apply_next_fix()
    editor.apply_next_fix()
    editor.apply_next_fix()
    assert desk.told[0] == "no fix is on; F5 applies one, U undoes the last edit"
    assert desk.told[1].endswith("; 1 more: F5")
    assert desk.told[2].endswith("; ctrl+e sends the request")
    assert desk.told[3] == (
        "both fixes are on: ctrl+e sends the request, F6 reverts one"
    )
