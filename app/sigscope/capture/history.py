"""Messages without the request around them: what a client keeps, or a debugger shows.

    [{"role": "user", "content": "..."}, {"role": "assistant", ...}]
    {"role": "model", "parts": [...]}
    {"role": "user", ...}                         one a line
    {"messages": [...]}                           one a line: fine-tuning data
    {"messages": [...]}, {"choices": [...]}       by turns: what was sent, and answered
    {"history": [{"role": "user", "parts": [...]}], ...}      checkpoints of Gemini CLI

A list becomes the member of a request that such a list is (`messages`, `contents`, or
`input`); its own bytes stay as they are. Objects that bring a list of messages become
a request each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sigscope.capture.base import Imported
from sigscope.capture.modeljson import (
    are_kept,
    is_asking,
    is_content,
    is_item,
    is_message,
    is_streamed_json,
)
from sigscope.capture.shape import Tree, mapping, sequence
from sigscope.capture.source import Source
from sigscope.errors import InputError
from sigscope.exchange import Body, Exchange, Request, Response
from sigscope.session import Problem
from sigscope.wire.jsonspan import item_spans, member_span, skip_space
from sigscope.wire.sse import skip_bom

NO_ANSWER = (
    "response: there is none here. Without answers only the form can be judged: roles,"
    " calls and their results, where signatures stand; not whether a signature was lost"
    " or changed. Record the answers too (sigscope record, or sigscope run -- CLIENT)"
)
"""What people must know of requests alone."""

BEHIND = "the answer is what stands behind the request; only the bodies are known"

_TORN_MESSAGE = re.compile(
    rb'\[\s*\{\s*"role"\s*:\s*"(?:assistant|developer|model|system|tool|user)"'
)


def recognise(source: Source) -> bool:
    """Whether it is a list, lines, or one of such messages or requests."""
    if source.is_folder or source.first not in ("{", "["):
        return False
    if source.json_error and source.first == "[":
        return _TORN_MESSAGE.match(source.data, _start(source)) is not None
    if are_kept(source.first_entry if source.json_error else source.json):
        return False
    if not source.json_error and source.first == "{":
        return is_message(source.json) or bool(_kept(source))
    return is_message(source.first_entry) or is_asking(source.first_entry)


def read(source: Source) -> Imported:
    """One request with all messages, or one for each object that brings some.

    Raises InputError where there is neither.
    """
    entries, problems = _entries(source)
    found = list(_calls(entries))
    if found:
        held = sum(1 + (exchange.response is not None) for exchange in found)
        left = len(entries) - held
    else:
        trees = [tree for tree, _ in entries]
        if not any(map(is_message, trees)) and not problems:
            raise InputError("it holds no messages", path=source.name)
        member = _member(trees)
        raw = _list(source, [raw for _, raw in entries])
        remark = f'request: only messages are given; {{"{member}": ...}} is put around'
        wrapped = b'{"%b":%b%b' % (member.encode(), raw, b"}" * raw.endswith(b"]"))
        request = Request(body=Body(wrapped))
        found = [Exchange(request=request, remarks=(remark, NO_ANSWER))]
        left = 0
    if left:
        message = f"{left} that bring no messages; left out"
        problems.append(Problem(message=message))
    return Imported(exchanges=tuple(found), problems=tuple(problems))


def _calls(entries: list[tuple[Tree, bytes]]) -> Iterator[Exchange]:
    """Objects that bring messages, each with the answer that stands right behind it."""
    for place, (tree, raw) in enumerate(entries):
        if is_asking(tree):
            answer, behind = next(iter(entries[place + 1 : place + 2]), (None, b""))
            response = None
            remark = NO_ANSWER
            if is_streamed_json(answer) and not is_asking(answer):
                response, remark = Response(body=Body(behind)), BEHIND
            yield Exchange(
                request=Request(body=Body(raw)), response=response, remarks=(remark,)
            )


def _kept(source: Source) -> list[Tree]:
    """The messages of a document that calls them its `history`."""
    kept = sequence(mapping(source.json).get("history"))
    return kept if any(map(is_message, kept)) else []


def _start(source: Source) -> int:
    return skip_space(source.data, skip_bom(source.data))


def _entries(source: Source) -> tuple[list[tuple[Tree, bytes]], list[Problem]]:
    """The documents with their bytes, and what is broken."""
    data, start = source.data, _start(source)
    if kept := _kept(source):
        span = member_span(data, start, "history")
        spans = item_spans(data, span[0]) if span else ()
        items = zip(kept, spans, strict=False)
        return [(tree, data[at:end]) for tree, (at, end) in items], []
    if not source.json_error and source.first == "{":
        return [(source.json, data[start:].rstrip())], []
    if not source.json_error:
        spans = item_spans(data, start)
        items = zip(sequence(source.json), spans, strict=True)
        return [(tree, data[at:end]) for tree, (at, end) in items], []
    if source.first == "[":
        message = f"not whole JSON: {source.json_error}; shown as far as it goes"
        return [], [Problem(message=message)]
    lines = [line for line in source.json_lines if not line.error]
    return [(line.tree, line.raw.strip()) for line in lines], source.read_lines()[1]


def _list(source: Source, entries: list[bytes]) -> bytes:
    """The list as it is spelled; entries that stood in none, in one."""
    if source.first == "[":
        return source.data[_start(source) :].rstrip()
    return b"[" + b",\n".join(entries) + b"]"


def _member(trees: list[Tree]) -> str:
    """The member of a request that such messages are."""
    if any(map(is_content, trees)):
        return "contents"
    return "input" if any(map(is_item, trees)) else "messages"
