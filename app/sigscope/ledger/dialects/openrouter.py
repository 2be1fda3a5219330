"""When OpenRouter insists on a signature."""

from __future__ import annotations

from sigscope.conversation import SignatureKind
from sigscope.ledger.links import plain
from sigscope.ledger.models import is_claude
from sigscope.ledger.policy import ANSWER, CLOSED, Case, Policy
from sigscope.ledger.records import Grade
from sigscope.reader import Reading


def grade(case: Case) -> tuple[Grade, str]:
    """Gemini's rules for Gemini, the tool loop for Claude, advice for the others
    (ORT-1, ORT-7; docs/wire/README.md#comparison)."""
    if not case.is_current:
        return CLOSED
    message = case.reply.reply.message
    if message is None or not message.calls:
        return ANSWER
    if is_claude(case.scene.model) and case.scene.thinks:
        return Grade.REQUIRED, "Claude wants its thinking back inside a tool loop"
    if not case.is_enforced_model:
        return Grade.OPTIONAL, "accepted without it for this model"
    if case.signature.kind is not SignatureKind.SEALED:
        return ANSWER
    wanted = plain(message.calls[0].call_id or "")
    signed = {plain(call_id) for call_id in case.signature.call_ids}
    if signed and wanted not in signed:
        return Grade.OPTIONAL, "only the first call of a step needs one"
    return Grade.REQUIRED, "it signs the first call of the current turn's step"


def _thinks(request: Reading) -> bool:
    """Whether a request asks for reasoning in OpenRouter's words."""
    body = request.request_json
    reasoning = body.get("reasoning") if isinstance(body, dict) else None
    return isinstance(reasoning, dict) and reasoning.get("enabled") is not False


POLICY = Policy(dialect="openrouter", grade=grade, thinks=_thinks)
