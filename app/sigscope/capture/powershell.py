"""A command of PowerShell as browsers copy it: *Copy as PowerShell*.

    $session = New-Object Microsoft.PowerShell.Commands.WebRequestSession
    $session.UserAgent = "Mozilla/5.0 ..."
    Invoke-WebRequest -UseBasicParsing -Uri "https://h/v1/chat" `
    -Method "POST" `
    -WebSession $session `
    -Headers @{
    "accept"="*/*"
    } `
    -ContentType "application/json" `
    -Body ([System.Text.Encoding]::UTF8.GetBytes("{`"a`":`"$([char]228)`"}"))

Invoke-RestMethod and the short names are read alike, and here-strings, which people
write by hand. Variables stay as written. Source: generatePowerShellCommand in
NetworkLogView of ChromeDevTools/devtools-frontend and PowerShellCommand in
devtools/client/netmonitor of mozilla/gecko-dev (read 2026-11); about_Quoting_Rules on
learn.microsoft.com.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field

from sigscope.capture.base import Imported
from sigscope.capture.rawhttp import response_in
from sigscope.capture.source import Source
from sigscope.capture.values import text_bytes
from sigscope.errors import InputError
from sigscope.exchange import Body, Exchange, Request
from sigscope.records import dataclass
from sigscope.session import Problem

_COMMAND = re.compile(
    r"(?im)^[ \t]*(?:PS[^>\n]{0,200}>[ \t]*)?(?:\$\w+[ \t]*=[ \t]*)?"
    r"(?:Invoke-WebRequest|Invoke-RestMethod|iwr|irm)(?=[ \t`])"
)
_BEFORE = re.compile(r"\s*(?:#|\$|```|@|\"|}|;|$)")
_QUOTED = (
    r"@\"[ \t]*\r?\n(?P<{0}here>.*?)\r?\n\"@|@'[ \t]*\r?\n(?P<{0}plainhere>.*?)\r?\n'@"
    r"|\"(?P<{0}quoted>(?:[^\"`]|`.|\"\")*+)\"|'(?P<{0}plain>(?:[^']|'')*+)'"
)
_STRING = re.compile(_QUOTED.format(""), re.DOTALL)
_TOKEN = re.compile(
    r"(?P<space>(?:[ \t]|`\r?\n)+)|(?P<option>-[A-Za-z]+:?)|(?P<table>@\{)"
    r"|(?P<bytes>\(\s*\[[\w.]+\]::UTF8\.GetBytes\(\s*)|(?P<end>[\r\n;|]|\Z)"
    r"|(?P<string>(?=[\"']|@[\"']))|(?P<word>[^\s\"';|]+)"
)
_PAIR = re.compile(
    r"[\s;]*(?:(?P<end>\})|(?:" + _QUOTED.format("k") + r"|(?P<name>[\w-]+))"
    r"\s*=\s*(?:" + _QUOTED.format("v") + r"|(?P<value>[^\s;}]+)))",
    re.DOTALL,
)
_ESCAPED = re.compile(
    r"`(.)|\"\"|\$\(\[char\](\d{1,7}|0x[0-9a-fA-F]{1,5})\)", re.DOTALL
)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "a": "\a", "b": "\b"}
_VARIABLE = re.compile(r"(?<!`)\$(?!\(\[char\])[\w({]")
_AGENT = re.compile(r"(?im)^[ \t]*\$session\.UserAgent[ \t]*=[ \t]*")
_COOKIE = re.compile(r"(?i)System\.Net\.Cookie\(\s*")

_VARIABLES = "request: variables and expressions of PowerShell are kept as written"


def recognise(source: Source) -> bool:
    """Whether such a command comes first, after what sets variables."""
    head = source.text[:65536]
    found = _COMMAND.search(head)
    return found is not None and all(
        _BEFORE.match(line) for line in head[: found.start()].splitlines()
    )


def read(source: Source) -> Imported:
    """Read every command. Raises InputError where there is none with a URL."""
    problems: list[Problem] = []
    exchanges = tuple(_exchanges(source.text, problems))
    if not exchanges:
        reason = f" ({problems[0].message})" if problems else ""
        message = f"it holds no Invoke-WebRequest with a URL{reason}"
        raise InputError(message, path=source.name)
    return Imported(exchanges=exchanges, problems=tuple(problems))


@dataclass(slots=True)
class _Call:
    """What the options of one command say."""

    url: str = ""
    method: str = ""
    headers: list[tuple[str, str]] = field(default_factory=list)
    body: str | None = None
    has_variables: bool = False
    is_torn: bool = False
    end: int = 0


def _exchanges(text: str, problems: list[Problem]) -> Iterator[Exchange]:
    commands = list(_COMMAND.finditer(text))
    before = 0
    for number, command in enumerate(commands, start=1):
        if command.start() < before:
            continue
        call = _parsed(text, command.end())
        where = f"command {number}"
        if call.is_torn or not call.url:
            message = (
                "breaks off; left out" if call.is_torn else "names no URL; left out"
            )
            problems.append(Problem(message=message, where=where))
            continue
        call.headers += _session(text[before : command.start()])
        onward = next((c.start() for c in commands if c.start() >= call.end), len(text))
        before = call.end
        request = Request(
            method=call.method or ("GET" if call.body is None else "POST"),
            url=call.url,
            headers=tuple(call.headers),
            body=Body(text_bytes(_paired(call.body or ""))),
        )
        yield Exchange(
            request=request,
            response=response_in(text[call.end : onward]),
            remarks=(_VARIABLES,) * call.has_variables,
        )


def _parsed(text: str, at: int) -> _Call:
    call = _Call(end=at)
    option = ""
    while token := _TOKEN.match(text, at):
        at = token.end()
        kind = token.lastgroup
        if kind == "end":
            call.is_torn |= not token[0] and text.rstrip(" \t\r\n").endswith("`")
            break
        if kind == "option":
            option = token[0].strip("-:").lower()
        elif kind == "table":
            at = _take_table(call, text, at, option)
        elif kind in ("string", "bytes"):
            found = _STRING.match(text, at)
            if found is None:
                call.is_torn = True
                break
            _take(call, option, _said(found, "", call))
            at = found.end()
        elif kind == "word" and option and not token[0].startswith(")"):
            _take(call, option, token[0])
    call.end = at
    return call


def _take(call: _Call, option: str, value: str) -> None:
    if option in ("uri", "") and not call.url:
        call.url = value
    elif option == "method":
        call.method = value.upper()
    elif option == "contenttype":
        call.headers.append(("Content-Type", value))
    elif option == "useragent":
        call.headers.append(("User-Agent", value))
    elif option == "body":
        call.has_variables |= value.startswith(("$", "("))
        call.body = value


def _take_table(call: _Call, text: str, at: int, option: str) -> int:
    """Read the pairs of a table; those of the headers count."""
    while pair := _PAIR.match(text, at):
        at = pair.end()
        if pair["end"]:
            return at
        name = pair["name"] or _said(pair, "k", call)
        value = pair["value"] or _said(pair, "v", call)
        if option == "headers" and name.lower() not in _NO_HEADERS:
            call.headers.append((name, value))
    call.is_torn = True
    return at


_NO_HEADERS = frozenset({"authority", "method", "path", "scheme"})
"""Pseudo-headers of HTTP/2, which browsers copy without their colon."""


def _said(found: re.Match[str], which: str, call: _Call) -> str:
    """The text of a string, its escapes undone."""
    groups = found.groupdict()
    quoted = groups.get(f"{which}quoted")
    quoted = groups.get(f"{which}here") if quoted is None else quoted
    if quoted is not None:
        call.has_variables |= _VARIABLE.search(quoted) is not None
        return _ESCAPED.sub(_unescaped, quoted)
    plain = groups.get(f"{which}plain")
    if plain is not None:
        return plain.replace("''", "'")
    return groups.get(f"{which}plainhere") or ""


def _unescaped(found: re.Match[str]) -> str:
    if found[1]:
        return _ESCAPES.get(found[1], found[1])
    if found[2]:
        code = int(found[2], 0)
        return chr(code) if code < 0x110000 else found[0]
    return '"'


def _paired(value: str) -> str:
    """With halves of surrogate pairs joined: [char] gives one half at a time."""
    return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _session(before: str) -> Iterator[tuple[str, str]]:
    """Headers that the session of the command adds."""
    call = _Call()
    agent = _AGENT.search(before)
    said = _STRING.match(before, agent.end()) if agent else None
    if said is not None:
        yield "User-Agent", _said(said, "", call)
    for cookie in _COOKIE.finditer(before):
        name = _STRING.match(before, cookie.end())
        comma = re.compile(r"\s*,\s*").match(before, name.end()) if name else None
        value = _STRING.match(before, comma.end()) if comma else None
        if name is not None and value is not None:
            yield "Cookie", f"{_said(name, '', call)}={_said(value, '', call)}"
