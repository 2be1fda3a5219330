"""Small sessions for tests of the file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from sigscope.edits.records import Edit, Op
from sigscope.exchange import Body, Chunk, Exchange, Request, Response
from sigscope.runs import Run, Verdict
from sigscope.session import Note, Session, Step
from sigscope.store import Header, SessionWriter

HEADER = Header(
    id="b0c4",
    title="A title",
    story="What *happened*.",
    created_at="2026-11-21T03:14:15Z",
    tool="sigscope 0.1.0",
)


def make_exchange(
    request: bytes = b"{}", response: bytes = b"{}", **more: Any
) -> Exchange:
    return Exchange(
        request=Request(
            method="POST",
            url="https://host/v1/chat?alt=sse",
            headers=(("Host", "host"), ("X-Odd", 'a,"bodies":{"é"}'), ("x-odd", "")),
            body=Body(request),
            http_version="HTTP/1.1",
        ),
        response=Response(
            status=400,
            reason="Bad Request",
            headers=(("Content-Type", "application/json"),),
            body=Body(response),
            chunks=(Chunk(end=1, at_ms=0.5), Chunk(end=len(response), at_ms=17.25)),
            framing="json",
            ending="complete",
        ),
        started_at="2026-11-21T03:14:15Z",
        first_byte_ms=12.5,
        duration_ms=17.25,
        remarks=("a remark",),
        **more,
    )


def make_step(number: int = 1, request: bytes = b"{}", response: bytes = b"{}") -> Step:
    return Step(
        number=number,
        id=f"s{number}",
        exchange=make_exchange(request, response),
        title="Title",
        source="recorded",
    )


def make_run(number: int = 1, request: bytes = b"{}", response: bytes = b"{}") -> Run:
    return Run(
        number=number,
        step=1,
        parent=None if number == 1 else number - 1,
        edits=(
            Edit(op=Op.SET, pointer="/a~1b", value='"x"', label="why", origin="rule X"),
            Edit(op=Op.MOVE, pointer="/to", source="/from"),
            Edit(op=Op.HEADER, name="X-Initiator", value="agent"),
        ),
        title="Run",
        upstream="simulator",
        exchange=make_exchange(request, response),
        predicted=200,
        predicted_error=None,
        status=400,
        error="missing",
        verdict=Verdict.REPRODUCED,
        attempt=2,
        at="2026-11-21T03:14:16Z",
    )


def make_note(step: int | None = None) -> Note:
    return Note(text="Works\nnow.", at="2026-11-21T03:14:17Z", step=step)


def write(path: Path, *records: Step | Run | Note) -> Path:
    """A session file with these records."""
    with SessionWriter.create(str(path), HEADER) as writer:
        append(writer, *records)
    return path


def append(writer: SessionWriter, *records: Step | Run | Note) -> None:
    for record in records:
        if isinstance(record, Step):
            writer.append_step(record)
        elif isinstance(record, Run):
            writer.append_run(record)
        else:
            writer.append_note(record)


def contents(session: Session) -> list[Step | Run | Note]:
    """Everything in a session, bodies looked at."""
    records = [*session.steps, *session.runs, *session.notes]
    for record in (*session.steps, *session.runs):
        for side in (record.exchange.request, record.exchange.response):
            if side:
                assert len(side.body.raw) == side.body.size
    return records


def lines(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)


def parsed(line: bytes) -> Any:
    return json.loads(line)


def wheres(session: Session) -> list[str]:
    return [problem.where for problem in session.problems]
