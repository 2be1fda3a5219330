"""Whether a signature had to be in a request: what holds of all dialects."""

from __future__ import annotations

from sigscope.ledger.dialects import policy_of
from sigscope.ledger.links import plain
from sigscope.ledger.models import is_claude
from sigscope.ledger.policy import Case
from sigscope.ledger.records import Grade


def is_missable(case: Case) -> bool:
    """Whether it is one of those that a service can mean that complains of a missing
    signature: of the first call of a step in the current turn, or of all its calls."""
    message = case.reply.reply.message
    if message is None or not message.calls or not case.is_current:
        return False
    if is_claude(case.scene.model):
        return True
    first = message.calls[0]
    signed = {plain(call_id) for call_id in case.signature.call_ids}
    if signed and first.call_id is not None:
        return plain(first.call_id) in signed
    places = {part.pointer for part in case.anchor_parts}
    return not places or first.pointer in places


def is_stored(case: Case) -> bool:
    """Whether a request that does not bring a signature names what the service keeps of
    it."""
    policy = policy_of(case.scene.dialect)
    return policy is not None and policy.is_stored(case)


def grade(case: Case) -> tuple[Grade, str]:
    """The grade of a signature in a request that has its message."""
    if case.is_of_other_answer:
        return Grade.NOT_APPLICABLE, "it belongs to another answer of that response"
    if case.signature.is_unruled:
        return Grade.OPTIONAL, "no rule is known for its carrier"
    policy = policy_of(case.scene.dialect)
    if policy is None:
        return Grade.OPTIONAL, "no rule is known for this API"
    return policy.grade(case)
