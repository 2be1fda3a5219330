"""Spools: memory shared with the scribe, appended to and never waited for.

A write costs a copy of the bytes and no more, however slow the disk is. What lies in a
spool stays readable for the scribe when this process is killed. What passes is in there
with its keys, so it is memory alone: no name, no disk, gone with the last who has it
open. Linux has files of that kind (memfd_create(2)); elsewhere (macOS) it is shared
memory of POSIX, which can be mapped, but neither written nor read:

    sigscope (8 bytes) · bytes of frames that are whole (u64) · frames ...
"""

from __future__ import annotations

import errno
import os
import struct
from collections.abc import Callable
from functools import partial
from importlib import import_module
from math import inf
from mmap import ACCESS_READ, mmap
from secrets import token_hex
from threading import Lock
from typing import Any, Protocol

SIZE = 32 * 1024 * 1024
"""Bytes after which the next spool begins, so that written ones can be let go."""
MAPPED_SIZE = 8 * 1024 * 1024
"""The same for shared memory, which is taken whole; a container often has 64 MB."""

_MARK = b"sigscope"
_COUNT = struct.Struct("@Q")
"""In one store, as the processor has numbers."""
_HEAD = len(_MARK) + _COUNT.size
_SPARE = 64
"""Bytes kept at the end for the frame that tells of the next spool."""


class Spool(Protocol):
    """One piece of memory, append-only."""

    fd: int
    size: int
    """Bytes of frames so far."""

    def has_room(self, size: int) -> bool:
        """Whether a frame of so many bytes can be written, and one more that ends it
        all."""
        ...

    def write(self, *pieces: bytes) -> None:
        """Append frames, whole or not at all. Raises OSError where there is no
        memory."""
        ...

    def close(self) -> None:
        """Let it go; the scribe has a handle of its own."""
        ...


def new_spool(size: int, least: int = 0) -> Spool:
    """One for about `size` bytes of frames, and at least for one of `least`. Raises
    OSError where the system gives none."""
    create = getattr(os, "memfd_create", None)
    if create is not None:
        try:
            return FileSpool(create("sigscope-spool"))
        except OSError as error:
            if error.errno in (errno.EMFILE, errno.ENFILE):
                raise
            # else: a kernel without it, or a sandbox
    return MappedSpool(max(min(size, MAPPED_SIZE), least))


class FileSpool:
    """In a file in memory, which grows."""

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self.size = 0
        self._most = _largest_file()

    def has_room(self, size: int) -> bool:
        return self.size + size + _SPARE <= self._most

    def write(self, *pieces: bytes) -> None:
        total = sum(map(len, pieces))
        try:
            done = os.writev(self.fd, pieces)
            if done < total:
                whole = memoryview(b"".join(pieces))
                while done < total:
                    done += os.write(self.fd, whole[done:])
        except OSError:
            # Half a frame would make the rest unreadable.
            os.ftruncate(self.fd, self.size)
            os.lseek(self.fd, self.size, os.SEEK_SET)
            raise
        self.size += total

    def close(self) -> None:
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1


def _largest_file() -> float:
    """Bytes to which this process may let a file grow; one in memory is a file as well
    (setrlimit(2), RLIMIT_FSIZE)."""
    try:
        import resource
    except ImportError:
        return inf
    soft, _ = resource.getrlimit(resource.RLIMIT_FSIZE)
    return inf if soft == resource.RLIM_INFINITY else soft


class MappedSpool:
    """In shared memory, which is there whole from the beginning."""

    def __init__(self, size: int) -> None:
        """For `size` bytes of frames. Raises OSError."""
        self._room = size
        whole = _HEAD + size + _SPARE
        self.fd = _shared_memory(whole)
        self.size = 0
        self._map = mmap(self.fd, whole)
        self._map[: len(_MARK)] = _MARK

    def has_room(self, size: int) -> bool:
        return self.size + size <= self._room

    def write(self, *pieces: bytes) -> None:
        at = _HEAD + self.size
        total = sum(map(len, pieces))
        if at + total > len(self._map):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        for piece in pieces:
            self._map[at : at + len(piece)] = piece
            at += len(piece)
        _order_memory()
        self.size += total
        _COUNT.pack_into(self._map, len(_MARK), self.size)

    def close(self) -> None:
        if self.fd >= 0:
            self._map.close()
            os.close(self.fd)
            self.fd = -1


def spool_reader(fd: int) -> Callable[[int, int], bytes]:
    """Gives bytes of the frames in a spool: `read(size, offset)`, fewer at the end."""
    try:
        mark = os.pread(fd, len(_MARK), 0)
    except OSError:  # shared memory can only be mapped
        mark = _MARK
    if mark != _MARK:
        return partial(_read_file, fd)
    memory = mmap(fd, os.fstat(fd).st_size, access=ACCESS_READ)
    return partial(_read_mapped, memory)


def _read_file(fd: int, size: int, offset: int) -> bytes:
    return os.pread(fd, size, offset)


def _read_mapped(memory: mmap, size: int, offset: int) -> bytes:
    (whole,) = _COUNT.unpack_from(memory, len(_MARK))
    _order_memory()
    return memory[_HEAD + offset : _HEAD + min(offset + size, whole)]


_barrier = Lock()


def _order_memory() -> None:
    """What stands before is seen before what stands behind, on every processor: taking
    a lock and letting it go are such points."""
    with _barrier:
        pass


def _shared_memory(size: int) -> int:
    """A descriptor of memory without a name. Raises OSError."""
    try:
        # What multiprocessing.shared_memory stands on, which wants a process more.
        memory: Any = import_module("_posixshmem")
    except ImportError:
        reason = "the system has no memory that two processes could share"
        raise OSError(errno.ENOSYS, reason) from None
    name = f"/sigscope-{token_hex(8)}"  # macOS allows 31 characters
    fd: int = memory.shm_open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL, mode=0o600)
    try:
        memory.shm_unlink(name)
        os.ftruncate(fd, size)
        allocate = getattr(os, "posix_fallocate", None)
        if allocate is not None:
            # Taken now, or a write to what is not there would end the process.
            allocate(fd, 0, size)
    except OSError:
        os.close(fd)
        raise
    return fd
