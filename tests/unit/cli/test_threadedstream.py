"""A stream that is written by a thread: nobody who says something waits."""

from __future__ import annotations

import errno
import io
import os
import signal
import subprocess
import sys
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from tests.patience import PATIENCE

from sigscope.cli.console import Console
from sigscope.cli.threadedstream import ThreadedStream


class Slow(io.StringIO):
    """A reader that takes nothing until `goes_on`."""

    def __init__(self) -> None:
        super().__init__()
        self.waits = Event()
        self.goes_on = Event()

    def write(self, text: str) -> int:
        self.waits.set()
        self.goes_on.wait()
        return super().write(text)


def test_what_was_said_while_a_reader_stood_still_comes_in_order() -> None:
    slow = Slow()
    console = Console(slow, io.StringIO())
    with console.unhurried():
        for number in range(1000):
            console.data(str(number))
        assert not slow.getvalue()
        slow.goes_on.set()
    assert slow.getvalue().split() == [str(number) for number in range(1000)]
    console.data("afterwards")
    assert slow.getvalue().endswith("999\nafterwards\n")


def test_what_goes_to_one_file_comes_in_the_order_it_was_said(tmp_path: Path) -> None:
    path = tmp_path / "said"
    with open(path, "w") as out, open(out.fileno(), "w", closefd=False) as err:
        console = Console(out, err)
        with console.unhurried():
            for number in range(500):
                console.data(f"{number}")
                console.talk(f"about {number}")
    said = [word for n in range(500) for word in (f"{n}", f"about {n}")]
    assert path.read_text().splitlines() == said


def test_nothing_is_no_end() -> None:
    taken = io.StringIO()
    stream = ThreadedStream(taken)
    stream.write("")
    if stream._thread is not None:
        stream._thread.join(PATIENCE)
    stream.write("a line\n")
    stream.finish()
    assert taken.getvalue() == "a line\n"


def test_more_than_may_wait_is_left_out_and_counted() -> None:
    slow = Slow()
    stream = ThreadedStream(slow, most=10)
    stream.write("a\n")
    slow.waits.wait()
    for line in ("bbbb\n", "cccc\n", "dddd\n", "e\n"):
        stream.write(line)
    slow.goes_on.set()
    stream.finish()
    assert slow.getvalue() == "a\nbbbb\ncccc\n"
    assert stream.left_out == 2


def test_lines_that_were_left_out_are_told_at_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sigscope.cli.threadedstream.MOST", 10)
    slow, err = Slow(), io.StringIO()
    console = Console(slow, err)
    with console.unhurried():
        console.data("a")
        slow.waits.wait()
        for _ in range(5):
            console.data("bbbb")
        slow.goes_on.set()
    assert err.getvalue() == "sigscope: output: nobody took it; 3 lines were left out\n"


def test_a_line_longer_than_may_wait_is_said() -> None:
    out = io.StringIO()
    stream = ThreadedStream(out, most=3)
    stream.write("a long line\n")
    stream.finish()
    assert out.getvalue() == "a long line\n"


def test_a_reader_that_has_gone_is_told_to_the_next_who_writes() -> None:
    class Gone(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError(errno.EPIPE, "Broken pipe")

    stream = ThreadedStream(Gone())
    stream.write("a\n")
    stream.finish()
    with pytest.raises(BrokenPipeError):
        stream.write("b\n")


def test_two_who_write_first_share_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()
    stream = ThreadedStream(out)
    made: list[Thread] = []
    other = Thread(target=stream.write, args=("b\n",))

    def make(**kwargs: Any) -> Thread:
        made.append(thread := Thread(**kwargs))
        if len(made) == 1:
            other.start()
            other.join(0.2)  # it waits, or makes a second one
        return thread

    monkeypatch.setattr("sigscope.cli.threadedstream.Thread", make)
    stream.write("a\n")
    other.join()
    assert len(made) == 1
    stream.finish()
    assert out.getvalue() == "a\nb\n"


WAITING = """
import _thread, os, sys, threading
from sigscope.cli.threadedstream import ThreadedStream

stream = ThreadedStream(sys.stdout)
stream.write("a line\\n" * 100_000)
thread = stream._thread
wait = thread.join

def join(*timeout):
    os.write(2, b"waits" if said.acquire(blocking=False) else b"")
    if "other" in sys.argv:
        threading.Timer(0.1, _thread.interrupt_main).start()
    wait(*timeout)

said = threading.Semaphore(1)
thread.join = join
stream.finish()
"""


@pytest.mark.parametrize("hearer", ["main", "other"])
def test_the_end_waits_for_a_reader_until_it_is_interrupted(hearer: str) -> None:
    """One of another thread wakes up nobody that waits: as little as one that comes
    just before the wait."""
    with subprocess.Popen(
        [sys.executable, "-c", WAITING, hearer],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3] / "app")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stderr is not None
        assert process.stderr.read(5) == b"waits"
        if hearer == "main":
            process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 130
        assert process.stderr.read() == b""
