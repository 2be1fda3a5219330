"""What a LiteLLM proxy makes of a missing signature."""

from __future__ import annotations

from sigscope.fingerprints import guess_origin
from sigscope.ledger.models import is_gemini, is_older_gemini
from sigscope.ledger.policy import CLOSED, Case, Policy
from sigscope.ledger.records import Grade


def grade(case: Case) -> tuple[Grade, str]:
    """Never compulsory: the proxy signs with a bypass what comes unsigned
    (docs/wire/litellm.md#placements, docs/wire/litellm.md#bypass); what is lost is
    lost in silence."""
    if not case.is_current:
        return CLOSED
    models = case.scene.model, case.reply.reply.model
    if is_older_gemini(*models):
        return Grade.OPTIONAL, "this model does not insist"
    origin = guess_origin(case.signature.value).family
    if origin == "google" or any(is_gemini(model) for model in models):
        return Grade.OPTIONAL, "LiteLLM stamps a bypass where it is missing"
    return Grade.OPTIONAL, "no refusal is known for this model"


POLICY = Policy(dialect="litellm", grade=grade)
