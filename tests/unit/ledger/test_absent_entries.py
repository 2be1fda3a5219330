"""What is missing is found again where news holds it, at no cost of memory."""

from __future__ import annotations

import random
import string
import tracemalloc
from types import SimpleNamespace
from typing import Any

import pytest

from sigscope.ledger import lanes
from sigscope.ledger.lanes import AbsentEntries, LaneEntry

LETTERS = string.ascii_letters + string.digits


def words(seed: int, count: int, size: int) -> list[str]:
    choice = random.Random(seed)
    return ["".join(choice.choices(LETTERS, k=size)) for _ in range(count)]


def entry(value: str, run_length: int | None = None) -> LaneEntry:
    signature: Any = SimpleNamespace(value=value)
    size = len(value) if run_length is None else run_length
    return LaneEntry(signature, value.encode(errors="replace"), run_length=size)


def found(entries: list[LaneEntry], news: str | None) -> set[str]:
    absent = AbsentEntries()
    for one in entries:
        absent.add(one)
    runs = (news or "").split("\n")
    reading: Any = SimpleNamespace(
        longest_run=max(map(len, runs)),
        news_since=lambda before, least: news,
        news_text=lambda before: news,
    )
    return {one.signature.value for one in absent.maybe_in(reading, reading)}


@pytest.mark.parametrize("few", [0, 100])
def test_those_are_found_that_news_holds(
    few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lanes, "_FEW", few)
    values = [*words(1, 5, 24), *words(2, 5, 25), *words(3, 5, 200)]
    here = [*values[:3], *values[6:8], *values[12:14]]
    near = values[10][:150]  # the middle of a value, and not the value
    news = "\n".join([words(4, 1, 99)[0] + "".join(here), near])
    assert found([entry(value) for value in values], news) == {*here}
    others = [entry("two words", 0), entry("x" * 300)]
    assert found(others, news) == {"two words"}


@pytest.mark.parametrize("few", [0, 100])
def test_a_picture_costs_no_memory(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes, "_FEW", few)
    (picture,) = words(5, 1, 100_000)
    entries = [entry(value) for value in words(6, 5, 100)]
    tracemalloc.start()
    try:
        assert found(entries, picture) == set()
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("few", [0, 100])
def test_of_text_only_what_news_holds_is_looked_for_again(
    few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lanes, "_FEW", few)
    here, gone = "I look at the file number 12.", "I look at the file number 13."
    odd = ["short words", "I look at {this} and at that", "half a pair: \ud800 is here"]
    entries = [entry(value, 0) for value in (here, gone, *odd)]
    assert found(entries, f'{{"content": "{here}"}}') == {here, *odd}
    assert found(entries, "nothing") == {*odd}
    assert found(entries, None) == {here, gone, *odd}
