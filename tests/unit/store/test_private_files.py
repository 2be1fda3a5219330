"""Sessions, state and drafts are for the user's eyes alone."""

from __future__ import annotations

import os
import resource
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.unit.store.samples import make_step

from sigscope.cli.main import run
from sigscope.engine.engine import Engine
from sigscope.engine.export.newfile import write_new
from sigscope.engine.sessions.library import Library
from sigscope.engine.settings.places import shipped
from sigscope.store import Header, SessionWriter, private
from sigscope.store.private import make_private_folder, tighten, write_private

FAULTY = "zoo-litellm-dummy"


@pytest.fixture(autouse=True)
def wide_mask() -> Iterator[None]:
    """The process would let others read everything."""
    before = os.umask(0)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("force", [False, True])
def test_a_session_file_is_born_private(tmp_path: Path, force: bool) -> None:
    path = tmp_path / "a.session.jsonl"
    if force:
        path.write_text("")
    with SessionWriter.create(str(path), Header(id="a"), force=force) as writer:
        writer.append_step(make_step(1, b"{}", b"{}"))
    assert mode(path) == 0o600


def test_folders_on_the_way_are_private_and_those_there_stay(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    make_private_folder(tmp_path / "a" / "b")
    assert [mode(tmp_path / p) for p in ("", "a", "a/b")] == [0o755, 0o700, 0o700]
    make_private_folder(tmp_path / "a" / "b")


def test_a_file_in_the_way_of_a_folder_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("")
    with pytest.raises(OSError, match="a"):
        make_private_folder(tmp_path / "a" / "b")


def test_a_small_file_is_replaced_whole_and_private(tmp_path: Path) -> None:
    path = tmp_path / "state" / "recent.json"
    write_private(path, b"1")
    path.chmod(0o644)
    write_private(path, b"2")
    assert (path.read_bytes(), mode(path)) == (b"2", 0o600)
    assert os.listdir(path.parent) == ["recent.json"]


@pytest.mark.parametrize("format", ["report", "har", "curl"])
def test_an_export_is_private(tmp_path: Path, format: str) -> None:
    """It holds the words of a conversation, as the session does; a script may be run
    by its user."""
    engine = Engine()
    path = shipped("sessions") / f"{FAULTY}.session.jsonl"
    step = 2 if format == "curl" else None
    out = tmp_path / "out"
    engine.export(engine.open(str(path)), out, format=format, step=step)
    assert mode(out) == (0o700 if format == "curl" else 0o600)
    out.chmod(0o644)
    engine.export(engine.open(str(path)), out, format=format, step=step, force=True)
    assert mode(out) & 0o077 == 0


def test_what_a_build_hands_on_is_as_open_as_other_files(tmp_path: Path) -> None:
    report, known = tmp_path / "junit.xml", tmp_path / "known.json"
    words = ["check", FAULTY, "--report", f"junit={report}"]
    assert run([*words, "--write-baseline", str(known)]) == 0
    assert mode(report) == mode(known) == 0o666


def test_recent_sessions_and_drafts_are_private(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SIGSCOPE_STATE_DIR", str(tmp_path / "state"))
    Library().remember(tmp_path / "x.session.jsonl")
    write_new(tmp_path / "state" / "drafts" / "d.json", b"{}")
    for place in ("recent.json", "drafts/d.json"):
        assert mode(tmp_path / "state" / place) == 0o600
    for place in ("", "drafts"):
        assert mode(tmp_path / "state" / place) == 0o700


def test_what_is_open_to_others_is_closed_and_told(tmp_path: Path) -> None:
    ours, elsewhere = tmp_path / "ours", tmp_path / "elsewhere"
    ours.mkdir(mode=0o755)
    (ours / "a.session.jsonl").write_text("a")
    (ours / "b.session.jsonl").write_text("b")
    (ours / "b.session.jsonl").chmod(0o600)
    elsewhere.write_text("")
    (ours / "link").symlink_to(elsewhere)
    assert tighten(ours) == (ours, ours / "a.session.jsonl")
    assert mode(ours) == 0o700
    assert mode(ours / "a.session.jsonl") == 0o600
    assert mode(elsewhere) == 0o666
    assert tighten(ours) == ()


def test_there_is_nothing_to_close_where_nothing_is(tmp_path: Path) -> None:
    assert tighten(tmp_path / "none") == ()


@pytest.fixture
def core_limit() -> Iterator[tuple[int, int]]:
    """A process that would leave core files."""
    before = resource.getrlimit(resource.RLIMIT_CORE)
    if not before[1]:
        pytest.skip("no process may leave any here")
    yield (1, before[1])
    resource.setrlimit(resource.RLIMIT_CORE, before)


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="prlimit is Linux's")
def test_a_crash_of_ours_writes_no_memory_and_one_of_the_clients_may(
    core_limit: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(private, "_core_limits", [])
    resource.setrlimit(resource.RLIMIT_CORE, core_limit)
    private.leave_no_core()
    private.leave_no_core()
    assert resource.getrlimit(resource.RLIMIT_CORE) == (0, core_limit[1])
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as client:
        private.allow_core(client.pid)
        assert resource.prlimit(client.pid, resource.RLIMIT_CORE) == core_limit
        client.communicate()
