"""What steps took: tokens as the service counted them, the wait for the first one, and
what they cost by a table of prices that the user gives.

Not known is no zero: a step without a count has none, and a sum says how many steps it
leaves out. Prices are the user's; none come with sigscope.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from fnmatch import fnmatchcase

from sigscope.conversation import Usage
from sigscope.dialects.assembly import Effect
from sigscope.reader import Reading
from sigscope.records import dataclass

_TOKENS = frozenset({Effect.TEXT, Effect.THOUGHT, Effect.CALL})
"""What an event brings that has tokens of the model in it."""
_MILLION = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """Of a model, for a million tokens."""

    model: str
    """Its name, with * for any letters."""
    input: float
    output: float
    cached: float | None = None
    """What is read from a cache; None: not known."""
    written: float | None = None
    """What is written to a cache; None: not known."""

    def of(self, usage: Usage) -> float | None:
        """What an answer cost; None where a count, or the price of one, is not known.
        A service that tells of no cache is taken to have used none."""
        if usage.prompt is None or usage.completion is None:
            return None
        cached, written = usage.cached or 0, usage.written or 0
        if (cached and self.cached is None) or (written and self.written is None):
            return None
        plain = max(0, usage.prompt - cached - written)
        spent = plain * self.input + usage.completion * self.output
        spent += cached * (self.cached or 0) + written * (self.written or 0)
        return spent / _MILLION


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceTable:
    """Prices in the order in which they are looked at; empty for none."""

    prices: tuple[Price, ...] = ()
    currency: str = "USD"

    def __bool__(self) -> bool:
        return bool(self.prices)

    def price(self, model: str) -> Price | None:
        """That of a model: the first whose name fits."""
        found = (p for p in self.prices if fnmatchcase(model, p.model))
        return next(found, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class StepSpending:
    step: int
    usage: Usage
    """The completion with the reasoning, however the service counts that."""
    first_token_ms: float | None
    """From the first byte of the request to the first event with a token in it; None
    where the answer was not streamed, or no times were recorded."""
    cost: float | None
    """None without a table, or where it is not known."""

    @property
    def words(self) -> str:
        """ "1,234 tokens in (1,000 cached), 56 out (20 reasoning)"."""
        usage, told = self.usage, []
        if usage.prompt is not None:
            parts = [(usage.cached, "cached"), (usage.written, "written to cache")]
            told.append(f"{usage.prompt:,} tokens in{_parts(parts)}")
        if usage.completion is not None:
            parts = [(usage.reasoning, "reasoning")]
            told.append(f"{usage.completion:,} out{_parts(parts)}")
        return ", ".join(told)

    def told(self, table: PriceTable) -> str:
        """ "1,234 tokens in, 56 out, first token 0.8 s, 0.0123 USD"; empty if
        nothing is known. Cost only where there is a table."""
        told = [self.words] if self.words else []
        if self.first_token_ms is not None:
            told.append(f"first token {self.first_token_ms / 1000:.1f} s")
        if table and self.words:
            known = self.cost is not None
            told.append(
                money(self.cost or 0.0, table.currency) if known else "cost not known"
            )
        return ", ".join(told)


def _parts(parts: Sequence[tuple[int | None, str]]) -> str:
    known = [f"{count:,} {name}" for count, name in parts if count is not None]
    return f" ({', '.join(known)})" if known else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpendingTotal:
    """What all steps took together."""

    usage: Usage
    """Sums of what was counted; None where no step has a count."""
    uncounted: int
    """Accepted steps without a count of prompt and completion: the sums leave them
    out."""
    cost: float | None
    """Of the steps whose cost is known; None if there are none."""
    unpriced: int
    """Accepted steps whose cost is not known."""


def spending_of(reading: Reading, table: PriceTable | None = None) -> StepSpending:
    """What a step took. Looks at its answer only."""
    usage = _with_reasoning(reading.reply.usage)
    price = table.price(reading.model) if table else None
    return StepSpending(
        step=reading.number,
        usage=usage,
        first_token_ms=_first_token(reading),
        cost=price.of(usage) if price else None,
    )


def _with_reasoning(usage: Usage) -> Usage:
    """Most services count reasoning in the completion, Copilot beside it: there it
    may be the larger of the two, and the total is that of three."""
    prompt, said, thought = usage.prompt, usage.completion, usage.reasoning
    if said is None or not thought:
        return usage
    is_beside = thought > said or (
        prompt is not None and usage.total == prompt + said + thought
    )
    return replace(usage, completion=said + thought) if is_beside else usage


def _first_token(reading: Reading) -> float | None:
    for event, writes in zip(reading.events, reading.event_writes, strict=False):
        if any(write.effect in _TOKENS for write in writes):
            return event.at_ms
    return None


def total_of(
    readings: Sequence[Reading], spent: Sequence[StepSpending]
) -> SpendingTotal:
    """Sums over steps. Refused ones without a count are taken to have taken nothing."""
    accepted = {reading.number for reading in readings if reading.is_accepted}
    here = [one for one in spent if one.step in accepted]
    costs = [one.cost for one in spent if one.cost is not None]
    return SpendingTotal(
        usage=Usage(**{each.name: _sum(spent, each.name) for each in fields(Usage)}),
        uncounted=sum(not _is_counted(one.usage) for one in here),
        cost=sum(costs) if costs else None,
        unpriced=sum(one.cost is None for one in here),
    )


def _is_counted(usage: Usage) -> bool:
    return usage.prompt is not None and usage.completion is not None


def _sum(spent: Sequence[StepSpending], name: str) -> int | None:
    counts = [getattr(one.usage, name) for one in spent]
    known = [count for count in counts if count is not None]
    return sum(known) if known else None


def money(cost: float, currency: str) -> str:
    """ "0.0123 USD", "12.35 USD"."""
    return f"{cost:,.2f} {currency}" if cost >= 1 else f"{cost:.4f} {currency}"
