"""Summaries that fade: seed 003's symptom, measured (dialects.md 6(g)).

A model that never gets its signatures back gives ever fewer summaries, and its raw
reasoning comes as ordinary text. Answers are compared with answers and tool steps with
tool steps, since the one says more in `content` than the other by nature.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sigscope.rules.base import Subject

FEWEST = 3
"""Replies of one kind below which nothing is said: two make no course."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """What one reply said, in characters."""

    step: int
    thoughts: int
    text: int

    @property
    def part(self) -> float:
        """Share of readable reasoning in all that was said."""
        return self.thoughts / (self.thoughts + self.text)


def fading(subject: Subject) -> str | None:
    """What the replies up to this step show; None where nothing fades."""
    for with_calls in (False, True):
        course = _course(subject, with_calls=with_calls)
        if _fades(course):
            return _told(course[0], course[-1])
    return None


def _course(subject: Subject, *, with_calls: bool) -> Sequence[Share]:
    thread = subject.ledger.thread_of.get(subject.step)
    found = []
    for step in thread.steps if thread else ():
        message = subject.readings[step].reply.message
        if step > subject.step or message is None:
            continue
        share = Share(step=step, thoughts=len(message.thoughts), text=len(message.text))
        if bool(message.calls) == with_calls and share.thoughts + share.text:
            found.append(share)
    return found


def _fades(course: Sequence[Share]) -> bool:
    """Less than half the first share is left, and the text has grown."""
    if len(course) < FEWEST:
        return False
    first, last = course[0], course[-1]
    return first.part > 0 and last.part < first.part / 2 and last.text > first.text


def _told(first: Share, last: Share) -> str:
    return (
        f"readable reasoning fell from {first.part:.0%} of what step {first.step} said"
        f" to {last.part:.0%} in step {last.step}, while visible text grew from"
        f" {first.text:,} to {last.text:,} characters"
    )
