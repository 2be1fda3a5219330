"""Where readable reasoning ends: some answers had it, later ones of the kind do not.

It is a mark and no finding: why it ended nobody can say. Only like is held against
like, as rule SES-1 does: answers with answers, tool steps with tool steps, of one model
that is asked for reasoning in the same words.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from sigscope.ledger import Ledger
from sigscope.reader import Reading
from sigscope.rules.session.course import FEWEST, asked_for


def reasoning_ends(readings: Mapping[int, Reading], ledger: Ledger) -> frozenset[int]:
    """The first answers without reasoning, after `FEWEST` with it and at the head of
    `FEWEST` without. Looks into two requests for each end."""
    found: set[int] = set()
    for thread in ledger.threads:
        if thread.kind == "side":
            continue
        courses: defaultdict[tuple[bool, str], list[Reading]] = defaultdict(list)
        for step in thread.steps:
            reading = readings.get(step)
            message = reading.reply.message if reading else None
            if reading and message and (message.thoughts or message.text):
                courses[bool(message.calls), reading.model].append(reading)
        found |= {at for course in courses.values() if (at := _end(course)) is not None}
    return frozenset(found)


def _end(course: Sequence[Reading]) -> int | None:
    thinking = [_thinks(reading) for reading in course]
    if True not in thinking:
        return None
    first = len(thinking) - thinking[::-1].index(True)
    before = thinking[max(0, first - FEWEST) : first]
    if len(before) < FEWEST or not all(before) or len(thinking) - first < FEWEST:
        return None
    last, after = course[first - 1], course[first]
    return after.number if asked_for(last) == asked_for(after) else None


def _thinks(reading: Reading) -> bool:
    message = reading.reply.message
    return bool(message and message.thoughts)
