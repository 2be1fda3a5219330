"""An assistant message with tool calls lacks its reasoning (V4 and newer).

Why it matters: 400
"The `reasoning_content` in the thinking mode must be passed back to the API.".
It is wanted with every call of the history, those of closed turns as well. The twin of
Anthropic's API says "The `content[].thinking` in the thinking mode must be passed back
to the API." of blocks that are left out.
Bad:  {"role": "assistant", "tool_calls": ["..."]}
Good: {"reasoning_content": "I need the list.", "tool_calls": ["..."]}
False alarms: messages without calls, and requests that turn thinking off, are left
alone. An empty text is there; null is not. An accepted request earns a warning if the
text is known, else a remark.
Fix: the text as received, all pieces of the stream joined; where the answer had none,
or was not recorded, an empty one, which passes.
"""

from collections.abc import Iterator

from sigscope.dialects.anthropic import Anthropic
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.deepseek.twin import unthought
from sigscope.rules.deepseek.unreasoned import unreasoned

_IN_CHAT = unreasoned("DSK-2")


def check(subject: Subject) -> Iterator[Claim]:
    """As each of the two APIs is asked."""
    is_twin = isinstance(subject.reading.dialect, Anthropic)
    yield from unthought(subject) if is_twin else _IN_CHAT(subject)


RULE = Rule(
    code="DSK-2",
    name="reasoning-missing",
    page=__doc__,
    severity=Severity.ERROR,
    confidence=Confidence.DOCUMENTED,
    dialects=("deepseek", "anthropic"),
    checked_on="2026-11-22",
    source=(
        "api-docs.deepseek.com/guides/thinking_mode, anomalyco/opencode#24722, "
        "OEvortex/aether#31 [docs, issue report]; docs/wire/deepseek.md#dsk-2"
    ),
    check=check,
)
