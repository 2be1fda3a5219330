"""Two hops in one session: client → gateway → provider, both recorded.

While the gateway answers one request it makes another one. The inner step lies inside
the outer one in time, goes to another host, and both ask and answer the same. Each hop
gets a ledger of its own: what the provider issued is for the gateway to give back, what
the gateway issued for the client. Comparing the two tells who lost a signature.

Recordings without times (numbered files) are linked by what both hops carry: a
gateway's step and a provider's whose requests hold the same words and calls, and whose
answers share a signature, an id, or words that are not said twice by chance.

Nothing is asked of the gateway: no header is added to any request, so that what is
recorded is what would have been sent. The price: of several requests with the same
words at the same time to the same hosts, the hops may be mixed up with each other.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Literal

from sigscope import opaque
from sigscope.conversation import Role, SignatureKind
from sigscope.ledger.build import build_ledger
from sigscope.ledger.links import TELLING_TEXT, call_shape, plain
from sigscope.ledger.records import LOST, Fate, Ledger, Signature, Thread
from sigscope.reader import Reading
from sigscope.records import dataclass
from sigscope.utf8 import to_bytes
from sigscope.wire.urls import split_url

SLACK = timedelta(milliseconds=20)
"""How much later an inner answer may end: its last bytes and those of the outer one
cross, and are noted one after the other."""

TELLING_ID = 8
"""Characters from which an id is nobody else's: "call_1" may be."""

Loser = Literal["client", "gateway"]


@dataclass(frozen=True, slots=True, kw_only=True)
class HopLoss:
    """A signature that did not pass a gateway."""

    signature: str
    """Its id."""
    outer: int
    """The step between client and gateway."""
    inner: int
    """The step between gateway and provider."""
    direction: Literal["to the client", "to the provider"]
    loser: Loser
    fate: Fate
    note: str
    """One sentence for people."""


def find_hops(readings: Sequence[Reading]) -> dict[int, int]:
    """Inner step → the outer step it was made for."""
    spans = {reading.number: span for reading in readings if (span := _span(reading))}
    untimed = [reading for reading in readings if reading.number not in spans]
    return {**_timed_hops(readings, spans), **_carried_hops(untimed)}


def _timed_hops(
    readings: Sequence[Reading], spans: Mapping[int, _Span]
) -> dict[int, int]:
    if len({_host(reading) for reading in readings}) < 2:
        return {}
    timed = [reading for reading in readings if reading.number in spans]
    found: dict[int, int] = {}
    for inner in timed:
        candidates = [
            outer
            for outer in timed
            if _is_inside(spans[inner.number], spans[outer.number])
            and _host(outer) != _host(inner)
            and _is_same_talk(outer, inner)
        ]
        if candidates:
            taken = set(found.values())
            free = [c for c in candidates if c.number not in taken] or candidates
            found[inner.number] = max(free, key=lambda c: spans[c.number][0]).number
    return found


def _carried_hops(readings: Sequence[Reading]) -> dict[int, int]:
    """Hops of steps without times. Which of two is the outer one, the dialects tell;
    where they do not, nothing is linked."""
    spoken = [reading for reading in readings if reading.dialect is not None]
    outers = [r for r in spoken if r.dialect and r.dialect.is_gateway]
    inners = [r for r in spoken if r.dialect and not r.dialect.is_gateway]
    if not outers or not any(map(_tokens, inners)):
        return {}  # none can be known for sure, and the others rest on one that is
    asked: defaultdict[Hashable, list[Reading]] = defaultdict(list)
    for outer in outers:
        asked[_asked(outer)].append(outer)
    found: dict[int, int] = {}
    taken: set[int] = set()
    for is_sure in (_share_a_token, _say_the_same):
        for inner in inners:
            if inner.number in found:
                continue
            same = [
                outer
                for outer in asked.get(_asked(inner), ())
                if outer.number not in taken and is_sure(outer, inner, found)
            ]
            if same:
                outer = min(same, key=lambda o: abs(o.number - inner.number))
                found[inner.number] = outer.number
                taken.add(outer.number)
    return found


def _asked(reading: Reading) -> Hashable:
    """What a request holds, whatever the wire: the users' words, and every call."""
    messages = reading.conversation.messages
    words = "".join(m.text for m in messages if m.role is Role.USER)
    calls = tuple(call_shape(call) for m in messages for call in m.calls)
    return "".join(words.split()), calls


def _share_a_token(outer: Reading, inner: Reading, _: Mapping[int, int]) -> bool:
    """Whether the answers share what only one of them can have made."""
    return not _tokens(outer).isdisjoint(_tokens(inner))


def _tokens(reading: Reading) -> set[Hashable]:
    reply = reading.reply
    found: set[Hashable] = {
        opaque.comparison_key(s.value)
        for s in reading.received
        if s.kind is not SignatureKind.TEXT
    }
    ids = (reply.response_id, *map(plain, reply.call_ids))
    found.update(each for each in ids if len(each) >= TELLING_ID)
    if reply.message is not None:
        said = (reply.message.text.strip(), *(c.arguments for c in reply.message.calls))
        found.update(text for text in said if len(text) >= TELLING_TEXT)
    return found


def _say_the_same(outer: Reading, inner: Reading, found: Mapping[int, int]) -> bool:
    """Whether the answers are alike, where other steps show that there is a gateway: a
    short answer, or a refusal that was passed on."""
    if not found:
        return False
    ours, theirs = outer.reply.message, inner.reply.message
    if ours is None or theirs is None:
        return outer.is_accepted == inner.is_accepted
    shapes = [[call_shape(call) for call in m.calls] for m in (ours, theirs)]
    return ours.text.strip() == theirs.text.strip() and shapes[0] == shapes[1]


def build_hop_ledger(
    readings: Sequence[Reading], hops: Mapping[int, int] | None = None
) -> Ledger:
    """The ledger of a session, each hop on its own; without hops, that of all."""
    hops = find_hops(readings) if hops is None else hops
    if not hops:
        return build_ledger(readings)
    layers: defaultdict[int, list[Reading]] = defaultdict(list)
    for reading in readings:
        layers[hop_depth(reading.number, hops)].append(reading)
    ledgers = [build_ledger(layers[depth]) for depth in sorted(layers)]
    threads: list[Thread] = []
    for ledger in ledgers:
        before = len(threads)
        threads += (replace(t, number=t.number + before) for t in ledger.threads)
    return Ledger(
        signatures=tuple(s for ledger in ledgers for s in ledger.signatures),
        threads=tuple(threads),
        links={
            step: links for ledger in ledgers for step, links in ledger.links.items()
        },
        anew={step: new for ledger in ledgers for step, new in ledger.anew.items()},
        unmet={step: at for ledger in ledgers for step, at in ledger.unmet.items()},
    )


def hop_losses(
    readings: Sequence[Reading], ledger: Ledger, hops: Mapping[int, int]
) -> tuple[HopLoss, ...]:
    """What was lost between the hops, by inner step: on the way down, then up."""
    by_number = {reading.number: reading for reading in readings}
    found: list[HopLoss] = []
    for inner, outer in sorted(hops.items()):
        found += _lost_down(by_number[outer], by_number[inner], ledger)
        found += _lost_up(by_number[outer], by_number[inner], ledger)
    return tuple(found)


def _lost_down(outer: Reading, inner: Reading, ledger: Ledger) -> list[HopLoss]:
    """Signatures that the provider issued and the client did not get."""
    got = {opaque.comparison_key(sighting.value) for sighting in outer.received}
    body = outer.response_body.data
    return [
        HopLoss(
            signature=signature.id,
            outer=outer.number,
            inner=inner.number,
            direction="to the client",
            loser="gateway",
            fate=Fate.DROPPED,
            note=f"the gateway got {signature.id} in step {inner.number} and did not"
            f" hand it to the client in step {outer.number}",
        )
        for signature in ledger.received_in(inner.number)
        if opaque.comparison_key(signature.value) not in got
        and to_bytes(signature.value) not in body
    ]


def _lost_up(outer: Reading, inner: Reading, ledger: Ledger) -> list[HopLoss]:
    """Signatures that the provider misses, and whether the client had sent them."""
    sent = {opaque.comparison_key(sighting.value) for sighting in outer.sent}
    body = outer.request_body.data
    found = []
    for signature, fate in ledger.concerning(inner.number):
        if fate.fate not in LOST or not _matters(signature, inner.number):
            continue
        has_sent = (
            opaque.comparison_key(signature.value) in sent
            or to_bytes(signature.value) in body
        )
        loser: Loser = "gateway" if has_sent else "client"
        other = (
            f"the client had sent it in step {outer.number}: the gateway lost it"
            if has_sent
            else f"the client had not sent it in step {outer.number} either"
        )
        found.append(
            HopLoss(
                signature=signature.id,
                outer=outer.number,
                inner=inner.number,
                direction="to the provider",
                loser=loser,
                fate=fate.fate,
                note=f"{signature.id} is {fate.fate} in step {inner.number}; {other}",
            )
        )
    return found


def _matters(signature: Signature, step: int) -> bool:
    fate = signature.fate_in(step)
    return fate is not None and fate.grade in ("required", "optional")


def hop_depth(step: int, hops: Mapping[int, int]) -> int:
    """Gateways between the client and a step."""
    depth = 0
    while step in hops and depth < len(hops):
        step, depth = hops[step], depth + 1
    return depth


_Span = tuple[datetime, datetime]


def _span(reading: Reading) -> _Span | None:
    """When it began and ended; None where the recording does not tell."""
    exchange = reading.exchange
    if exchange.started_at is None or exchange.duration_ms is None:
        return None
    try:
        start = datetime.fromisoformat(exchange.started_at)
        end = start + timedelta(milliseconds=exchange.duration_ms)
    except (ValueError, OverflowError):  # a duration of more days than there are
        return None
    return None if start.tzinfo is None else (start, end)


def _is_inside(inner: _Span, outer: _Span) -> bool:
    return outer[0] < inner[0] <= outer[1] and inner[1] - outer[1] <= SLACK


def _host(reading: Reading) -> str:
    return split_url(reading.probe.url).host


def _is_same_talk(outer: Reading, inner: Reading) -> bool:
    """Whether both ask the same, and answer the same as far as both answer: a client
    that asks two services at once gets two different answers."""
    if not _asks_the_same(outer, inner):
        return False
    if not (outer.is_accepted and inner.is_accepted):
        return True
    ours, theirs = outer.reply.message, inner.reply.message
    if ours is None or theirs is None:
        return True
    if ours.text.strip() or theirs.text.strip():
        return ours.text.strip() == theirs.text.strip()
    return [call.name for call in ours.calls] == [call.name for call in theirs.calls]


def _asks_the_same(outer: Reading, inner: Reading) -> bool:
    """By the user's last words; in a request of no known dialect, these must occur."""
    ours, theirs = _last_words(outer), _last_words(inner)
    if ours and theirs:
        return ours == theirs
    if outer.dialect and inner.dialect:
        return False
    words, other = (ours, inner) if ours else (theirs, outer)
    body = other.request_body.data
    spellings = (json.dumps(words, ensure_ascii=flag)[1:-1] for flag in (True, False))
    return bool(words) and any(to_bytes(text) in body for text in spellings)


def _last_words(reading: Reading) -> str:
    """What the user said last."""
    for message in reversed(reading.conversation.messages):
        if message.role is Role.USER and message.text.strip():
            return message.text.strip()
    return ""
