"""A WebSocket's messages as exchanges.

Each message of the client begins an exchange; the messages of the server after it are
its answer, one JSON document a line. The bytes of the frames themselves are not in any
of the recordings that have such messages, and the exchanges say so.
"""

from __future__ import annotations

from collections.abc import Sequence

from sigscope.capture.values import epoch_time, text_bytes
from sigscope.exchange import Body, Chunk, Exchange, Request, Response
from sigscope.wire.headers import Headers

Frame = tuple[bool, str, float | None]
"""Whether the client sent it, its text, and its time in seconds since 1970."""

_REMARK = (
    "a WebSocket: the request is the client's message, the response the server's "
    "messages up to the next one, a line each"
)


def from_frames(url: str, headers: Headers, frames: Sequence[Frame]) -> list[Exchange]:
    """Exchanges of a connection; none where no message was recorded."""
    groups: list[tuple[list[Frame], list[Frame]]] = []
    for frame in frames:
        is_client = frame[0]
        if not groups or (is_client and groups[-1][1]):
            groups.append(([], []))
        groups[-1][0 if is_client else 1].append(frame)
    return [_exchange(url, headers, sent, got) for sent, got in groups]


def _exchange(
    url: str, headers: Headers, sent: list[Frame], got: list[Frame]
) -> Exchange:
    lines = [text_bytes(text).rstrip(b"\r\n") + b"\n" for _, text, _ in got]
    began = sent[0][2] if sent else None
    chunks: list[Chunk] = []
    end = 0
    for line, (_, _, at) in zip(lines, got, strict=True):
        end += len(line)
        if began is not None and at is not None and at >= began:
            chunks.append(Chunk(end=end, at_ms=round((at - began) * 1000, 3)))
    body = b"\n".join(text_bytes(text) for _, text, _ in sent)
    return Exchange(
        request=Request(method="GET", url=url, headers=headers, body=Body(body)),
        response=Response(
            body=Body(b"".join(lines)),
            chunks=tuple(chunks) if len(chunks) == len(lines) else (),
            framing="json-lines",
        ),
        started_at=epoch_time(began),
        remarks=(_REMARK,),
    )
