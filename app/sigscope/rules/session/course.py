"""Summaries that fade in the course of a conversation, measured.

A model that never gets its signatures back gives ever fewer summaries, and its raw
reasoning comes as ordinary text. Only like is held against like: answers with answers
and tool steps with tool steps, since the one says more in `content` than the other by
nature; replies of one model, asked for reasoning in the same words.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import pairwise

from sigscope.ledger import Ledger
from sigscope.reader import Reading
from sigscope.records import dataclass
from sigscope.rules.base import Subject

FEWEST = 3
"""Replies of one kind below which nothing is said: two make no course."""
TELLING = 60
"""Characters of reasoning below which the first reply says nothing of a course: one
sentence is there or not by chance."""
LEFT = 1 / 3
"""Of the first share, what is left at the end of a course that fades."""
KEPT = 2 / 3
"""Of the first reply's characters of reasoning, what is no longer reached then: a
longer answer alone lowers the share, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """What one reply said, in characters."""

    step: int
    turn: int
    """Of the conversation, from 1."""
    thoughts: int
    text: int

    @property
    def part(self) -> float:
        """Share of readable reasoning in all that was said."""
        return self.thoughts / (self.thoughts + self.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fading:
    """A course of replies whose readable reasoning fades."""

    first: Share
    change: Share
    """The first reply with less than half of the first one's share."""
    last: Share


def fading(subject: Subject) -> Fading | None:
    """The session's first course that fades; None where none does."""
    return subject.once_in_session(_fading)


def _fading(subject: Subject) -> Fading | None:
    return first_fading(subject.ledger, subject.readings)


def first_fading(ledger: Ledger, readings: Mapping[int, Reading]) -> Fading | None:
    """The same of a session whose steps are given by their numbers."""
    courses = _courses(ledger, readings)
    found = [fades for course in courses if (fades := fades_in(course))]
    return min(found, key=lambda each: each.change.step, default=None)


def compared_steps(ledger: Ledger, readings: Mapping[int, Reading]) -> tuple[int, ...]:
    """Steps whose replies belong to a course that is long enough to see it fade; of
    all others nothing is known."""
    told = map(_told, _courses(ledger, readings))
    return tuple(s.step for course in told if len(course) >= FEWEST for s in course)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lessening:
    """A course whose readable reasoning is less at its end, and does not fade as it
    does where signatures are lost: it is neither said to fade, nor not to."""

    first: Share
    last: Share
    unlike: str
    """In what it differs: "it goes up and down"."""


def first_lessening(
    ledger: Ledger, readings: Mapping[int, Reading]
) -> Lessening | None:
    """The session's first; None where there is none."""
    found = map(_lessening, _courses(ledger, readings))
    return min(filter(None, found), key=lambda each: each.first.step, default=None)


def _lessening(course: Sequence[Share]) -> Lessening | None:
    shares = _told(course)
    if len(shares) < FEWEST or fades_in(course):
        return None
    first, last = shares[0], shares[-1]
    if last.part >= first.part / 2 or last.thoughts >= first.thoughts * KEPT:
        return None
    unlike = "some of it is left"
    if first.thoughts < TELLING:
        unlike = "there was little of it to begin with"
    elif last.text <= first.text:
        unlike = "the visible text has not grown"
    elif not _falls(shares):
        unlike = "it goes up and down"
    return Lessening(first=first, last=last, unlike=unlike)


def _courses(
    ledger: Ledger, readings: Mapping[int, Reading]
) -> Iterator[Sequence[Share]]:
    for thread in ledger.threads:
        if thread.kind == "side":
            continue
        courses: defaultdict[Hashable, list[Share]] = defaultdict(list)
        for step in thread.steps:
            reading = readings[step]
            message = reading.reply.message
            if message is None or not (message.thoughts or message.text):
                continue
            share = Share(
                step=step,
                turn=reading.turns,
                thoughts=len(message.thoughts),
                text=len(message.text),
            )
            courses[bool(message.calls), asked_for(reading)].append(share)
        yield from courses.values()


def asked_for(reading: Reading) -> Hashable:
    """The model, and what the request says about reasoning: one that stops asking for
    summaries gets none, and has lost nothing."""
    return reading.model, reading.reasoning_asked


def fades_in(course: Sequence[Share]) -> Fading | None:
    """Whether the share falls from reply to reply to a third of the first and below,
    with ever fewer characters of reasoning, while the visible text has grown."""
    shares = _told(course)
    if len(shares) < FEWEST:
        return None
    first, last = shares[0], shares[-1]
    if first.thoughts < TELLING:
        return None
    is_little = last.part <= first.part * LEFT and last.thoughts < first.thoughts * KEPT
    if not _falls(shares) or not is_little or last.text <= first.text:
        return None
    change = next(share for share in shares if share.part < first.part / 2)
    return Fading(first=first, change=change, last=last)


def _falls(shares: Sequence[Share]) -> bool:
    return all(
        later.part <= share.part and later.thoughts <= share.thoughts
        for share, later in pairwise(shares)
    )


def _told(course: Sequence[Share]) -> Sequence[Share]:
    """A course from its first readable reasoning on."""
    first = (at for at, share in enumerate(course) if share.thoughts)
    return course[next(first, len(course)) :]
