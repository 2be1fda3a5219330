"""A block is bound to another conversation than the one it is sent in.

Why it matters: the newest families bind a block to what stood before it: 400 "Invalid
`signature` in `thinking` block. The block is bound to a different conversation".
Compaction, a system prompt with the time in it, resumed and rebuilt sessions do it,
and all later blocks are invalid at once.
Bad:  {"system": "It is 10:02.", "messages": ["...", {"content": ["thinking"]}]}
Good: {"system": "You help.", "messages": ["...", {"content": ["thinking"]}]}
False alarms: whether an account is bound is not to be seen in a request: it is an error
only where the answer says so, and a warning before a request to a model that binds was
answered. Nothing is said where it was accepted. Marks of the cache are no change.
Fix: the named block goes, as the answer asks, and with it those behind it that were
made before the change; none where ANT-2 demands it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sigscope.conversation import Json
from sigscope.rules.anthropic.blocks import SentThought, mode, thoughts
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.edits import drop, node
from sigscope.rules.words import named

CODE = "ANT-6"
_PREFIX = ("system", "tools")
_BINDING = re.compile(
    r"claude-(?:(?:fable|mythos)-5[.-][1-9]|(?:opus|sonnet|haiku)-5[.-][5-9]"
    r"|[a-z]+-(?:[6-9]|[1-9]\d)(?!\d))"
)
"""Fable and Mythos since 5.1, the other families since 5.5 [docs]."""


def check(subject: Subject) -> Iterator[Claim]:
    """The blocks that the answer names, each with what is new before it; of a request
    without an answer those that will not fit."""
    if subject.reading.status is None and subject.error is None:
        yield from _foreseen(subject, list(thoughts(subject)))
    matches = subject.error.matches if subject.error else ()
    sent = {each.pointer: each for each in thoughts(subject)} if matches else {}
    for match in matches:
        for pointer in match.pointers if match.rule == CODE else ():
            if pointer in sent:
                yield _claim(subject, sent[pointer], list(sent.values()))


def _foreseen(subject: Subject, sent: Sequence[SentThought]) -> Iterator[Claim]:
    """The first block that a model which binds will not take."""
    told = node(subject.reading.request_json, "/thinking/block_binding")
    wish = told.get("prefix_mismatch_behavior") if isinstance(told, dict) else None
    if not _BINDING.search(subject.reading.model.lower()) or wish == "drop_block":
        return
    first = next((each for each in sent if _changes(subject, each.index)), None)
    if first is not None:
        severity = None if wish == "error" else Severity.WARNING
        yield _claim(subject, first, sent, severity)


def _claim(
    subject: Subject,
    block: SentThought,
    sent: Sequence[SentThought],
    severity: Severity | None = None,
) -> Claim:
    changes = _changes(subject, block.index)
    stale = [each for each in sent if each.index >= block.index]
    stale = [e for e in stale if e is block or _changes(subject, e.index)]
    opened = (subject.reading.conversation.is_current(each.index) for each in stale)
    is_needed = mode(subject) == "enabled" and any(opened)
    said = f": {named(changes)} changed since" if changes else ""
    if severity is Severity.WARNING:
        said += "; accounts made since 31 August 2026 are refused for that"
    return Claim(
        block.pointer,
        f"this block was made in another conversation than the one it is sent in{said}",
        fix=None
        if is_needed
        else tuple(
            drop(each.pointer, "take it away, as the answer asks") for each in stale
        ),
        severity=severity,
    )


def _changes(subject: Subject, index: int) -> Sequence[str]:
    """What differs from the request that the block's message answered; none where that
    was not recorded."""
    link = subject.held.get(index)
    if link is None:
        return ()
    before: Json = subject.readings[link.step].request_json
    now: Json = subject.reading.request_json
    found = [f"`{k}`" for k in _PREFIX if _said(now, f"/{k}") != _said(before, f"/{k}")]
    entries = node(before, "/messages")
    entries = entries if isinstance(entries, list) else []
    found += [
        f"message {number}"
        for number in range(len(entries[:index]))
        if _said(now, f"/messages/{number}") != _said(before, f"/messages/{number}")
    ]
    if len(entries) != index:
        found.append("the number of messages before it")
    return found


def _said(body: Json, pointer: str) -> Json:
    """What stands there, as far as it counts: without marks of the cache and blocks of
    thought, a text as the list of one that it is."""
    value = _bare(node(body, pointer))
    if isinstance(value, dict) and "content" in value:
        return {**value, "content": _blocks(value["content"])}
    return _blocks(value) if pointer == "/system" else value


def _blocks(content: Json) -> Json:
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    kept = content if isinstance(content, list) else []
    return [block for block in kept if not _is_thought(block)]


def _is_thought(block: Json) -> bool:
    kinds = ("thinking", "redacted_thinking")
    return isinstance(block, dict) and block.get("type") in kinds


def _bare(value: Json) -> Json:
    if isinstance(value, list):
        return [_bare(member) for member in value]
    if isinstance(value, dict):
        return {k: _bare(v) for k, v in value.items() if k != "cache_control"}
    return value


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
