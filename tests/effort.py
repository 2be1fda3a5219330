"""How much work something is, on any machine.

A limit in seconds says as much about the machine as about the code: one that is slower,
or shares its cores, does the same work in twice the time. So work is measured beside a
yardstick that the same thread winds off just before and after it.
"""

from __future__ import annotations

import resource
import sys
from collections.abc import Callable
from time import thread_time

YARD_SECONDS = 0.0085
"""What the yardstick takes on the machine that limits are given for."""
TRIES = 3


def effort(
    work: Callable[[], object],
    *,
    tries: int = TRIES,
    limit: float = 0,
    clock: Callable[[], float] = thread_time,
) -> float:
    """Seconds of a processor that it takes on that machine; the least of some tries,
    for what else a processor does makes it more and never less. `limit`: one try that
    takes less is enough. `clock`: counts the work, where this thread does not do it."""
    least = _measured(work, clock)
    for _ in range(tries - 1):
        if least < limit:
            break
        least = min(least, _measured(work, clock))
    return least


def _measured(work: Callable[[], object], clock: Callable[[], float]) -> float:
    before, began = _yard(), clock()
    work()
    taken = clock() - began
    return taken * YARD_SECONDS / max(before, _yard())


def work_of_children() -> float:
    """Seconds of a processor that processes took which this one started and that have
    ended."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def calls_of(work: Callable[[], object]) -> int:
    """How many functions and methods it calls, those of the interpreter too."""
    count = 0

    def note(_frame: object, event: str, _arg: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


def _yard() -> float:
    """Seconds for a little of what programs do: numbers, texts, tables, calls."""
    began = thread_time()
    table: dict[str, int] = {}
    for number in range(60_000):
        word = str(number % 997)
        table[word] = table.get(word, 0) + len(word)
    assert "".join(sorted(table)).startswith("01")
    return thread_time() - began
