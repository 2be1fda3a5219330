"""When Gemini insists on a signature."""

from __future__ import annotations

from sigscope.conversation import PartKind
from sigscope.ledger.policy import ANSWER, CLOSED, Case, Policy
from sigscope.ledger.records import Grade


def grade(case: Case) -> tuple[Grade, str]:
    """Only the first call of a step in the current turn, and only from Gemini 3 on
    (GEM-1, GEM-9, GEM-10)."""
    if not case.is_enforced_model:
        return Grade.OPTIONAL, "this model does not insist"
    if not any(part.kind is PartKind.CALL for part in case.anchor_parts):
        return ANSWER
    if not case.is_current:
        return CLOSED
    if not _signs_first_call(case):
        return Grade.OPTIONAL, "only the first call of a step needs one"
    return Grade.REQUIRED, "it signs the first call of the current turn's step"


def _signs_first_call(case: Case) -> bool:
    message = case.reply.reply.message
    first = message.calls[0].pointer if message and message.calls else None
    return any(part.pointer == first for part in case.anchor_parts)


POLICY = Policy(dialect="gemini", grade=grade)
