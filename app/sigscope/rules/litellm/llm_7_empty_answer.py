"""An empty answer that ended "stop": it may stand for MISSING_THOUGHT_SIGNATURE.

Why it matters: the proxy maps Gemini's finish reason MISSING_THOUGHT_SIGNATURE to
"stop", so a refusal looks like an answer that says nothing.
Bad:  {"finish_reason": "stop", "message": {"content": null}}
Good: {"finish_reason": "stop", "message": {"content": "a.md is empty."}}
False alarms: a model may say nothing for other reasons. It warns where a call of the
current turn went without a genuine signature, else it is a remark; other targets than
Gemini are left alone.
Fix: none here; what LLM-1 says of the request is the cure.
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.conversation import SignatureKind
from sigscope.rules.answers import finish_spot, says_nothing
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.litellm.proxy import speaks_to_gemini
from sigscope.rules.places import current_calls, signing


def check(subject: Subject) -> Iterator[Claim]:
    """Answers of Gemini that say nothing and ended as if all were well."""
    is_fine = subject.reading.reply.finish == "stop"
    is_empty = is_fine and says_nothing(subject.reading)
    if not is_empty or not speaks_to_gemini(subject):
        return
    unsigned = [
        message.calls[0].name or "?"
        for index, message in current_calls(subject)
        if not _is_genuine(subject, index)
    ]
    cause = f"; {unsigned[0]} went without a genuine signature" if unsigned else ""
    yield finish_spot(subject.reading).claim(
        "an empty answer that ended with stop: the proxy shows"
        f" MISSING_THOUGHT_SIGNATURE like this{cause}",
        severity=None if unsigned else Severity.INFO,
    )


def _is_genuine(subject: Subject, index: int) -> bool:
    call = subject.messages[index].calls[0]
    signs = signing(subject, index, call)
    return any(sighting.kind is not SignatureKind.BYPASS for sighting in signs)


RULE = Rule(
    code="LLM-7",
    name="empty-answer",
    page=__doc__,
    severity=Severity.WARNING,
    confidence=Confidence.OBSERVED,
    dialects=("litellm",),
    checked_on="2026-11-21",
    source="BerriAI/litellm [source code]",
    check=check,
)
