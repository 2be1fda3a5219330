"""What a mainstream client has kept of the stream so far.

It reads the bytes with httpx-sse and takes `content` and `tool_calls` from what it is
told, as most clients of these APIs do; in other dialects the same two things by their
own names: visible text, and calls with id, name and arguments. What it never looks at
is the other half of the message.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sigscope.conversation import Reply
from sigscope.exchange import header
from sigscope.reader import Reading
from sigscope.records import dataclass
from sigscope.upstreams.mainstream import Unseen, mainstream_view, unseen


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptCall:
    """A tool call as the client has it."""

    id: str | None
    name: str | None
    arguments: str
    """JSON text, as far as it has come."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """The client's message after an event."""

    content: str | None = None
    """Visible text; None where none has come."""
    calls: tuple[KeptCall, ...] = ()
    finish: str | None = None
    lost_thought: int = 0
    """Characters of readable reasoning that came and were not kept."""
    lost_signatures: tuple[str, ...] = ()
    """SHA-256 of the signatures that came and were not kept, in order of arrival."""
    kept_signatures: tuple[str, ...] = ()
    """Those that ride in the id of a call, and are kept with it."""
    unseen: tuple[int, ...] = ()
    """Events up to here that httpx-sse does not tell its client."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MainstreamReader:
    """How httpx-sse reads a response."""

    is_read: bool = True
    """False where the framing is no SSE: nobody would use this reader."""
    refusal: str = ""
    """Why it tells nothing at all; empty if it reads."""
    missing: Mapping[int, str]
    """Events it does not tell, and why."""
    differing: Mapping[int, str]
    """Events it tells otherwise, and how."""
    remarks: tuple[str, ...] = ()
    """What it makes of the stream that belongs to no event of ours."""


def read_mainstream(reading: Reading) -> MainstreamReader:
    """Let httpx-sse read a response. Costs a decoding of the body by that reader."""
    framed = reading.framed
    if framed.framing not in ("sse", "data-lines"):
        return MainstreamReader(is_read=False, missing={}, differing={})
    response = reading.exchange.response
    kind = header(response.headers, "content-type") if response else None
    view = mainstream_view(reading.response_body.data, kind or "text/event-stream")
    differences = unseen(framed, view)
    if view.refusal:
        missing = {event.number: view.refusal for event in framed.events}
        return MainstreamReader(refusal=view.refusal, missing=missing, differing={})
    about = [found for found in differences if found.event is not None]
    missing = {d.event: d.reason for d in about if d.event and not d.is_told}
    differing = {d.event: d.reason for d in about if d.event and d.is_told}
    return MainstreamReader(
        missing=missing, differing=differing, remarks=_remarks(differences)
    )


def _remarks(differences: Sequence[Unseen]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(d.reason for d in differences if d.event is None))


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrived:
    """A signature on the way to the client."""

    event: int
    sha256: str
    value: str
    is_provisional: bool = False
    """Whether a later event brings another in its place: nobody has to keep it."""


def kept_of(
    seen: Reply, sent: Reply, arrived: Sequence[Arrived], unseen: Sequence[int]
) -> Kept:
    """What the client has. `seen`: the reply made of the events it was told; `sent`:
    that of all events so far; `arrived`: the signatures these brought; `unseen`: those
    of these that it was not told."""
    message = seen.message
    calls = tuple(
        KeptCall(id=part.call_id, name=part.name, arguments=part.arguments)
        for part in (message.calls if message else ())
    )
    ids = [call.id for call in calls if call.id]
    kept = {a.sha256 for a in arrived if any(a.value in held for held in ids)}
    return Kept(
        content=(message.text or None) if message else None,
        calls=calls,
        finish=seen.finish,
        lost_thought=len(sent.message.thoughts) if sent.message else 0,
        lost_signatures=tuple(
            a.sha256 for a in arrived if a.sha256 not in kept and not a.is_provisional
        ),
        kept_signatures=tuple(a.sha256 for a in arrived if a.sha256 in kept),
        unseen=tuple(unseen),
    )
