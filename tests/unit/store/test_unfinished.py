"""Copies that were never finished."""

from __future__ import annotations

import errno
import fcntl
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from sigscope.engine.export.newfile import write_new
from sigscope.session import Session
from sigscope.store import Header, SessionWriter, save_session
from sigscope.store.unfinished import name_beside, sweep

APP = str(Path(__file__).parents[3] / "app")
DIES = """
import os, signal, sys
sys.path.insert(0, {app!r})
from pathlib import Path
from sigscope.engine.export import newfile
from sigscope.session import Session
from sigscope.store import writer
def die(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)
newfile._put_in_place = writer._put_in_place = writer.os.replace = die
{act}
"""
ACTS = {
    "save_session": "writer.save_session(Session(id='a'), sys.argv[1], force=True)",
    "create": "from sigscope.store import Header\n"
    "writer.SessionWriter.create(sys.argv[1], Header(id='a'), force=True)",
    "write_new": "newfile.write_new(Path(sys.argv[1]), b'new', force=True)",
}


def is_left(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if ".sigscope-" in path.name]


@pytest.mark.slow
@pytest.mark.parametrize("act", ACTS)
def test_a_killed_force_leaves_no_copy_for_good(tmp_path: Path, act: str) -> None:
    path = tmp_path / "mine.session.jsonl"
    path.write_text("as it was")
    code = DIES.format(app=APP, act=ACTS[act])
    done = subprocess.run([sys.executable, "-c", code, str(path)], check=False)
    assert done.returncode == -signal.SIGKILL
    assert path.read_text() == "as it was"
    assert len(is_left(tmp_path)) == 1
    write_new(tmp_path / "other.txt", b"x")
    assert not is_left(tmp_path)
    assert path.read_text() == "as it was"


def test_a_file_that_is_being_made_stays(tmp_path: Path) -> None:
    path = tmp_path / "mine.session.jsonl"
    ours = Path(name_beside(str(path)))
    ours.write_text("by this process")
    held = tmp_path / ".x.sigscope-4194305-0"  # above the largest id of Linux
    with SessionWriter.create(str(held), Header(id="a")) as writer, writer.locked():
        save_session(Session(id="b"), str(path))
    assert ours.exists()
    assert held.exists()
    assert sweep(str(path)) == (held.name,)


def test_a_copy_stays_where_the_file_system_does_not_tell_who_makes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_locks(fd: int, how: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    copy = tmp_path / ".x.sigscope-4194305-0"
    copy.write_text("perhaps by another machine")
    monkeypatch.setattr(fcntl, "flock", no_locks)
    assert sweep(str(tmp_path / "mine")) == ()
    assert copy.exists()


def test_what_is_not_ours_stays(tmp_path: Path) -> None:
    for name in (".x.4194305-0", "x.sigscope-4194305-0", ".x.sigscope-4194305"):
        (tmp_path / name).write_text("another's")
    os.mkdir(tmp_path / ".folder.sigscope-4194305-0")
    assert sweep(str(tmp_path / "mine")) == ()
    assert len(list(tmp_path.iterdir())) == 4


def test_a_long_name_can_still_be_written(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 240)
    write_new(path, b"x")
    assert path.read_bytes() == b"x"
