"""What happened in a conversation, step by step and turn by turn."""

from __future__ import annotations

from collections.abc import Sequence
from sigscope.records import dataclass
from typing import Any

from sigscope.converse.loop import TalkStep
from sigscope.engine.sending.conversations import HeldConversation
from sigscope.engine.sessions.document import Document
from sigscope.ledger import FateAt, Signature

FORMAT = 1
"""Of the tables; raised only when a field changes its meaning or goes away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldStep:
    taken: TalkStep
    reasoning_chars: int
    """Of the answer as it was on the wire, whatever the client reads of it."""
    text_chars: int
    calls: tuple[str, ...]
    """Names of the tools called."""
    received: tuple[Signature, ...]
    fates: tuple[tuple[Signature, FateAt], ...]
    error: str | None
    """The innermost error text, or why no answer came; None if accepted."""

    def row(self) -> dict[str, Any]:
        """As JSON."""
        taken = self.taken
        return {
            "step": taken.step.number,
            "turn": taken.turn,
            "round": taken.round,
            "policy": taken.policy,
            "status": taken.status,
            "ms": taken.step.exchange.duration_ms,
            "reasoning_chars": self.reasoning_chars,
            "text_chars": self.text_chars,
            "tool_calls": list(self.calls),
            "received": [signature.id for signature in self.received],
            "fates": [
                {
                    "signature": signature.id,
                    "fate": str(fate.fate),
                    "grade": str(fate.grade),
                }
                for signature, fate in self.fates
            ],
            "error": self.error,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One turn of the user's, side requests left out."""

    number: int
    statuses: tuple[int | None, ...]
    reasoning_chars: int
    text_chars: int
    lost: tuple[FateAt, ...]
    """What the service insists on and did not get."""
    error: str | None

    @property
    def share(self) -> float | None:
        """Share of the readable text that came as reasoning; None without any."""
        total = self.reasoning_chars + self.text_chars
        return self.reasoning_chars / total if total else None

    def row(self) -> dict[str, Any]:
        """As JSON."""
        share = self.share
        return {
            "turn": self.number,
            "statuses": list(self.statuses),
            "reasoning_chars": self.reasoning_chars,
            "text_chars": self.text_chars,
            "reasoning_share": None if share is None else round(share, 3),
            "lost": len(self.lost),
            "error": self.error,
        }


def retell(holding: HeldConversation) -> tuple[ToldStep, ...]:
    """Every step of a conversation that was held."""
    document = Document(holding.session)
    return tuple(_told(document, taken) for taken in holding.taken)


def _told(document: Document, taken: TalkStep) -> ToldStep:
    number = taken.step.number
    message = document.reading(number).reply.message
    refusal = document.refusals.get(number)
    error = refusal.text if refusal else None
    if error is None and taken.is_refused:
        remarks = taken.step.exchange.remarks
        error = (
            remarks[-1] if remarks else f"HTTP {taken.status or 'without an answer'}"
        )
    return ToldStep(
        taken=taken,
        reasoning_chars=len(message.thoughts) if message else 0,
        text_chars=len(message.text) if message else 0,
        calls=tuple(call.name or "" for call in (message.calls if message else ())),
        received=document.ledger.received_in(number),
        fates=document.ledger.concerning(number),
        error=error,
    )


def by_turn(told: Sequence[ToldStep]) -> tuple[Turn, ...]:
    """The same, one line a turn."""
    numbers = sorted({one.taken.turn for one in told})
    return tuple(
        _turn(n, [t for t in told if t.taken.turn == n and not t.taken.is_title])
        for n in numbers
    )


def _turn(number: int, told: Sequence[ToldStep]) -> Turn:
    return Turn(
        number=number,
        statuses=tuple(one.taken.status for one in told),
        reasoning_chars=sum(one.reasoning_chars for one in told),
        text_chars=sum(one.text_chars for one in told),
        lost=tuple(fate for one in told for _, fate in one.fates if fate.is_lost),
        error=next((one.error for one in told if one.error), None),
    )
