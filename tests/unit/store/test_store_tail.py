"""Reading a file that grows."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.permissions import permissions_apply

from sigscope.errors import InputError
from sigscope.store import tail as module
from sigscope.store.tail import Tail


def told(tail: Tail) -> list[tuple[int, bytes]]:
    return [(line.number, line.data) for line in tail.lines()]


def test_lines_come_as_they_are_completed(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"one\ntw")
    tail = Tail(str(path))
    assert told(tail) == [(1, b"one")]
    assert (tail.rest.number, tail.rest.data) == (2, b"tw")
    with path.open("ab") as file:
        file.write(b"o\n\nfour\n")
    assert told(tail) == [(2, b"two"), (4, b"four")]
    assert tail.rest.data == b""
    assert told(tail) == []


def test_a_rest_that_was_taken_is_not_told_again(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"one\ntwo")
    tail = Tail(str(path))
    told(tail)
    tail.take_rest()
    assert told(tail) == []
    with path.open("ab") as file:
        file.write(b"\nthree\nfour")
    assert told(tail) == [(3, b"three")]
    assert (tail.rest.number, tail.rest.offset) == (4, 14)


@given(
    st.lists(st.sampled_from([b"", b"a", b"bcd", b"x" * 40]), max_size=9),
    st.lists(st.integers(0, 99), max_size=4),
    st.integers(1, 9),
)
def test_neither_blocks_nor_polls_matter(
    texts: list[bytes], cuts: list[int], block: int
) -> None:
    data = b"\n".join(texts)
    with pytest.MonkeyPatch.context() as patch, TemporaryDirectory() as folder:
        path = Path(folder) / "a"
        patch.setattr(module, "_BLOCK", block)
        path.write_bytes(b"")
        tail = Tail(str(path))
        found = []
        for cut in [*sorted(cuts), len(data)]:
            path.write_bytes(data[:cut])
            for line in tail.lines():
                assert tail.read(line.offset, len(line.data)) == line.data
                found.append((line.number, line.data))
    whole = list(enumerate(texts[:-1], start=1))
    assert found == [(number, text) for number, text in whole if text]
    assert tail.rest.data == (texts[-1] if texts else b"")


def test_a_file_cut_short_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"one\ntwo\n")
    tail = Tail(str(path))
    told(tail)
    assert not tail.was_cut
    os.truncate(path, 5)
    assert tail.was_cut
    with pytest.raises(InputError, match="cut short"):
        tail.read(4, 3)


def test_another_file_at_the_path_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"one\n")
    tail = Tail(str(path))
    assert not tail.was_replaced
    other = tmp_path / "b"
    other.write_bytes(b"two\n")
    other.replace(path)
    assert tail.was_replaced
    assert told(tail) == [(1, b"one")]
    path.unlink()
    assert tail.was_replaced


def test_what_is_no_file_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="folder"):
        Tail(str(tmp_path))
    with pytest.raises(InputError, match="No such file"):
        Tail(str(tmp_path / "none"))
    with pytest.raises(InputError, match="cannot be read"):
        Tail("a\0b")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="no regular file"):
        Tail(str(tmp_path / "pipe"))


def test_a_file_without_permission_is_said_so(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"x\n")
    path.chmod(0)
    with permissions_apply(), pytest.raises(InputError, match="Permission denied"):
        Tail(str(path))


def test_the_file_is_closed_with_its_reader(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"x\n")
    before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    for _ in range(20):
        Tail(str(path))
    if before:
        assert len(os.listdir("/proc/self/fd")) <= before + 1
