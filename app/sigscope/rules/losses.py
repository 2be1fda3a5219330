"""Telling losses without flooding: every later request of a session repeats them.

One that breaks a request is told at each node and in each step. Where requests were
accepted, the losses of a step are told as one; and what is merely a custom of clients
is told once in a session, where it happens first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from operator import is_

from sigscope.edits.records import Edit
from sigscope.rules.base import Claim, Severity, Subject
from sigscope.rules.edits import Fix, joined
from sigscope.rules.fixes import send_back
from sigscope.rules.phrases import Words, said
from sigscope.rules.subject import Loss, is_lost
from sigscope.rules.words import LIKEWISE

Wanted = Callable[[Subject, Loss], bool]


def anything(_: Subject, __: Loss) -> bool:
    """Wants every loss."""
    return True


def nothing(_: Subject, __: Loss) -> bool:
    """Wants none."""
    return False


def about(
    subject: Subject,
    loss: Loss,
    words: Words,
    *,
    at: str | None = None,
    fix: Fix | None = None,
    worst: Severity | None = None,
    severity: Severity | None = None,
) -> Claim:
    """A claim about a loss; `at`: None for its message, `fix`: None to send it back."""
    return Claim(
        subject.messages[loss.index].pointer if at is None else at,
        said(words, subject, loss),
        fix=fix or send_back(subject, loss),
        signature=loss.signature.sha256,
        worst=worst,
        severity=severity,
    )


def loss_at(subject: Subject, pointer: str) -> Loss | None:
    """The lost signature of which something stands at a place; None if of none."""
    return subject.once(_losses_by_place).get(pointer)


def _losses_by_place(subject: Subject) -> dict[str, Loss]:
    """The lost signatures by the places where something of them stands; the first of
    several."""
    found: dict[str, Loss] = {}
    for loss in subject.losses:
        for sighting in subject.placed(loss.signature):
            found.setdefault(sighting.pointer, loss)
    return found


def first_of_its_kind(subject: Subject, wanted: Wanted) -> Loss | None:
    """The session's first loss of a kind, if it happens in this step; else None.

    `wanted` must tell the same of a loss whenever it is asked.
    """
    here = [loss for loss in subject.losses if loss.is_first and wanted(subject, loss)]
    if not here:
        return None
    for signature in subject.ledger.signatures:
        lost = next((one for one in signature.stretches if is_lost(one.fate)), None)
        if lost is None or lost.steps[0] >= subject.step:
            continue
        earlier = subject.at(lost.steps[0])
        loss = earlier.loss_of(signature, lost)
        if loss is None or earlier.wire != subject.wire:
            continue
        if wanted(earlier, loss):
            return None
    return here[0]


def told_as_one(subject: Subject, claims: Iterable[Claim]) -> Iterator[Claim]:
    """Claims of one cause; those of an accepted request become one.

    The latest stands for all, names the others, and mends them too.
    """
    found = list(claims)
    if len(found) < 2 or not subject.is_accepted:
        yield from found
        return
    *others, last = found
    pointers = [claim.pointer for claim in others]
    yield likewise(subject, last, pointers, [claim.fix for claim in others])


def likewise(
    subject: Subject, last: Claim, others: Sequence[str], fixes: Sequence[Fix | None]
) -> Claim:
    """The latest of several claims in place of all: `others` are the pointers of those
    before it, `fixes` what mends them."""
    places = others[:-3:-1]
    rest = f" and {len(others) - 2} more" if len(others) > 2 else ""
    return replace(
        last,
        said=f"{last.said}; {LIKEWISE} {', '.join(places)}{rest}",
        fix=subject.once_in_session(_joined_fixes).of([*fixes, last.fix]) or None,
    )


class _JoinedFixes:
    """What mends all losses of a request: mostly what mended those of the one before,
    and one more."""

    def __init__(self) -> None:
        self._last: list[tuple[Sequence[Fix | None], dict[Edit, None]]] = []
        """Some fixes, and all of their edits, each once."""

    def of(self, fixes: Sequence[Fix | None]) -> Fix:
        """All edits in order, each once; costs what is new behind the same fixes."""
        before, edits = next(filter(partial(_begin_with, fixes), self._last), ((), {}))
        edits.update(dict.fromkeys(joined(*filter(None, fixes[len(before) :]))))
        kept = [one for one in self._last if one[0] is not before]
        self._last = [(fixes, edits), *kept[: _ALTERNATING - 1]]
        return tuple(edits)


_ALTERNATING = 4
"""Causes and conversations whose losses are told in turn."""


def _begin_with(
    fixes: Sequence[Fix | None], known: tuple[Sequence[Fix | None], object]
) -> bool:
    """Whether the very same fixes come first."""
    before, _ = known
    return len(before) <= len(fixes) and all(map(is_, before, fixes))


def _joined_fixes(_: Subject) -> _JoinedFixes:
    return _JoinedFixes()
