"""`sigscope sessions prune`: says what would go, deletes when told to, ours alone."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

import pytest

from sigscope.cli.main import run
from sigscope.engine.sessions import library
from sigscope.engine.sessions.retention import (
    Pruning,
    age_of,
    delete,
    excess,
    kept_files,
    size_of,
)
from sigscope.errors import InputError, UsageError
from sigscope.session import Note
from sigscope.store import Header, SessionWriter

DAY = 86400


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("DATA", "STATE", "CONFIG"):
        monkeypatch.setenv(f"SIGSCOPE_{name}_DIR", str(tmp_path / name.lower()))
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "data" / "sessions"
    folder.mkdir(parents=True)
    for name, days in (("old", 40), ("middle", 20), ("new", 1), ("running", 0)):
        write(folder / f"{name}.session.jsonl", days)
    return folder


def write(path: Path, days: int) -> None:
    SessionWriter.create(str(path), Header(id=path.name, title="x" * 1000)).close()
    then = time.time() - days * DAY
    os.utime(path, (then, then))


def names(folder: Path) -> set[str]:
    return {path.name.partition(".")[0] for path in folder.iterdir()}


def test_without_yes_it_only_says_so(
    kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["sessions", "prune", "--older-than", "30d"]) == 0
    out = capsys.readouterr().out
    assert "old.session.jsonl" in out
    assert "40 days: older than 30d" in out
    assert "would be deleted with --yes: 1 session" in out
    assert names(kept) == {"old", "middle", "new", "running"}
    assert run(["sessions", "prune", "--older-than", "0d"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(" kB, ")[-1].split(":")[0] for line in lines[:3]] == [
        *("40 days", "20 days", "24 hours"),
    ]
    assert "would be deleted with --yes: 3 sessions, " in lines[3]
    assert " kB; nothing was deleted" in lines[3], "not 0.0 MB"


def test_with_yes_the_old_ones_go(
    kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["sessions", "prune", "--older-than", "2w", "--yes"]) == 0
    assert "deleted: 2 sessions" in capsys.readouterr().out
    assert names(kept) == {"new", "running"}


def test_beyond_a_size_the_oldest_go_first_and_never_the_running(kept: Path) -> None:
    assert run(["sessions", "prune", "--max-size", "2.5kB", "--yes"]) == 0
    assert names(kept) == {"new", "running"}
    assert run(["sessions", "prune", "--max-size", "0", "--yes"]) == 0
    assert names(kept) == {"running"}


def test_what_is_written_to_meanwhile_stays(kept: Path) -> None:
    found = excess(kept_files(time.time()), older_than="2w")
    assert [each.file.path.name[:3] for each in found] == ["old", "mid"]
    with SessionWriter.reopen(str(kept / "old.session.jsonl")) as writer:
        writer.append_note(Note(text="an answer, say", at="2026-01-01T00:00:00Z"))
    done = delete(found)
    assert names(kept) == {"old", "new", "running"}
    assert [each.file.path.name[:3] for each in done.deleted] == ["mid"]
    assert "was written to just now" in done.problems[0]


def test_what_was_overwritten_at_the_same_size_stays(kept: Path) -> None:
    found = excess(kept_files(time.time()), older_than="30d")
    path = kept / "old.session.jsonl"
    path.write_bytes(path.read_bytes()[::-1])
    assert "was written to just now" in delete(found).problems[0]
    assert path.exists()


def test_what_another_program_deleted_first_is_no_problem(
    kept: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two that prune at once: one tells of each file, and none of what is not so."""
    found = excess(kept_files(time.time()), older_than="2w")
    (kept / "old.session.jsonl").unlink()
    can_delete = library.can_delete

    def late(path: Path) -> bool:
        path.unlink()
        return can_delete(path)

    with monkeypatch.context() as patch:
        patch.setattr(library, "can_delete", late)
        assert delete(found) == Pruning(deleted=[], problems=[])
    assert run(["sessions", "prune", "--older-than", "2w", "--yes"]) == 0
    assert "no kept session is that old" in capsys.readouterr().out


def test_what_cannot_be_deleted_is_not_counted_as_deleted(
    kept: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    delete_one = library.Library.delete

    def refuse(self: library.Library, path: Path) -> None:
        if path.name.startswith("old"):
            raise InputError("cannot be deleted: Operation not permitted", path="old")
        delete_one(self, path)

    monkeypatch.setattr(library.Library, "delete", refuse)
    assert run(["sessions", "prune", "--older-than", "2w", "--yes"]) == 3
    out, err = capsys.readouterr()
    assert "old.session" not in out
    assert "deleted: 1 session" in out
    assert "not permitted" in err
    assert run(["sessions", "prune", "--older-than", "2w", "--yes", "--json"]) == 3
    told = json.loads(capsys.readouterr().out)
    assert (told["pruned"], told["kept"], len(told["problems"])) == ([], 3, 1)


@pytest.mark.skipif(sys.platform != "linux", reason="no other system tells")
def test_what_a_recorder_waits_with_stays_and_that_is_said(
    kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    listed = excess(kept_files(time.time()), older_than="30d")
    with SessionWriter.reopen(str(kept / "old.session.jsonl")):
        assert "is being recorded to" in delete(listed).problems[0]
        assert run(["sessions", "prune", "--max-size", "0", "--yes", "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["open"] == [
            str(kept / "old.session.jsonl")
        ]
        assert run(["sessions", "prune", "--older-than", "1d"]) == 0
    assert "old.session.jsonl stays: it is being" in capsys.readouterr().err
    assert names(kept) == {"old", "running"}


def test_files_elsewhere_foreign_ones_and_links_stay(
    kept: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    outside = tmp_path / "mine.session.jsonl"
    write(outside, 400)
    (kept / "foreign.har").write_text("{}")
    os.utime(kept / "foreign.har", (0, 0))
    (kept / "link.session.jsonl").symlink_to(outside)
    assert run(["sessions", "prune", "--older-than", "1h", "--yes", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert len(told["pruned"]) == 3
    assert told["deleted"] is True
    assert outside.exists()
    assert names(kept) == {"foreign", "link", "running"}


def test_a_setting_says_it_and_nothing_is_done_without(
    kept: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["sessions", "prune", "--yes"]) == 2
    assert "--older-than 30d" in capsys.readouterr().err
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "config.toml").write_text('[sessions]\nolder_than = "30d"\n')
    assert run(["sessions", "prune", "--yes"]) == 0
    assert names(kept) == {"middle", "new", "running"}


@pytest.mark.parametrize("words", ["soon", "30", "d", "-1d", ""])
def test_what_is_no_age(words: str) -> None:
    with pytest.raises(UsageError):
        age_of(words)


def test_ages_and_sizes() -> None:
    assert (age_of("12h"), age_of("30d"), age_of(" 2W ")) == (43200, 30 * DAY, 14 * DAY)
    assert (size_of("2GB"), size_of("500 mb"), size_of("1.5k")) == (
        2 * 10**9,
        5 * 10**8,
        1500,
    )
    with pytest.raises(UsageError):
        size_of("big")
