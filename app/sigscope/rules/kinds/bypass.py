"""Bypasses that were sent where a genuine signature is known
(docs/wire/gemini.md#bypass)."""

from __future__ import annotations

from collections.abc import Iterator

from sigscope import opaque
from sigscope.ledger import Fate
from sigscope.opaque import Bypass
from sigscope.records import dataclass
from sigscope.rules.base import Claim, Severity, Subject
from sigscope.rules.losses import Wanted, about, told_as_one
from sigscope.rules.outcome import Outcome, all_the_same, outcome_of
from sigscope.rules.phrases import Words
from sigscope.rules.subject import Loss
from sigscope.rules.words import stand_in, told


def replacement(subject: Subject, loss: Loss) -> tuple[str, str]:
    """The place of the bypass, and what it took the place of, in words."""
    name = told(loss.signature)
    for sighting in subject.placed(loss.signature):
        bypass = opaque.maybe_bypass(sighting.value)
        if bypass is not None:
            effect = effect_of(subject, bypass)
            said = f"{name} was replaced by {stand_in(bypass)}; {effect}"
            return sighting.pointer, said
    return subject.messages[loss.index].pointer, f"{name} was replaced by a bypass"


def is_misspelt(subject: Subject, loss: Loss) -> bool:
    """Whether what was sent in its place is no base64: refused wherever it stands."""
    found = (opaque.maybe_bypass(s.value) for s in subject.placed(loss.signature))
    return any(bypass and opaque.decode(bypass.literal) is None for bypass in found)


_PASSED = {
    Outcome.ACCEPTED: "the request passed, and the model started its reasoning anew",
    Outcome.ANSWERED: "it was answered (no status was recorded), and the model started"
    " its reasoning anew",
    Outcome.REFUSED: "the request was refused all the same; a bypass is meant to"
    " pass, and costs the reasoning behind it",
    Outcome.UNKNOWN: "a bypass is meant to pass, and the model starts its reasoning"
    " anew",
}


def effect_of(subject: Subject, bypass: Bypass) -> str:
    """What a bypass brings about where a genuine signature is known."""
    if opaque.decode(bypass.literal) is None:
        said = "it is misspelt and no base64, which Google is known to refuse (GEM-6)"
        return said + all_the_same(subject)
    return _PASSED[outcome_of(subject)]


def is_current(_: Subject, loss: Loss) -> bool:
    """Whether it belongs to the current turn."""
    return loss.is_current


@dataclass(frozen=True, slots=True, kw_only=True)
class Replaced:
    """Bypasses in the current turn warn; elsewhere the first is a remark."""

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
