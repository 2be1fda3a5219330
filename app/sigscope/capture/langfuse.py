"""Observations of Langfuse: exports of its screens, answers of its API.

    {"id": "...", "traceId": "...", "type": "GENERATION", "model": "x",
     "startTime": "...", "endTime": "...", "level": "DEFAULT", "statusMessage": null,
     "modelParameters": {...}, "input": {"messages": [...], "tools": [...]},
     "output": {"role": "assistant", ...}}

They stand in a list, one a line, under `data`, or under `observations` of a trace.
Input and output may be JSON in a text. Observations of other types are passed over.
What the SDK's wrapper of OpenAI keeps of an answer is text and calls. Source:
api.reference.langfuse.com (GET /api/public/observations), langfuse.com/docs, "Export
from UI" (both read 2026-11), and uploads of langfuse 5.0.4.
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.capture.base import Imported
from sigscope.capture.exported_calls import (
    arguments_of,
    between,
    entries,
    exchange_of,
    parsed,
)
from sigscope.capture.shape import Tree, mapping, sequence, text
from sigscope.capture.source import Source
from sigscope.capture.values import utc_time
from sigscope.errors import InputError
from sigscope.exchange import Exchange
from sigscope.session import Problem

_TYPES = frozenset({"AGENT", "CHAIN", "EVENT", "GENERATION", "SPAN", "TOOL"})
_DEEPEST = 3
"""Pages hold traces, and these observations."""
_KNOWN = frozenset(
    {"role", "content", "tool_calls", "function_call", "refusal", "audio"}
)


def recognise(source: Source) -> bool:
    """Whether the first entry is an observation, or holds some."""
    if source.first not in ("{", "["):
        return False
    first = next((tree for _, tree, _ in entries(source, "observations", "data")), None)
    return any(True for _ in _observations(first))


def read(source: Source) -> Imported:
    """Read every generation. Raises InputError where there is none with messages."""
    problems: list[Problem] = []
    found: list[tuple[str, Exchange]] = []
    others = 0
    for where, tree, error in entries(source, "observations", "data"):
        if error:
            problems.append(Problem(message=f"{error}; left out", where=where))
        for observation in _observations(tree):
            exchange = _exchange(observation)
            if exchange is None:
                others += 1
            else:
                found.append((exchange.started_at or "", exchange))
    if not found:
        raise InputError(
            f"none of its {others} observations has the messages of a generation",
            path=source.name,
        )
    if others:
        message = f"{others} observations that are no generations left out"
        problems.append(Problem(message=message))
    # Its tables show the newest first.
    found.sort(key=lambda each: each[0])
    exchanges = tuple(exchange for _, exchange in found)
    return Imported(exchanges=exchanges, problems=tuple(problems))


def _observations(tree: Tree, depth: int = 0) -> Iterator[dict[str, Tree]]:
    parts = mapping(tree)
    is_told = {"traceId", "trace_id", "startTime", "start_time"} & parts.keys()
    if text(parts.get("type")) in _TYPES and is_told and "input" in parts:
        yield parts
    if depth < _DEEPEST:
        for key in ("data", "observations"):
            for item in sequence(parts.get(key)):
                yield from _observations(item, depth + 1)


def _exchange(parts: dict[str, Tree]) -> Exchange | None:
    if parts.get("type") != "GENERATION":
        return None
    asked = arguments_of(parsed(parts.get("input")))
    if not asked:
        return None
    model = text(parts.get("model")) or text(parts.get("providedModelName"))
    if model and "model" not in asked:
        asked = {"model": model, **asked}
    answered = parsed(parts.get("output"))
    is_cut = mapping(answered).keys() <= _KNOWN
    began = _time(parts, "start")
    ended = _time(parts, "end")
    is_error = parts.get("level") == "ERROR"
    return exchange_of(
        asked,
        answered,
        error=text(parts.get("statusMessage", parts.get("status_message"))) * is_error,
        began=began,
        took_ms=between(began, ended),
        is_whole=not is_cut,
    )


def _time(parts: dict[str, Tree], which: str) -> str | None:
    return utc_time(parts.get(f"{which}Time", parts.get(f"{which}_time")))
