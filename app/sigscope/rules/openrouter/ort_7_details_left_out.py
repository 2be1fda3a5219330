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

from __future__ import annotations

from collections.abc import Iterator

from sigscope.ledger import Fate, Grade
from sigscope.ledger.models import is_claude
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.fixes import send_back
from sigscope.rules.losses import first_of_its_kind
from sigscope.rules.outcome import goes_on
from sigscope.rules.places import is_enforced
from sigscope.rules.subject import Loss
from sigscope.rules.words import calling, told


def check(subject: Subject) -> Iterator[Claim]:
    """What Claude's tool loop lost, and the session's first other omission."""
    demanded = [loss for loss in subject.losses if _is_demanded(subject, loss)]
    for loss in demanded:
        yield _finding(subject, loss, Severity.WARNING)
    first = first_of_its_kind(subject, _is_left_out)
    if first is not None and first not in demanded:
        yield _finding(subject, first, Severity.INFO)


def _is_demanded(subject: Subject, loss: Loss) -> bool:
    """Whether Claude is asked to go on in a tool loop without its thinking."""
    fate = loss.signature.fate_in(subject.step)
    if not _is_left_out(subject, loss) or fate is None:
        return False
    return is_claude(subject.reading.model) and fate.grade is Grade.REQUIRED


def _is_left_out(subject: Subject, loss: Loss) -> bool:
    if subject.wire != "openrouter" or loss.fate not in (Fate.DROPPED, Fate.MOVED):
        return False
    is_insisted = loss.is_current and bool(subject.messages[loss.index].calls)
    return not (is_enforced(subject, loss.index) and is_insisted)


def _finding(subject: Subject, loss: Loss, severity: Severity) -> Claim:
    message = subject.messages[loss.index]
    what = f"the message that {calling(message)}" if message.calls else "an answer"
    return Claim(
        message.pointer,
        f"{told(loss.signature)} was left out on {what}; {goes_on(subject)} without"
        " the reasoning behind it",
        fix=send_back(subject, loss),
        signature=loss.signature.sha256,
        severity=severity,
    )


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
    check=check,
)
