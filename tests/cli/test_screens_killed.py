"""The screens in a real terminal, ended by signals and by the terminal's going away:
what was edited and not sent is on again at the next start."""

from __future__ import annotations

import os
import re
import shlex
import signal
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.commands import SESSIONS
from tests.cli.terminals import RESTORED, Terminal
from tests.patience import PATIENCE

from sigscope.engine.sessions.drafts import Drafts
from sigscope.engine.sessions.opener import open_file

SESSION = SESSIONS / "zed-copilot-content-empty-list.session.jsonl"


@pytest.fixture
def edited(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Terminal]:
    """The screens on a session, with an edit on that is on the disk a moment later."""
    terminal = Terminal(tmp_path, SESSION, **getattr(request, "param", {}))
    try:
        terminal.shows("CPC-2")
        terminal.press("f")
        begun = time.monotonic()
        while not drafts(tmp_path):
            assert time.monotonic() - begun < PATIENCE, "no draft was written"
            terminal.read()
        yield terminal
    finally:
        terminal.kill()


def drafts(folder: Path) -> list[Path]:
    return [
        path
        for path in folder.rglob("drafts/*.json")
        if not path.name.startswith(".") and b"content" in read(path)
    ]


def read(path: Path) -> bytes:
    """A file that its program may take away at any moment."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""


def is_on_again(folder: Path) -> None:
    """The next start has it on and says so, and undone it is forgotten."""
    again = Terminal(folder, SESSION)
    try:
        again.shows("On again, as you left them")
        again.shows("with 1 edit")
        deadline = time.monotonic() + PATIENCE
        while drafts(folder):
            assert time.monotonic() < deadline, "an undone edit is still kept"
            # Edits of two programs are two to undo, where they are not the same; and
            # a key may come before the request on show has been read.
            again.press("u")
            again.read(1.0)
        again.press("\x11")
        assert again.ended() == 0
    finally:
        again.kill()


def is_there_for_the_next(folder: Path) -> None:
    """What the next start takes on, asked in this process: nobody holds it, and it is
    the fix that `f` made."""
    session = open_file(SESSION)
    shelf = Drafts(folder / "state" / "drafts")
    try:
        ((_, edits),) = shelf.kept(session).items()
    finally:
        shelf.close()
    assert [edit.pointer for edit in edits] == ["/messages/2/content"]


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_signal_leaves_a_clean_terminal_and_the_edits(
    edited: Terminal, tmp_path: Path, name: str
) -> None:
    number = signal.Signals[name]
    edited.seen = b""
    os.kill(edited.pid, number)
    assert edited.ended() == 128 + number
    assert all(sign in edited.seen for sign in RESTORED)
    assert b"Traceback" not in edited.seen
    is_there_for_the_next(tmp_path)


def test_killed_without_a_word_it_has_the_edits(
    edited: Terminal, tmp_path: Path
) -> None:
    os.kill(edited.pid, signal.SIGKILL)
    assert edited.ended() == 128 + signal.SIGKILL
    is_on_again(tmp_path)


@pytest.mark.parametrize(
    "edited", [{}, {"ignores_hangup": True}], indirect=True, ids=["hup", "nohup"]
)
def test_without_its_terminal_it_ends_with_the_edits(
    edited: Terminal, tmp_path: Path
) -> None:
    edited.close()
    assert edited.ended() == 128 + signal.SIGHUP
    is_there_for_the_next(tmp_path)


def test_two_programs_on_one_session_leave_each_other_alone(
    edited: Terminal, tmp_path: Path
) -> None:
    other = Terminal(tmp_path, SESSION)
    try:
        other.shows("CPC-2")
        other.press("f")
        deadline = time.monotonic() + PATIENCE
        while len(drafts(tmp_path)) < 2:
            assert time.monotonic() < deadline, "each has a file of its own"
            other.read()
            edited.read()
        os.kill(other.pid, signal.SIGKILL)
        other.ended()
        os.kill(edited.pid, signal.SIGKILL)
        edited.ended()
        assert len(drafts(tmp_path)) == 2
        is_on_again(tmp_path)
    finally:
        other.kill()


EDITOR = """
import pathlib, signal, sys, time, tty
if {is_deaf}:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
path = pathlib.Path(sys.argv[1])
path.write_text(path.read_text() + "half a sentence")
tty.setraw(0)
print("THE EDITOR IS UP", flush=True)
time.sleep(600)
"""


@pytest.mark.parametrize("is_deaf", [False, True])
def test_an_editor_does_not_keep_it_from_ending(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_deaf: bool
) -> None:
    """What is on is kept, what the editor saved is named, and the terminal is as it
    was, though the editor had put it into another mode."""
    script = tmp_path / "editor.py"
    script.write_text(EDITOR.format(is_deaf=is_deaf))
    monkeypatch.setenv("EDITOR", shlex.join([sys.executable, str(script)]))
    monkeypatch.delenv("VISUAL", raising=False)
    terminal = Terminal(tmp_path, SESSION)
    try:
        before = termios.tcgetattr(terminal.fd)
        terminal.shows("CPC-2")
        terminal.press("f")
        deadline = time.monotonic() + PATIENCE
        while not drafts(tmp_path):
            assert time.monotonic() < deadline, "no draft was written"
            terminal.read()
        terminal.press("4")
        terminal.press("e")
        terminal.shows("THE EDITOR IS UP")
        terminal.seen = b""
        os.kill(terminal.pid, signal.SIGTERM)
        assert terminal.ended() == 128 + signal.SIGTERM
        assert all(sign in terminal.seen for sign in RESTORED)
        assert b"Traceback" not in terminal.seen
        found = re.search(rb"told to end; your text is in (\S+)", terminal.seen)
        assert found, terminal.seen[-2000:]
        kept = Path(found[1].decode())
        assert "half a sentence" in kept.read_text()
        kept.unlink()
        assert termios.tcgetattr(terminal.fd)[:4] == before[:4]
        is_there_for_the_next(tmp_path)
    finally:
        terminal.kill()
