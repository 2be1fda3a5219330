"""What curl tells of a transfer: `curl -v`, `--trace FILE`, `--trace-ascii FILE`.

    > POST /v1/chat HTTP/1.1           => Send header, 147 bytes (0x93)
    < HTTP/1.1 400 Bad Request         0000: 50 4f 53 54 20 2f 63 68 61 74  POST /chat
    {"error": ...}                     <= Recv data, 75 bytes (0x4b)

A trace has every byte of both sides. The ASCII one writes a dot for each byte that is
no printable ASCII; ends of lines that JSON or an event stream must have are put back,
other characters are lost, and said to be. With -v curl prints heads only, and the body
of the answer where it goes to the same place; what was sent is not there. Source: curl
8.11, man page (`--trace`, `--trace-ascii`, `--trace-time`) and src/tool_cb_dbg.c.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field

from sigscope.capture.base import Imported
from sigscope.capture.rawhttp import HttpMessage, paired, response_in
from sigscope.capture.rawhttp import message_at as http_message
from sigscope.capture.source import Source
from sigscope.capture.values import text_bytes
from sigscope.errors import InputError
from sigscope.exchange import Body, Exchange, Request, Response, header
from sigscope.records import dataclass
from sigscope.session import Problem
from sigscope.utf8 import to_text

_TIME = rb"(?:\d\d:\d\d:\d\d(?:\.\d{1,9})? )?"
_IDS = rb"(?:\[[^\]\r\n]{1,40}\] )?"
_HEADING = re.compile(
    rb"(?m)^" + _TIME + _IDS + rb"(?:== Info:[^\n]*|(?P<way>=>|<=) "
    rb"(?P<what>Send|Recv) (?P<kind>header|data|SSL data), (?P<size>\d{1,18}) bytes"
    rb" \(0x[0-9a-f]+\))\r?(?:\n|\Z)"
)
_ROW = re.compile(rb"([0-9a-f]{4,}): ([^\n]*)(?:\n|\Z)")
_HEX = re.compile(rb"(?:[0-9a-f]{2}(?: |$)){1,16}")

_ASKED = re.compile(rb"(?m)^> [A-Z]+ \S+ HTTP/[\d.]+\r?$")
_METER = re.compile(rb"\s*(?:%|\d+ |Dload|--:--)")
"""The progress that curl prints where the answer goes to a file."""
_PARTING = re.compile(
    rb"\* (?:Connection #\d+ to host |Closing connection |Curl_http_done)[^\n]*\n?\Z"
)
"""What follows an answer that ends without a line end, in its line."""
_SIGN = re.compile(rb"([*<>{}])(?: [^\n]*)?\r?$")

_LOST = (
    "--trace-ascii writes a dot for every byte that is no printable ASCII;"
    " they are lost (--trace keeps them)"
)
_COMPRESSED = (
    "the body is compressed, and --trace-ascii keeps no such bytes; it is left out"
    " (--trace keeps them)"
)
_NOT_SENT = "request: curl -v does not print the body that it sends; --trace does"
_DOTS = re.compile(
    rb'"(?:[^"\\]|\\.)*+"|\d\.\d|[A-Za-z_]\.(?=(?!(?:data|event|id|retry):)[A-Za-z_])'
    rb"|(\.)",
    re.DOTALL,
)


def recognise(source: Source) -> bool:
    """Whether there are headings of a trace, or the marked lines of -v."""
    head = source.data[:65536]
    found = _HEADING.search(head)
    if found is not None and not head[: found.start()].strip():
        return True
    return _is_verbose(head)


def _is_verbose(head: bytes) -> bool:
    asked = _ASKED.search(head)
    return asked is not None and all(
        not line.strip() or _SIGN.match(line) or _METER.match(line)
        for line in head[: asked.start()].splitlines()
    )


def read(source: Source) -> Imported:
    """Read every transfer. Raises InputError where there is none."""
    problems: list[Problem] = []
    if _HEADING.search(source.data[:65536]):
        found = list(_traced(source.data, problems))
    else:
        found = list(_told(source.data))
    if not found:
        raise InputError("it holds no transfer of curl", path=source.name)
    return Imported(exchanges=tuple(found), problems=tuple(problems))


# --- Traces --------------------------------------------------------------------------


@dataclass(slots=True)
class _Transfer:
    """Both sides of a transfer, as bytes."""

    sent: bytearray = field(default_factory=bytearray)
    received: bytearray = field(default_factory=bytearray)
    is_ascii: bool = False
    has_answer: bool = False


def _traced(data: bytes, problems: list[Problem]) -> Iterator[Exchange]:
    here = _Transfer()
    is_ascii: bool | None = None
    headings = list(_HEADING.finditer(data))
    line, counted = 1, 0
    for at, heading in enumerate(headings):
        line += data.count(b"\n", counted, heading.start())
        counted = heading.start()
        stop = headings[at + 1].start() if at + 1 < len(headings) else len(data)
        if heading["way"] is None or heading["kind"] == b"SSL data":
            continue
        is_sent = heading["way"] == b"=>"
        if is_sent and here.has_answer:
            yield from _exchanges(here)
            here = _Transfer()
        if is_ascii is None:
            is_ascii = _is_ascii(data, heading.end())
        rows, size = data[heading.end() : stop], int(heading["size"])
        piece = _block(rows, size, is_ascii=is_ascii)
        here.is_ascii = is_ascii
        here.has_answer |= not is_sent
        (here.sent if is_sent else here.received).extend(piece)
        if len(piece) != size:
            message = f"{len(piece)} of {size} bytes are there"
            problems.append(Problem(message=message, where=f"line {line}"))
    yield from _exchanges(here)


def _block(rows: bytes, size: int, *, is_ascii: bool) -> bytes:
    """The bytes under a heading."""
    out = bytearray()
    for row in _ROW.finditer(rows):
        offset, shown = int(row[1], 16), row[2].removesuffix(b"\r")
        if not is_ascii:
            pairs = _HEX.match(shown[:48])
            spelled = pairs[0].split()[: size - len(out)] if pairs else []
            out += bytes(int(pair, 16) for pair in spelled)
            continue
        if offset - len(out) == 2:
            out += b"\r\n"  # rows end there, and leave them out
        out += shown
    if is_ascii and size - len(out) == 2:
        out += b"\r\n"
    return bytes(out)


def _is_ascii(data: bytes, at: int) -> bool:
    """Whether the rows that begin here show text only; else hexadecimal, then text."""
    row = _ROW.match(data, at)
    pairs = _HEX.match(row[2]) if row else None
    if row is None or pairs is None:
        return row is not None
    raw = bytes(int(pair, 16) for pair in pairs[0].split())
    printable = bytes(byte if 0x20 <= byte < 0x7F else 0x2E for byte in raw)
    return row[2][48:].rstrip() != printable.rstrip()


def _exchanges(here: _Transfer) -> Iterator[Exchange]:
    messages: list[HttpMessage] = []
    for raw in (bytes(here.sent), bytes(here.received)):
        at = 0
        while at < len(raw):
            message = http_message(raw, at)
            if message is None:
                break
            messages.append(_undotted(message) if here.is_ascii else message)
            at = message.end
    yield from paired(messages)


def _undotted(message: HttpMessage) -> HttpMessage:
    """With ends of lines that stood as dots put back."""
    side, remarks = message.side, message.remarks
    raw = _with_lines(side.body.raw)
    if (header(side.headers, "content-encoding") or "identity") != "identity":
        raw, remarks = b"", (*remarks, _COMPRESSED)
    elif b"." in side.body.raw:
        remarks = (*remarks, _LOST)
    if isinstance(side, Request):
        side = Request(
            method=side.method,
            url=side.url,
            headers=side.headers,
            body=Body(raw),
            http_version=side.http_version,
        )
    else:
        side = Response(
            status=side.status,
            reason=side.reason,
            headers=side.headers,
            body=Body(raw),
            http_version=side.http_version,
        )
    return HttpMessage(side, remarks, message.end)


def _with_lines(body: bytes) -> bytes:
    if body.lstrip(b". ")[:1] not in (b"{", b"[") and b"data:" not in body:
        return body
    return _DOTS.sub(lambda dot: b"\n" if dot[1] else dot[0], body)


# --- curl -v -------------------------------------------------------------------------


def _told(data: bytes) -> Iterator[Exchange]:
    asked: list[bytes] = []
    answer: list[bytes] = []
    for line in data.splitlines(keepends=True):
        sign = _SIGN.match(line.rstrip(b"\r\n"))
        kind = sign[1] if sign and _is_marked(line) else b""
        if kind == b">":
            if answer:
                yield _spoken(asked, answer)
                asked, answer = [], []
            asked.append(_unmarked(line))
        elif kind == b"<":
            answer.append(_unmarked(line))
        elif not kind and answer:
            answer.append(_PARTING.sub(b"", line))
    if asked or answer:
        yield _spoken(asked, answer)


def _is_marked(line: bytes) -> bool:
    if line[:1] in (b"{", b"}"):
        return re.match(rb"[{}] \[\d+ bytes data\]", line) is not None
    return line[1:2] in (b" ", b"\r", b"\n", b"")


def _unmarked(line: bytes) -> bytes:
    return line[2:] if line[1:2] == b" " else line[1:]


def _spoken(asked: list[bytes], answer: list[bytes]) -> Exchange:
    head = b"".join(asked)
    request = http_message(head, 0) if head else None
    side = request.side if request else None
    length = header(side.headers, "content-length") if side else None
    remarks = [_NOT_SENT] if length not in (None, "0") else []
    response = response_in(to_text(b"".join(answer)))
    return Exchange(
        request=side if isinstance(side, Request) else None,
        response=response,
        remarks=tuple(remarks),
    )


def response_of(text: str) -> Response | None:
    """The answer in what -v prints after a command; None where it prints none."""
    data = text_bytes(text)
    if b"\n< HTTP/" not in b"\n" + data:
        return None
    found = [exchange.response for exchange in _told(data) if exchange.response]
    return found[-1] if found else None
