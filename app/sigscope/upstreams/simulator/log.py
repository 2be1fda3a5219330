"""What a simulator remembers of the requests it got, for `GET /_sim/log`."""

from __future__ import annotations

from collections import deque
from dataclasses import asdict

from sigscope.upstreams.simulator.arrival import Incoming
from sigscope.upstreams.simulator.records import Json, Judgement
from sigscope.upstreams.simulator.speech.fading import share_left


class Log:
    """The last requests, oldest first. Bodies and keys are not kept."""

    def __init__(self, limit: int) -> None:
        self._entries: deque[dict[str, Json]] = deque(maxlen=max(1, limit))
        self._count = 0

    def begin(self, incoming: Incoming, unix: float) -> dict[str, Json]:
        """A new entry, to be filled while the request is answered."""
        self._count += 1
        entry: dict[str, Json] = {
            "request": self._count,
            "at": unix,
            "method": incoming.method,
            "path": incoming.path,
            "body_bytes": len(incoming.body),
            "dialect": None,
            "status": None,
            "ended": "open",
        }
        self._entries.append(entry)
        return entry

    def to_json(self) -> Json:
        """All entries as JSON. May be called in a thread while requests come."""
        return {"format": 1, "requests": [dict(entry) for entry in list(self._entries)]}


def describe(judgement: Judgement) -> dict[str, Json]:
    """The judgement of a request as it stands in the log."""
    share = share_left(judgement.lost_turns)
    return {
        "dialect": judgement.dialect,
        "model": judgement.model,
        "surface": judgement.surface or None,
        "streams": judgement.streams,
        "status": judgement.status,
        "rule": judgement.rule or None,
        "error": judgement.error,
        "source": judgement.source or None,
        "pointer": judgement.pointer or None,
        "signatures": [asdict(signature) for signature in judgement.signatures],
        "lost_turns": judgement.lost_turns,
        "summary_share": share,
        "notes": list(judgement.notes),
        "upstream": judgement.upstream,
    }
