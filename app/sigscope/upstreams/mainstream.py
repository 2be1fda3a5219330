"""What a mainstream client would have seen of a stream.

httpx-sse is what most Python clients of these APIs read streams with. It is given the
very bytes that were recorded, and what it then does not see, or sees differently, is
the difference between "the server sent it" and "my client never got it".

Costs: one more decoding of the body, by a slower decoder.
"""

from __future__ import annotations

from sigscope.records import dataclass
from sigscope.utf8 import readable
from sigscope.wire.events import BOM, INVALID_UTF8, Event, Framed

READER = "httpx-sse"

_LOOK_AHEAD = 8
"""Events of theirs in which ours is looked for; more than a lost line can shift."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenEvent:
    """An event as httpx-sse tells it."""

    name: str
    """"message" where the stream names none."""
    data: str
    id: str
    """The last id seen, also from earlier events."""
    retry: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MainstreamView:
    """All that httpx-sse makes of a body."""

    events: tuple[SeenEvent, ...] = ()
    refusal: str = ""
    """Why it read nothing at all; empty if it read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unseen:
    """A difference between the stream and the mainstream view of it."""

    event: int | None
    """Number of our event; None for what concerns no single one."""
    reason: str
    is_told: bool = False
    """Whether the client is told the event all the same, in another form."""


def mainstream_view(body: bytes, content_type: str) -> MainstreamView:
    """Let httpx-sse read a decoded body that came with this content type."""
    # Together they cost 60 ms to import; who looks at no stream pays nothing.
    import httpx
    from httpx_sse import EventSource, SSEError

    headers = [(b"content-type", content_type.encode("latin-1", "replace"))]
    response = httpx.Response(200, headers=headers, content=body)
    seen: list[SeenEvent] = []
    refusal = ""
    try:
        for event in EventSource(response).iter_sse():
            seen.append(
                SeenEvent(
                    name=event.event, data=event.data, id=event.id, retry=event.retry
                )
            )
    except SSEError:
        kind = content_type.partition(";")[0].strip() or "not given"
        refusal = f"the content type is {kind}, so {READER} refuses the body"
    # A charset may name any codec Python has, and those raise whatever they like.
    except Exception as error:  # noqa: BLE001
        refusal = f"{READER} cannot decode the charset of {content_type!r}: {error!r}"
    return MainstreamView(events=tuple(seen), refusal=refusal)


def unseen(framed: Framed, view: MainstreamView) -> tuple[Unseen, ...]:
    """Name the events that a mainstream client does not see, or sees differently.

    Only streams with data lines are compared; other framings are not read with an SSE
    client at all.
    """
    if framed.framing not in ("sse", "data-lines"):
        return ()
    if view.refusal:
        return (Unseen(event=None, reason=view.refusal),)
    differences: list[Unseen] = []
    at = 0
    for event in framed.events:
        text = readable(event.data)
        ahead = view.events[at : at + _LOOK_AHEAD]
        found = next((n for n, seen in enumerate(ahead) if seen.data == text), None)
        if found is None:
            reason = _why_unseen(event, framed)
            differences.append(Unseen(event=event.number, reason=reason))
            continue
        differences += _phantoms(ahead[:found])
        differences += _seen_differently(event, ahead[found])
        at += found + 1
    return (*differences, *_phantoms(view.events[at:]))


def _why_unseen(event: Event, framed: Framed) -> str:
    if BOM in event.flags:
        return "a byte-order mark stands before it, and its first line is lost with it"
    if framed.framing == "data-lines":
        return "no blank line ends it: its data line is joined with its neighbours"
    if not event.complete:
        return "the body ends before its blank line, so it is dropped"
    return f"{READER} reads other data here"


def _seen_differently(event: Event, seen: SeenEvent) -> list[Unseen]:
    reasons = []
    if (event.name or "message") != seen.name:
        reasons.append(f"its name is {event.name!r}, but {READER} sees {seen.name!r}")
    if INVALID_UTF8 in event.flags:
        reasons.append("it holds bytes that are not UTF-8 and are seen as U+FFFD")
    return [
        Unseen(event=event.number, reason=reason, is_told=True) for reason in reasons
    ]


def _phantoms(extra: tuple[SeenEvent, ...]) -> list[Unseen]:
    reason = f"{READER} tells an event with empty data where the standard tells none"
    return [Unseen(event=None, reason=reason) for seen in extra if not seen.data]
