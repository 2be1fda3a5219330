"""The lanes of a session in order."""

from __future__ import annotations

from sigscope.ledger import Thread
from sigscope.timeline.lanes import Lane
from sigscope.timeline.layout import offsets_of, sort_lanes

LANES = [
    Lane(step=3, began=9000.0, end=10),
    Lane(step=1, began=1000.0, end=10),
    Lane(step=2, began=1500.0, end=10),
    Lane(step=1, run=2, began=99_000.0, end=10),
]
THREADS = (
    Thread(number=1, steps=(1, 3), kind="main"),
    Thread(number=2, steps=(2,), kind="side"),
)


def test_threads_follow_one_another_and_runs_stand_below_their_step() -> None:
    main, side = sort_lanes(LANES, THREADS)
    assert [x.key for x in main.lanes] == [("step", 1), ("run", 2), ("step", 3)]
    assert [x.key for x in side.lanes] == [("step", 2)]


def test_without_threads_lanes_go_by_step() -> None:
    (only,) = sort_lanes(LANES, THREADS, by_thread=False, runs=False)
    assert [x.step for x in only.lanes] == [1, 2, 3]
    assert sort_lanes([], THREADS) == ()


def test_a_lane_of_no_thread_is_not_lost() -> None:
    groups = sort_lanes([*LANES, Lane(step=9)], THREADS)
    assert groups[-1].thread is None
    assert [x.step for x in groups[-1].lanes] == [9]


def test_the_clock_begins_with_the_first_request_and_runs_lie_at_their_step() -> None:
    found = offsets_of(LANES)
    assert found == {
        ("step", 1): 0,
        ("step", 2): 500,
        ("step", 3): 8000,
        ("run", 2): 0,
    }


def test_there_is_no_clock_where_a_step_tells_no_time() -> None:
    assert offsets_of([*LANES, Lane(step=4)]) is None
    assert offsets_of([Lane(step=1, began=1.0, is_timed=False)]) is None
    assert offsets_of([]) is None


def test_the_clock_stands_still_while_a_request_is_held() -> None:
    lanes = [
        Lane(step=1, began=0.0, end=2000.0),
        Lane(step=2, began=63_000.0, end=1000.0, held=60_000.0),
        Lane(step=3, began=70_000.0, end=10.0),
    ]
    assert offsets_of(lanes) == {
        ("step", 1): 0,
        ("step", 2): 3000,
        ("step", 3): 10_000,
    }


def test_it_runs_on_where_another_answer_comes_meanwhile() -> None:
    lanes = [
        Lane(step=1, began=0.0, end=30_000.0),
        Lane(step=2, began=61_000.0, end=1000.0, held=60_000.0),
    ]
    assert offsets_of(lanes) == {("step", 1): 0, ("step", 2): 30_000}


def test_the_first_request_counts_from_when_it_was_let_go() -> None:
    lanes = [
        Lane(step=1, began=60_000.0, end=1000.0, held=60_000.0),
        Lane(step=2, began=62_000.0, end=1000.0),
    ]
    assert offsets_of(lanes) == {("step", 1): 0, ("step", 2): 2000}
