"""What the answers so far say of each factor."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from sigscope.bisect.records import Observation

Question = frozenset[int]


class FactorStanding(StrEnum):
    """What is known of a factor."""

    NEEDED = "needed"
    """Of the smallest set that passed, and without it the request failed."""
    NOT_NEEDED = "not needed"
    """The request passed without it."""
    OPEN = "open"
    """No answer has told."""


class Knowledge:
    """Collects answers while a search goes on; believes nothing that was not answered.

    A set that passes becomes smaller: what was needed in the larger one is open again
    until it has been asked of the smaller one.
    """

    def __init__(
        self,
        everything: Question,
        *,
        keeps: bool = False,
        reduced: Callable[[Question], Question] = lambda question: question,
    ) -> None:
        """`keeps`: a question names what is kept of a request that passes. `reduced`:
        the question that is asked in the place of one that is the same request."""
        self._everything = everything
        self._keeps = keeps
        self._reduced = reduced
        self._answers: dict[Question, Observation] = {}
        self.is_flaky = False
        """Whether one question was answered both ways: then nothing is known."""

    def learn(self, question: Question, answer: Observation) -> None:
        """Take an answer; one that tells nothing leaves everything as it was."""
        if answer is Observation.UNCLEAR:
            return
        if self._answers.setdefault(question, answer) is not answer:
            self.is_flaky = True

    def standing(self, factor: int) -> FactorStanding:
        """Of one factor, by its number."""
        passing = self._passing
        if self.is_flaky or passing is None:
            return FactorStanding.OPEN
        whole = self._everything if self._keeps else passing
        alone = self._answers.get(self._reduced(whole - {factor}))
        if factor in whole and alone is Observation.FAILS:
            return FactorStanding.NEEDED
        is_missed = factor not in passing or alone is Observation.PASSES
        return FactorStanding.NOT_NEEDED if is_missed else FactorStanding.OPEN

    def count(self, standing: FactorStanding) -> int:
        """How many factors stand so."""
        return sum(self.standing(factor) is standing for factor in self._everything)

    @property
    def _passing(self) -> Question | None:
        """The smallest set that passed."""
        found = (
            q for q, answer in self._answers.items() if answer is Observation.PASSES
        )
        return min(found, key=len, default=None)
