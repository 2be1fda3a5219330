"""What our recorder adds to the way of a request, beside the direct way, relays that
do nothing else (`bare_relay.py`, and `bare_relay.c` where there is a C compiler), and
mitmproxy's reverse mode.

Client, upstream and proxies are processes on loopback; ours and mitmproxy write what
they see to a file. mitmproxy has streaming switched on, as it otherwise holds a stream
back until its end. Every measurement goes the direct way too, right after it: where a
row says "added" that is taken off, where it says "times direct" it is divided by that,
since milliseconds differ between machines. Of `record --open` all is measured while
keys are pressed, on the direct way too: idle screens delay nothing.

Waking up another processor takes longer than what is measured, and whether client and
upstream share one is the scheduler's choice, another one for each way. So events are
measured as the scheduler has it, and with client and upstream on a processor each, as
they are where the service is elsewhere; the recorder goes where it likes in both.
"""

from __future__ import annotations

import fcntl
import http.client
import os
import pty
import re
import selectors
import shutil
import signal
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
MITMDUMP = ROOT / ".venv-peers" / "mitmproxy" / "bin" / "mitmdump"
POSTS = 100
"""Requests per measurement, on one connection."""
WARM_UP = 10
BODY = b'{"contents":[{"role":"user","parts":[{"text":"%s"}]}]}' % (b"y" * 20_000)
BURST = 10_000
BURST_ROUNDS = 15
"""A burst takes 13 to 35 ms from one time to the next, whichever way it goes."""
SETTLES = 0.25
"""Seconds until what the burst before left has been written, whoever asked ..."""
SHOWN = 0.6
"""... and is shown, where there are screens."""
PACED = 100
PACED_ROUNDS = 31
"""The median of 15 was another one by 0.1 to 0.2 from run to run, ours and that of a
relay in C alike."""
GAP = 0.005
"""Seconds between paced events."""
PAUSE = 0.1
"""Seconds until the second event, where a first one could be held back."""
FIRSTS = 5
"""Slow streams per measurement."""
CLIENTS = 20
EXCHANGES = 2_000
"""Of all clients together: more than what may be unwritten, so that the pace is that
of what writes."""
EXCHANGE_ROUNDS = 3
SHORT = b'{"contents":[{"role":"user","parts":[{"text":"%s"}]}]}' % (b"y" * 149)
KEY = "a-key-of-the-bench-0123456789abcdef"
"""Looked for in all that is written, as it came in a credential header."""

ADDED_TO_POST = 0.5e-3
"""Seconds that may be added to a request."""
ADDED_TO_FIRST = 0.3e-3
"""Seconds that may be added to the first event of a stream."""
PACED_RATIO = 1.5
"""Most times the direct way that an event may take ..."""
BURST_RATIO = 1.2
"""... and many at once."""

KEY_EVERY = 0.03
"""Seconds between two keys, as a terminal repeats one that is held down."""

_PROCESSORS = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
_Measure = Callable[[int], float]
"""Seconds, by way of a port."""
_LEFT = re.compile(rb'"left":(\d+)')
_LENGTH = re.compile(rb"(?i)\r\ncontent-length: *(\d+)")
_LAST_CHUNK = b"\r\n0\r\n\r\n"
_STARTS_WITHIN = 30.0


def rows() -> Iterator[dict[str, Any]]:
    """Requests, paced events, bursts, the first event of a slow stream, and what many
    clients get in a second."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        upstream, direct = stack.enter_context(_upstream())
        ours = stack.enter_context(_recorder(folder, direct))
        others = {"bare relay": stack.enter_context(_bare_relay(direct))}
        if compiler := shutil.which("cc"):
            others["in C"] = stack.enter_context(_c_relay(compiler, folder, direct))
        else:
            print("there is no C compiler; the columns of a relay in C are left out")
        if MITMDUMP.exists():
            others["mitmproxy"] = stack.enter_context(_mitmproxy(folder, direct))
        else:
            print("mitmproxy is not installed in .venv-peers; its columns are left out")
        if _PROCESSORS < 2:
            print("there is one processor; rows with a processor each are left out")
        shown = stack.enter_context(_screens(folder, direct))
        yield from _rows(_Direct(direct, upstream), ours, shown, others)


def _rows(
    direct: _Direct, ours: int, shown: _Screens, others: dict[str, int]
) -> Iterator[dict[str, Any]]:
    yield from _ways("recorder: {}", ours, direct, others, lambda measure: measure)
    yield from _ways(
        "record --open: {}, while keys are pressed",
        shown.port,
        direct,
        {"headless": ours},
        shown.typed,
        settles=SHOWN,
    )
    late = shown.typed(partial(paced_delay, part=0.95))
    # The scheduler's as much as ours on a busy machine; threads of one process took
    # 34 ms.
    yield {
        "name": "record --open: paced event, while keys are pressed, p95",
        "ours": partial(late, shown.port),
        "references": {
            "direct": partial(late, direct.port),
            "headless": partial(late, ours),
        },
    }
    # Last, as all of it is in the recorder's file for the rest of its time.
    ways = {"direct": direct.port, **others}
    yield {
        "name": f"recorder: {CLIENTS} clients with a key, {len(SHORT)} bytes each",
        "ours": partial(exchanges_per_second, ours),
        "references": {
            other: partial(exchanges_per_second, where) for other, where in ways.items()
        },
        "unit": "exchanges/s",
        "rounds": EXCHANGE_ROUNDS,
    }


class _Direct:
    """The direct way: to an upstream, which is a process."""

    def __init__(self, port: int, process: int) -> None:
        self.port = port
        self._process = process

    def added(self, measure: _Measure) -> _Measure:
        """Seconds more than this way takes."""
        return lambda port: measure(port) - measure(self.port)

    def times(self, measure: _Measure) -> _Measure:
        """How many times as long as this way takes."""
        return lambda port: measure(port) / measure(self.port)

    def placed(self, measure: _Measure) -> Iterator[tuple[str, _Measure]]:
        """The same where the scheduler puts this thread and the upstream, and with a
        processor for each, if there are two; with words for that."""
        yield "", measure
        if _PROCESSORS > 1:
            yield ", a processor each", partial(self._apart, measure)

    def _apart(self, measure: _Measure, port: int) -> float:
        free = os.sched_getaffinity(0)
        os.sched_setaffinity(self._process, {min(free)})
        os.sched_setaffinity(0, {max(free)})
        try:
            return measure(port)
        finally:
            os.sched_setaffinity(0, free)
            os.sched_setaffinity(self._process, free)


def _ways(
    name: str,
    port: int,
    direct: _Direct,
    others: dict[str, int],
    typed: Callable[[_Measure], _Measure],
    settles: float = SETTLES,
) -> Iterator[dict[str, Any]]:
    """The rows of one way of recording. `typed`: what a measurement becomes."""

    def row(what: str, measure: _Measure, limit: float, **more: Any) -> dict[str, Any]:
        once = typed(measure)
        return {
            "name": name.format(what),
            "ours": partial(once, port),
            "references": {
                other: partial(once, where) for other, where in others.items()
            },
            "limit": limit,
            **more,
        }

    size, gap = len(BODY) // 1000, round(GAP * 1000)
    yield row(
        f"added to a POST of {size} kB, p50", direct.added(post_seconds), ADDED_TO_POST
    )
    burst = partial(burst_seconds, settles=settles)
    for what, measure, ratio, rounds in (
        (f"an event every {gap} ms, p50", paced_delay, PACED_RATIO, PACED_ROUNDS),
        (f"{BURST:,} events at once", burst, BURST_RATIO, BURST_ROUNDS),
    ):
        for where, placed in direct.placed(measure):
            yield row(
                f"{what}, times direct{where}",
                direct.times(placed),
                ratio,
                unit="times",
                rounds=rounds,
            )
    yield row(
        "added to the first event of a slow stream",
        direct.added(first_event_seconds),
        ADDED_TO_FIRST,
    )


# --- Measurements ---------------------------------------------------------------------


def post_seconds(port: int) -> float:
    """Median time from a request to the end of its answer."""
    taken: list[float] = []
    connection = _connected(port)
    for _ in range(WARM_UP + POSTS):
        begun = time.perf_counter()
        _ask(connection, "/echo").read()
        taken.append(time.perf_counter() - begun)
    connection.close()
    return statistics.median(taken[WARM_UP:])


def paced_delay(port: int, part: float = 0.5) -> float:
    """What that part of times from an event's leaving the upstream to its arrival here
    stays below; their median."""
    return sorted(_delays(port, PACED, GAP))[int(PACED * part)]


def burst_seconds(port: int, settles: float = SETTLES) -> float:
    """Time for a stream that comes as quickly as it can; read without taking it apart,
    as that would take longer than what is measured."""
    time.sleep(settles)
    begun = time.perf_counter()
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        head = f"POST /stream?count={BURST}&gap=0 HTTP/1.1\r\nhost: 127.0.0.1\r\n"
        connection.sendall(f"{head}content-length: 2\r\n\r\n{{}}".encode())
        pieces = [connection.recv(1 << 18)]
        while pieces[-1] and not b"".join(pieces[-2:]).endswith(_LAST_CHUNK):
            pieces.append(connection.recv(1 << 18))
    taken = time.perf_counter() - begun
    # A proxy divides a stream into chunks as it likes, through the middle of an event.
    got = len(_LEFT.findall(_unchunked(b"".join(pieces))))
    if got != BURST:
        raise SystemExit(f"{BURST} events were sent, {got} arrived")
    return taken


def _unchunked(response: bytes) -> bytes:
    at = response.index(b"\r\n\r\n") + 4
    found: list[bytes] = []
    while True:
        end = response.index(b"\r\n", at)
        size = int(response[at:end], 16)
        if size == 0:
            return b"".join(found)
        found.append(response[end + 2 : end + 2 + size])
        at = end + 2 + size + 2


def first_event_seconds(port: int) -> float:
    """Median delay of the first event while the second is not yet sent."""
    return statistics.median(_delays(port, 2, PAUSE)[0] for _ in range(FIRSTS))


def exchanges_per_second(port: int) -> float:
    """What clients get that ask again as soon as they are answered, each on its own
    connection. One thread for all, and answers that are only counted: the client is
    not to be what is measured."""
    time.sleep(SETTLES)
    head = f"POST /echo HTTP/1.1\r\nhost: 127.0.0.1\r\nx-goog-api-key: {KEY}\r\n"
    head += f"content-type: application/json\r\ncontent-length: {len(SHORT)}\r\n\r\n"
    asked = head.encode() + SHORT
    with ExitStack() as stack, selectors.DefaultSelector() as waiting:
        connections = [_connected(port) for _ in range(CLIENTS)]
        for connection in connections:
            stack.callback(connection.close)
            waiting.register(connection.sock, selectors.EVENT_READ, bytearray())
        begun, left = time.perf_counter(), EXCHANGES
        for connection in connections:
            connection.sock.sendall(asked)
        while left > 0:
            for ready, _ in waiting.select():
                client, got = ready.fileobj, ready.data
                assert isinstance(client, socket.socket)
                got += client.recv(1 << 16) or _hung_up(left)
                if _is_whole(got):
                    got.clear()
                    left -= 1
                    client.sendall(asked)
        taken = time.perf_counter() - begun
    return (EXCHANGES - left) / taken


def _hung_up(left: int) -> bytes:
    raise SystemExit(f"a connection ended with {left} exchanges to go")


def _is_whole(response: bytearray) -> bool:
    head, _, body = bytes(response).partition(b"\r\n\r\n")
    if not head.startswith(b"HTTP/1.1 200"):
        raise SystemExit(f"a short request was answered with {head[:60]!r}")
    length = _LENGTH.search(head)
    return length is not None and len(body) >= int(length[1])


def _delays(port: int, count: int, gap: float) -> list[float]:
    """Seconds between each event's leaving the upstream and its arrival."""
    connection = _connected(port)
    response = _ask(connection, f"/stream?count={count}&gap={gap}", b"{}")
    found: list[float] = []
    while line := response.readline():
        arrived = time.monotonic_ns()
        if left := _LEFT.search(line):
            found.append((arrived - int(left[1])) / 1e9)
    connection.close()
    return found


def _connected(port: int) -> http.client.HTTPConnection:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.connect()
    connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def _ask(
    connection: http.client.HTTPConnection, path: str, body: bytes = BODY
) -> http.client.HTTPResponse:
    connection.request("POST", path, body, {"content-type": "application/json"})
    response = connection.getresponse()
    if response.status != 200:
        raise SystemExit(f"{path} was answered with {response.status}")
    return response


# --- Processes ------------------------------------------------------------------------


@contextmanager
def _upstream() -> Iterator[tuple[int, int]]:
    """Its process, its port."""
    words = [sys.executable, str(Path(__file__).with_name("upstream.py"))]
    with _running(words) as process:
        assert process.stdout is not None
        yield process.pid, int(process.stdout.readline())


@contextmanager
def _bare_relay(upstream: int) -> Iterator[int]:
    path = Path(__file__).with_name("bare_relay.py")
    with _running([sys.executable, str(path), str(upstream)]) as process:
        assert process.stdout is not None
        yield int(process.stdout.readline())


@contextmanager
def _c_relay(compiler: str, folder: Path, upstream: int) -> Iterator[int]:
    made, source = folder / "bare_relay", Path(__file__).with_name("bare_relay.c")
    subprocess.run(
        [compiler, "-O2", "-pthread", str(source), "-o", str(made)], check=True
    )
    with _running([str(made), str(upstream)]) as process:
        assert process.stdout is not None
        yield int(process.stdout.readline())


@contextmanager
def _recorder(folder: Path, upstream: int) -> Iterator[int]:
    file = folder / "ours.session.jsonl"
    words = [sys.executable, "-m", "sigscope", "record", "--port", "0", "--quiet"]
    words += ["--upstream", f"http://127.0.0.1:{upstream}", "--out", str(file)]
    with _running(words) as process:
        assert process.stdout is not None
        yield int(process.stdout.readline().rstrip("/\n").rpartition(":")[2])


class _Screens:
    """`record --open` on a terminal that nobody looks at; what it draws is read."""

    def __init__(self, terminal: int, port: int) -> None:
        self.port = port
        self._terminal = terminal
        self._has_drawn = threading.Event()
        threading.Thread(target=self._drain, daemon=True).start()

    def typed(self, measure: _Measure) -> _Measure:
        """The same, by any way, while the screens are kept drawing."""

        def once(port: int) -> float:
            is_over = threading.Event()
            typist = threading.Thread(target=self._type, args=(is_over,))
            typist.start()
            try:
                return measure(port)
            finally:
                is_over.set()
                typist.join()

        return once

    def await_drawn(self) -> None:
        """Until the recorder's line is there."""
        if not self._has_drawn.wait(_STARTS_WITHIN):
            raise SystemExit("record --open draws nothing")

    def _type(self, is_over: threading.Event) -> None:
        while not is_over.wait(KEY_EVERY):
            os.write(self._terminal, b"\t")

    def _drain(self) -> None:
        seen = b""
        with suppress(OSError):
            while data := os.read(self._terminal, 1 << 16):
                if not self._has_drawn.is_set():
                    seen += data
                    if b"recording" in seen:
                        self._has_drawn.set()


@contextmanager
def _screens(folder: Path, upstream: int) -> Iterator[_Screens]:
    port = _free_port()
    words = [sys.executable, "-m", "sigscope", "record", "--open", "--port", str(port)]
    words += ["--upstream", f"http://127.0.0.1:{upstream}"]
    words += ["--out", str(folder / "shown.session.jsonl")]
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 140, 0, 0))
    kept = {**os.environ, "PYTHONPATH": str(ROOT / "app"), "TERM": "xterm-256color"}
    for name in ("DATA", "STATE", "CONFIG"):
        kept[f"SIGSCOPE_{name}_DIR"] = str(folder / "kept")
    process = subprocess.Popen(
        words, env=kept, stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    screens = _Screens(ours, port)
    try:
        _wait_for(port)
        screens.await_drawn()
        yield screens
    finally:
        process.terminate()
        process.wait()
        os.close(ours)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


@contextmanager
def _mitmproxy(folder: Path, upstream: int) -> Iterator[int]:
    port = _free_port()
    words = [str(MITMDUMP), "--quiet", "-w", str(folder / "theirs.mitm")]
    words += ["--mode", f"reverse:http://127.0.0.1:{upstream}"]
    words += ["--listen-host", "127.0.0.1", "--listen-port", str(port)]
    for option in ("stream_large_bodies=1", "store_streamed_bodies=true"):
        words += ["--set", option]
    with _running([*words, "--set", f"confdir={folder}"]):
        _wait_for(port)
        yield port


@contextmanager
def _running(words: Sequence[str]) -> Iterator[subprocess.Popen[str]]:
    # PYTHONPATH may name packages of ours that another environment must not see.
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    if words[0] == sys.executable:
        kept["PYTHONPATH"] = str(ROOT / "app")
    process = subprocess.Popen(
        words, env=kept, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        yield process
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(timeout=15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        assert process.stdout is not None
        process.stdout.close()


def _wait_for(port: int) -> None:
    until = time.monotonic() + _STARTS_WITHIN
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            if time.monotonic() > until:
                raise SystemExit(f"nothing listens on port {port}") from None
            time.sleep(0.1)
        else:
            return
