"""Lanes as rows: names, fates, figures, and lanes that the axis cannot hold."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sigscope.ledger import Fate, FateAt, Grade
from sigscope.timeline.lanes import Lane, Mark, Stretch
from sigscope.tui.lines import plain, width
from sigscope.tui.symbols import UNICODE
from sigscope.tui.timeline.rows import HEAD, PlayHead, lay_lane, sheet_for
from sigscope.tui.timeline.words import detail_of
from sigscope.tui.views.palette import Palette

SHA = "ab" * 32
TIMED = Lane(
    step=1,
    spans=(Stretch(kind="text", start=0, end=1000, first=1, last=2),),
    marks=(Mark(kind="signature", at=500, event=1, sha256=SHA),),
    end=1000,
    counts=(("text", 2),),
    arrivals=(500.0, 1000.0),
    took=1000,
)
UNTIMED = Lane(
    step=2,
    spans=(Stretch(kind="text", start=0, end=2, first=1, last=2),),
    marks=(Mark(kind="signature", at=1, event=1, sha256=SHA),),
    end=2,
    is_timed=False,
    counts=(("text", 2),),
    arrivals=(1.0, 2.0),
    took=2_100,
)
DROPPED = FateAt(step=1, fate=Fate.DROPPED, grade=Grade.REQUIRED)


def test_a_lane_without_times_is_not_drawn_on_an_axis_of_time() -> None:
    """Its two events would look like two milliseconds."""
    sheet = sheet_for([TIMED, UNTIMED], UNICODE, Palette())
    assert sheet.is_timed
    assert sheet.window.total == 1000
    row = plain(lay_lane(UNTIMED, sheet, 100))
    assert "█" not in row
    assert "◆ no arrival times · 2 events · took 2.1 s" in row


def test_where_no_lane_has_times_the_axis_counts_events() -> None:
    sheet = sheet_for([UNTIMED], UNICODE, Palette())
    assert not sheet.is_timed
    assert sheet.window.total == 2
    assert "█" in plain(lay_lane(UNTIMED, sheet, 100))


def test_the_fate_of_the_followed_signature_stands_beside_the_number() -> None:
    sheet = replace(sheet_for([TIMED], UNICODE, Palette()), fates={1: DROPPED})
    row = lay_lane(TIMED, sheet, 60)
    assert plain(row)[:HEAD] == "  1 ✗  "
    assert "bad" in next(span.ink for span in row if span.text == "✗")
    assert plain(lay_lane(replace(TIMED, run=4), sheet, 60))[:HEAD] == " └ #4  "


def test_only_the_lane_of_the_play_head_shows_it() -> None:
    head = PlayHead(key=("step", 1), moment=500.0, label="1")
    sheet = replace(sheet_for([TIMED], UNICODE, Palette()), head=head)
    inks = [span.ink for span in lay_lane(TIMED, sheet, 60)]
    assert any("inverse" in ink for ink in inks)
    inks = [span.ink for span in lay_lane(replace(TIMED, step=3), sheet, 60)]
    assert not any("inverse" in ink for ink in inks)


@pytest.mark.parametrize("cells", [12, 40, 69, 70, 110, 200])
def test_rows_fit_any_width(cells: int) -> None:
    sheet = sheet_for([TIMED, UNTIMED], UNICODE, Palette())
    for lane in (TIMED, UNTIMED):
        assert width(lay_lane(lane, sheet, cells)) <= max(cells, HEAD + 10)


HELD = Lane(
    step=3, is_timed=False, is_streamed=False, has_answer=False, note="held, not sent"
)
WHOLE = Lane(step=4, is_timed=False, is_streamed=False, note="in one piece")


def test_of_what_was_not_answered_nobody_says_that_its_times_are_missing() -> None:
    sheet = sheet_for([TIMED, HELD], UNICODE, Palette())
    assert "no arrival times" not in plain(lay_lane(HELD, sheet, 100))
    assert plain(detail_of(HELD, UNICODE, Palette(), 80)) == "step 3 · held, not sent"
    assert "no arrival times" in plain(detail_of(WHOLE, UNICODE, Palette(), 80))


def test_where_nothing_is_measured_there_is_no_axis() -> None:
    sheet = sheet_for([WHOLE, HELD], UNICODE, Palette())
    assert not sheet.has_axis
    assert "no arrival times" in plain(lay_lane(WHOLE, sheet, 100))
    assert sheet_for([UNTIMED], UNICODE, Palette()).has_axis
    assert sheet_for([TIMED, HELD], UNICODE, Palette()).has_axis


@pytest.mark.parametrize("cells", range(8, 120))
def test_what_is_said_of_a_lane_is_whole_statements(cells: int) -> None:
    lane = replace(
        TIMED, first_byte=120.0, first_signature=500.0, spent="5 tokens in, 7 out"
    )
    whole = plain(detail_of(lane, UNICODE, Palette(), 200, DROPPED))
    said = plain(detail_of(lane, UNICODE, Palette(), cells, DROPPED))
    assert len(said) <= cells
    assert set(said.split(" · ")) <= set(whole.split(" · "))
    assert said.startswith("step 1")
