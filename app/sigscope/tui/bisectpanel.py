"""What a bisect under way has come to: a model, without a terminal."""

from __future__ import annotations

from dataclasses import field

from sigscope.bisect import FactorStanding, Knowledge
from sigscope.engine.sending.bisection import (
    BUDGET,
    AskedQuestion,
    BisectPlan,
    Trial,
)
from sigscope.engine.sending.bisectwords import question_words
from sigscope.engine.sending.sender import SendProgress
from sigscope.records import dataclass
from sigscope.runs import Run
from sigscope.tui import figures
from sigscope.tui.symbols import Symbols

_NUMBERED = 8
"""Factors of a question that are named by number; of more, how many there are."""


@dataclass(slots=True)
class BisectPanel:
    """Takes what the search yields; tells what is tried, known and spent."""

    plan: BisectPlan
    host: str
    """Who is asked."""
    budget: int = BUDGET
    knowledge: Knowledge = field(init=False)
    trials: list[Trial] = field(default_factory=list)
    sends: int = 0
    inquiry: AskedQuestion | None = None
    """What is being tried; None between two questions."""
    _progress: SendProgress | None = None

    def __post_init__(self) -> None:
        """Nothing is known at first, whatever the simulator believes."""
        plan = self.plan
        self.knowledge = Knowledge(
            plan.everything, keeps=plan.keeps, reduced=plan.reduced
        )

    def take(self, item: AskedQuestion | SendProgress | Run | Trial) -> None:
        """Whatever the search yields but its certificate."""
        if isinstance(item, AskedQuestion):
            self.inquiry, self._progress = item, None
            self.sends, self.budget = item.sends, item.budget
        elif isinstance(item, SendProgress):
            self._progress = item
        elif isinstance(item, Run):
            self.sends += 1
            self._progress = None
        else:
            self.inquiry = None
            self.trials.append(item)
            self.knowledge.learn(item.question, item.answer)

    def end(self) -> None:
        """Nothing is tried any more."""
        self.inquiry = self._progress = None

    def is_tried(self, factor: int) -> bool:
        """Whether a factor is part of what is being tried."""
        return self.inquiry is not None and factor in self.inquiry.question

    # --- Words -----------------------------------------------------------------------

    def told(self, symbols: Symbols) -> list[str]:
        """What is tried, what is known, what it has cost."""
        return [self._tried(symbols), self.known, self._spent(symbols)]

    @property
    def known(self) -> str:
        """ "Known: 1 needed, 3 not needed, 2 open"."""
        if self.knowledge.is_flaky:
            return "Known: nothing, the same request was answered both ways"
        counts = [f"{self.knowledge.count(one)} {one}" for one in FactorStanding]
        return f"Known: {', '.join(counts)}"

    def _tried(self, symbols: Symbols) -> str:
        if self.inquiry is None:
            return f"Next: asking {self.host}"
        which = question_words(self.plan, self.inquiry)
        if len(self.inquiry.question) > _NUMBERED and not self.plan.keeps:
            made = len(self.inquiry.question)
            which = f"with {made} of {len(self.plan.factors)} changes"
        words = [f"Trying {which}{', again' if self.inquiry.is_repeat else ''}"]
        words.append(f"asking {self.host}")
        if self._progress is not None:
            if self._progress.status is not None:
                words.append(str(self._progress.status))
            words.append(figures.size(self._progress.size))
            words.append(figures.millis(self._progress.at_ms))
        return f" {symbols.dot} ".join(words)

    def _spent(self, symbols: Symbols) -> str:
        left = max(self.budget - self.sends, 0)
        asked = figures.count(self.plan.asked, "question")
        return (
            f"Sends: {self.sends} used, {left} left {symbols.dot} simulator: {asked},"
            " nothing sent"
        )
