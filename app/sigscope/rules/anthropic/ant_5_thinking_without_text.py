"""A thinking block keeps its signature and has lost its text.

Why it matters: 400 "each thinking block must contain thinking" on a model that shows
its thinking. Gateways and stores that strip readable reasoning do it.
Bad:  {"type": "thinking", "thinking": "", "signature": "EhYKBggL"}
Good: {"type": "thinking", "thinking": "I look.", "signature": "EhYKBggL"}
False alarms: newer models send blocks without a text themselves; only one that was
received with a text, or has no such member at all, is judged. An accepted request
earns a remark.
Fix: the blocks as received, in their places.
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.conversation import Json
from sigscope.rules.anthropic.blocks import restored, thoughts
from sigscope.rules.anthropic.texts import changed_texts
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.words import told


def check(subject: Subject) -> Iterator[Claim]:
    """Blocks whose text came and was not sent; blocks without such a member."""
    seen: set[str] = set()
    for each in subject.once(changed_texts):
        if not each.text:
            seen.add(each.pointer)
            yield Claim(
                each.pointer,
                f"the {len(each.received):,} characters under {told(each.signature)}"
                " are not sent; the signature is",
                fix=restored(subject, each.index),
                signature=each.signature.sha256,
            )
    for sent in thoughts(subject, _is_wordless):
        if sent.pointer not in seen:
            yield Claim(
                sent.pointer,
                "`thinking` of this block is no text",
                fix=restored(subject, sent.index),
            )


def _is_wordless(block: Json) -> bool:
    return (
        isinstance(block, dict)
        and block.get("type") == "thinking"
        and not isinstance(block.get("thinking"), str)
    )


RULE = Rule(
    code="ANT-5",
    name="thinking-without-text",
    page=__doc__,
    severity=Severity.ERROR,
    confidence=Confidence.REPORTED,
    dialects=("anthropic",),
    checked_on="2026-11-22",
    source="eclipse-theia/theia#18044 [issue report]",
    check=check,
)
