"""The exchange of one line, its bodies bound to their places in the body space.

The bodies of a line as written are left alone until they are asked for. Those of any
other line are put together at once, so that what is wrong with them is known; so are
bodies that copy from these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from sigscope.errors import InputError
from sigscope.exchange import Body, Chunk, Exchange
from sigscope.store.chunks import StoredChunks
from sigscope.store.decode import decode_exchange
from sigscope.store.lines import bodies_of, unpack
from sigscope.store.models import (
    Bodies,
    BodyPlace,
    RunHead,
    RunLine,
    StepHead,
    StepLine,
    StoredBody,
)
from sigscope.store.space import Altered, BodySpace, Place, Side

FetchLine = Callable[[], bytes]


def read_exchange(
    head: StepHead | RunHead, fetch: FetchLine, where: str, space: BodySpace
) -> tuple[Exchange, list[str]]:
    """The exchange, and what is wrong with it.

    A head alone (no `StepLine`, no `RunLine`) comes from a line as written. `fetch`
    gives that line whenever its bodies are needed.
    """
    request, response = head.exchange.request, head.exchange.response
    bodies = head.bodies if isinstance(head, StepLine | RunLine) else None
    reader = _Reader(space, fetch, where)
    if request:
        reader.add("request", request.body, bodies)
    if response:
        reader.add("response", response.body, bodies)
    chunks = reader.chunks(response.chunks, bodies) if response else ()
    exchange = decode_exchange(head.exchange, reader.bodies, chunks, reader.problems)
    return exchange, reader.problems


@dataclass(slots=True)
class _Reader:
    space: BodySpace
    fetch: FetchLine
    where: str
    bodies: dict[Side, Body] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def add(self, side: Side, told: BodyPlace | None, bodies: Bodies | None) -> None:
        """Bind one body to its place; `bodies` are those of a line not as written."""
        if bodies is None:
            if told:
                place = self._place(side, told)
                self._bind(place, check=self.space.is_doubtful(place.needs))
            return
        stored = bodies.request if side == "request" else bodies.response
        if stored and (stored.text or stored.base64 or stored.copies):
            self._bind(self._worked_out_place(side, told, stored), check=True)
        elif told and told.size:
            self.problems.append(f"the {side} body is missing")

    def chunks(self, count: int, bodies: Bodies | None) -> Sequence[Chunk]:
        """Arrivals of the response body; none if the body is lost."""
        if "response" not in self.bodies:
            return ()
        if bodies is None:
            return StoredChunks(count, partial(_load_pairs, self.fetch, self.where))
        pairs = bodies.response.chunks if bodies.response else ()
        chunks = StoredChunks(len(pairs) // 2, lambda: pairs)
        try:
            return tuple(chunks)
        except OverflowError:
            self.problems.append("the arrival times are out of all bounds")
            return ()

    def _place(self, side: Side, told: BodyPlace) -> Place:
        return Place(
            key=self.space.free_key(told.at),
            at=told.at,
            size=told.size,
            crc=told.crc,
            needs=told.needs,
            side=side,
            line=self.fetch,
            where=self.where,
        )

    def _worked_out_place(
        self, side: Side, told: BodyPlace | None, stored: StoredBody
    ) -> Place:
        """What a line says about a body may be wrong, or not be there at all."""
        at = told.at if told else self.space.end
        copied = sum(stored.copies[2::3])
        try:
            size = len(unpack(stored.model_dump())) + copied
        except ValueError:
            size = copied
        return Place(
            key=self.space.free_key(at) if told else self.space.spare_key(),
            at=at,
            size=told.size if told else size,
            crc=told.crc if told else None,
            needs=self.space.needed(stored.copies, at),
            side=side,
            line=self.fetch,
            where=self.where,
        )

    def _bind(self, place: Place, *, check: bool) -> None:
        self.space.add(place)
        size = place.size
        missing = [need for need in place.needs if need not in self.space]
        try:
            if missing:
                raise InputError(
                    f"the {place.side} body is lost: it repeats parts of a line that"
                    " cannot be read"
                )
            if check:
                self.space.load(place.key)
        except Altered as error:
            self.problems.append(error.problem)
            size = len(error.data)
            self.space.accept(place.key, size)
        except InputError as error:
            self.problems.append(error.problem)
            self.space.forget(place.key)
            return
        load = partial(self.space.load, place.key)
        self.bodies[place.side] = Body(load=load, size=size, keep=False)


def _load_pairs(fetch: FetchLine, where: str) -> Sequence[int]:
    try:
        pairs: Sequence[int] = bodies_of(fetch())["response"]["chunks"]
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{where}: the arrival times cannot be read") from error
    return pairs
