"""One exchange on its way into the recording."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import wraps
from typing import Concatenate, ParamSpec

from sigscope.exchange import Ending, Remedy, Request
from sigscope.recorder import frames
from sigscope.recorder.heads import ResponseHead
from sigscope.records import dataclass

P = ParamSpec("P")

LIMIT = 256 * 1024 * 1024
"""Bytes of one body that are kept. A matter of memory, not of the format: the scribe
holds an exchange whole until it ends."""

Sink = Callable[[bytes, int, int, bytes], bool]
"""Takes kind, exchange, microseconds, data; False: it could not be kept."""


@dataclass(slots=True, kw_only=True)
class Summary:
    """What passed, for those who watch."""

    number: int
    """The step's number."""
    method: str
    url: str
    status: int | None = None
    sent: int = 0
    """Bytes of request body."""
    received: int = 0
    """Bytes of response body."""
    pieces: int = 0
    """In how many pieces they came."""
    ending: Ending = "open"
    first_byte_ms: float | None = None
    duration_ms: float | None = None
    remarks: tuple[str, ...] = ()
    remedies: tuple[Remedy, ...] = ()
    """What was changed in the request before it was sent on."""


Method = Callable[Concatenate["ExchangeTape", P], None]


def _guarded(method: Method[P]) -> Method[P]:
    """A bug in recording is told, and costs the traffic nothing."""

    @wraps(method)
    def guarded(self: ExchangeTape, /, *args: P.args, **kwargs: P.kwargs) -> None:
        try:
            method(self, *args, **kwargs)
        except Exception as error:  # noqa: BLE001 - see above
            self.on_fault(error)

    return guarded


class ExchangeTape:
    """Keeps one exchange. Never raises, never waits."""

    __slots__ = (
        "_began",
        "_clock",
        "_first",
        "_is_mend_lost",
        "_key",
        "_lost",
        "_note_begin",
        "_on_end",
        "_sink",
        "on_fault",
        "summary",
    )

    def __init__(
        self,
        *,
        key: int,
        summary: Summary,
        note_begin: Callable[[], None],
        sink: Sink,
        clock: Callable[[], float],
        began: float,
        on_end: Callable[[Summary], None],
        on_fault: Callable[[Exception], None],
    ) -> None:
        """`note_begin`: keeps that it has begun, called before anything else is kept.
        `began`: when the request's first byte came, by the clock."""
        self.summary = summary
        self._note_begin: Callable[[], None] | None = note_begin
        self._first = b""
        self.on_fault = on_fault
        self._key = key
        self._sink = sink
        self._clock = clock
        self._began = began
        self._on_end: Callable[[Summary], None] | None = on_end
        self._is_mend_lost = False
        self._lost: dict[bytes, int] = {}
        """Bytes that were not kept, by kind. After the first, none is: what is kept
        is the beginning, without holes."""

    @property
    def is_open(self) -> bool:
        return self._on_end is not None

    def expect(self, data: bytes) -> None:
        """The first of the request's body, kept when it is kept that it has begun."""
        self._first = data

    @_guarded
    def begin(self) -> None:
        """Keep that it has begun. Only the first call counts."""
        note_begin, self._note_begin = self._note_begin, None
        if note_begin is not None:
            note_begin()
            first, self._first = self._first, b""
            self.sent(first)

    @_guarded
    def sent(self, data: bytes) -> None:
        """Some of the request's body."""
        self.summary.sent += len(data)
        self._keep(frames.SENT, data, self.summary.sent, self._now())

    @_guarded
    def mended(self, request: Request, remedies: Sequence[Remedy]) -> None:
        """What was sent on in place of what the client has sent."""
        self.summary.remedies = tuple(remedies)
        value = {
            "headers": request.headers,
            "remedies": [asdict(remedy) for remedy in remedies],
        }
        data = json.dumps(value).encode() + b"\n" + request.body.raw
        self._is_mend_lost = not self._put(frames.MENDED, self._now(), data)

    @_guarded
    def head(self, head: ResponseHead, at: float | None = None) -> None:
        """The response's head, that came at this time of the clock; None: now. Of
        several, the last counts."""
        at_us = self._micros(self._clock() if at is None else at)
        self.summary.status = head.status
        self.summary.first_byte_ms = at_us / 1000
        value = {
            "status": head.status,
            "reason": head.reason,
            "version": head.version,
            "headers": head.headers,
        }
        self._put(frames.HEAD, at_us, json.dumps(value).encode())

    @_guarded
    def received(self, data: bytes, at: float | None = None) -> None:
        """Some of the response's body, that came at this time of the clock; None:
        now."""
        if not data:
            return
        self.summary.received += len(data)
        self.summary.pieces += 1
        at_us = self._now() if at is None else self._micros(at)
        self._keep(frames.RECEIVED, data, self.summary.received, at_us)

    @_guarded
    def end(self, ending: Ending, *remarks: str) -> None:
        """Nothing more will come. Only the first call counts."""
        on_end, self._on_end = self._on_end, None
        if on_end is None:
            return
        self.begin()
        summary, at = self.summary, self._now()
        summary.ending = ending
        summary.duration_ms = at / 1000
        summary.remarks = (*remarks, *self._losses())
        value = {"ending": ending, "remarks": summary.remarks}
        self._put(frames.END, at, json.dumps(value).encode())
        on_end(summary)

    def _keep(self, kind: bytes, data: bytes, total: int, at_us: int) -> None:
        if not data:
            return
        is_kept = kind not in self._lost and total <= LIMIT
        if is_kept and self._put(kind, at_us, data):
            return
        self._lost[kind] = self._lost.get(kind, 0) + len(data)

    def _put(self, kind: bytes, at_us: int, data: bytes) -> bool:
        if self._note_begin is not None:
            self.begin()
        return self._sink(kind, self._key, at_us, data)

    def _losses(self) -> list[str]:
        mend = ["what was sent on in its place was not recorded"]
        sides = {frames.SENT: "request", frames.RECEIVED: "response"}
        return mend * self._is_mend_lost + [
            f"the last {size} bytes of the {sides[kind]} body passed through but were"
            " not recorded"
            for kind, size in self._lost.items()
        ]

    def _now(self) -> int:
        return self._micros(self._clock())

    def _micros(self, at: float) -> int:
        return max(0, int((at - self._began) * 1_000_000))
