"""Charles's sessions in JSON (`.chlsj`): a list of transactions.

    [{"status": "COMPLETE", "method": "POST", "scheme": "https", "host": "h",
      "actualPort": 443, "path": "/x", "query": null,
      "times": {"start": "2026-01-31T10:00:00.000Z"}, "durations": {"total": 1200},
      "request": {"header": {"headers": [{"name": "A", "value": "b"}]},
                  "body": {"text": "{...}", "charset": "UTF-8"}},
      "response": {"status": 200, "header": {...},
                   "body": {"encoding": "base64", "encoded": "..."}}}]

Bodies are kept as text, or in base64 where they are none; what Charles unpacked says
so in `contentEncoding`. Source: charlesproxy.com, "Export: JSON Session File", and
files that public tools read.
"""

from __future__ import annotations

from sigscope.capture.base import Imported
from sigscope.capture.cassette_bodies import Found
from sigscope.capture.shape import Tree, mapping, number, text, whole
from sigscope.capture.source import Source
from sigscope.capture.values import base64_bytes, headers_of, text_bytes, utc_time
from sigscope.errors import InputError
from sigscope.exchange import Body, Exchange, Headers, Request, Response
from sigscope.session import Problem


def recognise(source: Source) -> bool:
    """Whether the first entry is a transaction."""
    return source.first == "[" and _is_transaction(source.first_entry)


def read(source: Source) -> Imported:
    """Read each transaction. Raises InputError where there is none."""
    found: list[Exchange] = []
    problems: list[Problem] = []
    for where, tree, error in source.entries():
        if error or not _is_transaction(tree):
            reason = error or "is no transaction"
            problems.append(Problem(message=f"{reason}; left out", where=where))
        else:
            found.append(_exchange(mapping(tree)))
    if not found:
        raise InputError("it holds no transactions", path=source.name)
    return Imported(exchanges=tuple(found), problems=tuple(problems))


def _is_transaction(tree: Tree) -> bool:
    parts = mapping(tree)
    asked = mapping(parts.get("request"))
    return {"host", "path", "scheme"} <= parts.keys() and (
        "header" in asked or "sizes" in asked
    )


def _exchange(parts: dict[str, Tree]) -> Exchange:
    remarks: list[str] = []
    asked, answered = mapping(parts.get("request")), mapping(parts.get("response"))
    if text(parts.get("exception")):
        remarks.append(f"Charles: {text(parts.get('exception'))}")
    request = Request(
        method=text(parts.get("method")).upper() or "POST",
        url=_url(parts),
        headers=_headers(asked),
        body=Body(_noted(_body(asked), "request", remarks)),
        http_version=text(parts.get("protocolVersion")),
    )
    response = Response(
        status=whole(answered.get("status")),
        headers=_headers(answered),
        body=Body(_noted(_body(answered), "response", remarks)),
        http_version=text(parts.get("protocolVersion")),
    )
    return Exchange(
        request=request,
        response=response if answered else None,
        started_at=utc_time(mapping(parts.get("times")).get("start")),
        duration_ms=number(mapping(parts.get("durations")).get("total")),
        remarks=tuple(remarks),
    )


def _url(parts: dict[str, Tree]) -> str:
    scheme, query = text(parts.get("scheme")), text(parts.get("query"))
    port = text(parts.get("port")) or text(parts.get("actualPort"))
    usual = {"https": "443", "http": "80"}.get(scheme)
    host = text(parts.get("host")) + ("" if port in ("", usual) else f":{port}")
    return f"{scheme}://{host}{text(parts.get('path'))}{'?' + query if query else ''}"


def _headers(side: dict[str, Tree]) -> Headers:
    return headers_of(mapping(side.get("header")).get("headers"))


def _body(side: dict[str, Tree]) -> Found:
    body = mapping(side.get("body"))
    if text(body.get("encoding")) == "base64":
        data = base64_bytes(text(body.get("encoded")))
        if data is not None:
            return data, ""
        return text_bytes(text(body.get("encoded"))), "the body is no base64"
    return text_bytes(text(body.get("text"))), ""


def _noted(found: Found, side: str, remarks: list[str]) -> bytes:
    body, remark = found
    if remark:
        remarks.append(f"{side}: {remark}")
    return body
