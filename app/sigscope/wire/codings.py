"""Decoders for content codings, all with one face.

    inflater = CODINGS["gzip"]()
    data = inflater.feed(piece, limit)

`feed` gives what these bytes bring and raises `CodingError` where they are no such
data. brotli and zstd are optional: without their library, making the decoder raises
`ImportError`.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any, Protocol

GZIP_MAGIC = b"\x1f\x8b\x08"
ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"


class CodingError(Exception):
    """The bytes are not what the coding says."""


class Inflater(Protocol):
    """Takes one content coding off, piece by piece."""

    ended: bool
    """The coded data is at its proper end, as far as it was fed."""
    spare: int
    """Bytes fed after that end which are no such data, and were left out."""

    def feed(self, piece: bytes, limit: int) -> bytes:
        """Decode the next piece; at most about `limit` bytes, which is above 0."""
        ...


class Gzip:
    """RFC 1952, one member or several in a row."""

    def __init__(self) -> None:
        self.ended = False
        self.spare = 0
        self._member = zlib.decompressobj(wbits=31)

    def feed(self, piece: bytes, limit: int) -> bytes:
        out: list[bytes] = []
        room = limit
        while piece and room > 0:
            if self._member.eof:
                if self.spare or not _starts(piece, GZIP_MAGIC):
                    self.spare += len(piece)
                    break
                self._member = zlib.decompressobj(wbits=31)
            out.append(_inflate(self._member, piece, room))
            room -= len(out[-1])
            piece = self._member.unused_data
        self.ended = self._member.eof
        return b"".join(out)


class Deflate:
    """RFC 1950, as the standard has it, or bare RFC 1951, as many servers send it."""

    def __init__(self) -> None:
        self.ended = False
        self.spare = 0
        self._stream: Any = None
        self._head = b""

    def feed(self, piece: bytes, limit: int) -> bytes:
        if self.ended:
            self.spare += len(piece)
            return b""
        if self._stream is None:
            self._head += piece
            if len(self._head) < 2:
                return b""
            piece = self._head
            wrapped = piece[0] & 0x0F == 8 and int.from_bytes(piece[:2]) % 31 == 0
            self._stream = zlib.decompressobj(wbits=15 if wrapped else -15)
        data = _inflate(self._stream, piece, limit)
        self.ended = self._stream.eof
        self.spare = len(self._stream.unused_data)
        return data


def _inflate(stream: Any, piece: bytes, limit: int) -> bytes:
    try:
        data: bytes = stream.decompress(piece, limit)
    except zlib.error as error:
        raise CodingError(str(error)) from error
    return data


class Brotli:
    """RFC 7932, by the brotli library. It does not tell of bytes after the end."""

    def __init__(self) -> None:
        import brotli

        self.ended = False
        self.spare = 0
        self._error = brotli.error
        self._stream = brotli.Decompressor()

    def feed(self, piece: bytes, limit: int) -> bytes:
        if self.ended:
            self.spare += len(piece)
            return b""
        out: list[bytes] = []
        room = limit
        try:
            # One call gives no more than a buffer, and keeps the rest to itself.
            while room > 0 and not self._stream.is_finished():
                out.append(self._stream.process(piece, output_buffer_limit=room))
                room -= len(out[-1])
                if not out[-1]:
                    break
                piece = b""
        except self._error as error:
            raise CodingError(str(error)) from error
        self.ended = self._stream.is_finished()
        return b"".join(out)


class Zstd:
    """RFC 8878, by the standard library from Python 3.14, else by backports.zstd."""

    def __init__(self) -> None:
        module = _zstd()
        self.ended = False
        self.spare = 0
        self._error = module.ZstdError
        self._make = module.ZstdDecompressor
        self._frame = self._make()

    def feed(self, piece: bytes, limit: int) -> bytes:
        out: list[bytes] = []
        room = limit
        try:
            while piece and room > 0:
                if self._frame.eof:
                    if self.spare or not _starts(piece, ZSTD_MAGIC):
                        self.spare += len(piece)
                        break
                    self._frame = self._make()
                out.append(self._frame.decompress(piece, room))
                room -= len(out[-1])
                piece = self._frame.unused_data
        except self._error as error:
            raise CodingError(str(error)) from error
        self.ended = self._frame.eof
        return b"".join(out)


def _starts(piece: bytes, magic: bytes) -> bool:
    """Whether a piece, however short, may be the beginning of these first bytes."""
    return magic.startswith(piece[: len(magic)])


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
