"""From strings at carriers to sightings: which message, part or call they belong to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain

from sigscope import opaque
from sigscope.conversation import (
    AnchorPlace,
    Conversation,
    Json,
    Message,
    PartKind,
    Reply,
    Role,
    Sighting,
    SignatureKind,
)
from sigscope.dialects.assembly import Assembler
from sigscope.dialects.base import Dialect, part_at
from sigscope.dialects.carriers import CarrierHit
from sigscope.dialects.histories import Histories, Sightings


def sight_request(
    dialect: Dialect,
    body: Json,
    conversation: Conversation,
    histories: Histories | None = None,
) -> tuple[Sighting, ...]:
    """Every signature in a request, in wire order of messages.

    `histories` remember those of messages that were there before.
    """
    above, items = dialect.history(body)
    found = [
        _judged(dialect, hit, None, -1)
        for hit in dialect.table.find(body, "request", but=above)
    ]

    def look(index: int, message: Message) -> Sightings:
        hits = dialect.table.find_in(items[index], message.pointer, items, "request")
        return tuple([_judged(dialect, hit, message, index) for hit in hits])

    within = (histories or Histories()).sightings(conversation.messages, look)
    return tuple(chain(found, *within))


def _judged(
    dialect: Dialect, hit: CarrierHit, message: Message | None, index: int
) -> Sighting:
    sighting = _place(hit, message, index, hit.pointer, None)
    is_read = _has_right_role(hit, message) and dialect.reads(sighting, message)
    return replace(sighting, is_read=is_read)


def sight_whole_response(
    dialect: Dialect, body: Json, reply: Reply
) -> tuple[Sighting, ...]:
    """Every signature in a response that was not streamed."""
    return tuple(
        _place(hit, *_in_reply(reply, hit.pointer), hit.pointer, None)
        for hit in dialect.table.find(body, "response")
    )


def sight_stream(
    dialect: Dialect,
    events: Iterable[tuple[int, Json]],
    assembler: Assembler,
    reply: Reply,
) -> tuple[Sighting, ...]:
    """Every signature in a stream, at the event that brought or completed it."""
    origins = {
        (write.event, write.source): write.pointer
        for writes in assembler.writes.values()
        for write in writes
    }
    found = list(_joined(dialect, assembler, reply))
    early: list[Sighting] = []
    for number, data in events:
        for hit in dialect.table.find(data, "event"):
            if hit.carrier.comes_in_pieces or not _is_of_event(hit, data):
                continue
            pointer = _assembled_pointer(hit.pointer, number, origins)
            inside = _in_reply(reply, pointer)
            sighting = _place(hit, *inside, pointer, number)
            (early if hit.carrier.is_provisional else found).append(sighting)
    final = {sighting.value for sighting in found}
    found += (sighting for sighting in early if sighting.value not in final)
    return tuple(sorted(found, key=lambda sighting: sighting.event or 0))


def _is_of_event(hit: CarrierHit, data: Json) -> bool:
    """Whether this is an event that brings the carrier's signatures."""
    wanted = hit.carrier.only_events
    return not wanted or (isinstance(data, dict) and data.get("type") in wanted)


def _joined(dialect: Dialect, assembler: Assembler, reply: Reply) -> Iterator[Sighting]:
    """Signatures that may come in pieces, read from the assembled body."""
    for hit in dialect.table.find(assembler.body, "response"):
        writes = assembler.writes.get(hit.pointer)
        if not hit.carrier.comes_in_pieces or not writes:
            continue
        inside = _in_reply(reply, hit.pointer)
        sighting = _place(hit, *inside, hit.pointer, writes[-1].event)
        yield replace(sighting, pointer=writes[-1].source)


def message_index(pointer: str, places: dict[str, int]) -> int:
    """Index of the message that a pointer leads into, -1 for none. Messages lie two
    segments deep, three in a wrapped body."""
    segments = pointer.split("/")
    for depth in (3, 4):
        index = places.get("/".join(segments[:depth]))
        if index is not None:
            return index
    return -1


def _in_reply(reply: Reply, pointer: str) -> tuple[Message | None, int]:
    message = reply.message
    if message is None:
        return None, -1
    inside = (f"{at}/" for at in (message.pointer, *reply.others))
    return (message, 0) if pointer.startswith(tuple(inside)) else (None, -1)


def _assembled_pointer(
    pointer: str, event: int, origins: dict[tuple[int, str], str]
) -> str:
    """Where the value at a pointer of an event went in the assembled body."""
    head, tail = pointer, ""
    while head:
        target = origins.get((event, head))
        if target is not None:
            return target + tail
        head, _, last = head.rpartition("/")
        tail = f"/{last}{tail}"
    return pointer


def _place(
    hit: CarrierHit,
    message: Message | None,
    index: int,
    pointer: str,
    event: int | None,
) -> Sighting:
    """Make a sighting; `pointer` is where the value stands in the message's body."""
    value = hit.value
    assert value is not None
    part = part_at(message, pointer) if message else None
    call_id = hit.call_id
    if call_id is None and part and part.kind in (PartKind.CALL, PartKind.RESULT):
        call_id = part.call_id
    elif call_id is not None and message and not _has_call(message, call_id):
        call_id = None
    is_bypass = opaque.maybe_bypass(value) is not None
    return Sighting(
        carrier=hit.carrier.name,
        kind=SignatureKind.BYPASS if is_bypass else hit.carrier.kind,
        value=value,
        pointer=hit.pointer,
        event=event,
        anchor=AnchorPlace(
            message=index, part=part.pointer if part else None, call_id=call_id
        ),
        is_read=hit.carrier.is_read,
        is_provisional=hit.carrier.is_provisional,
    )


def _has_call(message: Message, call_id: str) -> bool:
    return any(call.call_id == call_id for call in message.calls)


def _has_right_role(hit: CarrierHit, message: Message | None) -> bool:
    roles = hit.carrier.only_roles
    if not roles:
        return True
    return message is not None and message.role in {Role(role) for role in roles}
