"""A soak: many clients, aborts at random, a recorder that is killed at random.

    python -m tests.soak                      the full one: 20 clients, 2,000 requests,
                                              50 kills, streams of 10,000 events
    python -m tests.soak --requests 200 --kills 5 --events 500

Claims: every exchange that a client got whole is in the file, and none is changed.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from sigscope.errors import SigscopeError
from sigscope.store import open_session

ROOT = Path(__file__).resolve().parents[1]


@dataclass(kw_only=True)
class Plan:
    """How much of everything."""

    clients: int = 20
    requests: int = 2000
    events: int = 10_000
    """Of the longest streams; most are short."""
    kills: int = 50
    seed: int = 1


@dataclass(kw_only=True)
class Outcome:
    """What came of it."""

    whole: dict[str, str] = field(default_factory=dict)
    """Request → digest of the answer that a client got whole."""
    counts: Counter[str] = field(default_factory=Counter)
    missing: list[str] = field(default_factory=list)
    """Requests whose exchange is not in the file although a client got it whole."""
    changed: list[str] = field(default_factory=list)
    """Requests whose recorded bytes are not those that were sent."""
    seconds: float = 0.0


def events_of(name: str, count: int) -> bytes:
    """The stream that answers a request; the same every time."""
    salt = hashlib.sha256(name.encode()).hexdigest()
    lines = (f'data: {{"n":{n},"of":"{name}","x":"{salt}"}}\n\n' for n in range(count))
    return "".join(lines).encode()


def request_body(name: str, count: int) -> bytes:
    return json.dumps({"name": name, "events": count, "pad": name * 50}).encode()


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """The upstream: streams in chunks, with pauses here and there."""
    try:
        while head := await reader.readuntil(b"\r\n\r\n"):
            size = int(head.lower().partition(b"content-length:")[2].split()[0])
            asked = json.loads(await reader.readexactly(size))
            body = events_of(asked["name"], asked["events"])
            writer.write(
                b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
                b"Transfer-Encoding: chunked\r\n\r\n"
            )
            for start in range(0, len(body), 3000):
                piece = body[start : start + 3000]
                writer.write(b"%x\r\n%b\r\n" % (len(piece), piece))
                await writer.drain()
                if start % 30_000 == 0:
                    await asyncio.sleep(0)
            writer.write(b"0\r\n\r\n")
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()


class Soak:
    """One run."""

    def __init__(self, plan: Plan, folder: Path) -> None:
        self.plan = plan
        self.outcome = Outcome()
        self.path = folder / "soak.session.jsonl"
        self._random = random.Random(plan.seed)
        self._folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port: int = free.getsockname()[1]
        self._next = iter(range(plan.requests))
        self._process: subprocess.Popen[bytes] | None = None
        self._log = (folder / "recorder.log").open("wb")

    async def run(self) -> Outcome:
        """All of it; checks at the end."""
        began = time.monotonic()
        server = await asyncio.start_server(_answer, "127.0.0.1", 0, limit=1 << 22)
        self._upstream = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        await asyncio.to_thread(self._start)
        clients = [
            asyncio.create_task(self._client()) for _ in range(self.plan.clients)
        ]
        killer = asyncio.create_task(self._kill(clients))
        await asyncio.gather(*clients)
        await killer
        await asyncio.to_thread(self._end)
        server.close()
        self._log.close()
        await asyncio.to_thread(self._check)
        self.outcome.seconds = time.monotonic() - began
        return self.outcome

    # --- The recorder ----------------------------------------------------------------

    def _start(self) -> None:
        paths = [str(ROOT / "app"), os.environ.get("PYTHONPATH", "")]
        command = [sys.executable, "-m", "sigscope", "record", "--quiet", "--append"]
        command += ["--upstream", self._upstream, "--port", str(self._port)]
        self._process = subprocess.Popen(
            [*command, "--out", str(self.path)],
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join(filter(None, paths)),
                "SIGSCOPE_STATE_DIR": str(self._folder),
            },
            stdout=subprocess.PIPE,
            stderr=self._log,
        )
        assert self._process.stdout is not None
        self._process.stdout.readline()

    def _end(self, number: int = signal.SIGINT) -> None:
        process = self._process
        assert process is not None
        assert process.stdout is not None
        process.send_signal(number)
        process.wait(timeout=120)
        process.stdout.close()

    async def _kill(self, clients: list[asyncio.Task[None]]) -> None:
        """Kill and start again, spread over the requests."""
        for number in range(self.plan.kills):
            share = (number + 1) / (self.plan.kills + 1)
            while sum(self.outcome.counts.values()) < share * self.plan.requests:
                if all(client.done() for client in clients):
                    return
                await asyncio.sleep(0.005)
            await asyncio.sleep(self._random.random() * 0.05)
            await asyncio.to_thread(self._end, signal.SIGKILL)
            self.outcome.counts["kills"] += 1
            await asyncio.to_thread(self._start)

    # --- Clients ---------------------------------------------------------------------

    async def _client(self) -> None:
        connection: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        for number in self._next:
            is_long = self._random.random() < 0.02
            count = self.plan.events if is_long else self._random.randint(1, 60)
            name = f"r{number}-{self._random.getrandbits(40):x}"
            try:
                if connection is None:
                    connection = await self._connect()
                if await self._ask(connection, name, count):
                    continue
            except (OSError, asyncio.IncompleteReadError):
                self.outcome.counts["cut off"] += 1
            if connection is not None:
                connection[1].close()
            connection = None
        if connection is not None:
            connection[1].close()

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        for _ in range(2000):
            try:
                return await asyncio.open_connection(
                    "127.0.0.1", self._port, limit=1 << 22
                )
            except OSError:
                await asyncio.sleep(0.01)
        raise AssertionError("the recorder does not come back")

    async def _ask(
        self,
        connection: tuple[asyncio.StreamReader, asyncio.StreamWriter],
        name: str,
        count: int,
    ) -> bool:
        """One request; False if it was given up on purpose."""
        reader, writer = connection
        body = request_body(name, count)
        writer.write(
            b"POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(body)
            + body
        )
        gives_up = self._random.random() < 0.15
        await reader.readuntil(b"\r\n\r\n")
        got = hashlib.sha256()
        while size := int(await reader.readuntil(b"\r\n"), 16):
            got.update(await reader.readexactly(size))
            await reader.readexactly(2)
            if gives_up and self._random.random() < 0.5:
                self.outcome.counts["given up"] += 1
                return False
        await reader.readexactly(2)
        self.outcome.whole[name] = got.hexdigest()
        self.outcome.counts["whole"] += 1
        return True

    # --- The file --------------------------------------------------------------------

    def _check(self) -> None:
        """Scribes of killed recorders may still be writing; wait for them."""
        deadline = time.monotonic() + 120
        while True:
            self._compare()
            if not self.outcome.missing or time.monotonic() > deadline:
                return
            time.sleep(0.25)

    def _compare(self) -> None:
        try:
            session = open_session(str(self.path))
        except SigscopeError:
            self.outcome.missing = list(self.outcome.whole)
            return
        found: dict[str, str] = {}
        self.outcome.changed.clear()
        for step in session.steps:
            request, response = step.exchange.request, step.exchange.response
            if request is None or not request.body.raw:
                continue
            try:
                asked = json.loads(request.body.raw)
            except ValueError:  # given up while it was sent
                continue
            name, count = asked["name"], asked["events"]
            wanted = events_of(name, count)
            got = response.body.raw if response else b""
            is_whole = response is not None and response.ending == "complete"
            if request.body.raw != request_body(name, count) or (
                got != wanted if is_whole else not wanted.startswith(got)
            ):
                self.outcome.changed.append(name)
            if is_whole:
                found[name] = hashlib.sha256(got).hexdigest()
        self.outcome.counts["steps"] = len(session.steps)
        self.outcome.counts["problems"] = len(session.problems)
        whole = self.outcome.whole
        self.outcome.missing = [
            n for n, digest in whole.items() if found.get(n) != digest
        ]


async def soak(plan: Plan, folder: Path) -> Outcome:
    """Run one in a folder."""
    return await Soak(plan, folder).run()


def main() -> int:
    """Run the full one, or what the arguments say; 1 if a claim does not hold."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    defaults = Plan()
    for name, value in vars(defaults).items():
        parser.add_argument(f"--{name}", type=int, default=value)
    plan = Plan(**vars(parser.parse_args()))
    with tempfile.TemporaryDirectory(prefix="sigscope-soak-") as folder:
        outcome = asyncio.run(soak(plan, Path(folder)))
    counts = ", ".join(f"{n} {name}" for name, n in sorted(outcome.counts.items()))
    sys.stdout.write(f"{counts}; {outcome.seconds:.0f} s\n")
    for kind in ("missing", "changed"):
        names: list[str] = getattr(outcome, kind)
        sys.stdout.write(f"{kind}: {len(names)} {' '.join(names[:5])}\n")
    return 1 if outcome.missing or outcome.changed else 0


if __name__ == "__main__":
    sys.exit(main())
