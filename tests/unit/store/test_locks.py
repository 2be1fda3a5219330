"""One writer at a time; where a file system knows no locks, nobody is kept waiting."""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from sigscope.errors import InputError
from sigscope.store.locks import is_held, locked


@pytest.fixture
def two(tmp_path: Path) -> Iterator[tuple[int, int]]:
    """Two descriptors of one file, as two programs have them."""
    path = tmp_path / "x"
    path.write_bytes(b"")
    both = os.open(path, os.O_RDWR), os.open(path, os.O_RDWR)
    yield both
    for fd in both:
        os.close(fd)


def refuse(number: int) -> object:
    def flock(fd: int, how: int) -> None:
        raise OSError(number, os.strerror(number))

    return flock


def test_whoever_comes_second_has_none(two: tuple[int, int]) -> None:
    first, second = two
    assert is_held(first)
    assert not is_held(second)
    fcntl.flock(first, fcntl.LOCK_UN)
    assert is_held(second)


def test_another_writer_is_waited_for_and_not_for_ever(two: tuple[int, int]) -> None:
    first, second = two
    told = pytest.raises(InputError, match="another program has held the file")
    with locked(first, "x"), told, locked(second, "x", patience=0):
        pass
    with locked(second, "x", patience=0):
        assert not is_held(first)


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP])
def test_without_locks_nobody_has_one(
    two: tuple[int, int], monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    monkeypatch.setattr(fcntl, "flock", refuse(number))
    assert is_held(two[0])
    with locked(two[1], "x", patience=0):
        pass


def test_a_call_that_was_interrupted_is_no_missing_lock(
    two: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fcntl, "flock", refuse(errno.EINTR))
    assert not is_held(two[0])
