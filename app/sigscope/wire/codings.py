"""Decoders for content codings, all with one face.

    inflater = CODINGS["gzip"]()
    data = b"".join(inflater.feed(piece))

`feed` gives what these bytes bring and raises `CodingError` where they are no such
data. brotli and zstd are optional: without their library, making the decoder raises
`ImportError`.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Protocol

GZIP_MAGIC = b"\x1f\x8b\x08"
ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
_SKIPPABLE = tuple(bytes((0x50 + kind,)) + b"\x2a\x4d\x18" for kind in range(16))
"""How a frame of zstd begins that holds nothing of the content, and may stand before
and behind those that do. RFC 8878, section 3.1.2."""
BEGINNINGS = {
    "gzip": (GZIP_MAGIC,),
    "x-gzip": (GZIP_MAGIC,),
    "zstd": (ZSTD_MAGIC, *_SKIPPABLE),
}
"""What data of a coding begins with, where little else begins so."""
PART = 256 * 1024
"""Bytes that a decoder gives at a time."""
ZSTD_WINDOW = 24
"""Binary logarithm of the bytes a frame may refer back over. RFC 9659, section 3: a
content coding needs no more than 23; the library's own 27 takes 128 MB."""


class CodingError(Exception):
    """The bytes are not what the coding says."""


class Inflater(Protocol):
    """Takes one content coding off, piece by piece."""

    ended: bool
    """The coded data is at its proper end, as far as it was fed."""
    spare: int
    """Bytes fed after that end which are no such data, and were left out."""
    members: int
    """Streams in a row that were begun: members of gzip, frames of zstd. Each takes
    some 20 microseconds, and may stand in 9 bytes and hold nothing."""

    def feed(self, piece: bytes) -> Iterator[bytes]:
        """What the next piece brings, at most about `PART` bytes at a time: a few
        bytes may stand for a gigabyte. Who stops taking before the end is done."""
        ...


class Gzip:
    """RFC 1952, one member or several in a row."""

    def __init__(self) -> None:
        self.ended = False
        self.spare = 0
        self.members = 1
        self._member = zlib.decompressobj(wbits=31)

    def feed(self, piece: bytes) -> Iterator[bytes]:
        while piece:
            if self._member.eof:
                if self.spare or not may_begin("gzip", piece):
                    self.spare += len(piece)
                    break
                self._member = zlib.decompressobj(wbits=31)
                self.members += 1
            yield from _inflate(self._member, piece)
            piece = self._member.unused_data
        self.ended = self._member.eof


class Deflate:
    """RFC 1950, as the standard has it, or bare RFC 1951, as many servers send it."""

    def __init__(self) -> None:
        self.ended = False
        self.spare = 0
        self.members = 1
        self._stream: Any = None
        self._head = b""

    def feed(self, piece: bytes) -> Iterator[bytes]:
        if self.ended:
            self.spare += len(piece)
            return
        if self._stream is None:
            self._head += piece
            if len(self._head) < 2:
                return
            piece = self._head
            self._stream = zlib.decompressobj(wbits=15 if starts_zlib(piece) else -15)
        yield from _inflate(self._stream, piece)
        self.ended = self._stream.eof
        self.spare = len(self._stream.unused_data)


def _inflate(stream: Any, piece: bytes) -> Iterator[bytes]:
    try:
        while True:
            yield stream.decompress(piece, PART)
            piece = stream.unconsumed_tail
            if stream.eof or not piece:
                break
    except zlib.error as error:
        raise CodingError(str(error)) from error


class Brotli:
    """RFC 7932, by the brotli library. It does not tell of bytes after the end."""

    def __init__(self) -> None:
        import brotli

        self.ended = False
        self.spare = 0
        self.members = 1
        self._error = brotli.error
        self._stream = brotli.Decompressor()

    def feed(self, piece: bytes) -> Iterator[bytes]:
        if self.ended:
            self.spare += len(piece)
            return
        try:
            # One call gives no more than a buffer, and keeps the rest to itself.
            while not self._stream.is_finished():
                out = self._stream.process(piece, output_buffer_limit=PART)
                if not out:
                    break
                yield out
                piece = b""
        except self._error as error:
            raise CodingError(str(error)) from error
        self.ended = self._stream.is_finished()


class Zstd:
    """RFC 8878, by the standard library from Python 3.14, else by backports.zstd."""

    def __init__(self) -> None:
        module = _zstd()
        self.ended = False
        self.spare = 0
        self.members = 1
        self._error = module.ZstdError
        self._make = partial(
            module.ZstdDecompressor,
            options={module.DecompressionParameter.window_log_max: ZSTD_WINDOW},
        )
        self._frame = self._make()

    def feed(self, piece: bytes) -> Iterator[bytes]:
        try:
            while piece:
                if self._frame.eof:
                    if self.spare or not may_begin("zstd", piece):
                        self.spare += len(piece)
                        break
                    self._frame = self._make()
                    self.members += 1
                yield self._frame.decompress(piece, PART)
                while not (self._frame.needs_input or self._frame.eof):
                    yield self._frame.decompress(b"", PART)
                piece = self._frame.unused_data
        except self._error as error:
            raise CodingError(str(error)) from error
        self.ended = self._frame.eof


def may_begin(coding: str, data: bytes) -> bool:
    """Whether such data, however little of it there is, may begin like this. Always so
    for codings without a beginning of their own."""
    beginnings = BEGINNINGS.get(coding, (b"",))
    return any(magic.startswith(data[: len(magic)]) for magic in beginnings)


def starts_zlib(data: bytes) -> bool:
    """Whether the first two bytes can be those of RFC 1950: so are one in 500."""
    return (
        data[:1] != b"" and data[0] & 0x0F == 8 and int.from_bytes(data[:2]) % 31 == 0
    )


def _zstd() -> Any:
    try:
        from compression import zstd
    except ImportError:
        from backports import zstd
    return zstd


CODINGS: dict[str, Callable[[], Inflater]] = {
    "gzip": Gzip,
    "x-gzip": Gzip,
    "deflate": Deflate,
    "br": Brotli,
    "zstd": Zstd,
}
"""Content codings by their registered names (IANA, 2026-11)."""
