"""A thinking block is sent without its signature, or a sealed one without its data.

Why it matters: 400 "messages.N.content.M.thinking.signature: Field required". Clients
that put a stream together without `signature_delta`, the last event of a block, store
such blocks, and every later request fails at the same place.
Bad:  {"type": "thinking", "thinking": "I look."}
Good: {"type": "thinking", "thinking": "I look.", "signature": "EhYKBggL"}
False alarms: none known; an empty signature is refused in the words of ANT-1. An
accepted request earns a remark: some compatible services issue none.
Fix: the blocks as received; of a closed turn the block goes where they are not known.
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.conversation import Json
from sigscope.dialects.anthropic_blocks import SECRETS, secret
from sigscope.rules.anthropic.blocks import restored, thoughts
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.edits import drop


def check(subject: Subject) -> Iterator[Claim]:
    """Thinking blocks of which nothing can be verified."""
    for sent in thoughts(subject, _is_unsigned):
        value = secret(sent.block)
        fix = restored(subject, sent.index)
        if fix is None and not subject.reading.conversation.is_current(sent.index):
            fix = (drop(sent.pointer, "take the block away: its turn is closed"),)
        kind = sent.block["type"]
        state = "is empty" if value == "" else "is not there"
        yield Claim(
            sent.pointer, f"`{SECRETS[kind]}` of this `{kind}` block {state}", fix=fix
        )


def _is_unsigned(block: Json) -> bool:
    value = secret(block)
    return not (isinstance(value, str) and value)


RULE = Rule(
    code="ANT-4",
    name="unsigned-thinking",
    page=__doc__,
    severity=Severity.ERROR,
    confidence=Confidence.REPORTED,
    dialects=("anthropic",),
    checked_on="2026-11-22",
    source=("openclaw/openclaw#120596, diegosouzapw/OmniRoute#2191 [issue report]"),
    check=check,
)
