"""What the header, the status line and the line of keys say."""

from __future__ import annotations

from tests.tui.debugger.desk import FakeDesk, model_of, studied
from tests.tui.driving import EMPTY_LIST

from sigscope.tui.debugger.edits import Editor
from sigscope.tui.debugger.headlines import (
    apt_keys,
    headline_of,
    idle_keys,
    status_of,
)
from sigscope.tui.place import Place


def test_the_header_says_what_was_recorded_and_what_edits_would_bring() -> None:
    model, desk, _ = studied(EMPTY_LIST)
    head = headline_of(model)
    assert (head.title, head.recorded, head.predicted) == (EMPTY_LIST, 400, 400)
    Editor(model, desk).switch_all_fixes()
    assert headline_of(model).edits == len(model.edits) > 0
    desk.rest()
    assert headline_of(model).predicted == 200


def test_before_anything_is_read_the_header_promises_nothing() -> None:
    model = model_of(EMPTY_LIST, FakeDesk())
    model.begin()
    head = headline_of(model)
    assert (head.recorded, head.predicted, head.is_thinking) == (None, None, False)


def test_while_the_simulator_is_asked_the_header_says_so() -> None:
    model, desk, _ = studied(EMPTY_LIST)
    model.choose_step(1)
    assert headline_of(model).is_thinking
    desk.rest()
    assert not headline_of(model).is_thinking


def test_the_status_line_counts_steps_findings_and_runs() -> None:
    model, _, _ = studied(EMPTY_LIST)
    place = Place(pointer="/messages/2")
    status = status_of(model, place)
    assert (status.place, status.step) == (place, 2)
    assert status.steps == len(model.document.steps)
    assert status.findings.startswith("1 error")
    assert (status.runs, status.busy) == ("", "")


def test_keys_with_nothing_to_do_are_known() -> None:
    model, desk, _ = studied(EMPTY_LIST)
    assert idle_keys(model) == {"undo", "fix.back"}
    Editor(model, desk).switch_all_fixes()
    assert idle_keys(model) == {"fix"}, "all are on: one is taken back or sent"
    model.choose_step(1)
    assert idle_keys(model) == {
        "bisect", "compare", "fix", "fix.back", "undo",
    }  # fmt: skip


def test_a_refused_step_asks_for_four_keys_and_an_accepted_one_for_none() -> None:
    model, desk, _ = studied(EMPTY_LIST)
    assert apt_keys(model) == (
        "send", "fix", "fix.back", "bisect", "compare",
    )  # fmt: skip
    model.choose_step(1)
    desk.rest()
    assert apt_keys(model) == ()


def test_the_timeline_is_asked_for_from_where_reasoning_fades() -> None:
    model, desk, _ = studied("zoo-litellm-dummy")
    asked = {}
    for step in (2, 6, 16):
        model.choose_step(step)
        desk.rest()
        asked[step] = "timeline.show" in apt_keys(model)
    assert asked == {2: False, 6: True, 16: True}
