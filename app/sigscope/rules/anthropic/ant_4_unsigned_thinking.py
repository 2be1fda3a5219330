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
from sigscope.rules.anthropic.blocks import (
    entries_of,
    restored,
    thoughtful,
    thoughts_at,
)
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.edits import Fix, drop


def check(subject: Subject) -> Iterator[Claim]:
    """Thinking blocks of which nothing can be verified."""
    known = subject.once_in_session(_known)
    entries = subject.once(entries_of)
    for index in thoughtful(subject, _is_unsigned):
        # Who leaves it out of a message leaves it out in every request that follows.
        entry, fix = entries[index], restored(subject, index)
        is_over = fix is None and not subject.reading.conversation.is_current(index)
        found = known.get(index)
        if found is None or found[0] is not entry or found[1] != (fix, is_over):
            claims = tuple(_claims(subject, index, fix, is_over=is_over))
            found = known[index] = entry, (fix, is_over), claims
        yield from found[2]


def _claims(
    subject: Subject, index: int, fix: Fix | None, *, is_over: bool
) -> Iterator[Claim]:
    """Of one message. `fix`: all of its thinking as it came; `is_over`: that is not
    known, and its turn is closed."""
    for sent in thoughts_at(subject, index, _is_unsigned):
        value = secret(sent.block)
        away = (drop(sent.pointer, "take the block away: its turn is closed"),)
        kind = sent.block["type"]
        state = "is empty" if value == "" else "is not there"
        yield Claim(
            sent.pointer,
            f"`{SECRETS[kind]}` of this `{kind}` block {state}",
            fix=away if is_over else fix,
        )


def _is_unsigned(block: Json) -> bool:
    value = secret(block)
    return not (isinstance(value, str) and value)


_Ground = tuple[Fix | None, bool]


def _known(_: Subject) -> dict[int, tuple[Json, _Ground, tuple[Claim, ...]]]:
    """What was said last of the message at an index, behind that message and what the
    mending of it goes by."""
    return {}


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
