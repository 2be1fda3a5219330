"""A signature was altered on the way back, or exchanged for another (AI Studio).

Why it matters: 400 INVALID_ARGUMENT, "Corrupted thought signature." or, on newer
models, "Invalid thought signature."
Bad:  {"functionCall": {"name": "ls"}, "thoughtSignature": "RWhrS0Z3..."}
Good: {"functionCall": {"name": "ls"}, "thoughtSignature": "EhkKFwHe..."}
False alarms: bytes are compared, so the other base64 alphabet and missing padding are
no alteration. Whether signatures of earlier turns and of models before Gemini 3 are
verified is not known: these warn, and so does a signature on another's part, whose
outcome is reported as either this or silence. An accepted request earns a remark.
Fix: the signature as it was received.
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.gemini import damaged
from sigscope.rules.gemini.unsigned_calls import surface_of


def check(subject: Subject) -> Iterator[Claim]:
    """Altered signatures in requests to AI Studio, or to nobody knows whom."""
    if surface_of(subject) != "vertex":
        yield from damaged.report(subject)


RULE = Rule(
    code="GEM-4",
    name="corrupted-signature-on-ai-studio",
    page=__doc__,
    severity=Severity.ERROR,
    confidence=Confidence.REPORTED,
    dialects=("gemini",),
    checked_on="2026-11-21",
    source=(
        "google-gemini/gemini-cli#13467, lbjlaq/Antigravity-Manager#3337, recordings "
        "of pydantic/pydantic-ai [issue report]; docs/wire/README.md#outcomes, "
        "docs/wire/gemini.md#gem-4, docs/wire/fingerprints.md"
    ),
    check=check,
)
