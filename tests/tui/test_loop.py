"""The main loop: see what is wrong, switch it, send, watch the answer change."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.tui.driving import EMPTY_LIST, MISSING, opened

from sigscope.engine.settings.places import shipped
from sigscope.runs import Verdict
from sigscope.tui.place import NodePlace
from sigscope.tui.screens.sessions import SessionsScreen


def without_keys(text: str) -> str:
    """The lowest line offers to undo what is done, also what is done and undone."""
    return text.rpartition("\n")[0]


async def test_a_session_opens_on_the_step_that_was_refused() -> None:
    async with opened(MISSING) as driver:
        screen = driver.screen
        assert screen.model.selection is not None
        assert screen.model.selection.step == 2
        assert screen.board.steps.key == 2
        assert screen.model.selection.place == NodePlace(pointer="/messages/2")
        assert "recorded 400 → predicted 400" in driver.header
        assert "step 2 of 4" in driver.status_line


async def test_without_a_refusal_it_opens_on_the_worst_finding() -> None:
    async with opened("zoo-litellm-dummy") as driver:
        assert driver.screen.model.selection is not None
        first = min(f.step for f in driver.screen.model.document.findings if f.severity)
        assert driver.screen.model.selection.step == first
        assert driver.screen.model.selection.step != 1


async def test_what_is_shown_of_the_step_is_what_the_engine_says() -> None:
    async with opened(MISSING, size=(160, 44)) as driver:
        document = driver.screen.model.document
        text = driver.text
        for finding in document.findings_of(2):
            assert finding.rule in text
        for signature in document.ledger.signatures[:2]:
            assert signature.id in text
        assert "dropped" in text
        assert "reasoning_opaque" in text
        assert "invalid_request_body" in text


async def test_space_switches_a_field_off_and_on_again() -> None:
    async with opened(EMPTY_LIST) as driver:
        await driver.press("4")
        assert driver.pointer == "/messages/2/content"
        before = driver.text
        await driver.press("space")
        (edit,) = driver.screen.model.edits
        assert (str(edit.op), edit.pointer) == ("drop", "/messages/2/content")
        assert "with 1 edit" in driver.header
        await driver.press("space")
        assert driver.screen.model.edits == ()
        assert without_keys(driver.text) == without_keys(before)


async def test_rows_that_could_be_switched_on_stay_when_something_else_is() -> None:
    async with opened(EMPTY_LIST) as driver:
        await driver.press("4", "f")
        assert "☐     ▸ reasoning_text" in driver.text
        leaf = "/messages/2/reasoning_text"
        driver.json.show_node("request", None, leaf)
        await driver.press("space")
        assert [edit.pointer for edit in driver.screen.model.edits][-1] == leaf
        assert len(driver.screen.model.edits) == 2
        assert "☑     ▸ reasoning_text" in driver.text


async def test_f_applies_the_next_fix_and_backspace_takes_it_back() -> None:
    async with opened(EMPTY_LIST) as driver:
        await driver.press("f")
        assert "predicted 200 with 1 edit" in driver.header
        assert "✓ fix is on" in driver.text
        await driver.press("f")
        assert len(driver.screen.model.edits) == 1
        assert any("backspace reverts one" in told for told in driver.told)
        driver.app.notices.hush()
        await driver.rest()
        assert "Revert" in driver.text.splitlines()[-1]
        await driver.press("backspace")
        assert any("CPC-2 reverted" in told for told in driver.told)
        assert driver.screen.model.edits == ()
        assert "predicted 400" in driver.header


async def test_undo_and_redo_go_through_the_edits_of_this_request() -> None:
    async with opened(MISSING) as driver:
        await driver.press("f", "F")
        both = driver.screen.model.edits
        assert len(both) > 1
        await driver.press("u")
        one = driver.screen.model.edits
        assert 0 < len(one) < len(both)
        await driver.press("u")
        assert driver.screen.model.edits == ()
        await driver.press("u")
        assert any("nothing to undo" in told for told in driver.told)
        await driver.press("ctrl+r", "ctrl+r")
        assert driver.screen.model.edits == both
        await driver.press("right_curly_bracket")
        assert driver.screen.model.edits == (), "another step has edits of its own"
        await driver.press("left_curly_bracket")
        assert driver.screen.model.edits == both
        await driver.press("R")
        assert driver.screen.model.edits == ()


async def test_sending_as_recorded_reproduces_the_error() -> None:
    async with opened(EMPTY_LIST) as driver:
        await driver.press("s")
        (run,) = driver.screen.model.runs
        assert (run.status, run.verdict) == (400, Verdict.REPRODUCED)
        assert "1 run: 1 reproduced" in driver.status_line
        assert any(told.startswith("Run 1: 400, reproduced") for told in driver.told)


async def test_sending_with_the_fix_turns_400_into_200() -> None:
    async with opened(EMPTY_LIST) as driver:
        await driver.press("s", "f", "s")
        first, second = driver.screen.model.runs
        assert (first.status, first.verdict) == (400, Verdict.REPRODUCED)
        assert (second.status, second.verdict) == (200, Verdict.GONE)
        assert "#2 CPC-2" in driver.text
        assert "gone: fix confirmed, needed" in driver.text


async def test_that_both_fixes_are_needed_is_said_once_it_is_shown() -> None:
    async with opened(MISSING, size=(160, 44)) as driver:
        await driver.press("F", "s")
        assert "both needed" not in driver.text
        await driver.press("6", "g", "backspace", "s", "f", "j", "backspace", "s")
        assert [run.status for run in driver.screen.model.runs] == [200, 400, 400]
        assert "gone: fix confirmed, both needed" in driver.text


async def test_a_run_opens_like_a_step_and_esc_goes_back_to_it() -> None:
    async with opened(EMPTY_LIST) as driver:
        await driver.press("f", "s", "6", "G", "enter")
        screen = driver.screen
        assert screen.model.selection is not None
        assert (screen.model.selection.step, screen.model.selection.run) == (2, 1)
        assert screen.model.shown is not None
        assert screen.model.shown.reading.status == 200
        assert "no findings in run 1" in driver.text
        assert "run 1" in driver.status_line
        tree = driver.json.request_tree
        assert tree.model.source is not None
        assert b'"content":null' in tree.model.source.data.replace(b" ", b"")
        await driver.press("escape")
        assert screen.model.selection.run is None
        assert screen.model.selection.step == 2


async def test_d_compares_a_run_with_what_it_was_made_from() -> None:
    async with opened(EMPTY_LIST) as driver:
        await driver.press("f", "s", "6", "G", "d")
        assert driver.json.tab == "diff"
        assert "step 2 → run 1 of step 2" in driver.text
        assert "[] → null" in driver.text
        assert "1 changed" in driver.text


async def test_d_on_a_step_compares_the_edits_with_the_recorded_request() -> None:
    async with opened(EMPTY_LIST) as driver:
        await driver.press("f", "d")
        assert "as recorded → as sent" in driver.text
        assert "[] → null" in driver.text


async def test_a_run_of_a_run_has_it_as_its_parent() -> None:
    async with opened(MISSING) as driver:
        await driver.press("f", "s", "6", "G", "enter", "F", "s")
        _, second = driver.screen.model.runs
        assert second.parent == 1
        assert second.status == 200


async def test_runs_are_kept_in_the_file_and_are_there_the_next_time(
    tmp_path: Path,
) -> None:
    path = tmp_path / "mine.session.jsonl"
    shutil.copy(shipped("sessions") / f"{EMPTY_LIST}.session.jsonl", path)
    async with opened(path) as driver:
        await driver.press("f", "s")
    async with opened(path) as driver:
        (run,) = driver.screen.model.runs
        assert run.status == 200
        assert "fix confirmed" in driver.text


async def test_a_ready_made_mistake_is_tried_from_its_list() -> None:
    async with opened(EMPTY_LIST) as driver:
        await driver.press("t")
        assert "Known mistakes and cures" in driver.text
        await driver.press("slash")
        await driver.type("final-fix")
        await driver.press("enter", "enter")
        assert driver.screen.model.edits
        assert "predicted 200" in driver.header


async def test_leaving_a_session_that_was_opened_by_name_ends_the_program() -> None:
    async with opened(EMPTY_LIST) as driver:
        await driver.press("q")
        assert driver.app._exit


async def test_esc_goes_back_to_the_list_and_never_quits() -> None:
    async with opened(EMPTY_LIST) as driver:
        await driver.pilot.press("escape")
        await driver.until(lambda: isinstance(driver.app.screen, SessionsScreen))
        await driver.pilot.press("escape", "escape")
        assert isinstance(driver.app.screen, SessionsScreen)
        assert not driver.app._exit
