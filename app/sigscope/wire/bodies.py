"""Content codings taken off a recorded body, for display; the original is kept.

Recordings often hold a body that was decoded already while its headers still say gzip
(HAR, most cassettes), or one that breaks off. So the header is a claim, the bytes
decide, and what came out before an error is given together with the error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from io import BytesIO

from sigscope.records import dataclass
from sigscope.wire.arrivals import Chunk
from sigscope.wire.codings import (
    BEGINNINGS,
    CODINGS,
    CodingError,
    Inflater,
    may_begin,
    starts_zlib,
)
from sigscope.wire.headers import Headers, header_list


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """How much a body may decode to. A small one can be made to decode to terabytes;
    no model's answer comes near these."""

    most: int = 512 * 1024 * 1024
    """Bytes, however many were coded."""
    ratio: int = 100
    """Times the coded bytes. Event streams reach 30, the longest runs of one letter
    1,030 by gzip."""
    free: int = 8 * 1024 * 1024
    """Bytes that any body may decode to, whatever the ratio: an answer that says one
    word for ever is packed a thousand times."""

    def limit(self, coded: int) -> int:
        """Bytes that so many coded ones may become."""
        return max(self.usual(coded), min(self.most, self.free))

    def usual(self, coded: int) -> int:
        """The same by the ratio alone."""
        return min(self.most, self.ratio * coded)

    def members(self, coded: int) -> int:
        """Streams in a row that so many coded bytes may consist of. One event alone is
        packed to more than 32 bytes, and to more than 20 with little in it."""
        return 64 + coded // 32


_bounds = Bounds()


def bounds() -> Bounds:
    """Those in force."""
    return _bounds


def set_bounds(chosen: Bounds) -> None:
    """Decode by these from now on: what the user's settings say."""
    global _bounds
    _bounds = chosen


SHOWN = 1024 * 1024
"""Bytes that are given of a body which decodes to more than it may."""
HELD = 16 * 1024 * 1024
"""Bytes that come out before it is known whether a body decodes to more than it may.
Further ones are counted, and decoded once more where they are allowed: a bomb of 31 MB
held 512 MB otherwise, until it was known to be one."""
DEEPEST = 8
"""Codings inside one another that are taken off."""

LIBRARIES = {"br": "brotli", "zstd": "backports.zstd"}
"""What comes with sigscope, and may be missing all the same, by coding."""

_STEP = 64 * 1024
_LEAST = 16
"""Bytes from which on some are asked whether they are of a coding that nothing names
and that has no beginning of its own."""


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
    is_cut: bool = False
    """It decodes to more than it may; `data` is the beginning."""
    most: int = 0
    """Bytes that it might decode to; 0 where nothing was taken off."""
    has_unread: bool = False
    """Some bytes are behind a coding that could not be taken off, or behind the end or
    the damage of one that could: what they say is not known."""


@dataclass(slots=True, kw_only=True)
class BodyRoom:
    """What is left of the bounds, while codings inside one another are taken off."""

    size: int
    """Bytes that may come out yet, of all of them."""
    members: int
    """Streams in a row that may be begun yet."""
    most: int
    """Bytes there were in the beginning."""

    @classmethod
    def of(cls, coded: int, most: int = 0) -> BodyRoom:
        """For so many coded bytes. `most`: that they may become; 0 as `bounds` say."""
        most = most or bounds().limit(coded)
        return cls(size=most, members=bounds().members(coded), most=most)


class BodyAllowance:
    """What the bodies of one recording may decode to beyond the usual ratio, together.

    Each may, up to `Bounds.free`; a hundred of them in a megabyte are no answers. What
    bodies leave of their ratio makes up for it, so that no recording that has others
    runs out.
    """

    MOST = 32 * 1024 * 1024

    def __init__(self) -> None:
        self._left = self.MOST

    def room(self, coded: int) -> BodyRoom:
        """For a body of so many coded bytes."""
        usual = bounds().usual(coded)
        return BodyRoom.of(coded, max(usual, min(bounds().limit(coded), self._left)))

    def note(self, coded: int, room: BodyRoom) -> None:
        """A body was decoded, and took this of its room."""
        size, usual = room.most - room.size, bounds().usual(coded)
        spent = size if size > usual else size - usual
        self._left = max(0, min(self.MOST, self._left - spent))


def decode(
    raw: bytes,
    headers: Headers,
    chunks: Sequence[Chunk] = (),
    *,
    room: BodyRoom | None = None,
    only_named: bool = False,
) -> Decoded:
    """Take the content codings named in the headers off a body; and what else there is,
    unless `only_named`.

    Never raises. Decodes as far as `bounds` allow, measured by the bytes that came:
    codings inside one another are allowed no more, all together. `room`: what is left
    for it where it is not alone, or was itself unpacked from another.
    """
    if not raw:
        return Decoded(chunks=tuple(chunks))
    room = room or BodyRoom.of(len(raw))
    names = _codings(headers)
    state = Decoded(data=raw, chunks=tuple(chunks))
    for name in names[: -DEEPEST - 1 : -1]:
        before = state
        state = _take_off(state, name, room)
        if state.is_cut or len(state.codings) == len(before.codings):
            return state
    if len(names) > DEEPEST:
        remark = f"more than {DEEPEST} codings: the rest stays on"
        return _remarked(state, remark, has_unread=not _is_text(state.data))
    return state if only_named else _take_off_rest(state, room)


NOT_SO = ", but the bytes are not: taken as they are"
"""Ends a remark on a body that has not the coding that its headers name ..."""
STORED_PLAIN = "stored without its content coding"
STORED_BEGINNING = "only that beginning is stored"
"""... which is our own doing where a remark begins so."""


def is_coded(headers: Headers) -> bool:
    """Whether the headers name a coding. They may be wrong."""
    return bool(_codings(headers))


def _codings(headers: Headers) -> list[str]:
    names = (name.lower() for name in header_list(headers, "content-encoding"))
    return [name for name in names if name not in ("identity", "none", "utf-8")]


def decode_chunks(
    raw: bytes,
    headers: Headers,
    chunks: Sequence[Chunk],
    *,
    room: BodyRoom | None = None,
) -> tuple[Chunk, ...]:
    """The same arrivals with offsets in the decoded body.

    Bytes that a decoder holds back count for the chunk that brings them out, which is
    when a client saw them.
    """
    return decode(raw, headers, chunks, room=room).chunks


def _take_off_rest(state: Decoded, room: BodyRoom) -> Decoded:
    """Codings that no header names: as nobody else takes them off, what is under them
    would be read by nobody."""
    known = -1
    while known < len(state.codings) < DEEPEST and not state.is_cut:
        known = len(state.codings)
        said = "no content-encoding header"
        if state.codings:
            said = f"content-encoding says no more than {', '.join(state.codings)}"
        state = _take_off_unnamed(state, room, said)
    return state


def _take_off_unnamed(
    state: Decoded, room: BodyRoom, said: str, *codings: str
) -> Decoded:
    """What the bytes themselves tell; the same state where they tell nothing.
    `codings`: others that they may be of, if all of them are, and stand for a text."""
    for name in ("gzip", "zstd"):
        if state.data.startswith(BEGINNINGS[name]):
            remark = f"{said}, but the bytes are {name}"
            return _take_off(_remarked(state, remark), name, room)
    likely = codings or ("deflate",) * starts_zlib(state.data)
    if not likely or len(state.data) < _LEAST or _is_text(state.data):
        return state
    for name in likely:
        trial = replace(room)
        remark = f"{said}, but the bytes are {name}"
        with suppress(ImportError):
            result = _run(CODINGS[name], state.data, _ends(state), trial)
            if result.cut or (result.is_clean and _is_text(result.data)):
                room.size, room.members = trial.size, trial.members
                return _taken_off(_remarked(state, remark), name, result, room)
    return state


def _take_off(state: Decoded, name: str, room: BodyRoom) -> Decoded:
    make = CODINGS.get(name)
    said = f"content-encoding says {name}"
    if make is None:
        other = _take_off_unnamed(state, room, said)
        if other is not state:
            return other
        remark = f"content-encoding {name!r} is unknown: not decoded"
        return _remarked(state, remark, has_unread=not _is_text(state.data))
    plain = f"{said}{NOT_SO}"
    if not may_begin(name, state.data):
        other = _take_off_unnamed(state, room, said, "deflate", "br")
        return _remarked(state, plain) if other is state else other
    trial = replace(room)
    try:
        result = _run(make, state.data, _ends(state), trial)
    except ImportError:
        if _is_text(state.data):
            return _remarked(state, plain)
        remark = f"{name} body is not decoded: pip install {LIBRARIES[name]}"
        return _remarked(state, remark, has_unread=True)
    if not (result.is_clean or result.cut or name in BEGINNINGS):
        if _is_text(state.data):
            return _remarked(state, plain)
        others = [each for each in ("deflate", "br") if each != name]
        other = _take_off_unnamed(state, room, said, *others)
        if other is not state:
            return other
    room.size, room.members = trial.size, trial.members
    return _taken_off(state, name, result, room)


def _ends(state: Decoded) -> list[int]:
    return [chunk.end for chunk in state.chunks]


def _taken_off(state: Decoded, name: str, result: _Result, room: BodyRoom) -> Decoded:
    return Decoded(
        data=result.data,
        codings=(*state.codings, name),
        remarks=(*state.remarks, *result.remarks(name)),
        chunks=tuple(
            Chunk(end=end, at_ms=chunk.at_ms)
            for end, chunk in zip(result.ends, state.chunks, strict=True)
        ),
        is_cut=bool(result.cut),
        most=room.most,
        has_unread=state.has_unread or bool(result.error or result.spare),
    )


def _remarked(state: Decoded, remark: str, *, has_unread: bool = False) -> Decoded:
    return Decoded(
        data=state.data,
        codings=state.codings,
        remarks=(*state.remarks, remark),
        chunks=state.chunks,
        most=state.most,
        has_unread=state.has_unread or has_unread,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Result:
    data: bytes
    ends: tuple[int, ...]
    """How much was out when each chunk was in."""
    error: str = ""
    torn: bool = False
    spare: int = 0
    cut: str = ""
    """What no answer does, where it does that."""

    @property
    def is_clean(self) -> bool:
        return not (self.error or self.torn or self.spare)

    def remarks(self, name: str) -> list[str]:
        remarks = []
        if self.error:
            remarks.append(f"{name} data is damaged: {self.error}; shown up to there")
        elif self.cut:
            remarks.append(f"{name} data {self.cut}")
        elif self.torn:
            remarks.append(f"{name} data breaks off; shown as far as it came")
        if self.spare:
            remarks.append(f"{self.spare} bytes follow the end of the {name} data")
        return remarks


def _run(
    make: Callable[[], Inflater], data: bytes, ends: Sequence[int], room: BodyRoom
) -> _Result:
    """Decode all, noting how much was out at each of `ends`."""
    held = min(room.size, HELD)
    tried = _Pass(make, data, room, held)
    tried.run(ends)
    if tried.size > held and not tried.cut:
        tried = _Pass(make, data, room, room.size)
        tried.run(ends)
    room.size = max(0, room.size - tried.size)
    room.members = max(0, room.members - tried.members)
    return tried.result()


class _Pass:
    """One way through coded bytes, which holds so much of what comes out."""

    def __init__(
        self, make: Callable[[], Inflater], data: bytes, room: BodyRoom, held: int
    ) -> None:
        self._make = make
        self._data = data
        self._room = room
        self._held = held
        self._inflater = make()
        self._out = BytesIO()  # gives its bytes without a copy
        self._marks: list[int] = []
        self._error = ""
        self.size = 0
        """Bytes that came out."""
        self.cut = ""
        """What no answer does, where it does that."""

    @property
    def members(self) -> int:
        return self._inflater.members

    def run(self, ends: Sequence[int]) -> None:
        """Decode until the end, damage, or more than may come."""
        data, at = self._data, 0
        for end in (*ends, len(data)):
            while at < min(end, len(data)) and not self._error and not self.cut:
                piece = data[at : min(end, at + _STEP)]
                try:
                    self._take(self._inflater.feed(piece))
                except CodingError as problem:
                    self._error = str(problem)
                    self._take(_rescue(self._make, data, at, self.size))
                at += len(piece)
            self._marks.append(self.size)

    def _take(self, parts: Iterable[bytes]) -> None:
        for part in parts:
            if self.size <= self._held:
                self._out.write(part)
            self.size += len(part)
            self.cut = _excess(self.size, self.members, self._room)
            if self.cut:
                break
            if self.size > self._held:
                self._out.truncate(SHOWN)

    def result(self) -> _Result:
        """What was held, which is all or the beginning."""
        if self.cut:
            self._out.truncate(min(self._room.most, SHOWN))
        whole = self._out.getvalue()
        return _Result(
            data=whole,
            ends=tuple(min(mark, len(whole)) for mark in self._marks[:-1]),
            error="" if self.cut else self._error,
            torn=not self._inflater.ended,
            spare=self._inflater.spare,
            cut=self.cut,
        )


def _excess(size: int, members: int, room: BodyRoom) -> str:
    """What no body does, if this is more than may come."""
    if size > room.size:
        return (
            f"decodes to more than {room.most:,} bytes, which no body does: only the"
            f" first {SHOWN:,} are shown. The settings decode.ratio and decode.most"
            " allow more"
        )
    if members > room.members:
        return (
            f"is cut into more than {room.members:,} streams in a row, which no answer"
            f" is: only the first {SHOWN:,} bytes of what they hold are shown"
        )
    return ""


def _rescue(
    make: Callable[[], Inflater], data: bytes, at: int, known: int
) -> Iterator[bytes]:
    """What the damaged piece at `at` yields before the damage, byte by byte.

    A decoder that fails keeps the output of the whole piece to itself.
    """
    inflater = make()
    starts = [*range(0, at, _STEP), *range(at, min(at + _STEP, len(data)))]
    skip = known
    with suppress(CodingError):
        for start in starts:
            end = min(at, start + _STEP) if start < at else start + 1
            for part in inflater.feed(data[start:end]):
                yield part[skip:]
                skip = max(0, skip - len(part))


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
