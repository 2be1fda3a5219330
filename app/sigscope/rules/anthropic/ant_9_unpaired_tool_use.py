"""A call is not answered right behind it, or a result answers no call right before it.

Why it matters: 400 "`tool_use` ids were found without `tool_result` blocks immediately
after", or "unexpected `tool_use_id` found in `tool_result` blocks". Trimming, a
cancelled tool, a remark before the results, or text behind the call does it.
Bad:  [{"type": "text", "text": "By the way"}, {"type": "tool_result"}]
Good: [{"type": "tool_result"}, {"type": "text", "text": "By the way"}]
False alarms: calls of the last message may still wait for their results. Where only
several messages of one role part a call from its result, it warns: that was accepted,
too. An accepted request earns a remark.
Fix: results and texts go where they are read, a result without its call goes, one that
an earlier request had sent comes back. None for a result that was never sent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sigscope.conversation import Json, Message, Part, Role
from sigscope.dialects.leaves import text_of
from sigscope.rules.anthropic.blocks import content, rewritten
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.edits import Fix, drop, insert, joined, move, node
from sigscope.rules.places import answered_before
from sigscope.rules.words import called, short

FIRST = "put results first"


def check(subject: Subject) -> Iterator[Claim]:
    """Each message with calls and the one behind it; each with results and the one
    before it."""
    messages = subject.messages
    doubtful = subject.tally(Neighbours).doubtful
    callers = {index - 1 for index in (*doubtful, *subject.odd(_has_late_result))}
    for index in sorted({*callers, *subject.odd(_ends_in_text)}):
        message = messages[index] if 0 <= index < len(messages) - 1 else None
        if message and message.role is Role.ASSISTANT and message.calls:
            yield from _unanswered(subject, index)
    for index in doubtful:
        if messages[index].results:
            yield from _uncalled(subject, index)


class Neighbours:
    """Messages that do not answer just the calls of the one before them."""

    def __init__(self) -> None:
        self.doubtful: list[int] = []
        self._calls: set[str | None] = set()
        """Of the message before, if it is the assistant's."""

    def add(self, index: int, message: Message) -> None:
        """Look at the next message."""
        calls = {call.call_id for call in message.calls}
        is_answer = message.role is Role.ASSISTANT
        if self._calls != {part.call_id for part in message.results}:
            self.doubtful.append(index)
        self._calls = calls if is_answer else set()


def _has_late_result(entry: Json) -> bool:
    kinds = _kinds(entry)
    lead = next((i for i, kind in enumerate(kinds) if kind != "tool_result"), None)
    return lead is not None and "tool_result" in kinds[lead:]


def _ends_in_text(entry: Json) -> bool:
    kinds = _kinds(entry)
    return kinds[-1:] == ["text"] and any(kind != "text" for kind in kinds)


def _kinds(entry: Json) -> list[Json]:
    content = entry.get("content") if isinstance(entry, dict) else None
    return [*map(_kind, content)] if isinstance(content, list) else []


def _unanswered(subject: Subject, index: int) -> Iterator[Claim]:
    message, behind = subject.messages[index], subject.messages[index + 1]
    blocks = content(subject, index)
    lead = _leading(content(subject, index + 1))
    is_followed = bool(blocks) and _kind(blocks[-1]) == "text"
    for call in message.calls:
        faults: list[tuple[str, Fix | None]] = []
        if is_followed and call is message.calls[0]:
            ahead = rewritten(subject, index) or _ahead(call.pointer, blocks)
            faults.append((f"text stands behind call {called(call)}", ahead))
        if call.call_id not in lead:
            name = "it" if faults else f"call {called(call)}"
            if behind.role is Role.ASSISTANT:
                said = "is not answered in the next message"
                fix = _rejoined(subject, index, call.call_id)
            else:
                said, fix = _missing(subject, call, behind)
            faults.append((f"{name} {said}", fix))
        if faults:
            fixes = [fix for _, fix in faults if fix]
            whole = joined(*fixes) if len(fixes) == len(faults) else None
            is_apart = len(faults) == 1 and not is_followed
            yield Claim(
                call.pointer,
                ", and ".join(s for s, _ in faults),
                fix=whole,
                worst=_worst(subject, index, call.call_id) if is_apart else None,
            )


def _ahead(first: str, blocks: Sequence[Json]) -> Fix:
    """The texts that a message ends with before its calls."""
    last = len(blocks)
    while _kind(blocks[last - 1]) == "text":
        last -= 1
    above = first.rpartition("/")[0]
    texts = range(last, len(blocks))
    return tuple(move(f"{above}/{n}", first, "move it before the calls") for n in texts)


def _rejoined(subject: Subject, index: int, call_id: str | None) -> Fix | None:
    """A reply sent as several messages is one again, and the results behind it come
    first in theirs; None where it is not known to be one, or the call has no result."""
    messages = subject.messages
    behind = index + 1
    while behind < len(messages) and messages[behind].role is Role.ASSISTANT:
        behind += 1
    results = messages[behind].results if behind < len(messages) else ()
    whole = rewritten(subject, index) or ()
    is_one = any(edit.pointer == messages[behind - 1].pointer for edit in whole)
    if not is_one or all(part.call_id != call_id for part in results):
        return None
    place = f"{messages[behind].pointer}/content/0"
    lead = _leading(content(subject, behind))
    late = (part for part in results if part.call_id not in lead)
    return joined(whole, (move(part.pointer, place, FIRST) for part in late))


def _missing(subject: Subject, call: Part, behind: Message) -> tuple[str, Fix | None]:
    """What is wrong with the result of a call, and the cure."""
    place = f"{behind.pointer}/content/0"
    for result in behind.results:
        if result.call_id == call.call_id:
            return (
                "is answered behind other blocks of the next message",
                (move(result.pointer, place, FIRST),),
            )
    said = "is not answered in the next message"
    earlier = answered_before(subject, call)
    is_list = isinstance(node(subject.reading.request_json, place), dict)
    if earlier is None or not is_list:
        return said, None
    raw = node(earlier.reading.request_json, earlier.result.pointer)
    fix = (insert(place, raw, "insert the result that was sent before"),)
    return f"{said}; step {earlier.reading.number} had sent a result", fix


def _uncalled(subject: Subject, index: int) -> Iterator[Claim]:
    message, before = subject.messages[index], subject.messages[:index]
    known = {call.call_id for call in before[-1].calls} if before else set()
    strays = [part for part in message.results if part.call_id not in known]
    is_whole = len(strays) == len(message.parts)
    called_earlier = dict(_calls_in_a_row(before))
    for result in strays:
        at = message.pointer if is_whole else result.pointer
        start = _start(subject.messages, index)
        worst = _worst(subject, start - 1, result.call_id) if start else None
        gone = (drop(at, "take away the result that answers no call"),)
        fix: Fix | None = None if worst else gone
        if result.call_id in called_earlier:
            made_by = called_earlier[result.call_id]
            fix = _rejoined(subject, made_by, result.call_id)
        yield Claim(
            result.pointer,
            f"the result of {short(result.call_id or '')} answers no call of the"
            " message before it",
            fix=fix,
            worst=worst,
        )


def _worst(subject: Subject, index: int, call_id: str | None) -> Severity | None:
    """A warning where call and result only stand in several messages of one role, which
    the API says it combines: that was accepted (pydantic/pydantic-ai, cassettes of
    test_tool_search), and was reported as refused."""
    messages = subject.messages
    first = _start(messages, index)
    behind = next(
        (n for n in range(index, len(messages)) if not _is_answer(messages[n])), None
    )
    if behind is None or not _is_answer(messages[index]):
        return None
    said = [c.call_id for m in messages[first:behind] for c in m.calls]
    results: list[str | None] = []
    for message in messages[behind:]:
        if not message.results or message.parts[0] is not message.results[0]:
            break
        results += [part.call_id for part in message.results]
        if len(message.results) < len(message.parts):
            break
    is_paired = call_id in said and call_id in results
    return Severity.WARNING if is_paired else None


def _start(messages: Sequence[Message], index: int) -> int:
    """Where the messages of one role begin that one stands among."""
    while index and _is_answer(messages[index - 1]) == _is_answer(messages[index]):
        index -= 1
    return index


def _is_answer(message: Message) -> bool:
    return message.role is Role.ASSISTANT


def _calls_in_a_row(messages: Sequence[Message]) -> Iterator[tuple[str | None, int]]:
    """Calls of the assistant's messages at the end, and the index of each's."""
    for index in range(len(messages) - 1, -1, -1):
        if messages[index].role is not Role.ASSISTANT:
            return
        yield from ((call.call_id, index) for call in messages[index].calls)


def _kind(block: Json) -> Json:
    return block.get("type") if isinstance(block, dict) else None


def _leading(blocks: Sequence[Json]) -> set[str | None]:
    """Ids of the results that a message begins with."""
    found: set[str | None] = set()
    for block in blocks:
        if _kind(block) != "tool_result":
            break
        found.add(text_of(block.get("tool_use_id")) or None)
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
