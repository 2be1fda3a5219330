"""What every upstream does: send one request, tell what comes back as it comes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import field, replace
from typing import Protocol

from sigscope.exchange import (
    Body,
    Chunk,
    Ending,
    Exchange,
    Headers,
    Request,
    Response,
)
from sigscope.records import dataclass

Clock = Callable[[], float]
"""Seconds, monotonic."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerHead:
    """The response line and headers have arrived."""

    status: int
    reason: str = ""
    http_version: str = ""
    headers: Headers = ()
    at_ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Data:
    """Some of the body has arrived, content codings still on."""

    data: bytes
    at_ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """Nothing more will come."""

    ending: Ending
    at_ms: float
    problem: str = ""
    """Why, where it did not end well: one sentence for the user."""


Arrival = AnswerHead | Data | End


class Upstream(Protocol):
    """Something that answers requests."""

    @property
    def name(self) -> str:
        """As written into runs: "simulator", or the URL."""
        ...

    def send(self, request: Request) -> AsyncIterator[Arrival]:
        """Send, and yield a head, data and always one end. Never raises for what the
        other side does; closing the iterator cancels."""
        ...


@dataclass(slots=True)
class Collected:
    """What has arrived so far; becomes an exchange."""

    request: Request
    started_at: str
    head: AnswerHead | None = None
    pieces: list[bytes] = field(default_factory=list)
    chunks: list[Chunk] = field(default_factory=list)
    end: End | None = None
    size: int = 0

    def take(self, arrival: Arrival) -> None:
        """Add one arrival."""
        if isinstance(arrival, AnswerHead):
            self.head = arrival
        elif isinstance(arrival, Data):
            self.pieces.append(arrival.data)
            self.size += len(arrival.data)
            self.chunks.append(Chunk(end=self.size, at_ms=arrival.at_ms))
        else:
            self.end = arrival

    def cancelled(self) -> End:
        """The end of a send that the user stopped, at the last arrival."""
        last = self.chunks[-1].at_ms if self.chunks else None
        at_ms = last if last is not None else self.head.at_ms if self.head else 0.0
        return End(ending="client-aborted", at_ms=at_ms, problem="cancelled")

    def exchange(self) -> Exchange:
        """The exchange as far as it went."""
        head, end = self.head, self.end
        exchange = Exchange(
            request=self.request,
            started_at=self.started_at,
            duration_ms=end.at_ms if end else None,
            remarks=(end.problem,) if end and end.problem else (),
        )
        if head is None:
            return exchange
        response = Response(
            status=head.status,
            reason=head.reason,
            headers=head.headers,
            http_version=head.http_version,
            body=Body(b"".join(self.pieces)),
            chunks=tuple(self.chunks),
            ending=end.ending if end else "open",
        )
        return replace(exchange, response=response, first_byte_ms=head.at_ms)
