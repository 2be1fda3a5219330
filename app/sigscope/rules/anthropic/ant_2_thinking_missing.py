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
from sigscope.records import dataclass
from sigscope.rules.anthropic.blocks import content, mode, received, restored
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.edits import Fix
from sigscope.rules.judgements import judged
from sigscope.rules.losses import likewise
from sigscope.rules.outcome import all_the_same
from sigscope.rules.places import current_calls
from sigscope.rules.words import UNRESTORABLE, calling


def check(subject: Subject) -> Iterator[Claim]:
    """Messages with calls in the current turn that begin with something else; of an
    accepted request those of one cause are told as one."""
    calls = [index for index, _ in current_calls(subject)]
    if mode(subject) != "enabled" or not calls:
        return
    later = judged(subject, _later, calls[1:])
    found = [(calls[0], _first(subject, calls[0]))]
    found += [(index, later[index]) for index in calls[1:]]
    if not subject.is_accepted:
        yield from (_claim(subject, at, wants) for at, wants in found if wants)
        return
    by_cause: defaultdict[str, list[tuple[int, _Wanting]]] = defaultdict(list)
    for index, wanting in found:
        if wanting:
            by_cause[wanting.why].append((index, wanting))
    for *others, (last, wanting) in by_cause.values():
        claim = _claim(subject, last, wanting)
        pointers = [subject.messages[index].pointer for index, _ in others]
        fixes = [each.fix for _, each in others]
        yield likewise(subject, claim, pointers, fixes) if others else claim


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanting:
    """Why a message does not begin with thinking, and what mends it."""

    why: str
    fix: Fix | None
    is_sure: bool = False


def _first(subject: Subject, index: int) -> _Wanting | None:
    """The same of the first message of the turn."""
    sent, brought = content(subject, index), received(subject, index)
    if not sent or is_thought(sent[0]):
        return None
    if brought and not any(map(is_thought, brought)):
        why = "its response had none: thinking was switched on within the turn"
        return _Wanting(why=why, fix=restored(subject, index))
    return _wanting(subject, index, is_first=True)


def _later(subject: Subject, index: int) -> _Wanting | None:
    """The same of a later one: what its response brought not is not missed."""
    return _wanting(subject, index) if received(subject, index) is not None else None


def _wanting(
    subject: Subject, index: int, *, is_first: bool = False
) -> _Wanting | None:
    sent, brought = content(subject, index), received(subject, index)
    if not sent or is_thought(sent[0]) or (brought and not is_thought(brought[0])):
        return None
    if brought is None and subject.is_accepted:
        return None
    link = subject.held.get(index)
    why = "it was left out"
    if any(map(is_thought, sent)):
        why = "it stands behind something else"
    elif link is not None and len(link.messages) > 1:
        why = "its reply is sent as several messages, and it stands in another"
    if brought is None:
        why = UNRESTORABLE
    is_sure = is_first and brought is not None
    return _Wanting(why=why, fix=restored(subject, index), is_sure=is_sure)


def _claim(subject: Subject, index: int, wanting: _Wanting) -> Claim:
    message = subject.messages[index]
    return Claim(
        message.pointer,
        f"the message that {calling(message)} does not begin with a thinking block:"
        f" {wanting.why}{all_the_same(subject)}",
        fix=wanting.fix,
        worst=None if wanting.is_sure else Severity.WARNING,
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
