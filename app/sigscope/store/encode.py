"""From records to lines. What equals its default is left out."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import Any

from sigscope.edits.records import Edit
from sigscope.exchange import Body, Exchange, Request, Response
from sigscope.records import dataclass
from sigscope.runs import RulesVoice, Run
from sigscope.session import Note, Spoken, Step
from sigscope.store.chunks import encode_chunks
from sigscope.store.header import FORMAT, Header
from sigscope.store.lines import crc, encode_line
from sigscope.store.longlines import line_parts, pack_maybe_large
from sigscope.store.mends import encode_mended
from sigscope.store.splicer import Splicer

Json = dict[str, Any]


def encode_header(header: Header) -> bytes:
    value = {
        "sigscope": FORMAT,
        "id": header.id,
        "title": header.title,
        "story": header.story,
        "created_at": header.created_at,
        "tool": header.tool,
        "redaction": list(header.redaction),
    }
    return encode_line(value | _told(tags=list(header.tags)))


def encode_about(title: str, tags: Sequence[str], at: str) -> bytes:
    return encode_line({"type": "about", "title": title, "tags": list(tags), "at": at})


def encode_note(note: Note) -> bytes:
    return encode_line(
        {"type": "note", "text": note.text, "at": note.at} | _told(step=note.step)
    )


def encode_spoken(line: Spoken) -> bytes:
    value: Json = {"type": "dialect", "dialect": line.dialect, "at": line.at}
    value |= _told(step=line.step, endpoint=line.endpoint, by=line.by)
    return encode_line(value | _told(service=line.is_service or None))


def encode_step(
    step: Step, removed: dict[str, int], splicer: Splicer
) -> Iterator[bytes]:
    """The line in parts: one, unless its bodies are large."""
    exchange = _Exchange(splicer)
    head = {"type": "step", "number": step.number, "id": step.id}
    head |= _told(title=step.title, source=step.source, removed=removed)
    head["exchange"] = exchange.encode(step.exchange)
    return line_parts(head | _told(bodies=exchange.bodies))


def encode_run(run: Run, removed: dict[str, int], splicer: Splicer) -> Iterator[bytes]:
    """The line in parts: one, unless its bodies are large."""
    exchange = _Exchange(splicer)
    head = {"type": "run", "number": run.number, "step": run.step}
    head |= _told(parent=run.parent, title=run.title)
    head |= {"upstream": run.upstream, "at": run.at, "verdict": run.verdict.value}
    head |= _told(
        predicted=run.predicted,
        predicted_error=run.predicted_error,
        status=run.status,
        error=run.error,
        reason=run.reason,
        rules=_encode_rules(run.rules),
        contradiction=run.contradiction,
        recording=run.recording,
        edits=[_encode_edit(edit) for edit in run.edits],
        removed=removed,
    )
    head["attempt"] = run.attempt
    head["exchange"] = exchange.encode(run.exchange)
    return line_parts(head | _told(bodies=exchange.bodies))


def _encode_rules(voice: RulesVoice | None) -> Json | None:
    return {"says": voice.says} | _told(codes=list(voice.codes)) if voice else None


def _encode_edit(edit: Edit) -> Json:
    return {"op": edit.op.value} | _told(
        pointer=edit.pointer,
        value=edit.value,
        source=edit.source,
        name=edit.name,
        label=edit.label,
        origin=edit.origin,
    )


@dataclass(slots=True)
class _Exchange:
    """Encodes one exchange; its bodies are collected beside it."""

    splicer: Splicer
    bodies: dict[str, Json] = field(default_factory=dict)

    def encode(self, exchange: Exchange) -> Json:
        value = _told(
            started_at=exchange.started_at,
            first_byte_ms=_finite(exchange.first_byte_ms),
            duration_ms=_finite(exchange.duration_ms),
            remarks=list(exchange.remarks),
        )
        if exchange.request is not None:
            value["request"] = self._request(exchange.request)
        if exchange.response is not None:
            value["response"] = self._response(exchange.response)
        if exchange.mended is not None and exchange.request is not None:
            value["mended"] = encode_mended(exchange.mended, exchange.request.body)
        return value

    def _request(self, request: Request) -> Json:
        value = {"method": request.method, "url": request.url} | _told(
            http_version=request.http_version,
            headers=[list(pair) for pair in request.headers],
        )
        return value | self._body(request.body, "request")

    def _response(self, response: Response) -> Json:
        value = _told(
            status=response.status,
            reason=response.reason,
            http_version=response.http_version,
            headers=[list(pair) for pair in response.headers],
            framing=response.framing,
            chunks=len(response.chunks),
        )
        value["ending"] = response.ending
        value |= self._body(response.body, "response")
        if response.chunks:
            stored = self.bodies.setdefault("response", {})
            stored["chunks"] = encode_chunks(response.chunks)
        return value

    def _body(self, body: Body, side: str) -> Json:
        data = body.raw
        if not data:
            return {}
        at = self.splicer.end
        splice = self.splicer.splice(data, at)
        stored: Json = pack_maybe_large(splice.rest)
        stored |= _told(copies=list(splice.copies))
        self.bodies[side] = stored
        place = {"at": at, "size": len(data), "crc": crc(data)}
        return {"body": place | _told(needs=list(splice.needs))}


def _told(**members: Any) -> Json:
    """Members that are not None and not empty; 0 and False would be told."""
    return {
        name: value
        for name, value in members.items()
        if value is not None and value != "" and value != [] and value != {}
    }


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
