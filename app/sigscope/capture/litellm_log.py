"""LiteLLM's debug line for a request: a command that no shell would take.

    curl -X POST \\
    https://h/v1/ \\
    -H 'Authorization: Bearer sk-***' -H 'a: b' \\
    -d '{'model': 'x', 'stream': False}'

The body is Python's spelling of a dictionary between quotes (later versions: JSON
without quotes), which is written as JSON again. Keys are masked in the log. Source:
litellm_core_utils/litellm_logging.py of BerriAI/litellm, read 2026-11.
"""

from __future__ import annotations

import ast
import re

from sigscope.capture.shape import Tree
from sigscope.capture.source import parse_json
from sigscope.capture.values import json_bytes
from sigscope.exchange import Body, Request
from sigscope.utf8 import readable, to_text
from sigscope.wire.jsonspan import value_end

_CALL = re.compile(
    rb"curl -X (?P<method>[A-Z]+)\s*\\\s*\n(?P<url>\S+)\s*\\\s*\n"
    rb"(?P<headers>(?:\s*-H '[^\n]*\n)*)-d (?P<quote>'?)"
)
_HEADER = re.compile(r"-H '([^:'\n]+): ((?:[^'\n]|'(?! -H |\s*\\?\s*$))*)'")


def request_at(data: bytes, at: int) -> tuple[Request, int]:
    """The request that the command at an offset describes, and the offset behind."""
    call = _CALL.match(data, at)
    if call is None:
        end = data.find(b"\n\n", at)
        end = end if end >= 0 else len(data)
        return Request(url="", body=Body(data[at:end])), end
    body, end = _body(data, call.end(), is_quoted=bool(call["quote"]))
    headers = _HEADER.findall(readable(call["headers"]))
    return (
        Request(
            method=call["method"].decode(),
            url=readable(call["url"]),
            headers=tuple(headers),
            body=Body(body),
        ),
        end,
    )


def _body(data: bytes, at: int, *, is_quoted: bool) -> tuple[bytes, int]:
    """The body as JSON, and the offset behind it; as it is spelled if it is neither
    JSON nor Python."""
    whole = value_end(data, at)
    if whole is not None:
        spelled = data[at:whole]
        if not parse_json(to_text(spelled))[1]:
            return spelled, whole + is_quoted
    line_end = data.find(b"\n", at)
    line_end = line_end if line_end >= 0 else len(data)
    line = data[at:line_end].rstrip()
    spelled = line[:-1] if is_quoted and line.endswith(b"'") else line
    return _as_json(spelled) or spelled, line_end


def _as_json(spelled: bytes) -> bytes | None:
    """A dictionary in Python's spelling as JSON; None if it is none, or none that JSON
    could spell."""
    try:
        tree: Tree = ast.literal_eval(spelled.decode("utf-8"))
        return json_bytes(tree) if isinstance(tree, dict) else None
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return None
