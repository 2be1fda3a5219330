"""What the steps of a document took, as rows for programs."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from sigscope.engine.sessions.document import Document
from sigscope.engine.settings.prices import own_prices
from sigscope.timeline.spending import (
    PriceTable,
    SpendingTotal,
    StepSpending,
    money,
    spending_of,
    total_of,
)


class DocumentSpending:
    """Tokens, waits and costs of all steps, by the user's prices."""

    def __init__(self, document: Document) -> None:
        found = own_prices()
        self.table: PriceTable = found.table
        self.problems = found.problems
        """What of the user's prices cannot be used."""
        steps = [spending_of(reading, self.table) for reading in document.readings]
        self.steps: dict[int, StepSpending] = {one.step: one for one in steps}
        self.total: SpendingTotal = total_of(document.readings, steps)

    def row(self, step: int) -> dict[str, Any]:
        """{"usage":{...},"first_token_ms":812.0,"cost":0.0123}; null is not known."""
        one = self.steps[step]
        return {
            "usage": asdict(one.usage),
            "first_token_ms": one.first_token_ms,
            "cost": one.cost,
        }

    @property
    def total_row(self) -> dict[str, Any]:
        """The same of all, with how many steps it leaves out."""
        total = self.total
        return {
            "usage": asdict(total.usage),
            "uncounted": total.uncounted,
            "cost": total.cost,
            "unpriced": total.unpriced,
            "currency": self.table.currency if self.table else None,
        }

    def words(self, step: int) -> str:
        """ "1,234 tokens in, 56 out, first token 0.8 s, 0.0123 USD"; empty if nothing is
        known."""
        return self.steps[step].told(self.table)

    @property
    def total_words(self) -> str:
        """The same of all; empty where no step has a count."""
        total = self.total
        step = StepSpending(step=0, usage=total.usage, first_token_ms=None, cost=None)
        told = [step.words] if step.words else []
        if told and total.uncounted:
            told.append(f"{_steps(total.uncounted)} not counted by the service")
        if self.table and told:
            told.append("cost not known" if total.cost is None else self._money(total.cost))
            if total.cost is not None and total.unpriced:
                told.append(f"without {_steps(total.unpriced)} of unknown cost")
        return ", ".join(told)

    def _money(self, cost: float | None) -> str:
        return money(cost or 0.0, self.table.currency)


def _steps(count: int) -> str:
    return f"{count:,} step{'s' * (count != 1)}"
