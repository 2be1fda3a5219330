"""Debug logs of the Python SDKs: `OPENAI_LOG=debug`, `ANTHROPIC_LOG=debug`.

    ... DEBUG] Request options: {'method': 'post', 'url': '/v1/messages', 'headers': {},
        'timeout': Timeout(...), 'json_data': {'model': 'x', 'messages': [...]}}
    ... DEBUG] Sending HTTP Request: POST https://h/v1/messages
    ... DEBUG] HTTP Response: POST https://h/v1/messages "200 OK" Headers({...})
    openai.BadRequestError: Error code: 400 - {'error': {...}}

Requests are in it as Python prints them; they are put together as JSON again. Answers
are not, but for their heads, and the words of an exception that was printed. The log
of openai 3 and later (`Building HTTP request: method=POST`) and that of the SDKs for
Node.js (`messages: [Array]`) hold no bodies at all: that is said, and what to do.
Source: the logs of openai 1.109, 2.54, 3.54, anthropic 0.125, 1.17, 2.12 (Python),
openai 6.49 and @anthropic-ai/sdk 1.12 (Node.js), made 2026-11.
"""

from __future__ import annotations

import re
from dataclasses import replace

from sigscope.capture.base import Imported
from sigscope.capture.debug_log import moment_at
from sigscope.capture.python_repr import Printed, read_printed
from sigscope.capture.shape import mapping, text
from sigscope.capture.source import Source
from sigscope.capture.values import epoch_time, headers_of, json_bytes
from sigscope.errors import InputError
from sigscope.exchange import Body, Exchange, Headers, Request, Response
from sigscope.records import dataclass
from sigscope.session import Problem

_MARK = re.compile(
    r"(?P<options>Request options: (?=\{))"
    r"|Sending HTTP Request: (?P<method>[A-Z]+) (?P<url>\S+)"
    r"|HTTP Response: [A-Z]+ \S+ \"(?P<status>\d{3})(?P<reason>[^\"\n]*)\""
    r"(?: (?P<headers>Headers\())?"
    r"|HTTP Request: [A-Z]+ \S+ \"HTTP/[\d.]+ (?P<told>\d{3})(?P<why>[^\"\n]*)\""
    r"|Error code: (?P<code>\d{3}) - (?P<error>(?=[\[{]))"
)
_SDK = re.compile(r"_base_client\b|Request options: \{'method'")
_WITHOUT_BODIES = re.compile(
    r"Building HTTP request: method=|HTTP Response: [A-Z]+ \d{3}"
)
_NODE = re.compile(r"\[log_[0-9a-f]{6}\] (?:sending request|response start) \{")
_LITELLM = "Request Sent from LiteLLM"

_INSTEAD = (
    "It cannot tell what was sent or received. Record the traffic instead:"
    " `sigscope run -- YOUR PROGRAM`, or `sigscope record` with the client's base URL"
    " set to it. What an error text alone tells: `sigscope explain 'TEXT'`"
)
_REBUILT = "request: put together from what the SDK logs; its bytes are not in the log"
_NO_BODY = "response: the SDK logs the head of an answer, never its body"
_ERROR = "response: put together from the words of the exception"


def recognise(source: Source) -> bool:
    """Whether the lines are an SDK's, with bodies or without."""
    if source.first in ("{", "<"):
        return False
    head = source.text[:262144]
    if _LITELLM in head:
        return False
    if _SDK.search(head):
        return bool(_MARK.search(head) or _WITHOUT_BODIES.search(head))
    return _NODE.search(head) is not None


def read(source: Source) -> Imported:
    """Read each request. Raises InputError where the log holds none."""
    problems: list[Problem] = []
    exchanges = tuple(_exchanges(source.text, problems))
    if any(exchange.request for exchange in exchanges):
        return Imported(exchanges=exchanges, problems=tuple(problems))
    if _NODE.search(source.text):
        message = (
            "it is a debug log of an SDK for Node.js, which prints bodies as"
            f" `messages: [Array]`. {_INSTEAD}"
        )
    elif _WITHOUT_BODIES.search(source.text):
        message = (
            "it is a debug log of openai 3 or later, which prints no bodies"
            f" (openai 1 and 2 did). {_INSTEAD}"
        )
    else:
        message = "it holds no `Request options` of an SDK with a body"
    raise InputError(message, path=source.name)


@dataclass(slots=True)
class _Open:
    """A request whose answer may follow."""

    exchange: Exchange
    has_body: bool = False


def _exchanges(log: str, problems: list[Problem]) -> list[Exchange]:
    found: list[_Open] = []
    lines = _Lines(log)
    at, line, counted = 0, 1, 0
    while mark := _MARK.search(log, at):
        line += log.count("\n", counted, mark.start())
        counted = mark.start()
        at = mark.end()
        if mark["options"]:
            options = read_printed(log, at, lines.end(at))
            at = options.end
            if not options.is_whole:
                message = "breaks off; shown as far as it goes"
                problems.append(Problem(message=message, where=f"line {line}"))
            found.append(_Open(_asked(options, _began(log, mark.start()))))
        elif found and mark["url"]:
            _send(found[-1], mark["method"], mark["url"])
        elif found and mark["code"]:
            error = read_printed(log, at, lines.end(at))
            at = error.end
            _refuse(found, int(mark["code"]), error)
        elif found:
            headers: Headers = ()
            if mark["headers"]:
                printed = read_printed(log, at, lines.end(at))
                at = printed.end
                headers = headers_of(printed.value)
            status = int(mark["status"] or mark["told"])
            reason = (mark["reason"] or mark["why"] or "").strip()
            _answer(found[-1], status, reason, headers)
    return [each.exchange for each in found]


class _Lines:
    """Ends of lines: what is printed has its own escaped. Asked for ascending
    offsets; each end is looked for once."""

    def __init__(self, log: str) -> None:
        self._log = log
        self._end = -1

    def end(self, at: int) -> int:
        """Where the line of an offset ends."""
        if self._end < at:
            found = self._log.find("\n", at)
            self._end = found if found >= 0 else len(self._log)
        return self._end


def _began(log: str, at: int) -> str | None:
    begin = log.rfind("\n", max(0, at - 300), at) + 1
    before = log[max(begin, at - 300) : at].encode("utf-8", "replace")
    return epoch_time(moment_at(before, len(before)))


def _asked(printed: Printed, began: str | None) -> Exchange:
    options = mapping(printed.value)
    body = options.get("json_data")
    extra = mapping(options.get("extra_json"))
    if isinstance(body, dict) and extra:
        body = {**body, **extra}
    remarks = [_REBUILT] if body is not None else []
    raw = b""
    if body is not None:
        try:
            raw = json_bytes(body)
        except ValueError as error:
            remarks.append(f"request: it cannot be put together: {error}")
    headers = tuple(
        (name, value)
        for name, value in mapping(options.get("headers")).items()
        if isinstance(value, str) and value not in printed.odd
    )
    return Exchange(
        request=Request(
            method=text(options.get("method")).upper() or "POST",
            url=text(options.get("url")),
            headers=headers,
            body=Body(raw),
        ),
        started_at=began,
        remarks=tuple(remarks),
    )


def _send(here: _Open, method: str, url: str) -> None:
    request = here.exchange.request
    assert request is not None
    sent = replace(request, method=method, url=url)
    here.exchange = replace(here.exchange, request=sent)


def _answer(here: _Open, status: int, reason: str, headers: Headers) -> None:
    """Take the head of an answer; two lines may tell of it."""
    before = here.exchange.response
    if before is None:
        remarks = (*here.exchange.remarks, _NO_BODY)
        here.exchange = replace(here.exchange, remarks=remarks)
    kept = headers or (before.headers if before else ())
    response = Response(status=status, reason=reason, headers=kept)
    here.exchange = replace(here.exchange, response=response)


def _refuse(found: list[_Open], status: int, printed: Printed) -> None:
    """Give the words of an exception to the request that was refused with them."""
    for here in reversed(found):
        response = here.exchange.response
        if here.has_body or (response is not None and response.status != status):
            continue
        try:
            raw = json_bytes(printed.value)
        except ValueError:
            return
        remarks = tuple(r for r in here.exchange.remarks if r != _NO_BODY)
        head = response or Response(status=status)
        # The head speaks of the bytes that came, these are others.
        headers = tuple(
            (name, value)
            for name, value in head.headers
            if name.lower() not in ("content-length", "content-encoding")
        )
        here.exchange = replace(
            here.exchange,
            response=replace(head, headers=headers, body=Body(raw)),
            remarks=(*remarks, _ERROR),
        )
        here.has_body = True
        return
