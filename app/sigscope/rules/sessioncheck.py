"""The rules over a session that grows: what was said of a step is said again, unless
something new may change it.

    check = SessionCheck()
    check.take(readings, ledger, refusals)                  # of each step
    check.take(more, longer, refusals, goes_on=True)        # those before are known
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sigscope import extensions
from sigscope.dialects.settlement import Decision
from sigscope.ledger import Ledger
from sigscope.reader import Reading
from sigscope.records import dataclass
from sigscope.refusals import Refusal
from sigscope.rules.base import Finding, Rule, Subject
from sigscope.rules.registry import RULES
from sigscope.rules.retries import AcceptedSteps, find_accepted
from sigscope.rules.runner import check_step, said_by, subjects_of


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    """What the rules said of a step, and what else it went by than what came before."""

    reading: Reading
    decision: Decision
    error: Refusal | None
    ahead: tuple[Finding, ...]
    """Of the rules that look ahead."""
    sequel: tuple[int, bool] | None
    """Of a refused step: how many were accepted that may say the same, and whether its
    path was answered later."""
    findings: tuple[Finding, ...]


class SessionCheck:
    """Knows what was said. Not for two threads at a time."""

    def __init__(self, rules: Sequence[Rule] = RULES) -> None:
        self._rules = rules
        self._ahead = [r for r in rules if r.looks_ahead or extensions.maker(r)]
        """Those of others do not say whether they do."""
        self._begin()

    def _begin(self) -> None:
        self._said: dict[int, _Said] = {}
        self._accepted = AcceptedSteps()
        self._unruled: frozenset[str] = frozenset()

    def take(
        self,
        readings: Sequence[Reading],
        ledger: Ledger,
        refusals: Mapping[int, Refusal],
        *,
        goes_on: bool = False,
    ) -> tuple[tuple[Finding, ...], ...]:
        """Findings of each step, in step order, the worst first: what `check_session`
        says. `goes_on`: the last ledger says the same of the steps that it has.

        Costs what is new, a look at each step, and at the whole session what a rule
        looks at there.
        """
        unruled = _unruled(ledger)
        if not (goes_on and self._begins(readings) and self._unruled <= unruled):
            self._begin()
        self._unruled = unruled
        self._accepted.learn(readings[len(self._said) :])
        shared: dict[object, object] = {find_accepted: self._accepted}
        for subject in subjects_of(readings, ledger, refusals, shared):
            self._said[subject.step] = self._of(subject)
        return tuple(said.findings for said in self._said.values())

    def _begins(self, readings: Sequence[Reading]) -> bool:
        """Whether the steps begin with those that are known."""
        known = self._said.values()
        return len(readings) >= len(known) and all(
            said.reading is reading and said.decision == reading.decision
            for said, reading in zip(known, readings, strict=False)
        )

    def _of(self, subject: Subject) -> _Said:
        known = self._said.get(subject.step)
        ahead = said_by(self._ahead, subject)
        sequel = self._sequel(subject)
        if (
            known is not None
            and known.error == subject.error
            and known.ahead == ahead
            and known.sequel == sequel
        ):
            return known
        return _Said(
            reading=subject.reading,
            decision=subject.reading.decision,
            error=subject.error,
            ahead=ahead,
            sequel=sequel,
            findings=tuple(check_step(subject, self._rules)),
        )

    def _sequel(self, subject: Subject) -> tuple[int, bool] | None:
        if subject.error is None:
            return None
        alike = self._accepted.like(subject.reading)
        return len(alike), self._accepted.follow(subject.reading)


def _unruled(ledger: Ledger) -> frozenset[str]:
    """Values that nobody issued, and that only carriers hold of which no rule speaks;
    one that stands elsewhere later is none of them any more."""
    return frozenset(
        one.sha256 for one in ledger.signatures if not one.received and one.is_unruled
    )
