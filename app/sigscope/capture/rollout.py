"""Rollouts of Codex: what it keeps of a conversation, one item a line.

    {"timestamp": "...", "type": "session_meta", "payload": {"id": "...", ...}}
    {"timestamp": "...", "type": "turn_context", "payload": {"model": "...", ...}}
    {"timestamp": "...", "type": "response_item",
     "payload": {"type": "reasoning", "summary": [], "encrypted_content": "..."}}
    {"timestamp": "...", "type": "compacted",
     "payload": {"message": "...", "replacement_history": [...]}}

Before 0.32 the items stood in the lines themselves, behind one of `id`, `timestamp` and
`instructions`. An item is spelled as it is sent to the Responses API, without its id.
No line tells where a request began: the items become the `input` of one, those of the
model that they end with the `output` of its response. A compaction begins another.
Source: openai/codex, codex-rs/protocol/src/protocol.rs (RolloutItem) and models.rs
(ResponseItem), 2025-12.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sigscope.capture.base import Imported
from sigscope.capture.entries import import_talks
from sigscope.capture.modeljson import is_item
from sigscope.capture.shape import Tree, mapping, sequence, text
from sigscope.capture.source import Source
from sigscope.capture.values import json_bytes, utc_time
from sigscope.exchange import Body, Exchange, Request, Response
from sigscope.records import dataclass
from sigscope.session import Problem

KEPT = (
    "request: put together from the items that Codex keeps; what it sent of them, with"
    " which instructions and tools, is not in a rollout. Whether sealed reasoning was"
    " lost or changed cannot be told: record the traffic (sigscope run -- codex)"
)
LEFT_OUT = (
    "request: {} calls without their output, or outputs without their call, are left"
    " out: a tool was interrupted, and what was sent in its place is not kept"
)
ROLLED_BACK = "request: turns that were taken back later are still in it"
_LINES = frozenset(
    {"session_meta", "response_item", "turn_context", "event_msg", "compacted"}
)
_LOOKED_AT = 50
"""Lines among which there must be an item; others come before it."""
_NOT_SENT = frozenset({"ghost_snapshot", "other"})
"""Items that Codex keeps for itself."""
_OUTPUT = "_output"
"""How the type of an item ends that the client sends in answer to one of the model."""

Item = dict[str, Tree]


@dataclass(slots=True)
class _Talk:
    """A conversation between two compactions."""

    items: list[Item]
    begun: str | None
    model: str = ""
    is_rolled_back: bool = False


def recognise(source: Source) -> bool:
    """Whether one of the first lines is a rollout's, and one of them has an item."""
    if source.is_folder or source.first != "{":
        return False
    if not source.json_error:
        return _item_of(source.json) is not None and _is_line(source.json)
    lines = [line.tree for line in source.json_lines[:_LOOKED_AT]]
    is_known = any(map(_is_line, lines)) or _is_old_begin(lines[0] if lines else None)
    return is_known and any(_item_of(tree) is not None for tree in lines)


def read(source: Source) -> Imported:
    """One exchange for each conversation. Raises InputError where there is none."""
    problems: list[Problem] = []
    talks = [talk for talk in _talks(source, problems) if talk.items]
    none = "the rollout holds no item"
    return import_talks(source, talks, _exchange, problems, none=none)


def _talks(source: Source, problems: list[Problem]) -> Iterator[_Talk]:
    talk = _Talk(items=[], begun=None)
    for where, tree, error in source.entries():
        if error:
            problems.append(Problem(message=f"{error}; left out", where=where))
        parts = mapping(tree)
        kind, payload = text(parts.get("type")), mapping(parts.get("payload"))
        if kind == "turn_context":
            talk.model = text(payload.get("model")) or talk.model
        elif kind == "event_msg":
            talk.is_rolled_back |= payload.get("type") == "thread_rolled_back"
        elif kind == "compacted":
            yield talk
            history = map(mapping, sequence(payload.get("replacement_history")))
            moment = utc_time(parts.get("timestamp"))
            talk = _Talk(items=_sent(history), begun=moment, model=talk.model)
        elif (item := _item_of(tree)) is not None:
            talk.begun = talk.begun or utc_time(parts.get("timestamp"))
            talk.items += _sent([item])
    yield talk


def _is_line(tree: Tree) -> bool:
    parts = mapping(tree)
    return text(parts.get("type")) in _LINES and isinstance(parts.get("payload"), dict)


def _is_old_begin(tree: Tree) -> bool:
    parts = mapping(tree)
    return parts.keys() >= {"id", "timestamp", "instructions"} and "type" not in parts


def _item_of(tree: Tree) -> Item | None:
    """The item that a line brings; None for the others."""
    parts = mapping(tree)
    item = mapping(parts.get("payload")) if _is_line(tree) else parts
    if _is_line(tree) and parts["type"] != "response_item":
        return None
    is_message = item.get("type") == "message" and {"role", "content"} <= item.keys()
    return item if is_message or is_item(item) or _is_line(tree) else None


def _sent(items: Iterable[Item]) -> list[Item]:
    return [item for item in items if text(item.get("type")) not in _NOT_SENT]


def _is_models(item: Item) -> bool:
    kind = text(item.get("type"))
    if kind == "message":
        return item.get("role") == "assistant"
    return not kind.endswith(_OUTPUT)


def _paired(items: list[Item]) -> list[Item]:
    """Without calls that no output answers, and outputs of no call."""
    outputs = {text(item.get("call_id")) for item in items if _is_output(item)}
    called = {text(item.get("call_id")) for item in items if not _is_output(item)}
    both = outputs & called
    return [
        item
        for item in items
        if "call_id" not in item or text(item.get("call_id")) in both
    ]


def _is_output(item: Item) -> bool:
    return text(item.get("type")).endswith(_OUTPUT)


def _exchange(talk: _Talk) -> Exchange:
    end = len(talk.items)
    while end and _is_models(talk.items[end - 1]):
        end -= 1
    sent = _paired(talk.items[:end])
    named: dict[str, Tree] = {"model": talk.model} if talk.model else {}
    request = response = None
    if sent:
        request = Request(body=Body(json_bytes({**named, "input": sent})))
    if answer := talk.items[end:]:
        answered = {"object": "response", **named, "output": answer}
        response = Response(body=Body(json_bytes(answered)))
    remarks = [KEPT]
    if left := end - len(sent):
        remarks.append(LEFT_OUT.format(left))
    if talk.is_rolled_back:
        remarks.append(ROLLED_BACK)
    return Exchange(
        request=request,
        response=response,
        started_at=talk.begun,
        remarks=tuple(remarks),
    )
