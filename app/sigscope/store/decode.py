"""From validated lines to records; bodies stay where they are until asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sigscope.edits.records import Edit
from sigscope.exchange import EMPTY, Body, Chunk, Exchange, Request, Response
from sigscope.runs import RulesVoice, Run
from sigscope.session import Note, Spoken, Step
from sigscope.store.mends import decode_mended
from sigscope.store.space import Side

if TYPE_CHECKING:  # dear to import
    from pydantic import ValidationError

    from sigscope.store.models import (
        EditModel,
        ExchangeHead,
        NoteLine,
        RulesModel,
        RunHead,
        SpokenLine,
        StepHead,
        StoredRequestHead,
        StoredResponseHead,
    )


def decode_step(head: StepHead, exchange: Exchange) -> Step:
    return Step(
        number=head.number,
        id=head.id,
        exchange=exchange,
        title=head.title,
        source=head.source,
    )


def decode_run(head: RunHead, exchange: Exchange) -> Run:
    return Run(
        number=head.number,
        step=head.step,
        parent=head.parent,
        edits=tuple(_decode_edit(edit) for edit in head.edits),
        title=head.title,
        upstream=head.upstream,
        exchange=exchange,
        predicted=head.predicted,
        predicted_error=head.predicted_error,
        status=head.status,
        error=head.error,
        verdict=head.verdict,
        reason=head.reason,
        rules=_decode_rules(head.rules),
        contradiction=head.contradiction,
        attempt=head.attempt,
        at=head.at,
        recording=head.recording,
    )


def _decode_rules(voice: RulesModel | None) -> RulesVoice | None:
    return RulesVoice(says=voice.says, codes=voice.codes) if voice else None


def _decode_edit(edit: EditModel) -> Edit:
    return Edit(
        op=edit.op,
        pointer=edit.pointer,
        value=edit.value,
        source=edit.source,
        name=edit.name,
        label=edit.label,
        origin=edit.origin,
    )


def decode_note(line: NoteLine) -> Note:
    return Note(text=line.text, at=line.at, step=line.step)


def decode_spoken(line: SpokenLine) -> Spoken:
    return Spoken(
        dialect=line.dialect,
        at=line.at,
        step=line.step,
        endpoint=line.endpoint,
        by=line.by,
        is_service=line.service,
    )


def decode_exchange(
    head: ExchangeHead,
    bodies: dict[Side, Body],
    chunks: Sequence[Chunk],
    remarks: Sequence[str],
) -> Exchange:
    """`remarks` are added to those of the file: what was lost on the way here."""
    request, response, mended = head.request, head.response, head.mended
    body = bodies.get("request", EMPTY)
    return Exchange(
        request=_request(request, body) if request else None,
        response=(
            _response(response, bodies.get("response", EMPTY), chunks)
            if response
            else None
        ),
        started_at=head.started_at,
        first_byte_ms=head.first_byte_ms,
        duration_ms=head.duration_ms,
        remarks=(*head.remarks, *remarks),
        mended=decode_mended(mended.model_dump(), body) if mended else None,
    )


def _request(head: StoredRequestHead, body: Body) -> Request:
    return Request(
        method=head.method,
        url=head.url,
        headers=head.headers,
        body=body,
        http_version=head.http_version,
    )


def _response(
    head: StoredResponseHead, body: Body, chunks: Sequence[Chunk]
) -> Response:
    return Response(
        status=head.status,
        reason=head.reason,
        headers=head.headers,
        body=body,
        http_version=head.http_version,
        chunks=chunks,
        framing=head.framing,
        ending=head.ending,
    )


def explain(error: ValidationError) -> str:
    """The first thing wrong with a line: "exchange.request.url: ..."."""
    first: Any = error.errors(include_url=False, include_input=False)[0]
    field = ".".join(str(part) for part in first["loc"])
    message = str(first["msg"])
    more = error.error_count() - 1
    also = f" (and {more} more)" if more else ""
    return f"{field}: {message}{also}" if field else f"{message}{also}"
