"""A block is bound to another conversation than the one it is sent in.

Why it matters: the newest families bind a block to what stood before it: 400 "Invalid
`signature` in `thinking` block. The block is bound to a different conversation".
Compaction, a system prompt with the time in it, resumed and rebuilt sessions do it,
and all later blocks are invalid at once.
Bad:  {"system": "It is 10:02.", "messages": ["...", {"content": ["thinking"]}]}
Good: {"system": "You help.", "messages": ["...", {"content": ["thinking"]}]}
False alarms: none: which accounts and models are bound is not to be seen in a request,
so it speaks only where the answer does, and then tells what changed before the block.
Fix: the named block goes, as the answer asks; none where ANT-2 demands it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sigscope.conversation import Json
from sigscope.rules.anthropic.blocks import mode, thoughts
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.edits import drop, node
from sigscope.rules.words import named

CODE = "ANT-6"
_PREFIX = ("system", "tools", "tool_choice", "model")


def check(subject: Subject) -> Iterator[Claim]:
    """The blocks that the answer names, each with what is new before it."""
    sent = {each.pointer: each for each in thoughts(subject)}
    for match in subject.error.matches if subject.error else ():
        for pointer in match.pointers if match.rule == CODE else ():
            if pointer not in sent:
                continue
            index = sent[pointer].index
            is_open = subject.reading.conversation.is_current(index)
            is_needed = is_open and mode(subject) == "enabled"
            changes = _changes(subject, index)
            said = f": {named(changes)} changed since" if changes else ""
            yield Claim(
                pointer,
                f"this block was made in another conversation than the one it is sent"
                f" in{said}",
                fix=None if is_needed else (drop(pointer, "as the answer asks"),),
            )


def _changes(subject: Subject, index: int) -> Sequence[str]:
    """What differs from the request that the block's message answered; none where that
    was not recorded."""
    link = subject.held.get(index)
    if link is None:
        return ()
    before: Json = subject.readings[link.step].request_json
    now: Json = subject.reading.request_json
    found = [f"`{k}`" for k in _PREFIX if node(now, f"/{k}") != node(before, f"/{k}")]
    entries = node(before, "/messages")
    entries = entries if isinstance(entries, list) else []
    found += [
        f"message {number}"
        for number, entry in enumerate(entries[:index])
        if node(now, f"/messages/{number}") != entry
    ]
    if len(entries) != index:
        found.append("the number of messages before it")
    return found


RULE = Rule(
    code=CODE,
    name="other-conversation",
    page=__doc__,
    severity=Severity.ERROR,
    confidence=Confidence.DOCUMENTED,
    dialects=("anthropic",),
    checked_on="2026-11-22",
    source="platform.claude.com/docs/build-with-claude/preserved-thinking [docs]",
    check=check,
)
