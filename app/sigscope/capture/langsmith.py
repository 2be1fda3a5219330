"""Runs of LangSmith: its API's answers, exports one a line, and what its SDK uploads.

    {"id": "...", "run_type": "llm", "name": "ChatOpenAI", "error": null,
     "start_time": "...", "end_time": "...",
     "inputs": {"messages": [...], "model": "x", "tools": [...]},
     "outputs": {"choices": [...]}}

They stand alone, in a list, one a line, under `runs`, or under `post` and `patch`. Runs
of other types (chains, tools) are passed over. LangChain's runs keep its own messages
(`generations`), which are written as chat messages again. Source: uploads of langsmith
0.15.0 (2026-11); docs.langchain.com, "Run (span) data format".
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.capture.base import Imported
from sigscope.capture.exported_calls import (
    arguments_of,
    between,
    entries,
    error_words,
    exchange_of,
    parsed,
)
from sigscope.capture.shape import Tree, mapping, sequence, text
from sigscope.capture.source import Source
from sigscope.capture.values import json_bytes, utc_time
from sigscope.errors import InputError
from sigscope.exchange import Exchange
from sigscope.session import Problem
from sigscope.utf8 import readable

_HOLDERS = ("runs", "post", "patch", "child_runs")
_TYPES = ("llm", "prompt")
_ROLES = {
    "ai": "assistant",
    "assistant": "assistant",
    "chat": "user",
    "function": "function",
    "human": "user",
    "system": "system",
    "tool": "tool",
}
_LANGCHAIN = "LangChain's own messages, written as chat messages: not what was sent"


def recognise(source: Source) -> bool:
    """Whether the first entry is a run, or holds some."""
    if source.first not in ("{", "["):
        return False
    first = next(
        (tree for _, tree, _ in entries(source, "runs", "post", "patch")), None
    )
    return any(True for _ in _runs(first, 0))


def read(source: Source) -> Imported:
    """Read every run of a model. Raises InputError where there is none."""
    problems: list[Problem] = []
    runs: dict[str, dict[str, Tree]] = {}
    for where, tree, error in entries(source, "runs", "post", "patch"):
        if error:
            problems.append(Problem(message=f"{error}; left out", where=where))
        for run in _runs(tree, 0):
            # An upload may tell the begin of a run, and later its end.
            known = runs.setdefault(text(run.get("id")) or f"{where} {len(runs)}", {})
            known.update({key: run[key] for key in run if run[key] not in (None, {})})
    models = [run for run in runs.values() if run.get("run_type") in _TYPES]
    models.sort(key=lambda run: utc_time(run.get("start_time")) or "")
    exchanges = [made for run in models if (made := _exchange(run)) is not None]
    others = len(runs) - len(exchanges)
    if not exchanges:
        raise InputError(
            f"none of its {others} runs has the messages of a call of a model",
            path=source.name,
        )
    if others:
        message = f"{others} runs that are no calls of a model (chains, tools) left out"
        problems.append(Problem(message=message))
    return Imported(exchanges=tuple(exchanges), problems=tuple(problems))


def _runs(tree: Tree, depth: int) -> Iterator[dict[str, Tree]]:
    parts = mapping(tree)
    if isinstance(parts.get("run_type"), str):
        yield parts
    if depth < 100:
        for key in _HOLDERS:
            for item in sequence(parts.get(key)):
                yield from _runs(item, depth + 1)


def _exchange(run: dict[str, Tree]) -> Exchange | None:
    inputs, outputs = parsed(run.get("inputs")), parsed(run.get("outputs"))
    remarks: tuple[str, ...] = ()
    asked = arguments_of(inputs)
    answered: Tree = outputs
    own = _langchain(mapping(inputs).get("messages"))
    generation = _generation(outputs)
    if own is not None:
        invoked = mapping(mapping(run.get("extra")).get("invocation_params"))
        model = invoked.get("model", invoked.get("model_name"))
        asked = {"model": model} if model else {}
        asked |= {"messages": own}
        asked |= {"tools": invoked["tools"]} if invoked.get("tools") else {}
        remarks = (_LANGCHAIN,)
    if generation is not None:
        answered = generation
    elif mapping(outputs).keys() == {"output"}:
        answered = mapping(outputs)["output"]
    if not asked:
        return None
    began, ended = utc_time(run.get("start_time")), utc_time(run.get("end_time"))
    return exchange_of(
        asked,
        answered,
        error=error_words(run.get("error")),
        began=began,
        took_ms=between(began, ended),
        remarks=remarks,
        is_whole=own is None and generation is None,
    )


def _generation(outputs: Tree) -> Tree:
    """The message of the first generation; None where there are none."""
    batch = sequence(mapping(outputs).get("generations"))
    first = batch[0] if batch else None
    first = sequence(first)[0] if sequence(first) else first
    message = mapping(first).get("message")
    return _message(message) if message is not None else None


def _langchain(messages: Tree) -> list[Tree] | None:
    """LangChain's messages as chat messages; None where they are none of its own."""
    items = sequence(messages)
    if len(items) == 1 and isinstance(items[0], list):
        items = items[0]
    if not items or not any("kwargs" in mapping(i) or _is_typed(i) for i in items):
        return None
    return [_message(item) for item in items]


def _is_typed(tree: Tree) -> bool:
    parts = mapping(tree)
    return (
        "role" not in parts and text(parts.get("type")) in _ROLES and "content" in parts
    )


def _message(tree: Tree) -> Tree:
    outer = mapping(tree)
    parts = mapping(outer.get("kwargs")) or mapping(outer.get("data")) or outer
    name = sequence(outer.get("id"))
    kind = text(parts.get("type")) or text(outer.get("type"))
    if name and kind not in _ROLES:
        kind = text(name[-1]).removesuffix("Chunk").removesuffix("Message").lower()
    made: dict[str, Tree] = {"role": _ROLES.get(kind, "user")}
    made["content"] = parts.get("content")
    if parts.get("tool_call_id"):
        made["tool_call_id"] = parts["tool_call_id"]
    extra = mapping(parts.get("additional_kwargs"))
    calls = [_call(call) for call in sequence(parts.get("tool_calls"))]
    if calls:
        made["tool_calls"] = extra.pop("tool_calls", None) or calls
    return {**made, **{key: value for key, value in extra.items() if key not in made}}


def _call(tree: Tree) -> Tree:
    parts = mapping(tree)
    if "function" in parts:
        return parts
    try:
        arguments = readable(json_bytes(parts.get("args")))
    except ValueError:
        arguments = ""
    function = {"name": parts.get("name"), "arguments": arguments}
    return {"id": parts.get("id"), "type": "function", "function": function}
