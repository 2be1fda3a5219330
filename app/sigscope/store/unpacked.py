r"""Streams whose events do not stand in the body as they are read.

    {"bytes":"eyJ0eXBlIjoi...","p":"abcd"}     base64 in a binary message of Bedrock
    data: {\ndata:  "delta": "..."\ndata: }    one event over several lines

What such events say is put behind the body, where it stands in one piece and can be
changed like any other event; then each goes back into its place. Changes keep lengths.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable
from dataclasses import replace

from sigscope.wire.events import Event

_LINE = re.compile(rb"(?:\A|(?<=[\r\n]))data(?:: ?|(?=[\r\n]|\Z))(?P<said>[^\r\n]*)")


class Unpacked:
    """A stream, and behind it what its packed events say."""

    def __init__(self, data: bytes, events: Iterable[Event]) -> None:
        self._size = len(data)
        self._packed: list[Event] = []
        self.events: list[Event] = []
        """All of them; each stands in `data` in one piece."""
        behind: list[bytes] = []
        end = len(data)
        for event in events:
            if event.data_start is None:
                event = replace(event, data_start=end)
                self._packed.append(event)
                behind.append(event.data)
                end += len(event.data)
            self.events.append(event)
        self.data = b"".join((data, *behind)) if behind else data

    def packed(self, data: bytes) -> bytes:
        """The body alone, with what was changed in `data`."""
        if not self._packed:
            return data
        out = bytearray(data[: self._size])
        for event in self._packed:
            start = event.data_start or 0
            said = data[start : start + len(event.data)]
            if said != event.data:
                _put(out, event, said)
        return bytes(out)


def _put(out: bytearray, event: Event, said: bytes) -> None:
    before = b64encode(event.data)
    place = out.find(before, event.start, event.end)
    if place >= 0:
        out[place : place + len(before)] = b64encode(said)
        return
    lines = [*_LINE.finditer(bytes(out[event.start : event.end]))]
    if b"\n".join(line["said"] for line in lines) != event.data:
        return
    done = 0
    for line in lines:
        low, high = (event.start + place for place in line.span("said"))
        out[low:high] = said[done : done + high - low]
        done += high - low + 1
