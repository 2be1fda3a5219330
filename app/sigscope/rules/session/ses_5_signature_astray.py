"""In a capture that begins in the middle a signature stands where its service does not
read it, and the place that is read is empty.

Why it matters: the request fails like one without a signature (the texts of GEM-1 and
GEM-2, ORT-1), or a proxy signs with a bypass in silence.
Bad:  {"tool_calls": [{"reasoning_details": ["..."]}]}
Good: {"tool_calls": ["..."], "reasoning_details": ["..."]}
False alarms: copies beside the one in its place are no fault. Only calls are judged,
and only signatures that came from before the recording: of others the ledger knows
where they belong. It warns until a refusal confirms it, and is a remark where the
request was accepted.
Fix: it goes to its message, or to the call that it stands on.
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.dialects.litellm import LiteLLM
from sigscope.dialects.openrouter import OpenRouter
from sigscope.opaque import fingerprint, sha256
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.relocation import homecoming


def check(subject: Subject) -> Iterator[Claim]:
    """Each message once: the entries of a list go home together."""
    told: set[int] = set()
    for sighting in subject.sent:
        index = sighting.anchor.message
        if sighting.is_read or index < 0 or index in told:
            continue
        fix = homecoming(subject, sighting)
        if fix is None:
            continue
        told.add(index)
        yield Claim(
            sighting.pointer,
            f"signature {fingerprint(sighting.value)} was issued before this recording"
            f" and stands at {sighting.pointer}, where it is not read; nothing stands"
            f" at {fix[-1].pointer}, where it would be",
            fix=fix,
            signature=sha256(sighting.value),
        )


RULE = Rule(
    code="SES-5",
    name="signature-astray",
    page=__doc__,
    severity=Severity.WARNING,
    confidence=Confidence.INFERRED,
    dialects=(OpenRouter.name, LiteLLM.name),
    checked_on="2026-11-22",
    source=(
        "openrouter.ai/docs/guides/best-practices/reasoning-tokens, "
        "zed-industries/zed#43024, BerriAI/litellm [docs, executed]; "
        "docs/wire/openrouter.md#policy, docs/wire/openrouter.md#wrong-placements, "
        "docs/wire/litellm.md#placements"
    ),
    check=check,
)
