"""Figures as they are shown."""

from __future__ import annotations

import pytest

from sigscope.tui.figures import ranges, seconds


@pytest.mark.parametrize(
    ("ms", "said"),
    [
        (None, ""),
        (0.0, "0.0 s"),
        (11.2, "11 ms"),
        (49.9, "50 ms"),
        (50.0, "0.1 s"),
        (168.0, "0.2 s"),
        (12_000.0, "12 s"),
        (185_000.0, "3:05"),
    ],
)
def test_what_took_no_time_on_a_clock_is_told_in_milliseconds(
    ms: float | None, said: str
) -> None:
    assert seconds(ms) == said


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        ((), ""),
        ((4,), "4"),
        ((5, 3, 4), "3–5"),
        ((1, 3, 4), "1, 3–4"),
        ((2, 2, 3), "2, 2–3"),
        ((1, 1, 3), "1, 1, 3"),
    ],
)
def test_neighbours_are_joined(numbers: tuple[int, ...], said: str) -> None:
    assert ranges(numbers) == said
