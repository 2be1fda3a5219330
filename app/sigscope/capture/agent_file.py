"""What an agent keeps in a form of its own, read for the signatures that it holds.

    {"type":"message","message":{"content":[{"type":"thinking","signature":"..."}]}}
    {"parts":[{"type":"reasoning","metadata":{"google":{"thoughtSignature":"..."}}}]}
    {"type":"assistant.message","data":{"reasoningOpaque":"..."}}

Exports of OpenCode, sessions of Goose, Droid, Continue and Copilot CLI are such, those
of agents that nobody here has seen, and the messages of Cline and Roo Code, which look
like those of the Messages API by whatever API they came. Which API that was, and what
of it was sent, is not in a document: its opaque fields are followed by name and shape,
and nothing is judged. It is tried last, and only where a value stands under a name that
nothing but reasoning state has, or messages say when they were said.
Source: the files of these agents (2026-11); ai-sdk.dev, "Provider metadata".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from sigscope.capture.base import Imported
from sigscope.capture.modeljson import are_kept
from sigscope.capture.shape import Tree, text
from sigscope.capture.source import Source
from sigscope.dialects.registry import SERVICE_NAMES
from sigscope.dialects.shapes import DEEPEST, SHAPES
from sigscope.errors import InputError
from sigscope.exchange import Body, Exchange, Request
from sigscope.session import Problem
from sigscope.wire.jsonspan import skip_space
from sigscope.wire.sse import skip_bom

KEPT = (
    'request: what an agent keeps, in a form of its own; {"prompt": ...} is put around.'
    " Which API it came by and what was sent of it is not in it: record the traffic"
    " (sigscope run -- CLIENT)"
)
_BESIDE = frozenset({"thinking", "reasoning", "reasoningText"})
"""Members, types and roles of what a `signature` belongs to."""
_NAMES = {
    shape.key: shape for shape in SHAPES if not (shape.after or shape.is_reference)
}
"""Those of values that no service keeps, and that hold nothing else."""
_NAMED = re.compile(b'"(?:%b)"' % b"|".join(map(str.encode, _NAMES)))


def recognise(source: Source) -> bool:
    """Whether JSON, or lines of it, hold reasoning state under a name that tells, or
    messages as only an agent keeps them."""
    if source.is_folder or source.first not in ("{", "["):
        return False
    if not source.json_error and are_kept(source.json):
        return True
    if _NAMED.search(source.data) is None:
        return are_kept(source.first_line)
    return any(_holds_state(tree) or are_kept(tree) for tree in _documents(source))


def read(source: Source) -> Imported:
    """One exchange that nothing is known of but what it holds. Raises InputError."""
    if not recognise(source):
        told = "no value in it stands under a name of reasoning state"
        raise InputError(told, path=source.name)
    return listed(source)


def listed(source: Source) -> Imported:
    """The whole document as what was said."""
    data, problems = source.data, tuple[Problem, ...]()
    raw = data[skip_space(data, skip_bom(data)) :].rstrip()
    if source.json_error:
        lines = [line for line in source.json_lines if not line.error]
        raw = b"[%b]" % b",\n".join(line.raw.strip() for line in lines)
        problems = tuple(source.read_lines()[1])
    elif source.first != "[":
        raw = b"[%b]" % raw
    request = Request(body=Body(b'{"prompt":%b}' % raw))
    exchange = Exchange(request=request, remarks=(KEPT,))
    return Imported(exchanges=(exchange,), problems=problems)


def _documents(source: Source) -> Iterator[Tree]:
    if not source.json_error:
        yield source.json
    else:
        yield from (line.tree for line in source.json_lines if not line.error)


def _holds_state(tree: Tree, above: str = "", depth: int = 0) -> bool:
    if depth > DEEPEST:
        return False
    if isinstance(tree, list):
        return any(_holds_state(item, above, depth + 1) for item in tree)
    if not isinstance(tree, dict):
        return False
    parts: Mapping[str, Tree] = tree  # not copied: this walks all that is refused
    told = {text(parts.get("type")).partition(".")[0], text(parts.get("role"))}
    # The AI SDK keeps a `signature` under the name of the service that it is of.
    is_beside = bool(_BESIDE & (parts.keys() | told)) or above in SERVICE_NAMES
    for key, value in parts.items():
        shape = _NAMES.get(key)
        if shape is not None and (is_beside or not shape.is_common):
            values = value if isinstance(value, list) else [value]
            if any(shape.value(parts, each) for each in values):
                return True
        if isinstance(value, dict | list) and _holds_state(value, key, depth + 1):
            return True
    return False
