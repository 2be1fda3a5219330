"""`acme_state` is missing on a message with calls.

Why it matters: 400 "acme_state is missing in message 1".
Bad:  {"role": "assistant", "tool_calls": [...]}
Good: {"role": "assistant", "tool_calls": [...], "acme_state": "ZW5j..."}
False alarms: none known; messages without calls are left alone.
Fix: the value as received, on the message.
"""

from sigscope.rules.base import Confidence, Rule, Severity
from sigscope.rules.kinds.missing import Missing
from sigscope.rules.words import calling

RULES = (
    Rule(
        code="ACM-1",
        name="state-missing",
        page=__doc__,
        severity=Severity.ERROR,
        confidence=Confidence.OBSERVED,
        dialects=("acme",),
        checked_on="2026-11-22",
        source="docs.acme.example/state [docs]; docs/wire/acme.md",
        check=Missing(
            words=lambda subject, index: (
                f"no acme_state on the message that {calling(subject.messages[index])}"
            )
        ),
    ),
)
