"""The simulator as a stage: a clock of its own, and arrival times that look real.

Nothing waits. Times are drawn from the seed by what arrives: the first byte after half
a second or more, thoughts slowly, text fast, a refusal at once. So a session made here
has a timeline worth looking at, and the same one on every machine.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from sigscope.converse.families.base import Span
from sigscope.converse.loop import Pause
from sigscope.converse.speeches.registry import named, names
from sigscope.errors import SigscopeError, UsageError
from sigscope.exchange import Request
from sigscope.upstreams.base import AnswerHead, Arrival, Data, End
from sigscope.upstreams.simulator import ResponseStart, SimConfig, create_app, exchange
from sigscope.upstreams.simulator.mint.draws import Draws

_PAUSES: dict[Pause, Span] = {
    "user": (6_000, 21_000),
    "tools": (12, 90),
    "retry": (45_000, 140_000),
}
_ANSWER_BEGINS: Span = (480, 900)
_REFUSAL_BEGINS: Span = (140, 260)
_WHOLE: Span = (900, 1_700)
_TICK: Span = (3, 12)


class Stage:
    """World and upstream of one rehearsed conversation."""

    def __init__(self, config: SimConfig, started: str) -> None:
        """`started`: RFC 3339. Raises UsageError for what is no time."""
        try:
            self._now = datetime.fromisoformat(started).astimezone(UTC)
        except ValueError:
            raise UsageError(
                f"{started!r} is no time; it should look like 2025-11-20T21:14:03Z"
            ) from None
        self._draws = Draws("stage", config.seed)
        is_spoken = config.dialect in names()
        self._paces = named(config.dialect).paces if is_spoken else ()
        self._app = create_app(replace(config, pace_ms=0.0), clock=self._unix)

    @property
    def name(self) -> str:
        """As written into runs."""
        return "simulator"

    @property
    def lost_turns(self) -> tuple[int, ...]:
        """Of each request so far; from the first one above 0 a model that does not fade
        would answer otherwise."""
        judged: list[dict[str, Any]] = self._app.log()["requests"]
        return tuple(entry.get("lost_turns", 0) for entry in judged)

    # --- World -----------------------------------------------------------------------

    def at(self) -> str:
        """The time on this stage."""
        text = self._now.isoformat(timespec="milliseconds")
        return text.replace("+00:00", "Z")

    def new_id(self) -> str:
        """A UUID's shape, drawn from the seed."""
        text = self._draws.bytes(16).hex()
        return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))

    def pass_time(self, why: Pause) -> None:
        """Move the clock."""
        self._now += timedelta(milliseconds=self._between(_PAUSES[why]))

    # --- Upstream --------------------------------------------------------------------

    async def send(self, request: Request) -> AsyncIterator[Arrival]:
        """Call the simulator; tell each piece with the time it is said to arrive."""
        began = self._now
        pieces = exchange(
            self._app, request.method, request.url, request.headers, request.body.raw
        )
        is_stream = False
        try:
            async for piece in pieces:
                if isinstance(piece, ResponseStart):
                    is_stream = any("event-stream" in v for _, v in piece.headers)
                    good = piece.status < 400
                    span = _ANSWER_BEGINS if good else _REFUSAL_BEGINS
                    self._wait(span)
                    yield AnswerHead(
                        status=piece.status,
                        headers=piece.headers,
                        at_ms=self._since(began),
                    )
                else:
                    self._wait(self._pace(piece) if is_stream else _TICK)
                    yield Data(data=piece, at_ms=self._since(began))
            yield End(ending="complete", at_ms=self._since(began))
        except SigscopeError as error:
            at_ms = self._since(began)
            yield End(ending="upstream-aborted", at_ms=at_ms, problem=str(error))
        finally:
            await pieces.aclose()

    def _unix(self) -> float:
        return self._now.timestamp()

    def _since(self, began: datetime) -> float:
        return (self._now - began) / timedelta(milliseconds=1)

    def _wait(self, span: Span) -> None:
        self._now += timedelta(milliseconds=self._between(span))

    def _pace(self, piece: bytes) -> Span:
        return next((span for mark, span in self._paces if mark in piece), _TICK)

    def _between(self, span: Span) -> int:
        low, high = span
        return low + self._draws.below(high - low + 1)
