"""A recorded step as the beginning of another conversation.

    fork = Fork(document, 2, edits)
    HeldConversation(ConversationOrder(policy=..., turns=..., fork=fork))

What was recorded before the step comes along, so that its signatures have an origin;
the step itself is sent anew, with edits, and what follows is a policy's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from sigscope.converse.continuedrequest import ContinuedRequest
from sigscope.converse.shapes import ConversationShape
from sigscope.converse.speeches.registry import names
from sigscope.edits.apply import apply_to_request
from sigscope.edits.notation import describe
from sigscope.edits.records import Edit, Op
from sigscope.engine.sending.simulation import config_for, default_path
from sigscope.engine.sessions.document import Document
from sigscope.errors import UsageError
from sigscope.exchange import Body, Request
from sigscope.jsontext import JsonText
from sigscope.reader import Reading
from sigscope.records import dataclass
from sigscope.session import Note, Session, Step
from sigscope.upstreams.simulator import SimConfig
from sigscope.wire.bodies import decode

MOST_EDITS = 8
"""Edits that the story quotes."""
LONGEST = 50
"""Turns that a step is continued for."""


@dataclass(frozen=True)
class Fork:
    """A step, and the edits it is sent with."""

    document: Document
    step: int
    edits: tuple[Edit, ...] = ()
    keeps_edits: bool = True
    """Whether later requests bring the history as edited; else as it was recorded."""
    parent: int | None = None
    """The run whose request the edits are made to; None: the step as recorded."""

    @cached_property
    def reading(self) -> Reading:
        """The step as recorded. Raises UsageError where it cannot be gone on from."""
        reading = self.document.reading(self.step)
        self.document.request(self.step)
        if self.dialect_of(reading) not in names():
            spoken = ", ".join(names())
            raise UsageError(
                f"step {self.step} cannot be continued: it speaks"
                f" {self.dialect_of(reading) or 'nothing that is recognised'}, and the"
                f" clients here speak {spoken}. If it speaks one of these, say so with"
                " --dialect NAME"
            )
        if not reading.has_messages:
            raise UsageError(
                f"step {self.step} has no conversation that could go on; choose a step"
                " that asks a model"
            )
        return reading

    @staticmethod
    def dialect_of(reading: Reading) -> str:
        """Its dialect; empty where it is not known."""
        return reading.dialect.name if reading.dialect is not None else ""

    @property
    def dialect(self) -> str:
        """The API that it speaks."""
        return self.dialect_of(self.reading)

    @property
    def model(self) -> str:
        return self.reading.conversation.model

    @property
    def streams(self) -> bool:
        """Whether it asks for a stream."""
        return self.reading.conversation.streams

    @property
    def tools(self) -> tuple[str, ...]:
        """Names of the tools that its client offers."""
        return self.reading.conversation.tools

    @property
    def tool(self) -> str:
        """The one to ask for: one that reads, since the words speak of files, else the
        first; empty where its client offers none."""
        reading = [name for name in self.tools if "read" in name.lower()]
        return next(iter((*reading, *self.tools)), "")

    def turns(self, count: int) -> tuple[str, ...]:
        """What the user says in `count` turns, after the first, which is the step's
        own. Raises UsageError."""
        if not 1 <= count <= LONGEST:
            raise UsageError(f"a step is continued for 1 to {LONGEST} turns")
        shape = ConversationShape(stream=self.streams, calls="single")
        return shape.turns(count, self.tool)[: count - 1]

    @cached_property
    def ground(self) -> ContinuedRequest:
        """What the conversation goes on from. Raises EditError."""
        reading = self.reading
        assert reading.dialect is not None
        edited = _edited(self._base(self.parent), self.edits)
        pointer, _ = reading.dialect.history(reading.request_json)
        behind = _plain(edited if self.keeps_edits else self._base(None))
        return ContinuedRequest(
            request=_listed(behind, pointer),
            first=edited,
            history=pointer,
            results=_results(reading),
        )

    def _base(self, run: int | None) -> Request:
        """The step as recorded, or a run's request, with an address."""
        request = self.document.request(self.step, run)
        return replace(request, url=request.url or default_path(self.reading))

    @cached_property
    def lineage(self) -> tuple[tuple[Document, tuple[Edit, ...]], ...]:
        """The edits by which the request came about, those of the first run in front;
        each with the session as it was edited there: a run in the place of its step.
        Raises UsageError."""
        found = [(self._in_place(self.parent), self.edits)]
        number = self.parent
        while number is not None:
            run = self.document.run(number)
            found.insert(0, (self._in_place(run.parent), run.edits))
            number = run.parent
        return tuple(found)

    def _in_place(self, run: int | None) -> Document:
        """The session with a run in the place of the step; itself for None."""
        if run is None:
            return self.document
        exchange = self.document.run(run).exchange
        if exchange.request is not None:
            # At the recorded address: what is spoken is told by that, too.
            url = self.document.request(self.step).url
            exchange = replace(exchange, request=replace(exchange.request, url=url))
        own = self.document.step(self.step)
        other = replace(own, id=f"{own.id}-run-{run}", exchange=exchange)
        session = self.document.session
        steps = tuple(other if s.number == self.step else s for s in session.steps)
        return self.document.over(replace(session, steps=steps))

    def config(self, base: SimConfig | None = None) -> SimConfig:
        """The simulator in the place of the step's service. Raises UsageError."""
        return config_for(self.document, self.reading, base)

    @property
    def earlier(self) -> tuple[Step, ...]:
        return tuple(s for s in self.document.steps if s.number < self.step)

    @property
    def origin(self) -> str:
        """ "step 2 of tool-loop.session.jsonl (session 4f2a...)"."""
        session = self.document.session
        name = Path(session.path).name if session.path else session.title
        named = f" of {name}" if name else ""
        return f"step {self.step}{named} (session {session.id})"

    @property
    def words(self) -> str:
        """What was changed, for the story."""
        run = f"as in run {self.parent}" if self.parent is not None else ""
        if not self.edits:
            return run or "as it was recorded"
        told = [describe(edit) for edit in self.edits[:MOST_EDITS]]
        more = len(self.edits) - len(told)
        rest = f" and {more} more" if more > 0 else ""
        edits = f"with these edits: {'; '.join(told)}{rest}"
        return f"{run}, and {edits}" if run else edits

    def provenance(self, session: Session) -> Session:
        """The session with what it comes from: steps, redaction, who spoke what."""
        own = self.document.session
        note = Note(
            text=f"Continues {self.origin}, sent again {self.words}.",
            at=session.created_at,
            step=self.step,
        )
        return replace(
            session,
            steps=self.earlier,
            redaction=own.redaction,
            spoken=[s for s in own.spoken if s.step is None or s.step <= self.step],
            notes=[note],
        )


def _edited(request: Request, edits: Sequence[Edit]) -> Request:
    body = decode(request.body.raw, request.headers)
    return apply_to_request(edits, request, decoded=body.data if body.codings else None)


def _plain(request: Request) -> Request:
    """Without content codings: entries are written behind it."""
    body = decode(request.body.raw, request.headers)
    if not body.codings:
        return request
    headers = tuple(
        (name, str(len(body.data)) if name.lower() == "content-length" else value)
        for name, value in request.headers
        if name.lower() != "content-encoding"
    )
    return replace(request, headers=headers, body=Body(body.data))


def _listed(request: Request, pointer: str) -> Request:
    """With a history that can grow: Responses takes a text for a list of one."""
    text = JsonText(request.body.raw)
    node = text.maybe_locate(pointer)
    if node is None or node.kind != "string":
        return request
    said = text.text(node).decode("utf-8", "replace")
    value = f'[{{"role":"user","content":{said}}}]'
    return apply_to_request((Edit(op=Op.SET, pointer=pointer, value=value),), request)


def _results(reading: Reading) -> dict[str, str]:
    """What tools returned, the last of each name."""
    found: dict[str, str] = {}
    calls: dict[str, str] = {}
    for message in reading.conversation.messages:
        calls |= {c.call_id: c.name or "" for c in message.calls if c.call_id}
        for result in message.results:
            name = result.name or calls.get(result.call_id or "", "")
            if name and result.text:
                found[name] = result.text
    return found
