"""Lanes as cells."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sigscope.timeline.lanes import Gap, Lane, Mark, Stretch
from sigscope.timeline.window import Window
from sigscope.tui.lines import plain, width
from sigscope.tui.symbols import UNICODE
from sigscope.tui.timeline.bars import (
    lay_axis,
    lay_bar,
    lay_head,
    lay_legend,
    tick_label,
)
from sigscope.tui.views.palette import Palette

LANE = Lane(
    step=1,
    spans=(
        Stretch(kind="wait", start=0, end=200),
        Stretch(kind="thought", start=200, end=600, first=1, last=4),
        Stretch(kind="text", start=600, end=1000, first=5, last=9),
    ),
    marks=(
        Mark(kind="signature", at=700, event=6, sha256="ab" * 32),
        Mark(kind="usage", at=700, event=6),
        Mark(kind="finish", at=1000, event=9),
    ),
    end=1000,
)


def bar(cells: int, window: Window | None = None, lane: Lane = LANE) -> str:
    found = lay_bar(lane, window or Window(total=1000), cells, UNICODE, Palette())
    return plain(found)


def test_stretches_and_marks_stand_at_their_times() -> None:
    assert bar(11) == "──▒▒▒▒█◆██■"


def test_the_fill_of_an_answer_that_is_an_error_is_in_the_legend() -> None:
    refused = Lane(
        step=2,
        spans=(Stretch(kind="error", start=0, end=9),),
        marks=(Mark(kind="error", at=9),),
        end=9,
    )
    assert bar(9, lane=refused)[0] in plain(lay_legend([refused], UNICODE))
    at_once = Lane(step=2, spans=(), marks=refused.marks, end=9)
    assert plain(lay_legend([at_once], UNICODE)) == f"{UNICODE.bad} error  "


def test_of_marks_in_one_cell_the_signature_shows() -> None:
    assert "Σ" not in bar(11)


def test_a_window_shows_its_part() -> None:
    assert bar(11, Window(total=1000, start=600, span=400)) == "██◆███████■"


def test_a_gap_is_drawn_and_measured() -> None:
    lane = Lane(
        step=1,
        spans=(Stretch(kind="text", start=0, end=5000, first=1, last=2),),
        gaps=(Gap(start=0, end=5000, event=2),),
        end=5000,
    )
    drawn = bar(30, Window(total=5000), lane)
    assert "╌ 5.0 s ╌" in drawn


def test_the_play_head_is_labelled_on_the_side_with_room() -> None:
    window = Window(total=1000)
    assert plain(lay_head(window, 12, UNICODE, 0, "14")) == "▲ 14        "
    assert plain(lay_head(window, 12, UNICODE, 1000, "14")) == "        14 ▲"[-12:]
    assert "●" in plain(lay_head(window, 12, UNICODE, 0, "1", [500.0]))


def test_labels_of_the_axis_are_round() -> None:
    assert tick_label(0, 500, is_timed=True) == "0 s"
    assert tick_label(1500, 500, is_timed=True) == "1.5"
    assert tick_label(14, 2, is_timed=True) == "14 ms"
    assert tick_label(1505, 5, is_timed=True) == "1.505"
    assert tick_label(90_000, 60_000, is_timed=True) == "1:30"
    assert tick_label(3_600_000, 600_000, is_timed=True) == "1:00:00"
    assert tick_label(20, 10, is_timed=False) == "20"


@given(st.floats(1, 1e8), st.floats(1, 500), st.floats(0, 1), st.integers(10, 200))
def test_every_row_has_exactly_its_cells(
    total: float, factor: float, share: float, cells: int
) -> None:
    window = Window(total=total).zoom(factor, total * share)
    lane = Lane(
        step=1, spans=(Stretch(kind="text", start=0, end=total, first=1, last=1),),
        end=total,
    )  # fmt: skip
    assert width(lay_bar(lane, window, cells, UNICODE, Palette())) == cells
    assert width(lay_axis(window, cells, is_timed=True)) == cells
    assert width(lay_head(window, cells, UNICODE, total / 2, "123")) == cells
