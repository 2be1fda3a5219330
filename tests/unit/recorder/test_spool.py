"""Memory that a scribe reads what passes from, with files in memory and without."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator
from mmap import mmap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigscope.recorder import frames
from sigscope.recorder.frames import read_frames
from sigscope.recorder.spool import MappedSpool, Spool, new_spool, spool_reader


@pytest.fixture(params=["file", "mapped"])
def spool(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Spool]:
    if request.param == "mapped":
        monkeypatch.delattr(os, "memfd_create", raising=False)
    made = new_spool(1000)
    assert isinstance(made, MappedSpool) is (request.param == "mapped")
    yield made
    made.close()


def put(spool: Spool, data: bytes) -> None:
    spool.write(frames.pack(frames.SENT, 1, 0, len(data)), data)


def found(spool: Spool) -> list[bytes]:
    read = spool_reader(spool.fd)
    return [frame.data for frame, _ in read_frames(read, 0)]


def test_what_was_written_is_read_by_another(spool: Spool) -> None:
    assert found(spool) == []
    put(spool, b"one")
    put(spool, b"")
    read = spool_reader(spool.fd)
    assert [frame.data for frame, _ in read_frames(read, 0)] == [b"one", b""]
    place = max(end for _, end in read_frames(read, 0))
    put(spool, b"two")
    assert [frame.data for frame, _ in read_frames(read, place)] == [b"two"]


def test_what_is_read_outlives_the_one_who_wrote(spool: Spool) -> None:
    put(spool, b"one")
    mine = os.dup(spool.fd)
    spool.close()
    assert [frame.data for frame, _ in read_frames(spool_reader(mine), 0)] == [b"one"]
    os.close(mine)


def test_shared_memory_is_full_in_time_for_the_frame_that_says_so() -> None:
    made = MappedSpool(100)
    size = frames.HEADER.size + 100
    assert not made.has_room(size)
    assert made.has_room(100)
    put(made, b"a" * (100 - frames.HEADER.size))
    assert not made.has_room(1)
    made.write(frames.pack(frames.NEXT, 0, 0, 0), b"")
    with pytest.raises(OSError, match="No space left"):
        put(made, b"b" * 100)
    assert len(found(made)) == 2
    made.close()


def test_a_file_in_memory_grows_no_further_than_files_may(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (300, 300))
    made = new_spool(1000)
    assert made.has_room(200)
    assert not made.has_room(300), "what tells of the next spool needs some"
    made.close()


def test_memory_that_can_only_be_mapped_is_mapped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On macOS shared memory is neither read nor written as a file is."""
    made = MappedSpool(100)
    put(made, b"one")

    def refuse(*_: object) -> bytes:
        raise OSError(6, "Device not configured")

    monkeypatch.setattr(os, "pread", refuse)
    assert found(made) == [b"one"]
    made.close()


def test_a_frame_half_written_is_not_seen() -> None:
    made = MappedSpool(100)
    put(made, b"one")
    beside = mmap(made.fd, os.fstat(made.fd).st_size)
    beside[16 + made.size : 16 + made.size + 20] = b"Q" * 20  # not counted yet
    assert found(made) == [b"one"]
    made.close()


@given(st.lists(st.binary(max_size=300), max_size=20), st.integers(1, 64))
def test_frames_of_any_size_come_out_again(pieces: list[bytes], least: int) -> None:
    made = MappedSpool(sum(map(len, pieces)) + frames.HEADER.size * len(pieces) + least)
    for piece in pieces:
        put(made, piece)
    assert found(made) == pieces
    made.close()
