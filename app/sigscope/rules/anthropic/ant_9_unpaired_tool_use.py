"""A call is not answered right behind it, or a result answers no call right before it.

Why it matters: 400 "`tool_use` ids were found without `tool_result` blocks immediately
after", or "unexpected `tool_use_id` found in `tool_result` blocks". Trimming, a
cancelled tool, a remark before the results, or text behind the call does it.
Bad:  [{"type": "text", "text": "By the way"}, {"type": "tool_result"}]
Good: [{"type": "tool_result"}, {"type": "text", "text": "By the way"}]
False alarms: calls of the last message may still wait for their results. An accepted
request earns a remark.
Fix: results and texts go where they are read, a result without its call goes, one that
an earlier request had sent comes back. None for a result that was never sent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sigscope.conversation import Json, Message, Part, Role
from sigscope.rules.anthropic.blocks import content
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.edits import Fix, drop, insert, move, node
from sigscope.rules.places import answered_before
from sigscope.rules.words import called, short


def check(subject: Subject) -> Iterator[Claim]:
    """Each message with calls and the one behind it; each with results and the one
    before it."""
    messages = subject.messages
    for index, message in enumerate(messages[:-1]):
        if message.role is Role.ASSISTANT and message.calls:
            yield from _unanswered(subject, index)
    for index, message in enumerate(messages):
        if message.results:
            before = messages[index - 1].calls if index else ()
            yield from _uncalled(subject, message, before)


def _unanswered(subject: Subject, index: int) -> Iterator[Claim]:
    message, behind = subject.messages[index], subject.messages[index + 1]
    blocks = content(subject, index)
    if blocks and _kind(blocks[-1]) == "text":
        calls = [n for n, block in enumerate(blocks) if _kind(block) == "tool_use"]
        at, last = f"{message.pointer}/content", len(blocks) - 1
        first = f"{at}/{calls[0]}"
        moved: Fix = (move(f"{at}/{last}", first, "before the calls"),)
        said = f"text stands behind call {called(message.calls[0])}"
        yield Claim(first, said, fix=moved)
    lead = _leading(content(subject, index + 1))
    for call in message.calls:
        if call.call_id not in lead:
            said, fix = _missing(subject, call, behind)
            yield Claim(call.pointer, f"call {called(call)} {said}", fix=fix)


def _missing(subject: Subject, call: Part, behind: Message) -> tuple[str, Fix | None]:
    """What is wrong with the result of a call, and the cure."""
    place = f"{behind.pointer}/content/0"
    for result in behind.results:
        if result.call_id == call.call_id:
            return (
                "is answered behind other blocks of the next message",
                (move(result.pointer, place, "results come first"),),
            )
    said = "is not answered in the next message"
    earlier = answered_before(subject, call)
    is_list = isinstance(node(subject.reading.request_json, place), dict)
    if earlier is None or behind.role is Role.ASSISTANT or not is_list:
        return said, None
    raw = node(earlier.reading.request_json, earlier.result.pointer)
    fix = (insert(place, raw, "the result that was sent before"),)
    return f"{said}; step {earlier.reading.number} had sent a result", fix


def _uncalled(
    subject: Subject, message: Message, before: Sequence[Part]
) -> Iterator[Claim]:
    known = {call.call_id for call in before}
    strays = [part for part in message.results if part.call_id not in known]
    is_whole = len(strays) == len(message.parts)
    for result in strays:
        at = message.pointer if is_whole else result.pointer
        yield Claim(
            result.pointer,
            f"the result of {short(result.call_id or '')} answers no call of the"
            " message before it",
            fix=(drop(at, "answers no call"),),
        )


def _kind(block: Json) -> Json:
    return block.get("type") if isinstance(block, dict) else None


def _leading(blocks: Sequence[Json]) -> set[Json]:
    """Ids of the results that a message begins with."""
    found: set[Json] = set()
    for block in blocks:
        if _kind(block) != "tool_result":
            break
        found.add(block.get("tool_use_id"))
    return found


RULE = Rule(
    code="ANT-9",
    name="unpaired-tool-use",
    page=__doc__,
    severity=Severity.ERROR,
    confidence=Confidence.DOCUMENTED,
    dialects=("anthropic",),
    checked_on="2026-11-22",
    source=(
        "docs.claude.com/en/docs/agents-and-tools/tool-use, "
        "anthropics/claude-code#13460 [docs, issue report]"
    ),
    check=check,
)
