"""The first deepseek-reasoner refused reasoning in its input.

Why it matters: 400 "The reasoning_content is an intermediate result for display
purposes only ...". Later models want what this one refused, so one client breaks on the
one side or the other.
Bad:  {"role": "assistant", "content": "8.", "reasoning_content": "5 and 3."}
Good: {"role": "assistant", "content": "8."}
False alarms: said only where the recorded answer says so; nothing in the request tells
which of both models stands behind the name.
Fix: the field goes from every message.
"""

from sigscope.dialects.deepseek import FIELD
from sigscope.rules.base import Confidence, Rule, Severity
from sigscope.rules.kinds.not_taken import NotTaken

RULE = Rule(
    code="DSK-3",
    name="reasoning-not-taken",
    page=__doc__,
    severity=Severity.WARNING,
    confidence=Confidence.REPORTED,
    dialects=("deepseek",),
    checked_on="2026-11-22",
    source=(
        "Euyug/Mirai-Gpt-Plugin#4 [issue report], an older edition of "
        "api-docs.deepseek.com [docs]; docs/wire/deepseek.md#dsk-3"
    ),
    check=NotTaken(rule="DSK-3", key=FIELD),
)
