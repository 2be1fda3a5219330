"""A content with calls is not answered by exactly one result for each call.

Why it matters: 400 "Please ensure that the number of function response parts is equal
to the number of function call parts of the function call turn." Clients double results
when they resume a session, lose them in trimming, or put something in between.
Bad:  ["FC1 signed, FC2", "FR1, FR1, FR2, FR2"]
Good: ["FC1 signed, FC2", "FR1, FR2"]
False alarms: calls of the last content may still wait for their results. Model contents
in a row count as one. Results that are all there, but in contents of their own one
after the other, warn until a refusal confirms it; an accepted request earns a remark.
Fix: results that are equal to one that stands there already go; a result that stands
behind other contents, or that an earlier request had sent, comes to its place. None
where its value is not known, or where two results of one call differ.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from operator import itemgetter

from sigscope.conversation import Json, Message, Part, Role
from sigscope.edits.records import Edit
from sigscope.records import dataclass
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.edits import Fix, copy, drop, insert, node
from sigscope.rules.gemini.unsigned_calls import placed_at
from sigscope.rules.places import answered_before
from sigscope.rules.tallies import CallRows
from sigscope.rules.words import called, number_of

LABEL = "make it one result for each call"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """Calls of model contents in a row, and the content that should answer them."""

    calls: tuple[Part, ...]
    index: int
    """Of the content behind them."""
    end: int
    """One past the last content of results behind them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StrayResult:
    """A result that stands in another place than its call needs it."""

    call: Part
    index: int
    """Of the content it stands in; -1 where an earlier request sent it."""
    part: Part
    raw: Json


def check(subject: Subject) -> Iterator[Claim]:
    """Contents of results whose number is not that of the calls before them."""
    if subject.tally(CallRows).are_even:
        return
    for answered in _answered(subject.messages):
        results = subject.messages[answered.index].results
        if len(results) > len(answered.calls):
            yield _surplus(subject, answered, results)
        elif len(results) < len(answered.calls):
            yield _lack(subject, answered, results)
        elif results:
            yield from _repeated_behind(subject, answered, results)


def _answered(messages: Sequence[Message]) -> Iterator[Answered]:
    calls: list[Part] = []
    for index, message in enumerate(messages):
        if message.role is Role.ASSISTANT:
            calls.extend(message.calls)
        elif calls:
            end = index
            while end < len(messages) and messages[end].results:
                end += 1
            yield Answered(calls=tuple(calls), index=index, end=max(end, index + 1))
            calls = []


def _surplus(subject: Subject, answered: Answered, results: Sequence[Part]) -> Claim:
    body = subject.reading.request_json
    copies = _copies(body, answered.calls, results)
    is_cured = len(results) - len(copies) == len(answered.calls)
    said = _counted(subject, answered, len(results))
    if copies:
        said += f"; {_standing(copies)} there already"
    return _say(
        subject,
        answered.index,
        said,
        fix=tuple(drop(part.pointer, LABEL) for part in copies) if is_cured else None,
    )


def _copies(body: Json, calls: Sequence[Part], results: Sequence[Part]) -> list[Part]:
    """Results that are equal to one before them, beyond what their calls ask for:
    calls without ids may be twins, and so may their results."""
    wanted = Counter(_key(call) for call in calls)
    seen: list[Json] = []
    taken: Counter[str] = Counter()
    found = []
    for result in results:
        raw = node(body, result.pointer)
        if raw in seen and taken[_key(result)] >= wanted[_key(result)]:
            found.append(result)
            continue
        seen.append(raw)
        taken[_key(result)] += 1
    return found


def _key(part: Part) -> str:
    """What a result is known by: the call's id, or its name where there is none."""
    return f"#{part.call_id}" if part.call_id else part.name or ""


def _lack(subject: Subject, answered: Answered, results: Sequence[Part]) -> Claim:
    missing = _unanswered(answered.calls, results)
    found = _elsewhere(subject, answered, missing)
    places = dict.fromkeys(each.index for each in found if each.index >= 0)
    said = _counted(subject, answered, len(results))
    if missing:
        said += f"; {called(missing[0])} has none"
    if places:
        spots = " and ".join(placed_at(subject, index) for index in places)
        is_one = len(missing) == 1
        said += f": {'its result stands' if is_one else 'results stand'} in {spots}"
    is_cured = len(results) + len(found) == len(answered.calls)
    is_cured = is_cured and not any(_is_made_again(subject, each) for each in missing)
    is_next = bool(places) and is_cured and all(i < answered.end for i in places)
    return _say(
        subject,
        answered.index,
        said,
        fix=_brought(subject, answered, results, found) if is_cured else None,
        worst=Severity.WARNING if is_next else Severity.ERROR,
    )


def _is_made_again(subject: Subject, call: Part) -> bool:
    """Whether the history holds a call twice: then whose its result is is not sure."""
    return subject.once(_times_called)[call.call_id or ""] > 1


def _times_called(subject: Subject) -> Counter[str]:
    found = (call.call_id for m in subject.messages for call in m.calls)
    return Counter(call_id for call_id in found if call_id)


def _unanswered(calls: Sequence[Part], results: Sequence[Part]) -> list[Part]:
    there = Counter(_key(result) for result in results)
    found = []
    for call in calls:
        if there[_key(call)]:
            there[_key(call)] -= 1
        else:
            found.append(call)
    return found


def _elsewhere(
    subject: Subject, answered: Answered, missing: Sequence[Part]
) -> list[StrayResult]:
    """Results of these calls behind their place, else in earlier requests. By name
    only in the contents right behind: names come again."""
    body = subject.reading.request_json
    results = subject.once(_results)
    needed = subject.once(_needed) if results else {}
    start = bisect_right(results, answered.index, key=itemgetter(0))
    behind = [
        (index, part)
        for index, part in results[start:]
        if (part.call_id or index < answered.end)
        and needed.get((index, _key(part)), -1) <= answered.index
    ]
    found = []
    for call in missing:
        for number, (index, part) in enumerate(behind):
            if _key(part) == _key(call):
                raw = node(body, part.pointer)
                found.append(StrayResult(call=call, index=index, part=part, raw=raw))
                del behind[number]
                break
        else:
            earlier = answered_before(subject, call)
            if earlier is not None:
                part = earlier.result
                raw = node(earlier.reading.request_json, part.pointer)
                found.append(StrayResult(call=call, index=-1, part=part, raw=raw))
    return found


def _results(subject: Subject) -> list[tuple[int, Part]]:
    """All results, each with the index of its content."""
    messages = enumerate(subject.messages)
    return [(index, part) for index, message in messages for part in message.results]


def _needed(subject: Subject) -> dict[tuple[int, str], int]:
    """What is at its place: by content and call, the last content that calls for it."""
    return {
        (index, _key(call)): answered.index
        for answered in _answered(subject.messages)
        for index in range(answered.index, answered.end)
        for call in answered.calls
    }


def _brought(
    subject: Subject,
    answered: Answered,
    results: Sequence[Part],
    found: Sequence[StrayResult],
) -> Fix:
    """The results to the content behind their calls; where that one holds none, to a
    new one before it. Contents that lose all they have go."""
    content = subject.messages[answered.index]
    edits: list[Edit] = []
    if results:
        for each in found:
            place = _place(answered.calls, results, each.call)
            edits.append(_to(f"{content.pointer}/parts/{place}", each))
    else:
        role = node(subject.reading.request_json, f"{content.pointer}/role")
        sources = [subject.messages[each.index] for each in found if each.index >= 0]
        if sources:
            role = node(subject.reading.request_json, f"{sources[0].pointer}/role")
        whole = {"role": role or "user", "parts": [each.raw for each in found]}
        edits.append(insert(content.pointer, whole, LABEL))
    edits.extend(_taken_away(subject, found))
    return tuple(edits)


def _place(calls: Sequence[Part], results: Sequence[Part], call: Part) -> int:
    """Before the results of later calls."""
    later = {_key(each) for each in calls[calls.index(call) + 1 :]}
    later.discard(_key(call))
    for result in results:
        if _key(result) in later:
            return int(result.pointer.rpartition("/")[2])
    return int(results[-1].pointer.rpartition("/")[2]) + 1


def _to(place: str, found: StrayResult) -> Edit:
    if found.index < 0:
        return insert(place, found.raw, LABEL)
    return copy(found.part.pointer, place, LABEL)


def _taken_away(subject: Subject, found: Sequence[StrayResult]) -> Iterator[Edit]:
    there = [each for each in found if each.index >= 0]
    for index in dict.fromkeys(each.index for each in there):
        message = subject.messages[index]
        gone = {each.part.pointer for each in there if each.index == index}
        if all(part.pointer in gone for part in message.parts):
            yield drop(message.pointer, LABEL)
        else:
            for pointer in sorted(gone):
                yield drop(pointer, LABEL)


def _repeated_behind(
    subject: Subject, answered: Answered, results: Sequence[Part]
) -> Iterator[Claim]:
    """Contents that say once more what was answered in full."""
    body = subject.reading.request_json
    said = [node(body, result.pointer) for result in results]
    for index in range(answered.index + 1, answered.end):
        message = subject.messages[index]
        copies = [r for r in message.results if node(body, r.pointer) in said]
        if not copies:
            continue
        is_all = len(copies) == len(message.parts)
        gone = [message.pointer] if is_all else [part.pointer for part in copies]
        yield _say(
            subject,
            index,
            f"{_at(subject, index)}: {_standing(copies)} in the content before"
            " already, where each call has its result",
            fix=tuple(drop(pointer, LABEL) for pointer in gone)
            if is_all or len(copies) == len(message.results)
            else None,
        )


def _standing(parts: Sequence[Part]) -> str:
    count = number_of(len(parts), "result")
    return f"{count} stands" if len(parts) == 1 else f"{count} stand"


def _at(subject: Subject, index: int) -> str:
    return placed_at(subject, index)


def _counted(subject: Subject, answered: Answered, results: int) -> str:
    calls = number_of(len(answered.calls), "call")
    there = number_of(results, "result") if results else "no result"
    return (
        f"{_at(subject, answered.index)}: {there} where the content before makes"
        f" {calls}"
    )


def _say(
    subject: Subject,
    index: int,
    said: str,
    *,
    fix: Fix | None,
    worst: Severity = Severity.ERROR,
) -> Claim:
    return Claim(subject.messages[index].pointer, said, fix=fix or None, worst=worst)


RULE = Rule(
    code="GEM-18",
    name="results-unlike-calls",
    page=__doc__,
    severity=Severity.ERROR,
    confidence=Confidence.REPORTED,
    dialects=("gemini",),
    checked_on="2026-11-22",
    source=(
        "google-gemini/gemini-cli#7705, google-gemini/gemini-cli#15568, "
        "ai.google.dev/gemini-api/docs/thought-signatures [docs, issue report: "
        "gemini-cli #7705, #15568]"
    ),
    check=check,
)
