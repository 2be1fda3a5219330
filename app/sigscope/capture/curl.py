"""A curl command line: what browsers copy, what people paste into a bug report.

    curl -sS 'https://h/v1/chat' -H 'Content-Type: application/json' \\
      --data-raw $'{"a":"it\\'s"}'

Every `curl` of the text is an exchange without an answer; where the text goes on with
an answer (`HTTP/1.1 400 ...`, a JSON document, an event stream, all that `curl -v`
tells), this is its answer. A
body in a file (`-d @body.json`) is read if the file lies beside the command. Variables
of the shell stay as written. LiteLLM's debug log spells a command without escaping
the body (`-d '{'model': 'x'}'`); that is read too (`loose`).

Source: curl(1), version 8.11; conversion of --data-urlencode and --json as there.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from dataclasses import field, replace
from pathlib import PurePath
from urllib.parse import quote_plus

from sigscope.capture import curl_trace, rawhttp
from sigscope.capture.base import Imported
from sigscope.capture.shellwords import split, without_carets
from sigscope.capture.source import Source, read_file
from sigscope.capture.values import text_bytes
from sigscope.errors import InputError
from sigscope.exchange import Body, Exchange, Headers, Request
from sigscope.records import dataclass
from sigscope.session import Problem
from sigscope.utf8 import readable
from sigscope.wire.headers import header

_BEGIN = re.compile(
    r"^[ \t]*(?:[$>%#][ \t]+)?(?:(?:sudo|time)[ \t]+)?curl(?:\.exe)?(?=[ \t\\^`]|$)",
    re.MULTILINE,
)
"""A line that begins with curl, maybe after a prompt."""

_CARETS = re.compile(r"curl(?:\.exe)?[ \t]+(?:-\S+[ \t]+)*\^\"")

_BEFORE = re.compile(r"\s*(?:#|//|```|: |set |export |\w+=)")
"""What may stand before it in a script: our own exports check their variables."""

_VALUED = frozenset("ACDEFHKQTUXYbcdehmortuwxyz")
"""Short options that take a value."""
_FLAGS = """
    compressed location location-trusted insecure silent show-error verbose include fail
    fail-with-body no-buffer get head globoff http1.0 http1.1 http2 http3
    http2-prior-knowledge ipv4 ipv6 anyauth basic digest ntlm negotiate raw progress-bar
    tlsv1 tlsv1.0 tlsv1.1 tlsv1.2 tlsv1.3 ssl sslv2 sslv3 remote-name remote-header-name
    junk-session-cookies path-as-is create-dirs next styled-output parallel tcp-nodelay
    tr-encoding post301 post302 post303 disable remote-time use-ascii append
    ignore-content-length proxy-insecure ssl-no-revoke suppress-connect-headers
    tcp-fastopen trace-time trace-ids xattr
"""
_LONG_PLAIN = frozenset(_FLAGS.split())
"""Long options that take no value; every other takes one."""
_SHORT = {
    "A": "user-agent",
    "F": "form",
    "G": "get",
    "H": "header",
    "I": "head",
    "T": "upload-file",
    "X": "request",
    "b": "cookie",
    "d": "data",
    "e": "referer",
    "u": "user",
}
_DATA = ("data", "data-ascii", "data-raw", "data-binary", "data-urlencode", "json")
_FORM_TYPE = ("Content-Type", "application/x-www-form-urlencoded")
_JSON_HEADERS = (("Content-Type", "application/json"), ("Accept", "application/json"))


def recognise(source: Source) -> bool:
    """Whether curl is the first command, after comments and what sets variables."""
    head = source.text[:65536]
    for line in head.splitlines():
        if _BEGIN.match(line):
            return True
        if line.strip() and not _BEFORE.match(line):
            return False
    return False


def read(source: Source) -> Imported:
    """Read every command. Raises InputError where there is none with a URL."""
    text = source.text
    if _CARETS.search(text[:65536]):
        text = without_carets(text)
    found: list[Exchange] = []
    problems: list[Problem] = []
    begins = list(_BEGIN.finditer(text))
    at = 0
    for number, begin in enumerate(begins, start=1):
        if begin.start() < at:
            continue
        command = split(text, begin.end())
        at = command.end
        where = f"command {number}"
        if command.problem:
            message = f"{command.problem}; left out"
            problems.append(Problem(message=message, where=where))
            continue
        parsed = _parse(command.words, source)
        parsed.has_variables = command.has_variables
        if not parsed.urls:
            problems.append(Problem(message="names no URL; left out", where=where))
            continue
        later = [each.start() for each in begins if each.start() >= at]
        found += _exchanges(parsed, text[at : later[0] if later else len(text)])
    if not found:
        reason = f" ({problems[0].message})" if problems else ""
        raise InputError(f"it holds no curl command{reason}", path=source.name)
    return Imported(exchanges=tuple(found), problems=tuple(problems))


@dataclass(slots=True)
class _Call:
    """What the options of one command say."""

    urls: list[str] = field(default_factory=list)
    method: str = ""
    headers: list[tuple[str, str]] = field(default_factory=list)
    data: list[bytes] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    is_json: bool = False
    in_query: bool = False
    """-G: the data goes into the URL."""
    is_head: bool = False
    has_variables: bool = False


def _parse(words: list[str], source: Source) -> _Call:
    call = _Call()
    for name, value in _options(words):
        if name == "url":
            call.urls.append(_with_scheme(value))
        elif name == "request":
            call.method = value
        elif name == "get":
            call.in_query = True
        elif name == "head":
            call.is_head = True
        elif name in _DATA:
            _take_data(call, name, value, source)
        elif name in ("form", "form-string", "upload-file"):
            call.remarks.append(f"request: --{name} {value!r} is not put together")
        else:
            _take_header(call, name, value)
    return call


def _options(words: list[str]) -> Iterator[tuple[str, str]]:
    """Long names of the options with their values; URLs as "url"."""
    rest = iter(words)
    for word in rest:
        if word.startswith("--") and len(word) > 2:
            name, has_value, value = word[2:].partition("=")
            if name in _LONG_PLAIN or name.startswith("no-"):
                yield name, ""
            else:
                yield name, value if has_value else next(rest, "")
        elif word.startswith("-") and len(word) > 1:
            yield from _short(word[1:], rest)
        else:
            yield "url", word


def _short(letters: str, rest: Iterator[str]) -> Iterator[tuple[str, str]]:
    """Options run together: `-sSLXPOST`, `-sSd @file`."""
    for place, letter in enumerate(letters):
        name = _SHORT.get(letter, letter)
        if letter in _VALUED:
            yield name, letters[place + 1 :] or next(rest, "")
            return
        yield name, ""


def _take_header(call: _Call, name: str, value: str) -> None:
    if name == "header":
        key, colon, content = value.partition(":")
        if not colon:
            key, colon, _ = value.partition(";")
        elif not content.strip():
            return  # "Name:" takes away a header of curl's own
        if colon and key.strip():
            call.headers.append((key.strip(), content.strip()))
    elif name == "user":
        token = base64.b64encode(text_bytes(value)).decode("ascii")
        call.headers.append(("Authorization", f"Basic {token}"))
    elif name == "oauth2-bearer":
        call.headers.append(("Authorization", f"Bearer {value}"))
    elif name == "cookie" and "=" in value:
        call.headers.append(("Cookie", value))
    elif name in ("user-agent", "referer"):
        spelled = {"user-agent": "User-Agent", "referer": "Referer"}[name]
        call.headers.append((spelled, value))


def _take_data(call: _Call, name: str, value: str, source: Source) -> None:
    call.is_json |= name == "json"
    if name == "data-urlencode":
        key, equals, content = value.partition("=")
        coded = quote_plus(text_bytes(content if equals else value))
        piece = f"{key}={coded}" if equals and key else coded
        call.data.append(piece.encode("ascii", "replace"))
    elif value.startswith("@") and name != "data-raw":
        call.data.append(_from_file(call, name, value[1:], source))
    else:
        call.data.append(text_bytes(value))


def _from_file(call: _Call, name: str, path: str, source: Source) -> bytes:
    """A body that lies in a file beside the command."""
    if not path or PurePath(path).name != path or path == "-":
        call.remarks.append(
            f"request: the body is in {path!r}, which is not beside the command;"
            " it is left out"
        )
        return b""
    try:
        data = read_file(source.path.parent / path)
    except InputError as error:
        call.remarks.append(f"request: the body is left out: {error}")
        return b""
    strips = name in ("data", "data-ascii")
    return re.sub(rb"[\r\n\0]", b"", data) if strips else data


def _with_scheme(url: str) -> str:
    """curl takes http where a URL names no scheme."""
    if "://" in url or url.startswith(("$", "/", "<", "{")):
        return url
    return f"http://{url}"


def _exchanges(call: _Call, after: str) -> list[Exchange]:
    """One exchange a URL; the last one gets the answer that follows."""
    body = (b"" if call.is_json else b"&").join(call.data)
    headers = list(call.headers)
    known = tuple(headers)
    if call.is_json:
        headers += [h for h in _JSON_HEADERS if header(known, h[0]) is None]
    elif call.data and not call.in_query and header(known, "content-type") is None:
        headers.append(_FORM_TYPE)
        call.remarks.append("request: the content type is the one that curl assumes")
    if call.has_variables:
        call.remarks.append("request: variables of the shell are kept as written")
    method = call.method or ("HEAD" if call.is_head else "")
    made = [
        _exchange(call, method, _queried(url, call, body), tuple(headers), body)
        for url in call.urls
    ]
    response = rawhttp.response_in(after) or curl_trace.response_of(after)
    if response is not None:
        made[-1] = replace(made[-1], response=response)
    return made


def _exchange(
    call: _Call, method: str, url: str, headers: Headers, body: bytes
) -> Exchange:
    sends = bool(call.data) and not call.in_query
    request = Request(
        method=method or ("POST" if sends else "GET"),
        url=url,
        headers=headers,
        body=Body(body if sends else b""),
    )
    return Exchange(request=request, remarks=tuple(call.remarks))


def _queried(url: str, call: _Call, body: bytes) -> str:
    if not call.in_query or not body:
        return url
    return f"{url}{'&' if '?' in url else '?'}{readable(body)}"
