"""The answer ended with the finish reason MISSING_THOUGHT_SIGNATURE.

Why it matters: HTTP 200, no error anywhere, and no content either: the request was
turned down for a missing signature all the same.
Bad:  {"candidates": [{"finishReason": "MISSING_THOUGHT_SIGNATURE"}]}
Good: {"candidates": [{"content": {"parts": ["..."]}, "finishReason": "STOP"}]}
False alarms: none, it is the service's own word. How the service behaves when it says
so is inferred from the name in Google's SDK; no recording shows it.
Fix: none here; what GEM-1 says of the request, if it says anything, is the cure.
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.rules.answers import finish_spot
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject

WORD = "MISSING_THOUGHT_SIGNATURE"


def check(subject: Subject) -> Iterator[Claim]:
    """Candidates that ended so."""
    reply = subject.reading.reply
    if reply.finish != WORD:
        return
    has_content = reply.message is not None and bool(reply.message.parts)
    rest = "after some content" if has_content else "and brought no content"
    status = subject.reading.status
    under = "no status was recorded" if status is None else f"under status {status}"
    place = finish_spot(subject.reading)
    yield place.claim(f"the answer ended with {WORD} {rest}, {under}")


RULE = Rule(
    code="GEM-17",
    name="finished-for-missing-signature",
    page=__doc__,
    severity=Severity.WARNING,
    confidence=Confidence.INFERRED,
    dialects=("gemini",),
    checked_on="2026-11-21",
    source=(
        "googleapis/python-genai (types.py: FinishReason), "
        "ai.google.dev/gemini-api/docs/thought-signatures [source code; behaviour "
        "inferred]"
    ),
    check=check,
)
