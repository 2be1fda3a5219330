"""Acme's own log: {"acme_log": [{"url": "", "sent": {}, "status": 200, "got": {}}]}"""

import json

from sigscope.capture.base import Format, Imported
from sigscope.capture.source import Source
from sigscope.exchange import Body, Exchange, Request, Response


def recognise(source: Source) -> bool:
    return isinstance(source.json, dict) and "acme_log" in source.json


def read(source: Source) -> Imported:
    return Imported(exchanges=tuple(map(_exchange, source.json["acme_log"])))


def _exchange(call: dict[str, object]) -> Exchange:
    return Exchange(
        request=Request(
            method="POST", url=str(call["url"]), headers=(), body=_body(call["sent"])
        ),
        response=Response(
            status=int(str(call["status"])), headers=(), body=_body(call["got"])
        ),
    )


def _body(value: object) -> Body:
    return Body(json.dumps(value).encode())


FORMAT = Format(
    name="acme-log", title="Acme's log of calls", recognise=recognise, read=read
)
