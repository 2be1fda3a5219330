"""Fixes and known mistakes, switched without a terminal."""

from __future__ import annotations

import asyncio

from tests.tui.debugger.desk import FakeDesk, studied
from tests.tui.driving import EMPTY_LIST, MISSING

from sigscope.tui.debugger.edits import NO_FIX, Editor
from sigscope.tui.debugger.model import DebuggerModel
from sigscope.tui.symbols import UNICODE


def ready(name: str = MISSING) -> tuple[DebuggerModel, FakeDesk, Editor]:
    model, desk, _ = studied(name)
    return model, desk, Editor(model, desk)


def findings_with_fix(model: DebuggerModel) -> list[object]:
    assert model.shown is not None
    return [finding for finding in model.shown.findings if finding.fix]


def test_a_fix_goes_on_and_off_again() -> None:
    model, _, editor = ready(EMPTY_LIST)
    editor.switch_wanted_fix(None)
    assert model.edits
    editor.switch_wanted_fix(None)
    assert model.edits == ()
    editor.undo()
    assert model.edits


def test_the_finding_in_focus_comes_before_the_selected_one() -> None:
    model, _, editor = ready()
    first, second, *_ = findings_with_fix(model)
    model.choose_finding(first)  # type: ignore[arg-type]
    editor.switch_wanted_fix(second)
    assert model.edits == tuple(second.fix)  # type: ignore[attr-defined]


def test_a_finding_of_another_step_is_not_meant() -> None:
    model, _, editor = ready(EMPTY_LIST)
    (finding, *_) = findings_with_fix(model)
    model.choose_step(1)
    model.edits = ()
    editor.switch_wanted_fix(finding)
    assert finding not in findings_with_fix(model)
    assert finding.fix[0] not in model.edits  # type: ignore[attr-defined]


def test_all_fixes_at_once_and_all_off() -> None:
    model, desk, editor = ready()
    editor.switch_all_fixes()
    wanted = {e for f in findings_with_fix(model) for e in f.fix}  # type: ignore[attr-defined]
    assert set(model.edits) == wanted
    desk.rest()
    assert model.forecast is not None
    assert model.forecast.status == 200
    editor.switch_off()
    assert model.edits == ()


def test_what_cannot_be_done_is_said() -> None:
    model, desk, editor = ready(EMPTY_LIST)
    model.choose_step(1)
    desk.told.clear()
    editor.undo()
    editor.redo()
    editor.switch_all_fixes()
    editor.switch_wanted_fix(None)
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
