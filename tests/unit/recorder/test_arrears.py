"""When a new request waits for the scribe."""

from __future__ import annotations

from sigscope.recorder.arrears import (
    LATE_SECONDS,
    MUCH,
    PATIENCE_SECONDS,
    SEVERAL,
    VERY_LATE_SECONDS,
    Arrears,
)


class Clock:
    """Goes when it is told to."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_several_that_are_not_written_for_a_while_are_late() -> None:
    clock = Clock()
    arrears = Arrears(clock)
    for number in range(SEVERAL):
        arrears.end(number)
    assert not arrears.is_late
    clock.now += LATE_SECONDS * 1.01
    assert arrears.is_late
    arrears.settle(0)
    assert not arrears.is_late, "three are no crowd"
    clock.now += VERY_LATE_SECONDS
    assert arrears.is_late


def test_what_ended_before_something_settled_is_settled_too() -> None:
    clock = Clock()
    arrears = Arrears(clock)
    for number in (7, 3, 9):
        arrears.end(number)
    arrears.settle(3)
    assert len(arrears) == 1
    arrears.settle(3)
    arrears.settle(1000)
    assert len(arrears) == 1


def test_several_large_ones_are_too_much_at_once() -> None:
    arrears = Arrears(Clock())
    arrears.end(1, MUCH * 3)
    assert not arrears.is_late, "one is what a single client makes"
    arrears.end(2, 10)
    assert arrears.is_late
    arrears.settle(1)
    assert not arrears.is_late


def test_nobody_waits_for_a_scribe_that_gets_nothing_done() -> None:
    clock = Clock()
    arrears = Arrears(clock)
    arrears.end(1)
    clock.now += VERY_LATE_SECONDS * 1.01
    assert arrears.is_late
    assert arrears.is_risky
    clock.now += PATIENCE_SECONDS
    assert not arrears.is_late
    arrears.end(2)
    assert not arrears.is_risky, "each answer would be held as long"


def test_nobody_waits_for_a_full_disk() -> None:
    clock = Clock()
    arrears = Arrears(clock)
    arrears.end(1)
    clock.now += VERY_LATE_SECONDS * 1.01
    arrears.despair()
    assert not arrears.is_late
    arrears.end(2)
    arrears.settle(1)
    clock.now += VERY_LATE_SECONDS * 1.01
    assert arrears.is_late
