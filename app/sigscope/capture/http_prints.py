r"""What Python's http.client prints with `debuglevel = 1`; requests and urllib3, too.

    send: b'POST /v1/chat HTTP/1.1\r\nHost: h\r\n\r\n'
    send: b'{"model": ...}'
    reply: 'HTTP/1.1 400 Bad Request\r\n'
    header: Content-Type: application/json

All that is sent is there, byte for byte. Of an answer there is the head; its body is
read later and never printed. Source: Lib/http/client.py of CPython 3.13.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from sigscope.capture.base import Imported
from sigscope.capture.rawhttp import message_at as http_message
from sigscope.capture.source import Source
from sigscope.errors import InputError
from sigscope.exchange import Exchange, Request, Response
from sigscope.session import Problem
from sigscope.utf8 import to_bytes

_LINE = re.compile(
    r"(?m)(?P<kind>\bsend|^reply|^header): ?(?P<said>[^\n]*)"
    r"|(?P<file>^sending an? (?:readable|iterable))"
)
_BYTES = re.compile(r"""b(?:'(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+")""")
_REPLY = re.compile(r"""(?:'([^']*?)(?:\\r)?(?:\\n)?'|"([^"]*?)")""")
_STARTS = re.compile(rb"[A-Z]+ \S+ HTTP/")

_NO_BODY = "response: http.client prints the head of an answer, never its body"
_FROM_FILE = "request: its body came from a file or an iterator, in pieces"


def recognise(source: Source) -> bool:
    """Whether something is sent as Python spells bytes, and begins a request."""
    head = source.text[:65536]
    return any(
        _STARTS.match(_sent(found["said"]) or b"")
        for found in _LINE.finditer(head)
        if found["kind"] == "send"
    )


def read(source: Source) -> Imported:
    """Read every request and the head of its answer. Raises InputError."""
    problems: list[Problem] = []
    exchanges = tuple(_exchanges(source.text, problems))
    if not exchanges:
        raise InputError("it holds no request that was sent", path=source.name)
    return Imported(exchanges=exchanges, problems=tuple(problems))


def _exchanges(text: str, problems: list[Problem]) -> Iterator[Exchange]:
    sent = bytearray()
    head: list[str] = []
    from_file = False
    line, counted = 1, 0
    for found in _LINE.finditer(text):
        line += text.count("\n", counted, found.start())
        counted = found.start()
        kind = found["kind"]
        if kind is None:
            from_file = True
        elif kind == "send":
            piece = _sent(found["said"])
            if piece is None:
                message = "what was sent breaks off, or is no bytes; left out"
                problems.append(Problem(message=message, where=f"line {line}"))
                continue
            if head or (sent and _STARTS.match(piece)):
                yield _exchange(bytes(sent), head, from_file)
                sent, head, from_file = bytearray(), [], False
            sent += piece
        elif kind == "reply":
            reply = _REPLY.match(found["said"])
            head.append((reply[1] or reply[2] or "") if reply else found["said"])
        elif head:
            head.append(found["said"])
    if sent or head:
        yield _exchange(bytes(sent), head, from_file)


def _sent(said: str) -> bytes | None:
    spelled = _BYTES.match(said)
    if spelled is None:
        return None
    try:
        value: object = ast.literal_eval(spelled[0])
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    return value if isinstance(value, bytes) else None


def _exchange(sent: bytes, head: list[str], from_file: bool) -> Exchange:
    asked = http_message(sent, 0)
    lines = "\r\n".join(line.rstrip() for line in head) + "\r\n\r\n"
    answer = http_message(to_bytes(lines), 0) if head else None
    request, response = asked and asked.side, answer and answer.side
    remarks = [f"request: {each}" for each in (asked.remarks if asked else ())]
    return Exchange(
        request=request if isinstance(request, Request) else None,
        response=response if isinstance(response, Response) else None,
        remarks=(*remarks, *[_FROM_FILE] * from_file, *[_NO_BODY] * bool(head)),
    )
