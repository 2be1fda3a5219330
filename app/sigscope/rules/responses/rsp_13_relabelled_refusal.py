"""A gateway's own name for a refused signature.

Why it matters: 400 "thinking_signature_invalid" hides the service's own sentence: which
value it means, and why, only the gateway's log tells.
Bad:  [{"type": "reasoning", "encrypted_content": "gAAAAABpVbkA"}]
Good: [{"type": "reasoning", "encrypted_content": "gAAAAABpVbkAJS8QyDYQ"}]
False alarms: none, only the answer tells.
Fix: none; look for findings of RSP-3, RSP-5 and RSP-12 in the same request.
"""

from sigscope.rules.base import Confidence, Rule, Severity
from sigscope.rules.kinds.told import ToldByAnswer

RULE = Rule(
    code="RSP-13",
    name="relabelled-refusal",
    page=__doc__,
    severity=Severity.ERROR,
    confidence=Confidence.REPORTED,
    dialects=("responses",),
    checked_on="2026-11-22",
    source="openclaw/openclaw#92941 [issue report]",
    check=ToldByAnswer(
        rule="RSP-13",
        words="the gateway refused a signature in words of its own, and this may be it",
    ),
)
