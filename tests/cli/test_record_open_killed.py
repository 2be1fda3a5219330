"""`record --open` in a terminal, ended by signals or with its terminal: what passed is
kept, and nothing runs on."""

from __future__ import annotations

import http.client
import os
import re
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from tests.cli.terminals import RESTORED, Terminal
from tests.patience import PATIENCE, wait_until

from sigscope.store import open_session

FIRST = b'data: {"choices":[{"delta":{"content":"one"}}]}\n\n'


class Upstream(BaseHTTPRequestHandler):
    """Answers at once, or begins a stream that never ends."""

    protocol_version = "HTTP/1.1"
    never = threading.Event()

    def do_GET(self) -> None:
        self.send_response(200)
        if self.path == "/whole":
            self.send_header("Content-Length", "4")
            self.end_headers()
            self.wfile.write(b"fine")
            return
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Content-Length", "1000")
        self.end_headers()
        self.wfile.write(FIRST)
        self.wfile.flush()
        self.never.wait(PATIENCE)
        self.close_connection = True

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def upstream() -> Iterator[int]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Upstream) as server:
        server.daemon_threads = True
        Upstream.never.clear()
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            Upstream.never.set()
            server.shutdown()
            thread.join()


def descendants(pid: int) -> list[int]:
    """All processes below one: its recorder and its scribe."""
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
        words = " ".join((task / "children").read_text("ascii") for task in tasks)
    except OSError:
        return []
    found = [int(word) for word in words.split()]
    return [*found, *(each for child in found for each in descendants(child))]


def is_alive(pid: int) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


class Recording:
    """The screens, one exchange that is over, and one on its way."""

    def __init__(self, folder: Path, upstream_port: int, **options: bool) -> None:
        self.path = folder / "shown.session.jsonl"
        words = ["record", "--open", "--port", "0", "--out", self.path]
        words += ["--upstream", f"http://127.0.0.1:{upstream_port}"]
        self.terminal = Terminal(folder, *words, **options)
        self.terminal.shows("127.0.0.1:")
        self.terminal.shows("recording")
        self.port = self._port()
        whole = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        whole.request("GET", "/whole")
        assert whole.getresponse().read() == b"fine"
        whole.close()
        self.open = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        self.open.request("GET", "/endless")
        self.answer = self.open.getresponse()
        assert self.answer.read(len(FIRST)) == FIRST
        self.processes = descendants(self.terminal.pid)
        assert len(self.processes) >= 2, "a recorder and its scribe"

    def _port(self) -> int:
        """Where it listens, as its first line says."""
        address = re.compile(rb"127\.0\.0\.1:(\d+)\D")
        wait_until(lambda: self.terminal.read() or address.search(self.terminal.seen))
        (port, *_) = address.findall(self.terminal.seen)
        return int(port)

    def close(self) -> None:
        """The client goes."""
        self.answer.close()
        self.open.close()

    def is_kept(self) -> None:
        """Nothing runs on, and all that passed is in the file."""
        deadline = time.monotonic() + PATIENCE
        while any(is_alive(pid) for pid in self.processes):
            assert time.monotonic() < deadline, "a process runs on"
            time.sleep(0.05)
        whole, begun = (
            step.exchange.response for step in open_session(str(self.path)).steps
        )
        assert whole is not None
        assert (whole.body.raw, whole.ending) == (b"fine", "complete")
        assert begun is not None
        assert (begun.body.raw, begun.ending) == (FIRST, "open")


@pytest.fixture
def recording(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Recording]:
    with upstream() as port:
        made = Recording(tmp_path, port, **getattr(request, "param", {}))
        try:
            yield made
        finally:
            made.terminal.kill()
            made.close()


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_signal_leaves_a_clean_terminal_and_the_recording(
    recording: Recording, name: str
) -> None:
    number = signal.Signals[name]
    recording.terminal.seen = b""
    os.kill(recording.terminal.pid, number)
    assert recording.terminal.ended() == 128 + number
    assert all(sign in recording.terminal.seen for sign in RESTORED)
    assert b"Traceback" not in recording.terminal.seen
    recording.is_kept()


@pytest.mark.parametrize(
    "recording", [{}, {"ignores_hangup": True}], indirect=True, ids=["hup", "nohup"]
)
def test_without_its_terminal_it_ends_with_the_recording(recording: Recording) -> None:
    recording.terminal.close()
    assert recording.terminal.ended() == 128 + signal.SIGHUP
    recording.is_kept()


def test_killed_without_a_word_its_recorder_comes_to_its_end(
    recording: Recording,
) -> None:
    os.kill(recording.terminal.pid, signal.SIGKILL)
    assert recording.terminal.ended() == 128 + signal.SIGKILL
    recording.close()
    deadline = time.monotonic() + PATIENCE
    while any(is_alive(pid) for pid in recording.processes):
        assert time.monotonic() < deadline, "a process runs on"
        time.sleep(0.05)
    endings = [
        step.exchange.response and step.exchange.response.ending
        for step in open_session(str(recording.path)).steps
    ]
    assert endings == ["complete", "client-aborted"]


@pytest.mark.parametrize(
    "killed", ["screens recorder", "screens scribe", "recorder scribe"]
)
def test_two_of_them_killed_at_once_cost_nothing_that_was_written(
    recording: Recording, killed: str
) -> None:
    wait_until(lambda: open_session(str(recording.path)).steps)
    (recorder,) = descendants_like(recording, "recorderprocess")
    (scribe,) = descendants_like(recording, "recorder.scribe")
    pids = {"screens": recording.terminal.pid, "recorder": recorder, "scribe": scribe}
    for name in killed.split():
        os.kill(pids[name], signal.SIGKILL)
    if "screens" not in killed:
        os.kill(recording.terminal.pid, signal.SIGKILL)
    assert recording.terminal.ended() == 128 + signal.SIGKILL
    recording.close()
    wait_until(lambda: not any(is_alive(pid) for pid in recording.processes))
    session = open_session(str(recording.path))
    assert not session.problems
    whole = session.steps[0].exchange.response
    assert whole is not None
    assert (whole.body.raw, whole.ending) == (b"fine", "complete")


def descendants_like(recording: Recording, word: str) -> list[int]:
    return [
        pid
        for pid in recording.processes
        if word in Path(f"/proc/{pid}/cmdline").read_text("utf-8")
    ]
