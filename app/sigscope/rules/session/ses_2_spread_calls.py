"""The parallel calls of one response stand in several assistant messages.

Why it matters: only the first of parallel calls has a signature. In messages of their
own the others look like calls made one after the other: to Gemini behind the gateway
each opens a step, and has no signature (the text of GEM-1 or GEM-2); a proxy that adds
bypasses does so in silence.
Bad:  ["assistant: call 1", "tool: 1", "assistant: call 2", "tool: 2"]
Good: ["assistant: calls 1 and 2", "tool: 1", "tool: 2"]
False alarms: only calls that the session knows to come from one response, or, where
none was recorded, that stand in messages of the model in a row, the first alone signed;
calls made one after the other look the same. It warns until a refusal confirms it, and
is a remark where the request was accepted.
Fix: the calls join those of the first message, in the response's order; so all results
stand behind them, and the emptied messages go. None where two of the messages say
different things.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sigscope.conversation import Json, Part
from sigscope.dialects.chat import ChatDialect
from sigscope.dialects.registry import DIALECTS
from sigscope.edits.records import Edit
from sigscope.ledger.links import plain
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.edits import Fix, copy, drop, joined, node, put
from sigscope.rules.fixes import maybe_home
from sigscope.rules.kinds.split import EMPTY
from sigscope.rules.places import has_split_calls, neighbours, reply_of, split_calls
from sigscope.rules.words import called

LABEL = "make it one message for one response"


def check(subject: Subject) -> Iterator[Claim]:
    """Messages whose calls belong to an earlier message's."""
    links = subject.ledger.links.get(subject.step, ())
    for link in links if has_split_calls(subject) else ():
        parts = split_calls(subject, link.messages[-1])
        if not parts or parts[0] not in link.messages:
            continue
        first, *later = parts
        calls = [call for index in later for call in subject.messages[index].calls]
        opening = subject.messages[first].calls[0]
        yield Claim(
            subject.messages[later[0]].pointer,
            f"{_named(calls)} came in one response with {called(opening)} (step"
            f" {link.step}), but {'stands' if len(calls) == 1 else 'stand'} in"
            f" {_messages(later)}: so nothing tells that they were parallel, and only"
            " the first of parallel calls is signed",
            fix=_merged(subject, first, later),
        )

    for first, *later in neighbours(subject):
        calls = [call for index in later for call in subject.messages[index].calls]
        yield Claim(
            subject.messages[later[0]].pointer,
            f"{_named(calls)} and {called(subject.messages[first].calls[0])} stand in"
            " messages of the model in a row, so they are parallel calls of one"
            " response; only the first of these is signed, and nothing tells that they"
            " were parallel",
            fix=_merged(subject, first, later),
        )


def _named(calls: Sequence[Part]) -> str:
    rest = f" and {len(calls) - 1} more" if len(calls) > 1 else ""
    return called(calls[0]) + rest


def _messages(later: Sequence[int]) -> str:
    return "a message of its own" if len(later) == 1 else f"{len(later)} messages"


def _merged(subject: Subject, first: int, later: Sequence[int]) -> Fix | None:
    """Edits that leave one message; None where what else they say is in the way."""
    target = subject.messages[first].pointer
    raws = [subject.reading.entries[index] for index in (first, *later)]
    if not all(isinstance(raw, dict) for raw in raws) or not _agree(raws):
        return None
    signatures = _signatures(subject, first, later)
    if signatures is None:
        return None
    return joined(
        _calls(subject, first, later),
        _content(target, raws),
        _members(subject, first, later),
        signatures,
        (drop(subject.messages[index].pointer, LABEL) for index in later),
    )


def _agree(raws: Sequence[Json]) -> bool:
    """Whether at most one of the messages says something."""
    texts = [raw.get("content") for raw in raws]
    said = [text for text in texts if text not in EMPTY]
    return all(text == said[0] for text in said)


def _content(target: str, raws: Sequence[Json]) -> Iterator[Edit]:
    texts = [raw.get("content") for raw in raws]
    said = [text for text in texts if text not in EMPTY]
    if said and texts[0] in EMPTY:
        yield put(f"{target}/content", said[0], LABEL)


def _calls(subject: Subject, first: int, later: Sequence[int]) -> Iterator[Edit]:
    """Copies of the later calls, each where the response has it among the first's."""
    reply = reply_of(subject, first)
    order = [plain(call_id) for call_id in (reply.reply.call_ids if reply else ())]
    place = {call_id: number for number, call_id in enumerate(order)}
    there = subject.messages[first].calls
    at = f"{subject.messages[first].pointer}/tool_calls"
    for index in later:
        for call in subject.messages[index].calls:
            own = place.get(plain(call.call_id or ""), len(order))
            if reply is None:
                yield copy(call.pointer, f"{at}/-", LABEL)
                continue
            before = sum(
                place.get(plain(each.call_id or ""), 0) < own for each in there
            )
            yield copy(call.pointer, f"{at}/{before}", LABEL)


def _members(subject: Subject, first: int, later: Sequence[int]) -> Iterator[Edit]:
    """What else the later messages have and the first has not; no signatures."""
    body = subject.reading.request_json
    target = subject.messages[first].pointer
    known = set(node(body, target))
    held = {s.pointer for index in later for s in subject.sighted.get(index, ())}
    for index in later:
        source = subject.messages[index].pointer
        for key, value in node(body, source).items():
            place = f"{source}/{key}"
            is_bearer = any(each.startswith((place + "/", place)) for each in held)
            if key in known or value in EMPTY or is_bearer or "/" in key or "~" in key:
                continue
            known.add(key)
            yield copy(place, f"{target}/{key}", LABEL)


def _signatures(
    subject: Subject, first: int, later: Sequence[int]
) -> Sequence[Edit] | None:
    """Puts of signatures that stand in later messages only; None where one belongs
    into a message that goes."""
    body = subject.reading.request_json
    if first not in subject.held:
        return []
    step = subject.held[first].step
    gone = tuple(f"{subject.messages[index].pointer}/" for index in later)
    found: list[Edit] = []
    for signature in subject.ledger.received_in(step):
        places = [sighting.pointer for sighting in subject.placed(signature)]
        is_there = any(not place.startswith(gone) for place in places)
        is_lost = any(loss.signature is signature for loss in subject.losses)
        if (not places or is_there) and not is_lost:
            continue
        home = maybe_home(subject, signature, first)
        if home is None:
            continue
        if home.pointer.startswith(gone):
            if is_lost:
                return None
            continue
        if not is_lost and node(body, home.pointer) != home.value:
            label = f"restore {signature.id} from step {step}"
            found.append(put(home.pointer, home.value, label))
    return found


RULE = Rule(
    code="SES-2",
    name="spread-calls",
    page=__doc__,
    severity=Severity.WARNING,
    confidence=Confidence.INFERRED,
    dialects=tuple(
        d.name for d in DIALECTS if isinstance(d, ChatDialect) and d.is_gateway
    ),
    checked_on="2026-11-22",
    source=(
        "ai.google.dev/gemini-api/docs/thought-signatures, googleapis/js-genai#1275, "
        "google/adk-go#764 [docs and issue report for Gemini, inferred behind "
        "gateways]; docs/wire/gemini.md#gem-8, docs/wire/gemini-openai.md#goc-4, "
        "docs/wire/copilot-chat.md#policy"
    ),
    check=check,
)
