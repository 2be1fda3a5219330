"""A tool loop does not begin with the thinking that it came with.

Why it matters: with a budget for thinking, 400 "Expected `thinking` or
`redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final
`assistant` message must start with a thinking block". Dropping the block, storing text
and calls as two messages, or putting the text first does it.
Bad:  [{"type": "tool_use", "id": "toolu_1"}]
Good: [{"type": "thinking", "signature": "EhYKBggL"}, {"type": "tool_use"}]
False alarms: adaptive thinking takes a turn without. Of a turn with several rounds the
first is certain; later ones, which think only if thinking is interleaved, warn. Where
the response was not recorded, or had no thinking, it warns too: newer models switch
thinking off for such a request. An accepted request earns a remark.
Fix: the blocks as received, at the head; a reply stored as two messages becomes one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from sigscope.dialects.anthropic_blocks import is_thought
from sigscope.rules.anthropic.blocks import content, mode, received, restored
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.losses import told_as_one
from sigscope.rules.outcome import all_the_same
from sigscope.rules.places import current_calls
from sigscope.rules.words import UNRESTORABLE, calling


def check(subject: Subject) -> Iterator[Claim]:
    """Messages with calls in the current turn that begin with something else; of an
    accepted request those of one cause are told as one."""
    found = [*_each(subject)] if mode(subject) == "enabled" else []
    if not subject.is_accepted:
        yield from (claim for _, claim in found)
        return
    by_cause: defaultdict[str, list[Claim]] = defaultdict(list)
    for why, claim in found:
        by_cause[why].append(claim)
    for alike in by_cause.values():
        yield from told_as_one(subject, alike)


def _each(subject: Subject) -> Iterator[tuple[str, Claim]]:
    """One for each message, with its cause."""
    for number, (index, _) in enumerate(current_calls(subject)):
        sent, brought = content(subject, index), received(subject, index)
        if not sent or is_thought(sent[0]) or (number and brought is None):
            continue
        if brought and not is_thought(brought[0]):
            if number == 0 and not any(map(is_thought, brought)):
                why = "its response had none: thinking was switched on within the turn"
                yield why, _claim(subject, index, why, is_sure=False)
            continue
        if brought is None and subject.is_accepted:
            continue
        link = subject.held.get(index)
        why = "it was left out"
        if any(map(is_thought, sent)):
            why = "it stands behind something else"
        elif link is not None and len(link.messages) > 1:
            why = "its reply is sent as several messages, and it stands in another"
        if brought is None:
            why = UNRESTORABLE
        is_sure = not number and brought is not None
        yield why, _claim(subject, index, why, is_sure=is_sure)


def _claim(subject: Subject, index: int, why: str, *, is_sure: bool) -> Claim:
    message = subject.messages[index]
    return Claim(
        message.pointer,
        f"the message that {calling(message)} does not begin with a thinking block:"
        f" {why}{all_the_same(subject)}",
        fix=restored(subject, index),
        worst=None if is_sure else Severity.WARNING,
    )


RULE = Rule(
    code="ANT-2",
    name="thinking-missing",
    page=__doc__,
    severity=Severity.ERROR,
    confidence=Confidence.DOCUMENTED,
    dialects=("anthropic",),
    checked_on="2026-11-22",
    source=(
        "docs.claude.com/en/docs/build-with-claude/extended-thinking, "
        "anomalyco/opencode#3077, CopilotKit/CopilotKit#2191 [docs, issue report]"
    ),
    check=check,
)
