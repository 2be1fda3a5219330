"""Transcripts of Claude Code: what it keeps of a conversation, one message a line.

    {"type":"user","uuid":"b","parentUuid":"a","isSidechain":false,
     "message":{"role":"user","content":"..."}}
    {"type":"assistant","uuid":"c","requestId":"req_1",
     "message":{"id":"msg_1","model":"...","content":[{"type":"thinking",...}]}}
    {"type":"assistant","uuid":"d","message":{"id":"msg_1",...}}    its next block

What `claude -p --output-format stream-json` prints is the same with `session_id`, and
`parent_tool_use_id` where an agent of its own speaks; the prompt is not in it. With
`json` and `--verbose` it is one list, as anthropics/claude-code-action keeps it.

An answer stands in as many lines as it has blocks, under one id; the results of tools
that ran side by side come a line each, some between the calls. They are joined. No line
tells what was sent: the messages become one request, and the answer they end with its
response. What an agent of its own said (`agentId`) and what came after a compaction is
one more of each.
Source: the files in ~/.claude/projects (version 2.1, 2026-02), as read by
daaain/claude-code-log.
"""

from __future__ import annotations

from itertools import takewhile

from sigscope.capture.base import Imported
from sigscope.capture.entries import import_talks
from sigscope.capture.modeljson import ROLES
from sigscope.capture.shape import Tree, mapping, sequence, text
from sigscope.capture.source import Source
from sigscope.capture.values import json_bytes, utc_time
from sigscope.errors import InputError
from sigscope.exchange import Body, Exchange, Request, Response
from sigscope.session import Problem

KEPT = (
    "request: put together from the messages that Claude Code keeps; what it sent of"
    " them, with which system prompt and tools, is not in a transcript. Whether a"
    " signature was lost or changed cannot be told: record the traffic (sigscope run --"
    " claude)"
)
LEFT_OUT = (
    "request: {} calls without their result, or results without their call, are left"
    " out: a tool was interrupted, and what was sent in its place is not kept"
)
_MARKS = (frozenset({"uuid", "sessionId"}), frozenset({"session_id"}))
"""Members of a line of a file, and of what is printed."""
_AGENTS = ("agentId", "parent_tool_use_id")
_NOT_SENT = ("isApiErrorMessage", "isVisibleInTranscriptOnly")
_INVENTED = "<synthetic>"
"""The model of lines that Claude Code wrote itself."""
_LOOKED_AT = 50
"""Lines among which there must be a message; others come before it."""
_PIECES_APART = 200
"""Messages that may stand between the pieces of one answer."""

Message = dict[str, Tree]


def recognise(source: Source) -> bool:
    """Whether one of the first lines brings a message of such a conversation."""
    if source.is_folder or source.first not in ("{", "["):
        return False
    if source.json_error:
        return any(_is_line(line.tree) for line in source.json_lines[:_LOOKED_AT])
    tree = source.json
    return any(map(_is_line, tree[:_LOOKED_AT] if isinstance(tree, list) else [tree]))


def read(source: Source) -> Imported:
    """One exchange for each conversation. Raises InputError where there is none."""
    problems: list[Problem] = []
    talks: dict[tuple[str, int], list[Message]] = {}
    model, part = "", 0
    begun: dict[tuple[str, int], str | None] = {}
    for where, tree, error in source.entries():
        if error:
            problems.append(Problem(message=f"{error}; left out", where=where))
        parts = mapping(tree)
        part += parts.get("subtype") == "compact_boundary"
        if _is_line(tree) and not any(map(parts.get, _NOT_SENT)):
            agents = (text(parts.get(key)) for key in _AGENTS)
            place = (next(filter(None, agents), ""), part)
            talk = talks.setdefault(place, [])
            begun.setdefault(place, utc_time(parts.get("timestamp")))
            message = mapping(parts["message"])
            model = text(message.get("model")) or model
            _add(talk, message)
    none = "the transcript holds no message"
    if not talks:
        raise InputError(none, path=source.name)
    return import_talks(
        source,
        talks,
        lambda place: _exchange(talks[place], begun[place], model),
        problems,
        none=none,
    )


def _is_line(tree: Tree) -> bool:
    parts = mapping(tree)
    message = mapping(parts.get("message"))
    return (
        any(parts.keys() >= marks for marks in _MARKS)
        and parts.get("type") == message.get("role")
        and text(message.get("role")) in ROLES
        and message.get("model") != _INVENTED
        and "content" in message
    )


def _add(talk: list[Message], message: Message) -> None:
    """Put a line's message behind the others, or to the one it is a piece of."""
    whole = _rest_of(talk, message)
    if whole is None:
        talk.append(dict(message))
        return
    held = sequence(whole["content"])
    new = [block for block in sequence(message["content"]) if block not in held]
    whole |= message | {"content": held + new}


def _rest_of(talk: list[Message], message: Message) -> Message | None:
    """The message that it belongs to: the answer of its id, results before results."""
    if message.get("id"):
        known = (each for each in talk[-_PIECES_APART:] if each.get("id"))
        return next((each for each in known if each["id"] == message["id"]), None)
    last = talk[-1] if talk else {}
    return last if _is_result(message) and _is_result(last) else None


def _is_result(message: Message) -> bool:
    blocks = sequence(message.get("content"))
    return bool(blocks) and all(
        mapping(block).get("type") == "tool_result" for block in blocks
    )


def _unpaired(talk: list[Message]) -> int:
    """Take out calls without a result right behind them, and results without a call:
    an interrupted tool leaves such, and what Claude Code sends in their place is not
    kept. Tells how many."""
    left = 0
    for at, message in enumerate(talk):
        if message.get("role") != "assistant":
            continue
        behind = list(takewhile(_is_users, talk[at + 1 :]))
        called = {text(block.get("id")) for block in _blocks(message, "tool_use")}
        told = [_blocks(each, "tool_result") for each in behind]
        answered = {text(one.get("tool_use_id")) for each in told for one in each}
        for each in (message, *behind):
            held = sequence(each.get("content"))
            kept = [block for block in held if _is_paired(block, called & answered)]
            left += len(held) - len(kept)
            if len(kept) < len(held):
                each["content"] = kept
    talk[:] = [each for each in talk if each.get("content") != []]
    return left


def _is_users(message: Message) -> bool:
    return message.get("role") == "user"


def _blocks(message: Message, kind: str = "") -> list[dict[str, Tree]]:
    found = map(mapping, sequence(message.get("content")))
    return [block for block in found if not kind or block.get("type") == kind]


def _is_paired(block: Tree, ids: set[str]) -> bool:
    parts = mapping(block)
    name = {"tool_use": "id", "tool_result": "tool_use_id"}.get(text(parts.get("type")))
    return name is None or text(parts.get(name)) in ids


def _exchange(talk: list[Message], begun: str | None, last: str) -> Exchange:
    """`last`: the model that answered last, for messages without an answer."""
    models = (text(each["model"]) for each in talk[::-1] if each.get("model"))
    model = next(models, last)
    response = None
    if talk[-1].get("role") == "assistant":
        response = Response(body=Body(json_bytes(talk.pop())))
    left = _unpaired(talk)
    messages: list[Tree] = [
        {"role": each["role"], "content": each["content"]} for each in talk
    ]
    asked: dict[str, Tree] = {"model": model} if model else {}
    body = json_bytes({**asked, "messages": messages})
    return Exchange(
        request=Request(body=Body(body)) if messages else None,
        response=response,
        started_at=begun,
        remarks=(KEPT, *([LEFT_OUT.format(left)] if left else [])),
    )
