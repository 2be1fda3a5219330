"""A signature that is sent, and not as it was issued, or another in its place."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sigscope.ledger import Fate
from sigscope.records import dataclass
from sigscope.rules.base import Claim, Severity, Subject
from sigscope.rules.losses import Wanted, about, anything
from sigscope.rules.phrases import Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Altered:
    """Damaged signatures, and exchanged ones; each goes back as it was received."""

    words: Words
    exchanged: Words
    """Where another signature stands in its place."""
    of: Wanted = anything
    fates: tuple[Fate, ...] = (Fate.ALTERED, Fate.CUT)
    """In which it counts as damaged."""
    worst: Callable[[Subject], Severity | None] = lambda _: None
    """As in `Claim`."""

    def __call__(self, subject: Subject) -> Iterator[Claim]:
        """One claim for each, in the order of the losses."""
        for loss in subject.losses:
            is_damaged = not loss.instead and loss.fate in self.fates
            if not (is_damaged or loss.instead) or not self.of(subject, loss):
                continue
            spots = subject.placed(loss.signature) if is_damaged else ()
            yield about(
                subject,
                loss,
                self.words if is_damaged else self.exchanged,
                at=loss.instead or (spots[0].pointer if spots else None),
                worst=self.worst(subject),
            )
