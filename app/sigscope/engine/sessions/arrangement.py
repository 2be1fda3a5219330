"""New sessions out of old ones: some steps of one, several joined, one cut in parts.

The sessions these are made from stay as they are. Steps keep their bytes, ids and
titles and are counted anew from 1; runs and notes go along with the step they are
about, and what stays behind is told by `Arranged.left_out`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from sigscope.records import dataclass
from itertools import pairwise
from typing import TypeVar

from sigscope.errors import UnknownStep, UsageError
from sigscope.ledger import Ledger
from sigscope.runs import Run
from sigscope.session import Note, Session, Spoken, Step

Remark = TypeVar("Remark", Note, Spoken)


@dataclass(frozen=True, slots=True, kw_only=True)
class Arranged:
    """A session made of others, not yet written."""

    session: Session
    """Without id, time and path: the engine gives them when it is written."""
    left_out: tuple[str, ...] = ()
    """What of the sources is not in it: "2 runs", "1 note"."""


def only(session: Session, numbers: Collection[int], title: str = "") -> Arranged:
    """The steps of these numbers. Raises UsageError where one does not exist, or none
    is named."""
    _check(session, numbers)
    kept = [step for step in session.steps if step.number in numbers]
    return _arrange([(session, kept)], title or session.title)


def without(session: Session, numbers: Collection[int]) -> Arranged:
    """All steps but these. Raises UsageError where nothing would be left."""
    _check(session, numbers)
    rest = {step.number for step in session.steps} - set(numbers)
    if not rest:
        raise UsageError("no step would be left")
    return only(session, rest)


def parted(session: Session, before: Sequence[int]) -> tuple[Arranged, ...]:
    """The session in parts; a new one begins at each of these steps. Raises
    UsageError where a part would be empty."""
    _check(session, before)
    starts = sorted(set(before))
    if session.steps and starts[0] == session.steps[0].number:
        raise UsageError(f"nothing stands before step {starts[0]}")
    bounds = [0, *starts, max(step.number for step in session.steps) + 1]
    parts: list[Arranged] = []
    for place, (begin, end) in enumerate(pairwise(bounds), start=1):
        numbers = [s.number for s in session.steps if begin <= s.number < end]
        title = f"{session.title} ({place} of {len(bounds) - 1})"
        parts.append(only(session, numbers, title))
    return tuple(parts)


def by_thread(session: Session, ledger: Ledger) -> tuple[Arranged, ...]:
    """One session a thread, in the order of their first steps."""
    if len(ledger.threads) < 2:
        raise UsageError("it has only one thread; there is nothing to split")
    return tuple(thread_of(session, ledger, thread.number) for thread in ledger.threads)


def thread_of(session: Session, ledger: Ledger, number: int) -> Arranged:
    """The steps of one thread; of a fork also those it branches off from. Raises
    UsageError, naming the threads there are."""
    threads = {thread.number: thread for thread in ledger.threads}
    if number not in threads:
        known = ", ".join(map(str, threads)) or "none"
        raise UsageError(f"there is no thread {number}; threads: {known}")
    thread = threads[number]
    steps = set(thread.steps)
    parent = thread.parent if thread.kind == "fork" else None
    while parent is not None:
        trunk = ledger.thread_of[parent]
        steps |= {step for step in trunk.steps if step <= parent}
        parent = trunk.parent if trunk.kind == "fork" else None
    return only(session, steps, f"{session.title} (thread {number})")


def joined(sessions: Sequence[Session], title: str = "") -> Arranged:
    """All steps of several sessions: by the time they began where every one tells it,
    else one session after the other. Raises UsageError for fewer than two."""
    if len(sessions) < 2:
        raise UsageError("name at least two sessions to merge")
    titles = dict.fromkeys(session.title for session in sessions if session.title)
    parts = [(session, list(session.steps)) for session in sessions]
    return _arrange(parts, title or " + ".join(titles))


def _check(session: Session, numbers: Collection[int]) -> None:
    known = {step.number for step in session.steps}
    missing = sorted(set(numbers) - known)
    if missing:
        raise UnknownStep(missing[0], max(known, default=0))
    if not numbers:
        raise UsageError("no step is named")


def _arrange(parts: Sequence[tuple[Session, list[Step]]], title: str) -> Arranged:
    picked = [(at, step) for at, (_, steps) in enumerate(parts) for step in steps]
    moments = [step.exchange.began for _, step in picked]
    if len(parts) > 1 and None not in moments:
        picked.sort(key=lambda pair: pair[1].exchange.began or 0.0)
    numbers: dict[tuple[int, int], int] = {}
    taken: set[str] = set()
    steps: list[Step] = []
    for number, (at, step) in enumerate(picked, start=1):
        numbers[at, step.number] = number
        steps.append(replace(step, number=number, id=_free(step.id, taken)))
    sources = [session for session, _ in parts]
    runs = _runs(sources, numbers)
    notes = _of_steps_taken((s.notes for s in sources), numbers)
    spoken = _of_steps_taken((s.spoken for s in sources), numbers)
    session = Session(
        id="",
        title=title,
        story=next((s.story for s in sources if s.story), ""),
        redaction=_common([s.redaction for s in sources]),
        tags=tuple(dict.fromkeys(tag for s in sources for tag in s.tags)),
        steps=tuple(steps),
        runs=runs,
        notes=notes,
        spoken=spoken,
    )
    lost = {
        "run": sum(len(s.runs) for s in sources) - len(runs),
        "note": sum(len(s.notes) for s in sources) - len(notes),
    }
    left_out = [f"{n} {what}{'s' * (n > 1)}" for what, n in lost.items() if n]
    return Arranged(session=session, left_out=tuple(left_out))


def _free(wanted: str, taken: set[str]) -> str:
    """The id, with a number behind it where another session has it too."""
    found, count = wanted, 1
    while found in taken:
        count += 1
        found = f"{wanted}-{count}"
    taken.add(found)
    return found


def _runs(sources: Sequence[Session], numbers: dict[tuple[int, int], int]) -> list[Run]:
    found: list[Run] = []
    for at, session in enumerate(sources):
        new: dict[int, int] = {}
        for run in sorted(session.runs, key=lambda each: each.number):
            step = numbers.get((at, run.step))
            parent = None if run.parent is None else new.get(run.parent)
            if step is None or (run.parent is not None and parent is None):
                continue
            new[run.number] = len(found) + 1
            found.append(replace(run, number=len(found) + 1, step=step, parent=parent))
    return found


def _of_steps_taken(
    of_each: Iterable[Iterable[Remark]], numbers: dict[tuple[int, int], int]
) -> list[Remark]:
    """What is said of each session, but not what is of a step that is left out."""
    found: list[Remark] = []
    for at, remarks in enumerate(of_each):
        for remark in remarks:
            step = None if remark.step is None else numbers.get((at, remark.step))
            if remark.step is None or step is not None:
                found.append(replace(remark, step=step))
    return found


def _common(redactions: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """What was taken out of every source: a file must not promise more."""
    first, *others = redactions
    return tuple(level for level in first if all(level in other for other in others))
