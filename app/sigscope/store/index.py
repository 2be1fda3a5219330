"""What has to be known of a step when the file is opened, read without parsing it.

Only lines as written are read like this: their layout is ours, and since quotes are
escaped inside strings, what looks like one of these members is one.
"""

from __future__ import annotations

import re

from sigscope.records import dataclass
from sigscope.store.lines import head_of
from sigscope.store.space import Side

_STEP = re.compile(rb'\{"type":"step","number":([1-9]\d{0,17}),')
_BODY = b',"body":{'
_PLACE = re.compile(
    rb',"body":\{"at":(\d{1,18}),"size":(\d{1,18}),"crc":"([0-9a-f]{8})"'
    rb'(?:,"needs":\[([\d,]*)\])?\}'
)
_RESPONSE = re.compile(rb'[{,]"response":\{')
"""After a brace where the exchange has no request."""


@dataclass(slots=True)
class BodyIndex:
    """Where one body lies; the fields are those of `models.BodyPlace`."""

    side: Side
    at: int
    size: int
    crc: str
    needs: tuple[int, ...]


@dataclass(slots=True)
class StepIndex:
    """A step's number, its bodies, and how long its head is."""

    number: int
    head_size: int
    """Bytes from the start of the line, without the brace that closes it."""
    bodies: tuple[BodyIndex, ...]


def maybe_index(line: bytes) -> StepIndex | None:
    """The index of a step as written; None for anything else, to be read in full."""
    step = _STEP.match(line)
    if step is None:
        return None
    head = head_of(line)
    found = _RESPONSE.search(head)
    response = found.start() if found else len(head)
    bodies = []
    place = head.find(_BODY)
    while place >= 0:
        match = _PLACE.match(head, place)
        if match is None:
            return None
        side: Side = "request" if place < response else "response"
        bodies.append(_body(side, match))
        place = head.find(_BODY, match.end())
    return StepIndex(number=int(step[1]), head_size=len(head) - 1, bodies=tuple(bodies))


def _body(side: Side, match: re.Match[bytes]) -> BodyIndex:
    at, size, crc, needs = match.groups()
    return BodyIndex(
        side=side,
        at=int(at),
        size=int(size),
        crc=crc.decode(),
        needs=tuple(map(int, needs.split(b","))) if needs else (),
    )
