"""When GitHub Copilot insists on a signature."""

from __future__ import annotations

from sigscope.ledger.policy import ANSWER, CLOSED, Case, Policy
from sigscope.ledger.records import Grade
from sigscope.opaque import sha256


def grade(case: Case) -> tuple[Grade, str]:
    """The envelope of a message with calls in the current turn (CPC-1, conditional:
    observed in November 2025, contested since; docs/wire/copilot-chat.md#cpc-1)."""
    last = _last_of_carrier(case)
    if last is not None and last != case.signature.sha256:
        return Grade.SUPERSEDED, "a later one of the same reply counts"
    message = case.reply.reply.message
    if message is None or not message.calls:
        return ANSWER
    if not case.is_current:
        return CLOSED
    if not case.is_enforced_model:
        return Grade.OPTIONAL, "no refusal is known for this model"
    return Grade.REQUIRED, "it covers a tool call of the current turn"


def _last_of_carrier(case: Case) -> str | None:
    """SHA-256 of the last signature that the reply brought on the same carrier."""
    carrier = case.signature.received[0].sighting.carrier
    same = [
        s.value
        for s in case.reply.received
        if s.carrier == carrier and s.anchor.message >= 0
    ]
    return sha256(same[-1]) if same else None


POLICY = Policy(dialect="copilot-chat", grade=grade)
