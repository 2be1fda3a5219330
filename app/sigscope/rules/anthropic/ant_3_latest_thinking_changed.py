"""The thinking of the latest assistant message is not as it came.

Why it matters: 400 "`thinking` or `redacted_thinking` blocks in the latest assistant
message cannot be modified. These blocks must remain as they were in the original
response". Trimming a text, or leaving out one block of several, is enough.
Bad:  [{"type": "thinking", "thinking": "...", "signature": "EhYKBggL"}]
Good: [{"type": "thinking", "thinking": "I look.", "signature": "EhYKBggL"}]
False alarms: only what a recorded response shows is judged. That one of several blocks
is missing, or that their order changed, is reported to be refused, and warns. An
accepted request earns a remark.
Fix: the blocks as received, in their places.
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.dialects.anthropic_blocks import is_thought, secret
from sigscope.rules.anthropic.blocks import content, latest, received, restored
from sigscope.rules.anthropic.texts import changed_texts, words_for
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject


def check(subject: Subject) -> Iterator[Claim]:
    """Texts that were changed, blocks that are missing, blocks in another order."""
    index = latest(subject)
    if index is None:
        return
    for each in subject.once(changed_texts):
        if each.index == index and each.text:
            yield Claim(
                each.pointer,
                words_for(each),
                fix=restored(subject, index),
                signature=each.signature.sha256,
            )
    problem = _order(subject, index)
    if problem is not None:
        yield Claim(
            f"{subject.messages[index].pointer}/content",
            problem,
            fix=restored(subject, index),
            worst=Severity.WARNING,
        )


def _order(subject: Subject, index: int) -> str | None:
    """What is wrong with the blocks as a whole; None where they are all there, or were
    all left out."""
    brought = [secret(block) for block in received(subject, index) or ()]
    wanted = [value for value in brought if value]
    sent = content(subject, index)
    kept = [secret(block) for block in sent if secret(block) in wanted]
    if not kept or not is_thought(sent[0]):
        return None
    if len(kept) < len(wanted):
        return f"{len(kept)} of the {len(wanted)} thinking blocks received are sent"
    if len(kept) > len(wanted):
        return f"{len(kept)} thinking blocks are sent, and {len(wanted)} received"
    return "its thinking blocks stand in another order" if kept != wanted else None


RULE = Rule(
    code="ANT-3",
    name="latest-thinking-changed",
    page=__doc__,
    severity=Severity.ERROR,
    confidence=Confidence.REPORTED,
    dialects=("anthropic",),
    checked_on="2026-11-22",
    source=(
        "docs.claude.com/en/docs/build-with-claude/extended-thinking, "
        "anthropics/claude-code#19539, anthropics/claude-code#63404 "
        "[docs, issue report]"
    ),
    check=check,
)
