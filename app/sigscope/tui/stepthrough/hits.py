"""Finding a text in a stream, and in the message it has made. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import field

from sigscope import pointer as pointers
from sigscope.conversation import Json
from sigscope.jsontext import JsonText
from sigscope.records import dataclass
from sigscope.search.text import MOST_HITS, Query, search
from sigscope.tui.json.source import JsonSource
from sigscope.tui.search import SearchHit
from sigscope.wire.events import Event

_LOOK_UP = 64
"""Events after which progress is told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamHit(SearchHit):
    """A hit in the events, or in the message."""

    event: int = 0
    """In the events: which one."""
    offset: int | None = None
    """In an event's JSON: of the match; in a text of the message: its character."""
    pointer: str = ""
    """In the message: the field."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fields:
    """What was found in a message."""

    hits: list[StreamHit] = field(default_factory=list)
    orders: dict[str, int] = field(default_factory=dict)
    """Where each field stands in the message."""


def in_events(
    events: Sequence[Event], query: Query, *, each_node: bool
) -> Iterator[tuple[float, list[StreamHit]]]:
    """Shares done, and hits: one for each event, or for each value and key in it."""
    for at, event in enumerate(events):
        found: list[StreamHit] = []
        if query.in_bytes.search(event.data) is not None:
            nodes = _offsets(event, query) if each_node else (None,)
            found = [
                StreamHit(
                    order=(event.number, offset or 0), event=event.number, offset=offset
                )
                for offset in nodes
            ]
        if found or at % _LOOK_UP == 0:
            yield at / len(events), found


def _offsets(event: Event, query: Query) -> tuple[int | None, ...]:
    """Where in the JSON of an event; None once for what is no JSON."""
    source = JsonSource(JsonText(event.data))
    steps = search(source, query)
    return tuple(hit.offset for step in steps for hit in step.hits) or (None,)


def in_message(body: Json, query: Query) -> Fields:
    """Names and values of an assembled message; in a text every place counts."""
    fields = Fields()
    find = query.on_screen
    for number, (pointer, key, value) in enumerate(_walk(body)):
        fields.orders[pointer] = number
        if len(fields.hits) >= MOST_HITS:
            continue
        if key is not None and find.search(key):
            fields.hits.append(StreamHit(order=(number, -1), pointer=pointer))
        if isinstance(value, str):
            fields.hits.extend(
                StreamHit(order=(number, m.start()), pointer=pointer, offset=m.start())
                for m in find.finditer(value)
                if m.end() > m.start()
            )
        elif not isinstance(value, dict | list) and find.search(json.dumps(value)):
            fields.hits.append(StreamHit(order=(number, 0), pointer=pointer))
    return fields


def _walk(body: Json) -> Iterator[tuple[str, str | None, Json]]:
    """Every value, in the order of the text: pointer, name in an object, value."""
    pending: list[tuple[str, str | None, Json]] = [("", None, body)]
    while pending:
        pointer, key, value = pending.pop()
        yield pointer, key, value
        if isinstance(value, dict):
            inside = [(pointers.join(pointer, k), k, v) for k, v in value.items()]
            pending += reversed(inside)
        elif isinstance(value, list):
            pending += reversed(
                [(pointers.join(pointer, n), None, v) for n, v in enumerate(value)]
            )
