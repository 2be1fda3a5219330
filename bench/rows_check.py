"""What the rules cost, beside merely parsing the same JSON."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from sigscope.dialects.registry import DIALECTS
from sigscope.engine.document import Document
from sigscope.engine.opening import open_file
from sigscope.exchange import Body, Exchange, Request
from sigscope.session import Session, Step

SESSIONS = Path(__file__).parents[1] / "sessions"
STEPS = 60
FILLER = 20_000
"""Characters of tool result added per step, as agents send them."""


def rows() -> Iterator[dict[str, Any]]:
    """`check` on a long conversation."""
    steps = _long_conversation()
    bodies = [step.exchange.request.body.raw for step in steps if step.exchange.request]
    size = sum(map(len, bodies)) / 1e6
    yield {
        "name": f"check: {len(steps)} steps, {size:.0f} MB of requests",
        "ours": lambda: _time(lambda: Document(_session(steps), DIALECTS).findings),
        "references": {
            "json.loads": lambda: _time(lambda: [json.loads(b) for b in bodies])
        },
        "ratio": 3.0,
        "rounds": 5,
    }


def _time(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def _session(steps: list[Step]) -> Session:
    return Session(id="bench", steps=tuple(steps))


def _long_conversation() -> list[Step]:
    """A bundled request, grown by tool results until it is as long as agents' are."""
    session = open_file(SESSIONS / "zed-copilot-final-fix.session.jsonl")
    last = session.steps[-1].exchange
    assert last.request is not None
    body = json.loads(last.request.body.raw)
    turn = [m for m in body["messages"] if m["role"] != "system"]
    made: list[Step] = []
    for number in range(1, STEPS + 1):
        for message in turn:
            grown = dict(message)
            if grown["role"] == "tool":
                grown["content"] = "line of a file\n" * (FILLER // 15)
            body["messages"].append(grown)
        raw = json.dumps(body).encode()
        request = Request(
            method=last.request.method,
            url=last.request.url,
            headers=last.request.headers,
            body=Body(raw=raw),
        )
        exchange = Exchange(request=request, response=last.response)
        made.append(Step(number=number, id=f"s{number}", exchange=exchange))
    return made
