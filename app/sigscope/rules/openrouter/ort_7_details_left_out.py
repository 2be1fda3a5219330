"""`reasoning_details` of another upstream than Gemini were left out.

Why it matters: accepted as a rule, and the model continues without its reasoning:
OpenAI, xAI, MiniMax, DeepSeek. Claude wants its thinking back inside a tool loop, and
may refuse (the text of ANT-2 inside `metadata.raw`), so that warns.
Bad:  {"role": "assistant", "tool_calls": ["..."]}
Good: {"role": "assistant", "tool_calls": ["..."], "reasoning_details": ["..."]}
False alarms: one remark in a session, where it happens first; text answers of closed
turns count for nothing else.
Fix: the whole list as it was received, on the message.
"""

from sigscope.ledger import Fate, Grade
from sigscope.ledger.models import is_claude
from sigscope.rules.base import Confidence, Rule, Severity, Subject
from sigscope.rules.kinds.left_out import LeftOut
from sigscope.rules.places import is_enforced
from sigscope.rules.subject import Loss


def is_left_out(subject: Subject, loss: Loss) -> bool:
    """Whether it is away, and not what Gemini insists on."""
    is_insisted = loss.is_current and bool(subject.messages[loss.index].calls)
    is_away = loss.fate in (Fate.DROPPED, Fate.MOVED)
    return is_away and not (is_enforced(subject, loss.index) and is_insisted)


def is_demanded(subject: Subject, loss: Loss) -> bool:
    """Whether Claude is asked to go on in a tool loop without its thinking."""
    if not is_claude(subject.reading.model) or not is_left_out(subject, loss):
        return False
    fate = loss.signature.fate_in(subject.step)
    return fate is not None and fate.grade is Grade.REQUIRED


RULE = Rule(
    code="ORT-7",
    name="details-left-out",
    page=__doc__,
    severity=Severity.WARNING,
    confidence=Confidence.REPORTED,
    dialects=("openrouter",),
    checked_on="2026-11-21",
    source=(
        "openrouter.ai/docs/guides/best-practices/reasoning-tokens, "
        "docs.claude.com/en/docs/build-with-claude/extended-thinking, "
        "OpenRouterTeam/ai-sdk-provider [issue report; inferred for Claude]; "
        "docs/wire/openrouter.md#ort-7, docs/wire/anthropic.md#ant-2"
    ),
    check=LeftOut(
        of=is_left_out,
        demanded=is_demanded,
        words="{signature} was left out on {message}; {goes_on} without the reasoning"
        " behind it",
    ),
)
