"""How a captured signature gets from the provider's code to the message store.

Zed's notes name three ways to close the gap between the stream and the message: an
event of its own, riding on the tool use events, a table beside the stream. They are
three architectures here, too, and give the same wire bytes for messages with calls. The
gap itself, where the provider knows and nobody is told, is the fourth; a store that
removes what it was told is the fifth.

    provider: emit(heard) -> events    agent: collect(events) -> reply
    provider, next request: recall(reply) -> what to write
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Protocol

from sigscope.converse.memory import Captured, Heard, RememberedReply, ReplyPiece
from sigscope.converse.policy import FlowName
from sigscope.records import dataclass


@dataclass(frozen=True, slots=True)
class SaidPiece:
    """Text or reasoning was said."""

    piece: ReplyPiece


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A tool is to be used."""

    piece: ReplyPiece
    state: tuple[Captured, ...] = ()
    """What the provider lays on the event; empty if it lays nothing."""


@dataclass(frozen=True, slots=True)
class ReasoningState:
    """Signatures of the whole message, told apart from calls."""

    state: tuple[Captured, ...]


Event = SaidPiece | ToolUse | ReasoningState


class Flow(Protocol):
    def emit(self, heard: Heard) -> Iterator[Event]:
        """The provider tells the agent what it heard."""
        ...

    def collect(self, events: Iterable[Event]) -> RememberedReply:
        """The agent makes a message of it, and stores it."""
        ...

    def recall(self, reply: RememberedReply) -> tuple[Captured, ...]:
        """The provider, building the next request: what goes with this message."""
        ...


def open_flow(name: FlowName) -> Flow:
    """A flow for one conversation; it may remember."""
    return FLOWS[name]()


def _tell(heard: Heard) -> Iterator[SaidPiece | ToolUse]:
    for piece in heard.pieces:
        yield ToolUse(piece) if piece.kind == "call" else SaidPiece(piece)


class EventFlow:
    """Option A: an event of its own, which the agent attaches to the message."""

    def emit(self, heard: Heard) -> Iterator[Event]:
        yield from _tell(heard)
        if heard.captured:
            yield ReasoningState(heard.captured)

    def collect(self, events: Iterable[Event]) -> RememberedReply:
        pieces: list[ReplyPiece] = []
        state: tuple[Captured, ...] = ()
        for event in events:
            if isinstance(event, ReasoningState):
                state += event.state
            else:
                pieces.append(event.piece)
        return RememberedReply(pieces=tuple(pieces), captured=state)

    def recall(self, reply: RememberedReply) -> tuple[Captured, ...]:
        return reply.captured


class ToolUseFlow:
    """Option B: on every tool use event; the message takes it from the first.

    Each event carries all of the message's, since they are told one at a time. A reply
    without calls has no event to lay it on.
    """

    def emit(self, heard: Heard) -> Iterator[Event]:
        for event in _tell(heard):
            if isinstance(event, ToolUse):
                yield ToolUse(event.piece, heard.captured)
            else:
                yield event

    def collect(self, events: Iterable[Event]) -> RememberedReply:
        told = [e for e in events if not isinstance(e, ReasoningState)]
        uses = [event for event in told if isinstance(event, ToolUse)]
        return RememberedReply(
            pieces=tuple(event.piece for event in told),
            captured=uses[0].state if uses else (),
        )

    def recall(self, reply: RememberedReply) -> tuple[Captured, ...]:
        return reply.captured


class SideTableFlow:
    """Option C: the provider keeps it, and finds it again by the calls' ids."""

    def __init__(self) -> None:
        self._table: dict[tuple[str, ...], tuple[Captured, ...]] = {}

    def emit(self, heard: Heard) -> Iterator[Event]:
        if heard.calls:
            self._table[_key(heard.calls)] = heard.captured
        yield from _tell(heard)

    def collect(self, events: Iterable[Event]) -> RememberedReply:
        told = [e for e in events if not isinstance(e, ReasoningState)]
        return RememberedReply(pieces=tuple(event.piece for event in told))

    def recall(self, reply: RememberedReply) -> tuple[Captured, ...]:
        return self._table.get(_key(reply.calls), ()) if reply.calls else ()


def _key(calls: Iterable[ReplyPiece]) -> tuple[str, ...]:
    """Ids, and what is called where there are none."""
    return tuple(c.call_id or f"{c.name} {c.arguments}" for c in calls)


class NeverFlow(EventFlow):
    """Captured and never emitted: the bug of zed#43024. The field exists in all types,
    and `message.reasoning_details` is always empty."""

    def __init__(self) -> None:
        self._mapper: tuple[Captured, ...] = ()

    def emit(self, heard: Heard) -> Iterator[Event]:
        self._mapper = heard.captured
        yield from _tell(heard)


class StrippedFlow(EventFlow):
    """Emitted, collected, and removed when the transcript is stored (Jan #7009)."""

    def collect(self, events: Iterable[Event]) -> RememberedReply:
        return replace(super().collect(events), captured=())


FLOWS: dict[FlowName, type[Flow]] = {
    "event": EventFlow,
    "tool-use": ToolUseFlow,
    "side-table": SideTableFlow,
    "never": NeverFlow,
    "stripped": StrippedFlow,
}
