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
from sigscope.capture.bodies import Found, noted
from sigscope.capture.entries import import_entries
from sigscope.capture.shape import Tree, mapping, number, text, whole
from sigscope.capture.source import Source
from sigscope.capture.values import base64_bytes, headers_of, text_bytes, utc_time
from sigscope.exchange import Body, Exchange, Headers, Request, Response


def recognise(source: Source) -> bool:
    """Whether the first entry is a transaction."""
    return source.first == "[" and _is_transaction(source.first_entry)


def read(source: Source) -> Imported:
    """Read each transaction. Raises InputError where there is none."""
    return import_entries(
        source,
        _is_transaction,
        _exchange,
        other="is no transaction",
        none="it holds no transactions",
    )


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
        body=Body(noted(_body(asked), "request", remarks)),
        http_version=text(parts.get("protocolVersion")),
    )
    response = Response(
        status=whole(answered.get("status")),
        headers=_headers(answered),
        body=Body(noted(_body(answered), "response", remarks)),
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
