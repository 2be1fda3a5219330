"""A call is sent without its output, or an output without its call.

Why it matters: 400 "No tool output found for function call call_...", or "No tool call
found for function call output with call_id call_...". Trimming, a cancelled tool, or
an id that was written anew on one side leaves half of a pair.
Bad:  [{"type": "function_call", "call_id": "call_1"}, {"role": "user"}]
Good: [{"type": "function_call", "call_id": "call_1"}, {"type": "function_call_output"}]
False alarms: only services that are known to look, and only functions and custom tools.
What the service keeps counts, too; where that was not recorded, or is a conversation of
its own, nothing is said of outputs. A remark where the request was accepted.
Fix: where one call and one output are left alone, the id; an output that an earlier
request had sent comes back; an output to no call goes. None for an output that was
never sent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sigscope.conversation import Json, Part
from sigscope.reader import Reading
from sigscope.records import dataclass
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.edits import Fix, drop, insert, node, put
from sigscope.rules.places import answered_before
from sigscope.rules.responses.items import CHECKS_ITEMS, issued, text
from sigscope.rules.responses.rsp_8_unknown_answer import answered
from sigscope.rules.tallies import Pairs
from sigscope.rules.words import called, short

_OUTPUTS = ("function_call_output", "custom_tool_call_output")
_CALLS = ("function_call", "custom_tool_call")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kept:
    """What a request only names."""

    called: frozenset[str]
    answered: frozenset[str]
    others: frozenset[str]
    """Calls of the client's shell and its like, here or there: clients answer them as
    functions, too (openai/codex, `normalize.rs` of the core; pydantic/pydantic-ai,
    cassettes of tool_search_call)."""
    is_whole: bool
    """Whether all of it was recorded."""


def check(subject: Subject) -> Iterator[Claim]:
    """One claim for each half."""
    if subject.reading.service not in CHECKS_ITEMS:
        return
    pairs = subject.tally(Pairs)
    asked = subject.reading.conversation
    continues = asked.continues or asked.kept_in
    refers = continues or subject.odd(_is_reference)
    if not (pairs.orphans or pairs.pending or refers):
        return
    messages = subject.messages
    calls = {c.call_id: c for message in messages for c in message.calls if c.call_id}
    results = [r for message in messages for r in message.results if r.call_id]
    if not (calls or results or continues):
        return
    kept = _kept(subject)
    answers = {result.call_id for result in results} | kept.answered
    strays = [r for r in results if r.call_id not in calls and _is_stray(r, kept)]
    alone = [call for call_id, call in calls.items() if call_id not in answers]
    is_renamed = len(alone) == len(strays) == 1
    for call in alone:
        said, fix = f"call {called(call)} has no output", None
        if not is_renamed:
            said, fix = _unanswered(subject, call, said)
        yield Claim(call.pointer, said, fix=fix)
    for stray in strays:
        said = f"output of {short(stray.call_id or '')}, which no item before it calls"
        mended: Fix = (
            drop(stray.pointer, "take away the result that answers no call"),
        )
        if is_renamed:
            said += f"; {called(alone[0])} is meant"
            name = f"{stray.pointer}/call_id"
            mended = (put(name, alone[0].call_id, "set the id of its call"),)
        yield Claim(stray.pointer, said, fix=mended)
    for call_id in sorted(kept.called - answers):
        said = f"call {short(call_id)} of the stored answer has no output"
        yield Claim("/previous_response_id", said, fix=None)


def _is_stray(result: Part, kept: _Kept) -> bool:
    return kept.is_whole and result.call_id not in kept.called | kept.others


def _unanswered(subject: Subject, call: Part, said: str) -> tuple[str, Fix | None]:
    """In words, and the output that was sent before."""
    earlier = answered_before(subject, call)
    if earlier is None:
        return said, None
    raw = node(earlier.reading.request_json, earlier.message.pointer)
    at = subject.messages[_behind(subject, call)].pointer
    place = f"/input/{int(at.rpartition('/')[2]) + 1}"
    is_last = len(subject.messages) == int(place.rpartition("/")[2])
    where = "/input/-" if is_last else place
    fix = (insert(where, raw, "insert the output that was sent before"),)
    return f"{said}; step {earlier.reading.number} had sent one", fix


def _behind(subject: Subject, call: Part) -> int:
    """Index of the last of the calls that one stands among."""
    messages = subject.messages
    index = next(i for i, m in enumerate(messages) if call in m.calls)
    while index + 1 < len(messages) and messages[index + 1].calls:
        index += 1
    return index


def _kept(subject: Subject) -> _Kept:
    """Calls and outputs of the answers and items that the request names."""
    items: list[Json] = []
    entries = subject.reading.entries
    here = [entries[index] for index in subject.odd(_is_other_call)]
    is_whole = not subject.reading.conversation.kept_in
    for index in subject.odd(_is_reference):
        entry = subject.reading.entries[index]
        if isinstance(entry, dict):
            named = subject.once(issued).get(text(entry, "id"))
            is_whole = is_whole and named is not None
            items += [named.data] if named else []
    stored = [_Ids.of(items)]
    known = subject.once_in_session(_left)
    name = subject.reading.conversation.continues
    while name:
        before = answered(subject, name)
        if before is not None and before.number not in known:
            known[before.number] = _left_by(before)
        ids = known[before.number] if before else None
        if before is None or ids is None:
            is_whole = False
            break
        stored.append(ids)
        name = before.conversation.continues
    return _Kept(
        called=frozenset[str]().union(*(ids.called for ids in stored)),
        answered=frozenset[str]().union(*(ids.answered for ids in stored)),
        others=_Ids.of(here).others.union(*(ids.others for ids in stored)),
        is_whole=is_whole,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ids:
    """Ids of calls that items make and answer."""

    called: frozenset[str]
    answered: frozenset[str]
    others: frozenset[str]

    @classmethod
    def of(cls, items: Sequence[Json]) -> _Ids:
        return cls(
            called=_ids(items, _CALLS),
            answered=_ids(items, _OUTPUTS),
            others=_ids(filter(_is_other_call, items)),
        )


def _left(_: Subject) -> dict[int, _Ids | None]:
    """By step, what those that were looked at leave to the service."""
    return {}


def _left_by(before: Reading) -> _Ids | None:
    """What a step said and was answered; None where there is no answer to read."""
    output = node(before.response_json, "/output")
    return _Ids.of([*before.entries, *output]) if isinstance(output, list) else None


def _is_other_call(item: Json) -> bool:
    kind = text(item, "type") if isinstance(item, dict) else ""
    return kind.endswith("_call") and kind not in _CALLS


def _is_reference(item: Json) -> bool:
    return isinstance(item, dict) and item.get("type") == "item_reference"


def _ids(items: Iterable[Json], kinds: Sequence[str] = ()) -> frozenset[str]:
    """Of calls; of these types where any are named."""
    objects = (item for item in items if isinstance(item, dict))
    found = (i for i in objects if not kinds or i.get("type") in kinds)
    return frozenset(filter(None, (text(item, "call_id") for item in found)))


RULE = Rule(
    code="RSP-14",
    name="unpaired-item",
    page=__doc__,
    severity=Severity.ERROR,
    confidence=Confidence.REPORTED,
    dialects=("responses",),
    checked_on="2026-11-22",
    source=(
        "bytedance/trae-agent#245, microsoft/vscode#320060, james-6-23/codex2api#414"
        " [issue report]"
    ),
    check=check,
)
