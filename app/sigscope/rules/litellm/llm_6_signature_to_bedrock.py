"""A signature goes to a Bedrock model that takes none.

Why it matters: 400 "This model doesn't support the
reasoningContent.reasoningText.signature field. Remove
reasoningContent.reasoningText.signature and try again."
Bad:  {"thinking_blocks": [{"thinking": "...", "signature": "S"}]}
Good: {"thinking_blocks": [{"thinking": "..."}]}
False alarms: Claude on Bedrock takes them. Which other models do is not known, so
without the answer's word this warns, and only for names that say Bedrock.
Fix: the signatures of the thinking blocks go.
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.ledger.models import is_claude
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.edits import drop

BLOCK = "litellm.thinking_blocks.signature"


def check(subject: Subject) -> Iterator[Claim]:
    """Signed thinking blocks on the way to such a model."""
    is_told = RULE.code in subject.heard
    model = subject.reading.model.lower()
    is_likely = "bedrock" in model and not is_claude(model) and "anthropic" not in model
    if not is_told and (not is_likely or subject.is_accepted):
        return
    blocks = [s for s in subject.sent if s.carrier == BLOCK]
    if not blocks:
        return
    yield Claim(
        blocks[0].pointer,
        f"{subject.reading.model} takes no signatures; {len(blocks)} thinking"
        f" block{'s carry one' if len(blocks) > 1 else ' carries one'}",
        fix=tuple(drop(s.pointer, "take it away: it is not supported") for s in blocks),
        severity=Severity.ERROR if is_told else Severity.WARNING,
    )


RULE = Rule(
    code="LLM-6",
    name="signature-to-bedrock",
    page=__doc__,
    severity=Severity.ERROR,
    confidence=Confidence.REPORTED,
    dialects=("litellm",),
    checked_on="2026-11-21",
    source="BerriAI/litellm#49969, BerriAI/litellm#50073 [issue report]",
    check=check,
)
