"""Content codings taken off a recorded body, for display; the original is kept.

Recordings often hold a body that was decoded already while its headers still say gzip
(HAR, most cassettes), or one that breaks off. So the header is a claim, the bytes
decide, and what came out before an error is given together with the error.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sigscope.wire.arrivals import Chunk
from sigscope.wire.codings import (
    CODINGS,
    GZIP_MAGIC,
    ZSTD_MAGIC,
    CodingError,
    Inflater,
)
from sigscope.wire.headers import Headers, header_list

MAX_DECODED = 512 * 1024 * 1024
"""Bytes after which decoding stops. No model answers at such length; a small body can
be made to decode to terabytes."""

_STEP = 64 * 1024
_MAGIC = {"gzip": GZIP_MAGIC, "x-gzip": GZIP_MAGIC, "zstd": ZSTD_MAGIC}


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoded:
    """A body without its content codings."""

    data: bytes = b""
    """What came out; the raw bytes where nothing could be taken off."""
    codings: tuple[str, ...] = ()
    """The codings that were taken off, the outermost first."""
    remarks: tuple[str, ...] = ()
    """Where header and bytes disagree, what is missing, which library to install."""
    chunks: tuple[Chunk, ...] = ()
    """The arrivals given, with offsets in `data`."""


def decode(raw: bytes, headers: Headers, chunks: Sequence[Chunk] = ()) -> Decoded:
    """Take the content codings named in the headers off a body.

    Never raises. Decodes at most `MAX_DECODED` bytes.
    """
    names = [name.lower() for name in header_list(headers, "content-encoding")]
    names = [name for name in names if name not in ("identity", "none", "utf-8")]
    state = Decoded(data=raw, chunks=tuple(chunks))
    if not raw:
        return state
    if not names:
        return _take_off_unnamed(state)
    for name in reversed(names):
        before = state
        state = _take_off(state, name)
        if len(state.codings) == len(before.codings):
            break
    return state


def decode_chunks(
    raw: bytes, headers: Headers, chunks: Sequence[Chunk]
) -> tuple[Chunk, ...]:
    """The same arrivals with offsets in the decoded body.

    Bytes that a decoder holds back count for the chunk that brings them out, which is
    when a client saw them.
    """
    return decode(raw, headers, chunks).chunks


def _take_off_unnamed(state: Decoded) -> Decoded:
    for name in ("gzip", "zstd"):
        if state.data.startswith(_MAGIC[name]):
            remark = f"no content-encoding header, but the bytes are {name}"
            return _take_off(_remarked(state, remark), name)
    return state


def _take_off(state: Decoded, name: str) -> Decoded:
    make = CODINGS.get(name)
    if make is None:
        return _remarked(state, f"content-encoding {name!r} is unknown: not decoded")
    plain = f"content-encoding says {name}, but the bytes are not: taken as they are"
    magic = _MAGIC.get(name)
    if magic and not magic.startswith(state.data[: len(magic)]):
        return _remarked(state, plain)
    try:
        result = _run(make, state.data, [chunk.end for chunk in state.chunks])
    except ImportError:
        extra = "pip install 'sigscope[codecs]'"
        if _is_text(state.data):
            return _remarked(state, plain)
        return _remarked(state, f"{name} body is not decoded: {extra}")
    if not result.is_clean and not magic and _is_text(state.data):
        return _remarked(state, plain)
    return Decoded(
        data=result.data,
        codings=(*state.codings, name),
        remarks=(*state.remarks, *result.remarks(name)),
        chunks=tuple(
            Chunk(end=end, at_ms=chunk.at_ms)
            for end, chunk in zip(result.ends, state.chunks, strict=True)
        ),
    )


def _remarked(state: Decoded, remark: str) -> Decoded:
    return Decoded(
        data=state.data,
        codings=state.codings,
        remarks=(*state.remarks, remark),
        chunks=state.chunks,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Result:
    data: bytes
    ends: tuple[int, ...]
    """How much was out when each chunk was in."""
    error: str = ""
    torn: bool = False
    spare: int = 0
    cut: bool = False

    @property
    def is_clean(self) -> bool:
        return not (self.error or self.torn or self.spare)

    def remarks(self, name: str) -> list[str]:
        remarks = []
        if self.error:
            remarks.append(f"{name} data is damaged: {self.error}; shown up to there")
        elif self.cut:
            remarks.append(f"{name} data decodes to more than {MAX_DECODED} bytes: cut")
        elif self.torn:
            remarks.append(f"{name} data breaks off; shown as far as it came")
        if self.spare:
            remarks.append(f"{self.spare} bytes follow the end of the {name} data")
        return remarks


def _run(make: Callable[[], Inflater], data: bytes, ends: Sequence[int]) -> _Result:
    """Decode all, noting how much was out at each of `ends`."""
    inflater = make()
    out = bytearray()
    marks: list[int] = []
    at, error = 0, ""
    for end in (*ends, len(data)):
        while at < min(end, len(data)) and not error and len(out) < MAX_DECODED:
            piece = data[at : min(end, at + _STEP)]
            try:
                out += inflater.feed(piece, MAX_DECODED - len(out))
            except CodingError as problem:
                error = str(problem)
                out += _rescue(make, data, at, len(out))
            at += len(piece)
        marks.append(len(out))
    return _Result(
        data=bytes(out),
        ends=tuple(marks[:-1]),
        error=error,
        torn=not inflater.ended,
        spare=inflater.spare,
        cut=len(out) >= MAX_DECODED,
    )


def _rescue(make: Callable[[], Inflater], data: bytes, at: int, known: int) -> bytes:
    """What the damaged piece at `at` yields before the damage, byte by byte.

    A decoder that fails keeps the output of the whole piece to itself.
    """
    inflater = make()
    out = bytearray()
    try:
        for start in range(0, at, _STEP):
            out += inflater.feed(data[start : min(at, start + _STEP)], MAX_DECODED)
        for start in range(at, min(at + _STEP, len(data))):
            out += inflater.feed(data[start : start + 1], MAX_DECODED)
    except CodingError:
        pass
    return bytes(out[known:])


def _is_text(data: bytes) -> bool:
    """Whether bytes are plainly no compressed data: UTF-8 without control codes."""
    head = data[:4096]
    if any(byte < 0x20 and byte not in b"\t\r\n" for byte in head):
        return False
    try:
        head.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start > len(head) - 4 and len(data) > len(head)
    return True
