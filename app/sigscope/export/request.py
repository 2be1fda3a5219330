"""A recorded request as a script has to send it, whatever the language.

The body goes byte for byte as recorded. Headers go as recorded but for those that
belong to one connection, which the sender makes itself. Where the recording holds no
headers at all (logs of bodies), those that a service cannot do without are added, and
a note says so; so it does for everything else that is not as it was.
"""

from __future__ import annotations

import re

from sigscope.dialects.services import Variable
from sigscope.export.keys import (
    Text,
    header_text,
    key_variable,
    url_text,
    variables,
)
from sigscope.export.records import ScriptedRequest
from sigscope.records import dataclass
from sigscope.wire.headers import header
from sigscope.wire.urls import split_url

_OF_THE_CONNECTION = frozenset(
    {
        "connection",
        "content-length",
        "expect",
        "host",
        "keep-alive",
        "proxy-authorization",
        "proxy-connection",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    }
)
"""RFC 9110, 7.6.1, and what every sender works out itself."""
_NAME = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_BAD_VALUE = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_BAD_URL = re.compile(r"[\x00-\x20\x7f]")
_MASKED = re.compile(rb"\*{8,}")
BASE_URL = Variable("BASE_URL", "address of the service, as in https://host")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outgoing:
    method: str
    url: Text
    headers: tuple[tuple[str, Text], ...]
    body: bytes
    """Content codings still on, as recorded."""
    variables: tuple[Variable, ...]
    notes: tuple[str, ...]
    """Where this is not quite what was recorded; a sentence each."""


def outgoing(sent: ScriptedRequest) -> Outgoing:
    """The request of a step or run, ready to be spelled."""
    request, reading = sent.request, sent.reading
    notes: list[str] = []
    dialect = reading.dialect.name if reading.dialect else None
    key = key_variable(request.url, dialect)
    url = _url(sent, key, notes)
    headers = _headers(sent, key, notes)
    if _MASKED.search(reading.request_body.data):
        notes.append("a row of * in the body may be a secret that was taken out of it")
    return Outgoing(
        method=request.method or "POST",
        url=url,
        headers=headers,
        body=request.body.raw,
        variables=variables(url, *(value for _, value in headers)),
        notes=tuple(notes),
    )


def opening(sent: ScriptedRequest, what: Outgoing) -> list[str]:
    """What a script says of itself, a sentence a line."""
    title = f' of "{sent.title}"' if sent.title else ""
    lines = [f"{sent.name[0].upper()}{sent.name[1:]}{title}. Written by {sent.tool}."]
    if sent.reading.status is not None:
        lines.append(f"It was answered with status {sent.reading.status}.")
    return [*lines, *(f"Note: {note}." for note in what.notes)]


def _url(sent: ScriptedRequest, key: Variable, notes: list[str]) -> Text:
    url = sent.request.url.partition("#")[0]
    clean = _BAD_URL.sub(lambda found: f"%{ord(found[0]):02X}", url)
    if clean != url:
        notes.append("blanks and control characters in the URL are percent-encoded")
    parts = split_url(clean)
    if parts.scheme and parts.host:
        return url_text(clean, key)
    notes.append("the recording names no host")
    path = clean or sent.path
    path = path if path.startswith("/") or not path else f"/{path}"
    return (BASE_URL, *url_text(path, key))


def _headers(
    sent: ScriptedRequest, key: Variable, notes: list[str]
) -> tuple[tuple[str, Text], ...]:
    request = sent.request
    if not request.headers:
        notes.append("the recording holds no headers; these were added")
        is_studio = key.name == "GEMINI_API_KEY"
        auth: tuple[str, Text] = (
            ("x-goog-api-key", (key,))
            if is_studio
            else ("Authorization", ("Bearer ", key))
        )
        has_key = key in url_text(request.url, key)
        return (("Content-Type", ("application/json",)), *(() if has_key else (auth,)))
    coding = header(request.headers, "content-encoding")
    is_plain = bool(coding) and not sent.reading.request_body.codings
    kept: list[tuple[str, Text]] = []
    for name, value in request.headers:
        lower = name.lower()
        if lower.startswith(":") or lower in _OF_THE_CONNECTION:
            continue
        if lower == "content-encoding" and is_plain:
            notes.append(f"Content-Encoding: {coding} left out: the body is plain here")
        elif not _NAME.fullmatch(name) or _BAD_VALUE.search(value):
            notes.append(f"a header is left out that cannot be sent: {name!r}")
        else:
            kept.append((name, header_text(name, value, key)))
    return tuple(kept)
