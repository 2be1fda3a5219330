"""Zooming and panning."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sigscope.timeline.window import STEPS, Window

WINDOWS = st.builds(
    lambda total, factor, share: Window(total=total).zoom(factor, total * share),
    st.floats(1, 1e7),
    st.floats(0.1, 1000),
    st.floats(0, 1),
)


@given(WINDOWS, st.floats(0.1, 100), st.floats(-3, 3))
def test_the_sight_never_leaves_the_axis(
    window: Window, factor: float, share: float
) -> None:
    for found in (window.zoom(factor), window.pan(share), window.zoom(factor, 0.0)):
        assert found.start >= 0
        assert found.end <= found.total * (1 + 1e-9)


@given(WINDOWS, st.floats(0, 1))
def test_a_moment_revealed_is_in_sight(window: Window, share: float) -> None:
    moment = window.total * share
    found = window.reveal(moment)
    assert found.start - 1e-6 <= moment <= found.end + 1e-6


def test_zooming_pins_the_moment_it_is_about() -> None:
    window = Window(total=1000).zoom(2, at=250)
    assert (window.start, window.length) == (125, 500)
    assert window.zoom(0.5, at=250).is_whole


def test_nothing_is_zoomed_beyond_sense() -> None:
    window = Window(total=1000)
    for _ in range(50):
        window = window.zoom(2)
    assert window.length == 10


@given(WINDOWS, st.integers(1, 20))
def test_ticks_are_round_in_sight_and_few(window: Window, most: int) -> None:
    ticks = list(window.ticks(most))
    step = window.step(most)
    assert len(ticks) <= most + 2
    assert all(window.start - 1e-6 <= t <= window.end + 1e-6 for t in ticks)
    assert any(step == s for s in STEPS) or step % STEPS[-1] == 0


@given(WINDOWS, st.integers(2, 200))
def test_a_cell_stands_for_its_moment(window: Window, cells: int) -> None:
    for cell in (0, cells // 2, cells - 1):
        assert abs(window.cell(window.moment(cell, cells), cells) - cell) <= 1


def test_what_is_out_of_sight_has_no_cell() -> None:
    window = Window(total=1000).zoom(4, at=500)
    assert window.cell(0, 80) < 0
    assert window.cell(1000, 80) >= 80
