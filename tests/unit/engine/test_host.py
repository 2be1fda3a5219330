"""A recorder beside screens: two processes, and what is left when one of them dies."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from tests.patience import PATIENCE, wait_until

from sigscope.edits.notation import parse
from sigscope.engine.recording import remoterecorder
from sigscope.engine.recording.breakpoints import parse_breakpoint
from sigscope.engine.recording.holds import HeldRequest
from sigscope.engine.recording.host import Host
from sigscope.engine.recording.recording import Recording, RecordOrder
from sigscope.errors import SigscopeError, UpstreamError, UsageError, WouldOverwrite
from sigscope.processes import is_running
from sigscope.recorder.routes import parse_route
from sigscope.session import Step
from sigscope.store import open_session

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("nursed")]

OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))

SCREENS = """
import sys, time
from pathlib import Path
from sigscope.engine.recording.breakpoints import parse_breakpoint
from sigscope.engine.recording.clients import plan
from sigscope.engine.recording.host import Host
from sigscope.engine.recording.recording import RecordOrder
from sigscope.recorder.routes import parse_route

upstream, out, condition, client = sys.argv[1:]
breakpoints = [parse_breakpoint(condition)] if condition else []
route = parse_route(upstream, "/openai")
host = Host(RecordOrder(routes=(route,), out=Path(out)), breakpoints=breakpoints)
host.start()
if client:
    made = plan([sys.executable, "-c", client], {}, upstreams=[f"openai={upstream}"])
    host.start_client(made, Path(out + ".log"))
print(host.recording.url, host.recording.pid, flush=True)
while True:
    time.sleep(0.01)
    if host.state.held:
        print("held", flush=True)
        time.sleep(600)
"""

CLIENT = """
import os, time, urllib.request
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
for number in range(6):
    opener.open(os.environ["OPENAI_BASE_URL"] + f"/{number}", b"{}").read()
    print("asked", number, flush=True)
    time.sleep(0.3)
"""


class Service(BaseHTTPRequestHandler):
    """Answers everything, some of it when it may."""

    protocol_version = "HTTP/1.1"
    has_come = threading.Event()
    may_answer = threading.Event()

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        if self.path.endswith("/slow"):
            self.has_come.set()
            assert self.may_answer.wait(PATIENCE)
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def upstream() -> Iterator[str]:
    Service.has_come.clear()
    Service.may_answer.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Service) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(4) as pool:
        yield pool


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """No process is given up because this machine is slow."""
    monkeypatch.setattr(remoterecorder, "ANSWERS_WITHIN", PATIENCE)
    monkeypatch.setattr(remoterecorder, "SCRIBE_SECONDS", PATIENCE)


def post(url: str) -> int:
    request = urllib.request.Request(url, b'{"model":"m"}', {"Authorization": "k"})
    with OPENER.open(request, timeout=PATIENCE) as answer:
        answer.read()
        return int(answer.status)


def steps(path: Path) -> tuple[Step, ...]:
    return tuple(open_session(str(path)).steps)


@contextmanager
def hosted(tmp_path: Path, upstream: str, *conditions: str) -> Iterator[Host]:
    host = Host(
        RecordOrder(
            routes=(parse_route(upstream),), out=tmp_path / "hosted.session.jsonl"
        ),
        breakpoints=[parse_breakpoint(text) for text in conditions],
    )
    try:
        host.start()
        yield host
    finally:
        host.finish()


@contextmanager
def screens(
    tmp_path: Path, upstream: str, condition: str = "", client: str = ""
) -> Iterator[tuple[subprocess.Popen[str], str, int]]:
    """A process with a host in it, the recorder's address and process id."""
    words = [upstream, str(tmp_path / "r.session.jsonl"), condition, client]
    with subprocess.Popen(
        [sys.executable, "-c", SCREENS, *words], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        url, pid = process.stdout.readline().split()
        try:
            yield process, url, int(pid)
        finally:
            process.kill()
            if is_running(int(pid)):
                os.kill(int(pid), signal.SIGTERM)


def ask_held(host: Host, pool: ThreadPoolExecutor) -> tuple[Future[int], HeldRequest]:
    """A request that is held."""
    asked = pool.submit(post, host.recording.url + "/first")
    wait_until(lambda: host.state.held, "held")
    return asked, host.state.held[0]


# --- In order -------------------------------------------------------------------------


def test_what_passes_is_counted_and_in_the_file(tmp_path: Path, upstream: str) -> None:
    with hosted(tmp_path, upstream) as host:
        assert host.recording.pid != os.getpid()
        assert [post(host.recording.url + "/v1") for _ in range(3)] == [200] * 3
        host.let_go()
        assert (host.state.begun, host.state.open) == (3, 0)
    assert host.recording.written == 3
    assert len(steps(host.recording.path)) == 3
    assert host.state.problems == ()


def test_the_next_one_is_held_and_no_other(
    tmp_path: Path, upstream: str, pool: ThreadPoolExecutor
) -> None:
    with hosted(tmp_path, upstream) as host:
        host.hold_next(True)
        asked, held = ask_held(host, pool)
        assert post(host.recording.url + "/second") == 200
        assert not asked.done()
        assert host.state.held == (held,)
        assert host.release(held)
        assert host.state.held == ()
        assert not host.release(held), "once is enough"
        assert not host.refuse(held, "too late")
        assert asked.result(PATIENCE) == 200
    assert "held by hand" in str(steps(host.recording.path)[0].exchange.remarks)


def test_a_request_that_was_edited_while_held_counts_once(
    tmp_path: Path, upstream: str, pool: ThreadPoolExecutor
) -> None:
    with hosted(tmp_path, upstream) as host:
        host.hold_next(True)
        asked, held = ask_held(host, pool)
        assert host.release(held, [parse("header X-New: 1")])
        assert asked.result(PATIENCE) == 200
        wait_until(lambda: host.state.open == 0 and not host.state.held, "answered")
        assert host.state.begun == 1, "the client asked once"
    assert len(steps(host.recording.path)) == 2, "as it came, and as it was sent"


def test_what_cannot_be_recorded_is_said_as_without_screens(tmp_path: Path) -> None:
    there = tmp_path / "there.session.jsonl"
    there.write_text("{}\n")
    routes = (parse_route("http://127.0.0.1:9"),)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        orders = {
            WouldOverwrite: RecordOrder(routes=routes, out=there),
            UpstreamError: RecordOrder(routes=routes, port=taken.getsockname()[1]),
            UsageError: RecordOrder(routes=routes, ca_file=tmp_path / "none.pem"),
        }
        for kind, order in orders.items():
            with pytest.raises(kind) as ours:
                Host(order)
            with pytest.raises(SigscopeError) as theirs:
                Recording(order, on_problem=lambda _: None)
            assert type(ours.value) is type(theirs.value)
            assert str(ours.value) == str(theirs.value)


def test_nothing_recorded_leaves_no_file_that_nobody_named(upstream: str) -> None:
    host = Host(RecordOrder(routes=(parse_route(upstream),)))
    host.start()
    assert host.recording.path.exists()
    host.finish()
    assert not host.recording.path.exists()
    assert host.recording.is_empty
    assert host.recording.document().steps == ()


def test_what_web_pages_are_refused_is_said_once(tmp_path: Path, upstream: str) -> None:
    with hosted(tmp_path, upstream) as host:
        for _ in range(2):
            request = urllib.request.Request(
                host.recording.url, b"{}", {"Origin": "http://page.example"}
            )
            with pytest.raises(urllib.error.HTTPError, match="403") as refused:
                OPENER.open(request, timeout=PATIENCE)
            refused.value.close()
        host.let_go()
        (problem,) = host.state.problems
        assert "http://page.example" in problem
        assert host.recording.refused == 2
    assert host.recording.is_empty


# --- The recorder dies ----------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_recorder_that_dies_is_told_of_and_loses_nothing(
    tmp_path: Path, upstream: str, number: signal.Signals
) -> None:
    with hosted(tmp_path, upstream) as host:
        for _ in range(20):
            assert post(host.recording.url + "/v1") == 200
        os.kill(host.recording.pid, number)
        wait_until(
            lambda: host.state.has_ended and host.state.problems, "its end is told"
        )
        (problem,) = host.state.problems
        assert "nothing answers at http://127.0.0.1:" in problem
        assert str(host.recording.path) in problem
        with pytest.raises(OSError, match=r"refused|reset"):
            post(host.recording.url)
        host.hold_all(True)
        host.let_go()
    assert host.recording.written == 20
    assert len(steps(host.recording.path)) == 20


def test_what_was_held_by_a_recorder_that_died_waits_no_more(
    tmp_path: Path, upstream: str, pool: ThreadPoolExecutor
) -> None:
    with hosted(tmp_path, upstream, "all") as host:
        asked, held = ask_held(host, pool)
        os.kill(host.recording.pid, signal.SIGKILL)
        wait_until(lambda: not host.state.held, "let go")
        assert not held.is_waiting
        assert not host.release(held)
        assert isinstance(asked.exception(PATIENCE), OSError)


# --- The screens die ------------------------------------------------------------------


def test_held_requests_are_sent_when_the_screens_are_killed(
    tmp_path: Path, upstream: str, pool: ThreadPoolExecutor
) -> None:
    with screens(tmp_path, upstream, "all") as (process, url, pid):
        asked: Future[int] = pool.submit(post, url + "/openai/v1")
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        process.kill()
        assert asked.result(PATIENCE) == 200
        wait_until(lambda: not is_running(pid), "the recorder ends")
    (step,) = steps(tmp_path / "r.session.jsonl")
    assert step.exchange.response is not None
    assert step.exchange.response.status == 200
    assert "the screens are gone" in str(step.exchange.remarks)


@pytest.mark.parametrize(
    "number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT]
)
def test_an_open_answer_comes_to_its_end_when_the_screens_die(
    tmp_path: Path, upstream: str, pool: ThreadPoolExecutor, number: signal.Signals
) -> None:
    with screens(tmp_path, upstream) as (process, url, pid):
        asked = pool.submit(post, url + "/openai/slow")
        assert Service.has_come.wait(PATIENCE)
        process.send_signal(number)
        process.wait()
        Service.may_answer.set()
        assert asked.result(PATIENCE) == 200
        wait_until(lambda: not is_running(pid), "the recorder ends")
    (step,) = steps(tmp_path / "r.session.jsonl")
    assert step.exchange.response is not None
    assert step.exchange.response.ending == "complete"


def test_a_client_goes_on_when_the_screens_are_killed(
    tmp_path: Path, upstream: str
) -> None:
    with screens(tmp_path, upstream, client=CLIENT) as (process, _, pid):
        path = tmp_path / "r.session.jsonl"
        wait_until(lambda: len(steps(path)) > 1, "it has begun")
        process.kill()
        process.wait()
        wait_until(lambda: not is_running(pid), "the recorder ends after the client")
    assert len(steps(path)) == 6
    log = tmp_path / "r.session.jsonl.log"
    wait_until(lambda: "asked 5" in log.read_text(), "it is written down to its end")
