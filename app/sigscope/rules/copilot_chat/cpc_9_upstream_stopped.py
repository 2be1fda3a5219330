"""The model behind Copilot broke off, under status 200.

Why it matters: Gemini stopped with MALFORMED_FUNCTION_CALL, OTHER or the like; what
arrives is the finish reason "error", or "stop" with nothing said. A client shows an
empty answer.
Bad:  {"choices": [{"finish_reason": "error", "delta": {}}]}
Good: {"choices": [{"finish_reason": "tool_calls", "delta": {"tool_calls": ["..."]}}]}
False alarms: an empty "stop" of another model than Gemini is left alone.
Fix: none.
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.ledger.models import is_gemini
from sigscope.rules.answers import finish_spot, says_nothing
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject


def check(subject: Subject) -> Iterator[Claim]:
    """Answers that ended in an error, or with nothing said."""
    reading = subject.reading
    is_error = reading.reply.finish == "error"
    is_silent = reading.reply.finish == "stop" and says_nothing(reading)
    if not is_error and not (is_silent and is_gemini(reading.model)):
        return
    yield finish_spot(reading).claim(
        "the answer ended with finish_reason error"
        if is_error
        else "the answer ended with stop and says nothing; the model may have broken"
        " off (MALFORMED_FUNCTION_CALL and the like arrive so)"
    )


RULE = Rule(
    code="CPC-9",
    name="upstream-stopped",
    page=__doc__,
    severity=Severity.WARNING,
    confidence=Confidence.OBSERVED,
    dialects=("copilot-chat",),
    checked_on="2026-11-21",
    source="microsoft/vscode-copilot-chat [source code, issue report]",
    check=check,
)
