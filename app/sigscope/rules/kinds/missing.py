"""A message of the current turn that the service finds unsigned, and insists on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from sigscope.conversation import Message
from sigscope.records import dataclass
from sigscope.rules.base import Claim, Severity, Subject
from sigscope.rules.edits import Fix
from sigscope.rules.fixes import send_back
from sigscope.rules.judgements import judged
from sigscope.rules.losses import likewise
from sigscope.rules.outcome import all_the_same
from sigscope.rules.places import covering, current_calls
from sigscope.rules.relocation import found_elsewhere
from sigscope.rules.subject import Loss, happened
from sigscope.rules.words import told


def first_loss(subject: Subject, index: int) -> Loss | None:
    """The first of what a message lost."""
    return next(iter(subject.losses_at.get(index, ())), None)


def is_unsigned(subject: Subject, index: int) -> bool:
    """Whether nothing in a message is read as a signature, though its reply brought
    one, or nobody recorded its reply."""
    is_known = index not in subject.held or first_loss(subject, index) is not None
    return is_known and not covering(subject, index)


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """Messages with calls, mostly of the current turn; the lost signature goes back."""

    among: Callable[[Subject], Sequence[tuple[int, Message]]] = current_calls
    """Messages with calls that are looked at."""
    of: Callable[[Subject, int], bool] = is_unsigned
    """Whether the service finds a message unsigned, and wants it signed."""
    words: Callable[[Subject, int], str]
    """ "reasoning_details are missing on the message that calls ls"."""
    where: Callable[[Subject, int], str] = lambda *_: ""
    """What else is said of the place: " (the service counts it as content 2)"."""
    lost: Callable[[Subject, int], Loss | None] = first_loss
    """It may look at no more than a judge of `judged`."""
    otherwise: Callable[[Subject, int], tuple[str, Fix | None]] = found_elsewhere
    """What is said, and done, where nothing lost is known."""
    worst: Callable[[Subject, int, Loss | None], Severity | None] = lambda *_: None
    """As in `Claim`. An accepted request earns a warning if the signature is known."""

    def __call__(self, subject: Subject) -> Iterator[Claim]:
        """One claim for each; one for all where the request was accepted."""
        found = self.found(subject)
        if len(found) < 2 or not subject.is_accepted:
            yield from (self._claim(subject, index) for index in found)
            return
        *others, last = found
        fixes = judged(subject, self._way_back, others)
        yield likewise(
            subject,
            self._claim(subject, last),
            [subject.messages[index].pointer for index in others],
            [fixes[index] or self._fix(subject, index) for index in others],
        )

    def found(self, subject: Subject) -> Sequence[int]:
        """The messages, by index."""
        return subject.once(self._look)

    def _look(self, subject: Subject) -> Sequence[int]:
        return [i for i, _ in self.among(subject) if self.of(subject, i)]

    def _way_back(self, subject: Subject, index: int) -> Fix | None:
        loss = self.lost(subject, index)
        return send_back(subject, loss, index) if loss else None

    def _fix(self, subject: Subject, index: int) -> Fix | None:
        if self.lost(subject, index) is None:
            return self.otherwise(subject, index)[1]
        return self._way_back(subject, index)

    def _claim(self, subject: Subject, index: int) -> Claim:
        loss = self.lost(subject, index)
        if loss is not None:
            more = f": {told(loss.signature)} {happened(loss)}"
            fix = send_back(subject, loss, index)
        else:
            elsewhere, fix = self.otherwise(subject, index)
            more = f"; {elsewhere}"
        said = self.words(subject, index) + more + self.where(subject, index)
        is_grave = subject.is_accepted and loss is not None
        return Claim(
            subject.messages[index].pointer,
            said + all_the_same(subject),
            fix=fix,
            signature=loss.signature.sha256 if loss else None,
            worst=self.worst(subject, index, loss),
            severity=Severity.WARNING if is_grave else None,
        )
