"""A large file is skimmed first: the same steps, without a look at their bodies."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.store.samples import contents, make_note, make_run, make_step, write

from sigscope.store import SessionFile, open_session, reader, tail
from sigscope.store.tail import LongLine, Tail

BODY = b'{"messages":["' + bytes(range(97, 123)) * 60 + b'"]}'


@pytest.fixture(autouse=True)
def everything_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "SKIMMED_FROM", 1)
    monkeypatch.setattr(tail, "_LONG", 1000)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    records = [
        make_step(1, BODY, b"\x00\xff" * 2000),
        make_note(),
        make_step(2, BODY.upper(), b""),
        make_run(1, BODY + BODY, b"data: x"),
        make_step(3, b"{}", b""),
        make_step(4, BODY + BODY.upper(), BODY),
    ]
    return write(tmp_path / "a.session.jsonl", *records)


@pytest.mark.parametrize("stride", [64, 1000, 1 << 20])
def test_what_is_skimmed_is_what_is_read(
    path: Path, stride: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tail, "_STRIDE", stride)
    skimmed, read = open_session(str(path), skims=True), open_session(str(path))
    assert contents(skimmed) == contents(read)
    assert skimmed.problems == read.problems == ()
    assert any(isinstance(line, LongLine) for line in Tail(str(path)).skim())


def test_a_file_goes_on_where_it_was_skimmed_to(path: Path) -> None:
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:4]) + lines[4][:20])
    file = SessionFile(str(path), skims=True)
    assert [problem.where for problem in file.session.problems] == ["line 5"]
    path.write_bytes(whole)
    assert file.poll()
    assert contents(file.session) == contents(open_session(str(path)))


def test_what_was_changed_since_is_found_by_reading_in_full(path: Path) -> None:
    changed = path.read_bytes().replace(b"klmnop", b"KLMNOP", 1)
    path.write_bytes(changed)
    assert not open_session(str(path), skims=True).problems
    (problem, *_) = open_session(str(path)).problems
    assert problem.message == "was changed after it was written"


def test_a_long_line_by_another_hand_is_read(path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    head, _, _ = lines[1].rpartition(b',"sum":')
    lines[1] = head + b"}\n"
    path.write_bytes(b"".join(lines))
    skimmed, read = open_session(str(path), skims=True), open_session(str(path))
    assert contents(skimmed) == contents(read)
    assert skimmed.problems == read.problems


def test_a_small_file_is_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "SKIMMED_FROM", 1 << 30)
    path.write_bytes(path.read_bytes().replace(b"klmnop", b"KLMNOP", 1))
    assert open_session(str(path), skims=True).problems
