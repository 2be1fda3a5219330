"""A signature that is sent, and not as it was issued, or another in its place."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sigscope.ledger import Fate
from sigscope.records import dataclass
from sigscope.rules.base import Claim, Severity, Subject
from sigscope.rules.fixes import maybe_home
from sigscope.rules.losses import Wanted, about, anything
from sigscope.rules.phrases import Words
from sigscope.rules.subject import Loss


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
            instead = loss.instead or _copied_over(subject, loss)
            if not (is_damaged or instead) or not self.of(subject, loss):
                continue
            spots = subject.placed(loss.signature) if is_damaged else ()
            yield about(
                subject,
                loss,
                self.words if is_damaged else self.exchanged,
                at=instead or (spots[0].pointer if spots else None),
                worst=self.worst(subject),
            )


def _copied_over(subject: Subject, loss: Loss) -> str:
    """The place of a dropped signature, where that of another reply stands now: who
    keeps only the latest stamps it on all. Empty where none does, and where the message
    holds both replies."""
    there = subject.sighted.get(loss.index, ())
    if loss.fate is not Fate.DROPPED or not there:
        return ""
    links = subject.ledger.links.get(subject.step, ())
    if sum(loss.index in link.messages for link in links) != 1:
        return ""
    home = maybe_home(subject, loss.signature, loss.index)
    found = next((s for s in there if home and s.pointer == home.pointer), None)
    if found is None or not found.is_read:
        return ""
    owners = [
        signature
        for signature, _ in subject.concerned
        if any(s.pointer == found.pointer for s in subject.placed(signature))
    ]
    is_of_others = all(each.step not in (None, loss.signature.step) for each in owners)
    return found.pointer if owners and is_of_others else ""
