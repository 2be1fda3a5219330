"""An assistant message with tool calls lacks its reasoning (V3.2).

Why it matters: 400
"Missing `reasoning_content` field in the assistant message at message index N".
It is wanted with every call of the history, those of closed turns as well.
Bad:  {"role": "assistant", "tool_calls": ["..."]}
Good: {"reasoning_content": "I need the list.", "tool_calls": ["..."]}
False alarms: messages without calls, and requests that turn thinking off, are left
alone. An empty text is there; null is not. An accepted request earns a warning if the
text is known, else a remark.
Fix: the text as received, all pieces of the stream joined; where the answer had none,
or was not recorded, an empty one, which passes.
"""

from sigscope.rules.base import Confidence, Rule, Severity
from sigscope.rules.deepseek.unreasoned import unreasoned

RULE = Rule(
    code="DSK-1",
    name="reasoning-missing-v3",
    page=__doc__,
    severity=Severity.ERROR,
    confidence=Confidence.DOCUMENTED,
    dialects=("deepseek",),
    checked_on="2026-11-22",
    source=(
        "api-docs.deepseek.com/guides/thinking_mode, anomalyco/opencode#9397 "
        "[docs, issue report]; docs/wire/deepseek.md#dsk-1"
    ),
    check=unreasoned("DSK-1"),
)
