"""Steps as a cassette of VCR.py, to be played back in a test.

    interactions:
    - request: {body: ..., headers: {Accept: ['*/*']}, method: POST, uri: https://...}
      response: {body: {string: ...}, headers: {...}, status: {code: 200, message: OK}}
    version: 1

Source: vcrpy 7 and 8, `vcr/serialize.py` and `vcr/serializers/yamlserializer.py`.
Bodies are as on the wire, content codings on; those that are no text are `!!binary`.
Strings are written in YAML's double quotes, in which every character can be spelled;
so no YAML library is needed to write one.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Sequence
from http import HTTPStatus

from sigscope.errors import UsageError
from sigscope.exchange import Headers, Request, Response
from sigscope.export.figures import count
from sigscope.reader import Reading
from sigscope.wire.bodies import Decoded

_ESCAPES = (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t"))
"""The backslash first, which the others bring in."""
_ODD = re.compile(r"[^\x20-\x7e]")


def vcr_cassette(
    readings: Sequence[Reading], *, title: str, tool: str
) -> Iterator[bytes]:
    """A cassette of the steps that have both a request and an answer; in pieces."""
    for line in _lines(readings, title, tool):
        yield f"{line}\n".encode("utf-8", "backslashreplace")


def shortfall(readings: Sequence[Reading]) -> list[str]:
    """What a cassette of them does not hold as it was recorded. Raises UsageError
    where it would hold nothing."""
    whole = _whole(readings)
    if not whole:
        raise UsageError(
            "a cassette holds requests with their answers, and no step here has both;"
            " a HAR takes what there is"
        )
    said = []
    if left := len(readings) - len(whole):
        said.append(f"{count(left, 'step')} left out, as request or answer is missing")
    if unknown := sum(not response.status for _, _, response in whole):
        said.append(
            f"{count(unknown, 'answer')} without a recorded status, told as 200"
        )
    return said


def _lines(readings: Sequence[Reading], title: str, tool: str) -> Iterator[str]:
    yield f"# {_printable(title)}"
    yield f"# Written by {tool}."
    for line in shortfall(readings):
        yield f"# {line}"
    yield "interactions:"
    for each in _whole(readings):
        yield from _interaction(*each)
    yield "version: 1"


def _whole(readings: Sequence[Reading]) -> list[tuple[Reading, Request, Response]]:
    """Those with both."""
    found = ((r, r.exchange.request, r.exchange.response) for r in readings)
    return [(r, asked, told) for r, asked, told in found if asked and told]


def _interaction(
    reading: Reading, request: Request, response: Response
) -> Iterator[str]:
    yield "- request:"
    yield from _request(request, reading.request_body)
    yield "  response:"
    yield from _response(response, reading.response_body)


def _request(request: Request, body: Decoded) -> Iterator[str]:
    yield f"    body: {_bytes(request.body.raw) if request.body else 'null'}"
    yield from _headers(request.headers, body)
    yield f"    method: {_text(request.method or 'GET')}"
    yield f"    uri: {_text(request.url)}"


def _response(response: Response, body: Decoded) -> Iterator[str]:
    yield "    body:"
    yield f"      string: {_bytes(response.body.raw)}"
    yield from _headers(response.headers, body)
    code = response.status or 200
    yield "    status:"
    yield f"      code: {code}"
    yield f"      message: {_text(response.reason or _phrase(code))}"


def _headers(headers: Headers, body: Decoded) -> Iterator[str]:
    """Names with the list of their values. A content coding that the body does not
    have is left out, or the player's client would trip over it."""
    values: dict[str, list[str]] = {}
    names: dict[str, str] = {}
    for name, value in headers:
        if name.lower() == "content-encoding" and not body.codings:
            continue
        spelled = names.setdefault(name.lower(), name)
        values.setdefault(spelled, []).append(value)
    yield "    headers:" if values else "    headers: {}"
    for name, each in values.items():
        yield f"      {_text(name)}:"
        yield from (f"      - {_text(value)}" for value in each)


def _phrase(code: int) -> str:
    try:
        return HTTPStatus(code).phrase
    except ValueError:
        return ""


def _bytes(data: bytes) -> str:
    try:
        return _text(data.decode("utf-8"))
    except UnicodeDecodeError:
        return f'!!binary "{base64.b64encode(data).decode("ascii")}"'


def _text(text: str) -> str:
    """A double-quoted scalar (YAML 1.1, 5.5 and 9.1.1)."""
    for char, spelled in _ESCAPES:
        text = text.replace(char, spelled)
    return f'"{_ODD.sub(_spelled, text)}"'


def _spelled(match: re.Match[str]) -> str:
    char = match[0]
    code = ord(char)
    if code > 0x9F and char.isprintable():
        return char
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() else "?" for char in text)
