"""Thinking is off, and the message that the model should go on with has thinking.

Why it matters: 400 "When thinking is disabled, an `assistant` message in the final
position cannot contain `thinking`". Clients that switch thinking off for one request
and still send their last, broken-off message do it.
Bad:  {"messages": ["...", {"role": "assistant", "content": [{"type": "thinking"}]}]}
Good: {"thinking": {"type": "enabled"}, "messages": ["...", {"role": "assistant"}]}
False alarms: blocks of other messages are not looked at where thinking is off, and are
no fault. An accepted request earns a remark.
Fix: the blocks go.
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.conversation import Role
from sigscope.rules.anthropic.blocks import mode, thoughts
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.edits import drop


def check(subject: Subject) -> Iterator[Claim]:
    """Thinking blocks of the last message."""
    if mode(subject) in ("enabled", "adaptive"):
        return
    last = len(subject.messages) - 1
    is_answer = last >= 0 and subject.messages[last].role is Role.ASSISTANT
    for sent in thoughts(subject) if is_answer else ():
        if sent.index == last:
            yield Claim(
                sent.pointer,
                "thinking is off in this request, and its last message has thinking",
                fix=(drop(sent.pointer, "take the thinking away: it is off"),),
            )


RULE = Rule(
    code="ANT-11",
    name="thinking-off",
    page=__doc__,
    severity=Severity.ERROR,
    confidence=Confidence.REPORTED,
    dialects=("anthropic",),
    checked_on="2026-11-22",
    source="tailcallhq/forgecode#1853, BerriAI/litellm#18926 [issue report]",
    check=check,
)
