"""What was used last is kept, up to a sum of sizes."""

from __future__ import annotations

from sigscope.latest import FEWEST, Latest


def test_the_oldest_goes_when_the_sum_is_over_the_limit() -> None:
    kept: Latest[int, str] = Latest(10)
    for key in range(6):
        kept.put(key, str(key), 2)
    assert [kept.get(key) for key in range(6)] == [None, "1", "2", "3", "4", "5"]


def test_what_was_asked_for_is_not_the_oldest() -> None:
    kept: Latest[int, str] = Latest(8)
    for key in range(4):
        kept.put(key, str(key), 2)
    kept.get(0)
    kept.put(4, "4", 2)
    assert kept.get(0) == "0"
    assert kept.get(1) is None


def test_a_few_are_kept_whatever_their_size() -> None:
    kept: Latest[int, str] = Latest(1)
    for key in range(FEWEST + 1):
        kept.put(key, str(key), 100)
    assert [kept.get(key) is None for key in range(FEWEST + 1)] == [True] + [
        False
    ] * FEWEST


def test_a_value_put_again_counts_once() -> None:
    kept: Latest[str, str] = Latest(4)
    for _ in range(9):
        kept.put("one", "1", 2)
    kept.put("two", "2", 1)
    kept.put("three", "3", 1)
    assert [kept.get(key) for key in ("one", "two", "three")] == ["1", "2", "3"]
