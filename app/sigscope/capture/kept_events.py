"""Streams of which each event was kept as an object: put back to a stream.

    {"LastEventID": "", "Type": "message_start", "Data": "{\"type\": ...}"}
    {"event": "message_start", "data": {"type": ...}}

Source of the first: testdata of looplj/axonhub, 2026-11.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sigscope.capture.bodies import REBUILT as PARSED
from sigscope.capture.bodies import Found, text_or_tree
from sigscope.capture.modeljson import is_streamed_json
from sigscope.capture.shape import Tree, mapping, text
from sigscope.capture.source import parse_json
from sigscope.capture.values import text_bytes

REBUILT = "response: the recording keeps each event; the stream around them is rebuilt"

_KEPT = frozenset({"data", "event", "id", "lasteventid", "retry", "type"})
"""All that an event has, in small letters."""


def maybe_stream(trees: Sequence[Tree]) -> Found | None:
    """The stream of such events, and what it lacks; None if they are none of a model's
    API."""
    if not trees or not all(map(is_kept_event, trees)):
        return None
    events = [_lowered(tree) for tree in trees]
    if not any(is_streamed_json(_content(event["data"])) for event in events):
        return None
    return joined(events)


def joined(events: Iterable[Tree]) -> Found:
    """The stream of events with `data`, and a name under `event` or `type`, in any
    letters; and a remark where one of them cannot be spelled, as it is nested too
    deeply."""
    out: list[bytes] = []
    lacks = ""
    for number, tree in enumerate(events, 1):
        event = _lowered(tree)
        content, remark = text_or_tree(event.get("data"))
        if remark not in ("", PARSED):
            lacks = lacks or f"event {number} is empty: {remark}"
        out.append(_as_lines(event, content))
    return b"".join(out), lacks


def _lowered(tree: Tree) -> dict[str, Tree]:
    return {key.lower(): value for key, value in mapping(tree).items()}


def is_kept_event(tree: Tree) -> bool:
    """Whether it may be an event by its members."""
    event = _lowered(tree)
    data = event.get("data")
    if not event.keys() <= _KEPT:
        return False
    return isinstance(data, str) or (isinstance(data, dict) and "event" in event)


def _content(data: Tree) -> Tree:
    return parse_json(data)[0] if isinstance(data, str) else data


def _as_lines(event: Mapping[str, Tree], content: bytes) -> bytes:
    name = text_bytes(text(event.get("event")) or text(event.get("type")))
    lines = [b"data: " + line for line in content.split(b"\n")]
    if name and b"\n" not in name:
        lines.insert(0, b"event: " + name)
    return b"\n".join(lines) + b"\n\n"
