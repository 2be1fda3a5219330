"""A soak: many clients, aborts at random, a recorder that is killed at random.

    python -m tests.soak                      the full one: 20 clients, 2,000 requests,
                                              50 kills, streams of 10,000 events
    python -m tests.soak --requests 200 --kills 5 --events 500
    python -m tests.soak --group              kills recorder and scribe together
    python -m tests.soak --report FILE        all kinds, one after the other, and a page
                                              with their counts

Claims: each exchange that a client got whole is in the file, and none is changed; where
recorder and scribe are killed together, every one that was whole for 0.5 s by then. No
file anywhere ever has a key that was sent or answered.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.patience import until

from sigscope.errors import SigscopeError
from sigscope.store import open_session

ROOT = Path(__file__).resolve().parents[1]
SAFE_SECONDS = 0.5
"""What was whole for so long is on disk."""
KEYS = tuple(f"sk-proj-{place}0Zq7Rk3VtXy9LmNw4Bc6Dh" for place in "HQBA")
"""Planted in a header, a query, a request's body, an answer."""


@dataclass(kw_only=True)
class Plan:
    """How much of everything."""

    clients: int = 20
    requests: int = 2000
    events: int = 10_000
    """Of the longest streams; most are short."""
    kills: int = 50
    seed: int = 1
    group: bool = False
    """Kill the scribe together with its recorder."""
    longest: float = 2.0
    """Seconds until the last kill of both; those before come sooner."""
    safe: float = SAFE_SECONDS
    """Age from which nothing may be lost where both are killed; what the machine kept
    them from running comes on top."""
    least: int = 0
    """Exchanges that are whole before both are killed, however long that takes."""


@dataclass(kw_only=True)
class Outcome:
    """What came of it."""

    whole: dict[str, str] = field(default_factory=dict)
    """Request → digest of the answer that a client got whole."""
    counts: Counter[str] = field(default_factory=Counter)
    missing: list[str] = field(default_factory=list)
    """Requests whose exchange is not in the file although a client got it whole."""
    old: list[str] = field(default_factory=list)
    """Of the missing ones, those that were whole for `Plan.safe` when both were killed,
    or that no such kill can have cost."""
    leaks: list[str] = field(default_factory=list)
    """Files with a planted key."""
    ages: list[float] = field(default_factory=list)
    """Seconds for which the missing ones were whole when both were killed."""
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


def keyed_body(name: str, count: int) -> bytes:
    """One with a key in it, whose answer has one too."""
    value = {"name": name, "events": count, "keyed": True, "api_key": KEYS[2]}
    return json.dumps(value).encode()


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """The upstream: streams in chunks, with pauses here and there."""
    try:
        while head := await reader.readuntil(b"\r\n\r\n"):
            size = int(head.lower().partition(b"content-length:")[2].split()[0])
            asked = json.loads(await reader.readexactly(size))
            body = events_of(asked["name"], asked["events"])
            if "keyed" in asked:
                body += b'data: {"token":"%b"}\n\n' % KEYS[3].encode()
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
    except asyncio.CancelledError:
        writer.transport.abort()
        raise
    finally:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


class Soak:
    """One run."""

    def __init__(self, plan: Plan, folder: Path) -> None:
        self.plan = plan
        self.outcome = Outcome()
        self.path = folder / "soak.session.jsonl"
        self._random = random.Random(plan.seed)
        self._folder = folder
        self._port = 0
        """Of the recorder that runs now."""
        self._next: Iterator[int] = iter(range(plan.requests))
        self._process: subprocess.Popen[bytes] | None = None
        self._asked_at: dict[str, float] = {}
        self._whole_at: dict[str, float] = {}
        self._killed_at: list[float] = []
        self._kept_waiting = 0.0
        """Seconds that those who were killed together waited for a processor."""
        self._log = (folder / "recorder.log").open("wb")
        self._answers: set[asyncio.Task[None]] = set()

    async def run(self) -> Outcome:
        """All of it; checks at the end."""
        began = time.monotonic()
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=1 << 22)
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
        for answer in self._answers:  # to a recorder that was killed
            answer.cancel()
        await asyncio.gather(*self._answers, return_exceptions=True)
        self._log.close()
        await asyncio.to_thread(self._check)
        self.outcome.seconds = time.monotonic() - began
        return self.outcome

    async def _serve(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        answer = asyncio.current_task()
        assert answer is not None
        self._answers.add(answer)
        try:
            await _answer(reader, writer)
        finally:
            self._answers.discard(answer)

    # --- The recorder ----------------------------------------------------------------

    def _start(self) -> None:
        paths = [str(ROOT / "app"), os.environ.get("PYTHONPATH", "")]
        command = [sys.executable, "-m", "sigscope", "record", "--quiet", "--append"]
        command += ["--upstream", self._upstream, "--port", "0"]
        self._process = subprocess.Popen(
            [*command, "--out", str(self.path)],
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join(filter(None, paths)),
                "SIGSCOPE_STATE_DIR": str(self._folder / "state"),
                "SIGSCOPE_DATA_DIR": str(self._folder / "data"),
                "TMPDIR": str(self._folder),
            },
            cwd=self._folder,
            stdout=subprocess.PIPE,
            stderr=self._log,
        )
        assert self._process.stdout is not None
        url = self._process.stdout.readline().decode().strip()
        self._port = int(url.rpartition(":")[2])

    def _end(self, number: int = signal.SIGINT) -> None:
        process = self._process
        assert process is not None
        assert process.stdout is not None
        victims = [process.pid]
        if number == signal.SIGKILL and self.plan.group:
            victims += children_of(process.pid)
            self._kept_waiting += sum(map(seconds_kept_waiting, victims))
        for pid in victims:
            os.kill(pid, number)
        if len(victims) > 1:
            self._killed_at.append(time.monotonic())
        process.wait(timeout=120)
        process.stdout.close()

    async def _kill(self, clients: list[asyncio.Task[None]]) -> None:
        """Kill and start again, spread over the requests."""
        if self.plan.group:
            await self._kill_now_and_then()
            return
        for number in range(self.plan.kills):
            share = (number + 1) / (self.plan.kills + 1)
            while sum(self.outcome.counts.values()) < share * self.plan.requests:
                if all(client.done() for client in clients):
                    return
                await asyncio.sleep(0.005)
            await asyncio.sleep(self._random.random() * 0.05)
            await self._kill_and_start()

    async def _kill_now_and_then(self) -> None:
        """In the first seconds of a recorder, by the clock; then no more is asked."""
        for number in range(1, self.plan.kills + 1):
            life = self.plan.longest * number / self.plan.kills
            await asyncio.sleep(life - self._random.random() * 0.1)
            await until(lambda: self.outcome.counts["whole"] >= self.plan.least)
            await self._kill_and_start()
        await asyncio.sleep(SAFE_SECONDS)
        self._next = iter(())

    async def _kill_and_start(self) -> None:
        await asyncio.to_thread(self._end, signal.SIGKILL)
        self.outcome.counts["kills"] += 1
        await asyncio.to_thread(self._search)
        await asyncio.to_thread(self._start)

    # --- Clients ---------------------------------------------------------------------

    async def _client(self) -> None:
        connection: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        while (number := next(self._next, None)) is not None:
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
        for _ in range(6000):
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
        is_keyed = self._random.random() < 0.2
        body = (keyed_body if is_keyed else request_body)(name, count)
        self._asked_at[name] = time.monotonic()
        head = (
            f"POST /x?key={KEYS[1]} HTTP/1.1\r\nHost: localhost:{self._port}\r\n"
            f"Authorization: Bearer {KEYS[0]}\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        writer.write(head.encode() + body)
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
        self.outcome.whole[name] = "keyed" if is_keyed else got.hexdigest()
        self._whole_at[name] = time.monotonic()
        self.outcome.counts["whole"] += 1
        return True

    # --- The file --------------------------------------------------------------------

    def _check(self) -> None:
        """Scribes of killed recorders may still be writing; wait for them."""
        deadline = time.monotonic() + (0 if self.plan.group else 120)
        while True:
            self._compare()
            if not self.outcome.missing or time.monotonic() > deadline:
                break
            time.sleep(0.25)
        self._search()
        for name in self.outcome.missing:
            # What lay in a socket is read after the kill: the age is below 0 then.
            asked, whole = self._asked_at[name], self._whole_at[name]
            killed = min((at for at in self._killed_at if at > asked), default=1e9)
            age = killed - whole
            self.outcome.ages.append(age)
            if age > self.plan.safe + self._kept_waiting:
                self.outcome.old.append(name)

    def _search(self) -> None:
        """Look for the planted keys in all that was written, anywhere."""
        for path in sorted(self._folder.rglob("*")):
            if path.is_file():
                data = path.read_bytes()
                self.outcome.counts["files searched"] += 1
                if any(key.encode() in data for key in KEYS):
                    self.outcome.leaks.append(path.name)

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
            if "keyed" in asked:
                if response is not None and response.ending == "complete":
                    found[name] = "keyed"
                continue
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


def children_of(pid: int) -> list[int]:
    """The processes that a process has started."""
    found = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(pid)],
        capture_output=True,
        text=True,
        check=False,
    )
    return [int(line) for line in found.stdout.split()]


def seconds_kept_waiting(pid: int) -> float:
    """How long a process could run and had no processor, where the system says so."""
    waited = 0
    for task in Path(f"/proc/{pid}/task").glob("*/schedstat"):
        with suppress(OSError):
            waited += int(task.read_text("ascii").split()[1])
    return waited / 1e9


async def soak(plan: Plan, folder: Path) -> Outcome:
    """Run one in a folder."""
    return await Soak(plan, folder).run()


AGES = (0.0, 0.1, 0.25, 0.5)
"""Seconds that part the ages of what was lost."""
KINDS = {
    "recorder alone": Plan(kills=12, requests=1000, events=10_000),
    "both, short answers": Plan(
        kills=12, requests=10**6, events=60, group=True, longest=3.0
    ),
    "both, 2 % streams of 4,000 events": Plan(
        kills=12, requests=10**6, events=4000, group=True, longest=3.0
    ),
}
"""What the report is about."""


def holds(plan: Plan, outcome: Outcome) -> bool:
    """Whether the claims do."""
    lost = outcome.old if plan.group else outcome.missing
    return not lost and not outcome.changed and not outcome.leaks


def run(plan: Plan) -> Outcome:
    """One soak, in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="sigscope-soak-") as folder:
        return asyncio.run(soak(plan, Path(folder)))


def tell(plan: Plan, outcome: Outcome) -> None:
    """What came of it, for people."""
    counts = ", ".join(f"{n} {name}" for name, n in sorted(outcome.counts.items()))
    sys.stdout.write(f"{counts}; {outcome.seconds:.0f} s\n")
    for kind in ("missing", "old", "changed", "leaks"):
        names: list[str] = getattr(outcome, kind)
        sys.stdout.write(f"{kind}: {len(names)} {' '.join(names[:5])}\n")
    if outcome.ages:
        sys.stdout.write(f"oldest missing: whole for {max(outcome.ages):.2f} s\n")
    sys.stdout.flush()


def by_age(ages: list[float]) -> list[int]:
    """How many are of each age; the first: not yet whole when they were killed."""
    places = Counter(sum(age > limit for limit in AGES) for age in ages)
    return [places[place] for place in range(len(AGES) + 1)]


def report(outcomes: dict[str, Outcome], loads: dict[str, float]) -> str:
    """The page."""
    heads = ["killed", "kills", "whole", "cut off", "given up", "lost"]
    heads += ["read after the kill", "≤ 0.1 s", "≤ 0.25 s", "≤ 0.5 s", "older"]
    heads += ["oldest lost", "changed", "files searched", "with a key", "load"]
    lines = [f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]
    for name, outcome in outcomes.items():
        counts = outcome.counts
        cells: list[object] = [name]
        cells += [counts[each] for each in ("kills", "whole", "cut off", "given up")]
        cells += [len(outcome.missing), *by_age(outcome.ages)]
        cells.append(f"{max(outcome.ages):.2f} s" if outcome.ages else "none")
        cells += [len(outcome.changed), counts["files searched"], len(outcome.leaks)]
        cells.append(f"{loads[name]:.1f}")
        lines.append(f"| {' | '.join(map(str, cells))} |")
    table = "\n".join(lines)
    return REPORT.format(table=table, cores=os.cpu_count(), safe=SAFE_SECONDS)


REPORT = """\
# Kills

Made by `make soak`: 20 clients ask through a recorder that is killed (SIGKILL) again
and again and started anew, with or without its scribe. An exchange is *whole* when its
client has read the last byte; *cut off* were the clients of a killed recorder, *given
up* those that hung up on purpose. What is *lost* was whole at its client and is not in
the session file; the columns after that part it by how long it was whole at the kill.

Claims: nothing is lost where the recorder alone is killed; nothing that was whole for
{safe} s where both are; no byte is changed; none of the files on disk, searched after
every kill, ever has one of the planted keys.

{table}

`load` is the machine's load average (one minute, {cores} cores) when a run ended; its
own clients and their upstream are part of it.

How it holds: masking comes before writing, at 5 to 10 MB/s on one core. Where what is
to be written takes the scribe longer than 0.15 s at the pace of late (0.3 s for a
single answer), or something is unwritten for 0.06 s, the last bytes of an answer wait
until it is in the file, for 2 s at most; then traffic comes first. So the half second
is no guarantee where a machine stops giving the scribe time from one moment to the
next, or where masking what ended at once takes longer than 2 s: one answer of some
10 MB, or 20 requests of 5 MB (of which 16 were lost once, the oldest 1.4 s).

While a disk takes nothing, what passes is written to a file beside the session's or in
another folder, until the session's takes it.
"""


def main() -> int:
    """Run the full one, or what the arguments say; 1 if a claim does not hold."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--report", metavar="FILE", type=Path)
    defaults = Plan()
    for name, value in vars(defaults).items():
        if isinstance(value, bool):
            parser.add_argument(f"--{name}", action="store_true")
        else:
            parser.add_argument(f"--{name}", type=type(value), default=value)
    asked = vars(parser.parse_args())
    page: Path | None = asked.pop("report")
    plans = {"": Plan(**asked)} if page is None else KINDS
    outcomes: dict[str, Outcome] = {}
    loads: dict[str, float] = {}
    for name, plan in plans.items():
        outcomes[name] = run(plan)
        loads[name] = os.getloadavg()[0]
        sys.stdout.write(f"{name}: " if name else "")
        tell(plan, outcomes[name])
    if page is not None:
        page.write_text(report(outcomes, loads), encoding="utf-8")
    return 0 if all(holds(plans[name], each) for name, each in outcomes.items()) else 1


if __name__ == "__main__":
    sys.exit(main())
