"""A stand-in that was sent where a genuine signature is known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sigscope.ledger import Fate
from sigscope.rules.base import Claim, Severity, Subject
from sigscope.rules.losses import Wanted, about, told_as_one
from sigscope.rules.phrases import Words
from sigscope.rules.stand_ins import replacement
from sigscope.rules.subject import Loss


def is_current(_: Subject, loss: Loss) -> bool:
    """Whether it belongs to the current turn."""
    return loss.is_current


@dataclass(frozen=True, slots=True, kw_only=True)
class Replaced:
    """Stand-ins in the current turn warn; elsewhere the first is a remark."""

    words: Words = lambda subject, loss: replacement(subject, loss)[1]
    grave: Wanted = is_current
    """Which of them warn."""

    def __call__(self, subject: Subject) -> Iterator[Claim]:
        """One claim for each; one for all where the request was accepted."""
        yield from told_as_one(subject, self._each(subject))

    def _each(self, subject: Subject) -> Iterator[Claim]:
        for loss in subject.losses:
            is_grave = self.grave(subject, loss)
            if loss.fate is Fate.BYPASS and (is_grave or loss.is_first):
                yield about(
                    subject,
                    loss,
                    self.words,
                    at=replacement(subject, loss)[0],
                    severity=Severity.WARNING if is_grave else Severity.INFO,
                )
