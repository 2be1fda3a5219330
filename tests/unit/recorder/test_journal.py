"""What reaches the file when the disk, the scribe or the recorder fails."""

from __future__ import annotations

import asyncio
import errno
import itertools
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from loopback import Call, bench, post
from tests.listeners import listening
from tests.nursery import Forked
from tests.patience import PATIENCE, until

from sigscope.recorder import journal as journals
from sigscope.recorder import spool as spools
from sigscope.recorder import tape as tapes
from sigscope.recorder.heads import parse_response
from sigscope.recorder.journal import LATEST_SECONDS, QUIET_SECONDS, STARTS, Journal
from sigscope.recorder.spool import FileSpool
from sigscope.session import Session, Step
from sigscope.store import Header, SessionWriter, open_session
from sigscope.store.tail import Tail

pytestmark = pytest.mark.slow

HEAD = parse_response(b"HTTP/1.1 200 OK\r\nA: b\r\n\r\n")


async def kill_scribe(made: Journal) -> None:
    """Kill it as an out-of-memory killer would; wait until that was noticed."""
    scribe = made._scribe
    assert scribe is not None
    os.kill(scribe.pid, signal.SIGKILL)
    await until(lambda: made._scribe is not scribe)


@asynccontextmanager
async def journal(
    tmp_path: Path, **more: Any
) -> AsyncIterator[tuple[Journal, list[str]]]:
    path = tmp_path / "j.session.jsonl"
    SessionWriter.create(str(path), Header(id="j")).close()
    problems: list[str] = []
    made = Journal(
        str(path), clock=time.monotonic, name="j", on_problem=problems.append, **more
    )
    made.start()
    try:
        yield made, problems
    finally:
        await made.close()


def keep(made: Journal, text: bytes, *, end: bool = True) -> tapes.ExchangeTape:
    tape = made.begin(
        method="POST",
        url="http://x/",
        version="HTTP/1.1",
        headers=(("Authorization", "Bearer abcdefghijkl"),),
        began=time.monotonic(),
    )
    tape.sent(text)
    tape.head(HEAD)
    tape.received(text * 2)
    if end:
        tape.end("complete")
    return tape


async def write(made: Journal, *texts: bytes) -> None:
    """Keep them, one after the other is in the file."""
    for text in texts:
        keep(made, text)
        await until(lambda: made.written == made.begun)


def bodies(session: Session) -> list[bytes]:
    found = []
    for step in session.steps:
        assert step.exchange.request is not None
        assert step.exchange.response is not None
        sent = step.exchange.request.body.raw
        assert step.exchange.response.body.raw == sent * 2
        found.append(sent)
    return found


async def test_exchanges_are_written_without_their_secrets(tmp_path: Path) -> None:
    async with journal(tmp_path) as (made, problems):
        keep(made, b"one")
        await until(lambda: made.written == 1)
    (step,) = open_session(made.path).steps
    assert step.exchange.request is not None
    assert step.exchange.request.headers == (("Authorization", "Bearer [removed]"),)
    assert step.exchange.response is not None
    assert step.exchange.response.headers == (("A", "b"),)
    assert not problems


async def test_the_scribe_is_told_of_an_end_when_nothing_has_come_for_a_moment(
    tmp_path: Path,
) -> None:
    async with journal(tmp_path) as (made, _):
        await made.ready()
        scribe = made._scribe
        assert scribe is not None
        woken: list[float] = []
        scribe.wake = lambda: woken.append(time.monotonic())  # type: ignore[method-assign]
        ended = time.monotonic()
        keep(made, b"one")
        keep(made, b"two")
        await until(lambda: bool(woken))
        await asyncio.sleep(LATEST_SECONDS * 2)
        assert len(woken) == 1
        assert woken[0] - ended > QUIET_SECONDS * 0.9


async def test_the_scribe_is_told_at_once_of_an_answer_that_waits(
    tmp_path: Path,
) -> None:
    async with journal(tmp_path) as (made, _):
        scribe = made._scribe
        assert scribe is not None
        woken: list[int] = []
        scribe.wake = lambda: woken.append(1)  # type: ignore[method-assign]
        tape = keep(made, b"large")
        number = tape.summary.number
        made.arrears.end(number, 100_000_000)
        assert made.hold(number, lambda: None)
        assert woken


@pytest.mark.parametrize(
    ("clock", "told"),
    [
        (-14_182_940.0, "1969-07-20T20:17:"),
        (2_147_483_648.0, "2038-01-19T03:14:"),
        (253_402_304_400.0, None),
        (OverflowError("timestamp too large to convert to C _PyTime_t"), None),
    ],
    ids=["before 1970", "2038", "beyond 9999", "beyond what Python tells"],
)
async def test_a_clock_that_is_wrong_costs_no_exchange(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    clock: float | Exception,
    told: str | None,
) -> None:
    def wall() -> float:
        if isinstance(clock, Exception):
            raise clock
        return clock

    async with journal(tmp_path) as (made, problems):
        await write(made, b"before")
        monkeypatch.setattr(journals, "time", wall)
        await write(made, b"then")
        monkeypatch.setattr(journals, "time", time.time)
        await write(made, b"after")
    session = open_session(made.path)
    assert bodies(session) == [b"before", b"then", b"after"]
    moment = session.steps[1].exchange.started_at
    assert moment == told or (moment and told and moment.startswith(told))
    assert not problems


async def test_it_began_when_it_did_however_busy_the_machine_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Something else runs between the looks at the two clocks. What it began later
    than, an exchange of another hop, would not be its cause."""
    delays = [10.0, 10.0]
    late = 0.0

    def wall() -> float:
        nonlocal late
        late += delays.pop() if delays else 0.0
        return 1_700_000_000.0 + late

    monkeypatch.setattr(journals, "time", wall)
    async with journal(tmp_path) as (made, _):
        made._clock = lambda: late
        tape = made.begin(
            method="POST", url="http://x/", version="HTTP/1.1", headers=(), began=0.0
        )
        tape.begin()
        tape.end("complete")
        await until(lambda: made.written == 1)
    (step,) = open_session(made.path).steps
    assert step.exchange.started_at is not None
    assert step.exchange.started_at.startswith("2023-11-14T22:13:20")


async def test_clocks_that_go_backwards_break_nothing(
    tmp_path: Path,
) -> None:
    times = itertools.count(time.monotonic(), -3)
    path = tmp_path / "j.session.jsonl"
    SessionWriter.create(str(path), Header(id="j")).close()
    problems: list[str] = []
    made = Journal(
        str(path),
        clock=lambda: next(times),
        name="j",
        on_problem=problems.append,
    )
    made.start()
    for text in (b"one", b"two", b"three"):
        keep(made, text)
        assert not made.arrears.is_late
    await made.close()
    session = open_session(str(path))
    assert not problems
    assert bodies(session) == [b"one", b"two", b"three"]
    assert {step.exchange.duration_ms for step in session.steps} == {0.0}


async def test_numbers_follow_the_beginnings_not_the_ends(tmp_path: Path) -> None:
    async with journal(tmp_path) as (made, _):
        first = keep(made, b"first", end=False)
        keep(made, b"second")
        first.end("complete")
    assert bodies(open_session(made.path)) == [b"first", b"second"]


async def test_a_scribe_that_is_killed_is_followed_by_one_that_loses_nothing(
    tmp_path: Path,
) -> None:
    async with journal(tmp_path, spool_size=2000) as (made, problems):
        texts = [b"%d" % n * 500 for n in range(40)]
        for number, text in enumerate(texts):
            keep(made, text)
            if number in (5, 20, 33):
                if number == 20:
                    await until(lambda: made.written > 10)
                await kill_scribe(made)
    session = open_session(made.path)
    assert bodies(session) == texts
    assert len(problems) == 3
    assert "another goes on" in problems[0]


async def test_without_files_in_memory_nothing_lies_on_a_disk_and_nothing_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "memfd_create", raising=False)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(spools, "MAPPED_SIZE", 3000)
    async with journal(tmp_path) as (made, problems):
        texts = [b"%d" % n * 500 for n in range(30)] + [b"large" * 20_000]
        for number, text in enumerate(texts):
            keep(made, text)
            if number in (7, 21):
                await kill_scribe(made)
            for spool in made._spools:
                assert os.fstat(spool.fd).st_nlink == 0
                if sys.platform == "linux":
                    place = os.readlink(f"/proc/self/fd/{spool.fd}")
                    assert place.startswith("/dev/shm/")
        await until(lambda: made.written == len(texts))
        await until(lambda: len(made._spools) == 1)
    assert bodies(open_session(made.path)) == texts
    assert len(problems) == 2
    assert os.listdir(tmp_path) == ["j.session.jsonl"]


async def test_a_system_that_has_no_memory_to_share_records_nothing_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "memfd_create", raising=False)
    monkeypatch.setitem(sys.modules, "_posixshmem", None)
    async with journal(tmp_path) as (made, problems):
        keep(made, b"passes")
    assert problems == [
        "recording cannot start: the system has no memory that two processes could"
        " share"
    ]
    assert (made.lost, os.listdir(tmp_path)) == (1, ["j.session.jsonl"])


async def test_what_a_killed_scribe_had_written_is_not_written_twice(
    tmp_path: Path,
) -> None:
    async with journal(tmp_path) as (made, _):
        await write(made, b"one", b"two", b"three")
        await kill_scribe(made)
        keep(made, b"four")
    assert bodies(open_session(made.path)) == [b"one", b"two", b"three", b"four"]


async def test_spools_that_are_written_are_let_go(tmp_path: Path) -> None:
    async with journal(tmp_path, spool_size=5000) as (made, problems):
        for _ in range(30):
            keep(made, b"x" * 3000)
        await until(lambda: made.written == 30)
        keep(made, b"last")
        await until(lambda: len(made._spools) <= 2)
    assert not problems


@contextmanager
def no_more_files() -> Iterator[None]:
    """While this process may open none."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


async def test_nothing_is_lost_while_no_file_can_be_opened(tmp_path: Path) -> None:
    async with journal(tmp_path, spool_size=5000) as (made, problems):
        with no_more_files():
            for _ in range(5):
                keep(made, b"x" * 3000)
            await until(lambda: made.written == 5)
        keep(made, b"last")
        await until(lambda: len(made._spools) == 1 and made._freed)
    assert not problems
    assert len(bodies(open_session(made.path))) == 6


async def test_what_cannot_be_kept_holds_no_answer(tmp_path: Path) -> None:
    def fail(*pieces: bytes) -> None:
        raise OSError(errno.ENOMEM, "Cannot allocate memory")

    async with journal(tmp_path) as (made, problems):
        made._spools[-1].write = fail  # type: ignore[method-assign]
        keep(made, bytes(8_000_000))
        assert not made.holdback.needs(1)
        assert not made.arrears.is_late
    assert "Cannot allocate memory" in problems[0]


async def test_a_scribe_that_cannot_be_started_now_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journals, "PAUSE_SECONDS", 0.1)
    async with journal(tmp_path) as (made, problems):
        with no_more_files():
            await kill_scribe(made)
            await until(lambda: made._scribe is None)
            keep(made, b"meanwhile")
        await until(lambda: made.written == 1)
    assert bodies(open_session(made.path)) == [b"meanwhile"]
    assert "can be started: Too many open files" in problems[-1]


async def kill_scribes(made: Journal) -> None:
    for _ in range(STARTS):
        await kill_scribe(made)
    assert made._scribe is None


async def test_what_kills_the_scribes_may_pass(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journals, "PAUSE_SECONDS", 0.1)
    async with journal(tmp_path) as (made, problems):
        keep(made, b"before")
        await kill_scribes(made)
        keep(made, b"meanwhile")
        await until(lambda: made.written == 2)
    assert bodies(open_session(made.path)) == [b"before", b"meanwhile"]
    assert "another one is tried every" in problems[-1]
    assert "Traffic goes on" in problems[-1]


async def test_at_the_end_what_waited_for_a_scribe_is_written(tmp_path: Path) -> None:
    async with journal(tmp_path) as (made, _):
        await kill_scribes(made)
        keep(made, b"waits")
        await made.settled()  # for nobody
    assert bodies(open_session(made.path)) == [b"waits"]


async def test_scribes_that_always_die_are_given_up_at_the_end_and_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with journal(tmp_path) as (made, problems):
        keep(made, b"goes by")  # must not raise
        await kill_scribes(made)
        monkeypatch.setattr(sys, "executable", "/bin/false")
    assert problems[-1].endswith("got nothing written; 1 exchanges are not in the file")
    assert made.written == 0


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="prlimit is Linux's")
async def test_a_full_disk_is_told_and_made_up_for(tmp_path: Path) -> None:
    async with journal(tmp_path) as (made, problems):
        keep(made, b"before")
        await until(lambda: made.written == 1)
        scribe = made._scribe
        assert scribe is not None
        limit = resource.prlimit(scribe.pid, resource.RLIMIT_FSIZE)
        size = os.stat(made.path).st_size
        resource.prlimit(scribe.pid, resource.RLIMIT_FSIZE, (size + 10, limit[1]))
        keep(made, b"while full")
        keep(made, b"still full")
        await until(lambda: bool(problems))
        assert "traffic goes on" in problems[0]
        resource.prlimit(scribe.pid, resource.RLIMIT_FSIZE, limit)
        await until(lambda: made.written == 3)
    assert bodies(open_session(made.path)) == [b"before", b"while full", b"still full"]


def fill_disk(made: Journal) -> tuple[int, int]:
    """No file of the scribe's takes a byte beyond the size of its session file; gives
    what held before."""
    scribe = made._scribe
    assert scribe is not None
    limits = resource.prlimit(scribe.pid, resource.RLIMIT_FSIZE)
    size = os.stat(made.path).st_size
    return resource.prlimit(scribe.pid, resource.RLIMIT_FSIZE, (size, limits[1]))


LARGE = os.urandom(8000).hex().encode()


async def test_what_passes_while_a_file_takes_nothing_is_in_another_one(
    tmp_path: Path,
) -> None:
    async with journal(tmp_path) as (made, problems):
        await write(made, LARGE)
        limits = fill_disk(made)
        keep(made, b"while it fails")
        await until(lambda: bool(problems))
        place = str(tmp_path / "j-again.session.jsonl")
        assert place in problems[0]
        # What is there if both are killed now.
        assert bodies(open_session(place)) == [b"while it fails"]
        assert made._scribe is not None
        resource.prlimit(made._scribe.pid, resource.RLIMIT_FSIZE, limits)
        await until(lambda: made.written == 2)
        await until(lambda: not os.path.exists(place))
    assert bodies(open_session(made.path)) == [LARGE, b"while it fails"]
    assert len(problems) == 1


async def test_at_the_end_what_a_file_never_took_is_in_another_one(
    tmp_path: Path,
) -> None:
    async with journal(tmp_path) as (made, problems):
        await write(made, LARGE)
        fill_disk(made)
        for text in (b"one", b"two"):
            keep(made, text)
    place = str(tmp_path / "j-again.session.jsonl")
    assert bodies(open_session(place)) == [b"one", b"two"]
    assert bodies(open_session(made.path)) == [LARGE]
    assert made.begun - made.written == 2
    assert problems[-1].endswith(
        f"2 exchanges could not be written to {made.path}: they are in {place}"
    )


async def test_only_what_no_disk_takes_is_despaired_of(tmp_path: Path) -> None:
    async with journal(tmp_path) as (made, _problems):
        made._hear({"stuck": True, "sheltered": True})
        made._hear({"problem": "no room", "sheltered": True})
        assert made.arrears.is_hopeful
        made._ended += 1
        async with asyncio.timeout(PATIENCE):  # the file itself is not waited for
            await made.settled(patience=PATIENCE * 100)
        made._hear({"stuck": True})
        assert not made.arrears.is_hopeful


@pytest.mark.parametrize(
    ("ids", "stays"),
    [(("j-1",), False), (("j-1", "j-2"), True), (("b-1",), True), (None, True)],
    ids=["ours", "more than the file", "another's", "the file itself"],
)
async def test_what_a_killed_scribe_kept_elsewhere_goes_where_the_file_has_it(
    ids: tuple[str, ...] | None, stays: bool, tmp_path: Path
) -> None:
    place = tmp_path / "j-again.session.jsonl"
    async with journal(tmp_path) as (made, _problems):
        keep(made, b"{}")
        await until(lambda: made.written == 1)
        if ids is None:
            made.path = str(place)
            shutil.copy(tmp_path / "j.session.jsonl", place)
        else:
            exchange = open_session(made.path).steps[0].exchange
            with SessionWriter.create(str(place), Header(id="p")) as writer:
                for number, each in enumerate(ids, start=1):
                    step = Step(number=number, id=each, exchange=exchange)
                    writer.append_step(step)
        made._hear({"settled": 1, "place": str(place)})
    assert place.exists() is stays


async def test_a_deleted_file_whose_folder_is_gone_is_written_out_elsewhere(
    tmp_path: Path,
) -> None:
    folder, other = tmp_path / "folder", tmp_path / "other"
    folder.mkdir()
    async with journal(folder, elsewhere=[str(other)]) as (made, problems):
        await write(made, b"before")
        shutil.rmtree(folder)
        folder.write_text("a file in its place")
        keep(made, b"after")
        await until(lambda: made.written == 2)
    assert made.path == str(other / "j-again.session.jsonl")
    assert bodies(open_session(made.path)) == [b"before", b"after"]
    (problem,) = problems
    assert "was deleted while" in problem


@pytest.mark.skipif(sys.platform != "linux", reason="others do not tell the place")
async def test_a_file_whose_disk_was_taken_away_is_written_out_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As after `umount -l`, or where another disk was mounted over it.
    monkeypatch.setattr(Tail, "maybe_place", lambda _: None)
    monkeypatch.setattr(subprocess, "Popen", Forked)
    async with journal(tmp_path) as (made, problems):
        await write(made, b"before")
        os.rename(made.path, tmp_path / "out of reach")
        await until(lambda: bool(problems))
        keep(made, b"after")
        await until(lambda: made.written == 2)
    assert made.path.endswith("j-again.session.jsonl")
    assert bodies(open_session(made.path)) == [b"before", b"after"]
    (problem,) = problems
    assert "went out of reach" in problem


async def test_a_deleted_file_is_written_out_again_beside_its_name(
    tmp_path: Path,
) -> None:
    async with journal(tmp_path) as (made, problems):
        keep(made, b"before")
        await until(lambda: made.written == 1)
        os.unlink(made.path)
        for text in (b"after", b"and more"):
            keep(made, text)
        await until(lambda: made.written == 3)
        os.unlink(made.path)
        await until(lambda: len(problems) == 2)  # without anything new
    assert made.path.endswith("j-again-again.session.jsonl")
    assert bodies(open_session(made.path)) == [b"before", b"after", b"and more"]
    assert [problem.count("was deleted while") for problem in problems] == [1, 1]


async def test_a_moved_file_is_gone_on_with_and_said_once(tmp_path: Path) -> None:
    async with journal(tmp_path) as (made, problems):
        keep(made, b"before")
        await until(lambda: made.written == 1)
        moved = tmp_path / "moved.session.jsonl"
        os.rename(made.path, moved)
        for text in (b"after", b"and more"):
            keep(made, text)
            await made.settled()
    assert bodies(open_session(str(moved))) == [b"before", b"after", b"and more"]
    assert len(problems) == 1
    assert "was moved" in problems[0]


async def test_a_deleted_file_that_cannot_be_written_again_counts_as_lost(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    async with journal(folder) as (made, problems):
        keep(made, b"before")
        await until(lambda: made.written == 1)
        shutil.rmtree(folder)
        folder.write_text("a file in its place")
        keep(made, b"after")
        await until(lambda: bool(problems))
    assert "cannot be written" in problems[0]
    assert "1 exchanges could not be written" in problems[-1]
    assert made.begun - made.written == 1


def cut_after(path: str, lines: int, more: int) -> None:
    """Leave some lines of a file, and some bytes of the next."""
    kept = Path(path).read_bytes().splitlines(keepends=True)[:lines]
    os.truncate(path, sum(map(len, kept)) + more)


async def test_what_was_cut_off_the_file_is_written_again_from_memory(
    tmp_path: Path,
) -> None:
    async with journal(tmp_path) as (made, problems):
        await write(made, b"one", b"two", b"three")
        cut_after(made.path, 2, 20)  # the header and a step are whole
        await until(lambda: bool(problems))
        assert made.written < 3
        keep(made, b"four")
        await until(lambda: made.written == 4)
    assert sorted(bodies(open_session(made.path))) == [
        b"four",
        b"one",
        b"three",
        b"two",
    ]
    assert "cut short by another program" in problems[0]
    assert "of 2 exchanges" in problems[0]


def overwrite(path: str, share: float) -> int:
    """Write into a file, this far behind its beginning; gives its size."""
    with Path(path).open("r+b") as file:
        size = os.fstat(file.fileno()).st_size
        file.seek(int(size * share))
        file.write(b"X" * 200)
    return size


@pytest.mark.parametrize("share", [0, 0.5], ids=["head", "middle"])
async def test_what_was_overwritten_is_written_again_beside_it(
    tmp_path: Path, share: float
) -> None:
    async with journal(tmp_path) as (made, problems):
        texts = [b"one" * 90, b"two" * 90, b"three" * 90]
        await write(made, *texts)
        os.chmod(made.path, 0o640)  # changes nothing in it
        keep(made, b"four")
        await until(lambda: made.written == 4)
        was = made.path
        size = overwrite(was, share)
        await until(lambda: made.path != was)
        keep(made, b"five")
        await until(lambda: made.written == 5)
    assert os.stat(was).st_size == size
    assert made.path.endswith("j-again.session.jsonl")
    session = open_session(made.path)
    assert sorted(bodies(session)) == sorted([*texts, b"four", b"five"])
    assert not session.problems
    (said,) = (problem for problem in problems if "overwritten" in problem)
    assert "what is still in memory and what follows goes to" in said


async def test_what_is_in_memory_outlives_a_file_that_nobody_has_open(
    tmp_path: Path,
) -> None:
    async with journal(tmp_path) as (made, problems):
        keep(made, b"before")
        await until(lambda: made.written == 1)
        assert made.scribe_pid is not None
        os.kill(made.scribe_pid, signal.SIGSTOP)
        os.unlink(made.path)
        await kill_scribe(made)
        keep(made, b"after")
        await until(lambda: made.written == 2)
    assert made.path.endswith("j-again.session.jsonl")
    assert bodies(open_session(made.path)) == [b"before", b"after"]
    assert "No such file" in problems[-1]


async def test_a_scribe_that_has_written_may_die_as_often_as_the_first(
    tmp_path: Path,
) -> None:
    async with journal(tmp_path) as (made, _):
        made._starts = STARTS
        keep(made, b"written")
        await until(lambda: made.written == 1)
        await kill_scribe(made)
        keep(made, b"as well")
        await until(lambda: made.written == 2)


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="prlimit is Linux's")
async def test_a_scribe_that_crashes_writes_no_memory_to_a_disk(tmp_path: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_CORE)
    if not before[1]:
        pytest.skip("no process may leave core files here")
    resource.setrlimit(resource.RLIMIT_CORE, (1, before[1]))
    try:
        async with journal(tmp_path) as (made, _):
            await made.ready()
            assert made.scribe_pid is not None
            limit = resource.prlimit(made.scribe_pid, resource.RLIMIT_CORE)
    finally:
        resource.setrlimit(resource.RLIMIT_CORE, before)
    assert limit[0] == 0


async def test_a_step_that_two_scribes_tell_of_counts_once(tmp_path: Path) -> None:
    async with journal(tmp_path) as (made, _):
        keep(made, b"one")
        await until(lambda: made.written == 1)
        await kill_scribe(made)
        await made.ready()
        keep(made, b"two")
        await until(lambda: made.written == 2)
    assert made.written == 2


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="prlimit is Linux's")
async def test_traffic_passes_while_the_disk_is_full(tmp_path: Path) -> None:
    async def handler(call: Call) -> None:
        await call.answer(call.body)

    async with bench(tmp_path, handler) as b:
        scribe = b.recorder.journal._scribe
        assert scribe is not None
        limit = (100, resource.RLIM_INFINITY)
        resource.prlimit(scribe.pid, resource.RLIMIT_FSIZE, limit)
        for number in range(5):
            assert (await b.ask(post(b"%d" % number))).endswith(b"\r\n\r\n%d" % number)
        await b.recorder.stop()
    assert "traffic goes on" in b.problems[0]
    assert "5 exchanges could not be written" in b.problems[-1]


async def test_traffic_passes_where_there_is_no_memory_for_spools(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def handler(call: Call) -> None:
        await call.answer(call.body)

    def full(self: FileSpool, *pieces: bytes) -> None:
        raise OSError(28, "No space left on device")

    async with bench(tmp_path, handler) as b:
        monkeypatch.setattr(FileSpool, "write", full)
        assert (await b.ask(post(b"through"))).endswith(b"through")
    assert b.problems == [
        "recording fails: OSError: [Errno 28] No space left on device"
    ]


async def test_traffic_passes_where_recording_has_a_bug(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def handler(call: Call) -> None:
        await call.answer(call.body)

    def broken(self: tapes.ExchangeTape) -> int:
        raise ZeroDivisionError

    async with bench(tmp_path, handler) as b:
        monkeypatch.setattr(tapes.ExchangeTape, "_now", broken)
        assert (await b.ask(post(b"through"))).endswith(b"through")
    assert "ZeroDivisionError" in b.problems[0]


async def test_a_backlog_too_large_passes_bodies_by_and_says_so(tmp_path: Path) -> None:
    async with journal(tmp_path, backlog=5000, spool_size=1000) as (made, problems):
        scribe = made._scribe
        assert scribe is not None
        os.kill(scribe.pid, signal.SIGSTOP)
        for _ in range(4):
            keep(made, b"a" * 1000)
        os.kill(scribe.pid, signal.SIGCONT)
        await until(lambda: made.written == 4)
    assert "wait to be written" in problems[0]
    last = open_session(made.path).steps[-1].exchange
    assert "passed through but were not recorded" in last.remarks[0]


async def test_what_is_kept_together_loses_no_more_than_it_must(tmp_path: Path) -> None:
    async with journal(tmp_path, backlog=900) as (made, _):
        tape = keep(made, b"one", end=False)
        tape.head(HEAD, waits=True)
        tape.received(b"a" * 1000, waits=True)
        tape.end("complete")
        await until(lambda: made.written == 1)
    exchange = open_session(made.path).steps[0].exchange
    assert exchange.response is not None
    assert exchange.response.headers == (("A", "b"),)
    assert exchange.remarks == (
        "the last 1000 bytes of the response body passed through but were not recorded",
    )


@pytest.mark.skipif(sys.platform != "linux", reason="other loops tell at once")
async def test_ends_are_told_once_nothing_is_to_be_passed_on(tmp_path: Path) -> None:
    told: list[int] = []

    def tell(summary: tapes.Summary) -> None:
        told.append(summary.number)
        raise ZeroDivisionError

    async with journal(tmp_path, on_end=tell) as (made, problems):
        keep(made, b"one")
        keep(made, b"two")
        assert (told, made.open) == ([], 0)
        await until(lambda: told == [1, 2])
        keep(made, b"three")
    assert told == [1, 2, 3]
    assert len(problems) == 1
    assert "ZeroDivisionError" in problems[0]
    assert len(open_session(made.path).steps) == 3


async def test_ends_are_told_where_nothing_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(*_: object) -> FileSpool:
        raise OSError(12, "Cannot allocate memory")

    told: list[int] = []
    monkeypatch.setattr(journals, "new_spool", none)
    async with journal(tmp_path, on_end=lambda each: told.append(each.number)) as (
        made,
        _,
    ):
        keep(made, b"one")
        assert made.lost == 1
    assert told == [1]


async def test_a_body_beyond_the_limit_keeps_its_beginning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tapes, "LIMIT", 10)
    async with journal(tmp_path) as (made, _):
        tape = keep(made, b"abcd", end=False)
        tape.received(b"xxxx")
        tape.received(b"y")
        tape.end("complete")
    exchange = open_session(made.path).steps[0].exchange
    assert exchange.response is not None
    assert exchange.response.body.raw == b"abcdabcd"
    assert "last 5 bytes of the response body" in exchange.remarks[0]


async def test_a_taken_number_is_passed_over(tmp_path: Path) -> None:
    async with journal(tmp_path) as (made, _):
        path = made.path
        other = Journal(path, clock=time.monotonic, name="k", on_problem=lambda _: None)
        other.start()
        keep(made, b"one")
        await until(lambda: made.written == 1)
        keep(other, b"two")
        await other.close()
    assert [step.number for step in open_session(path).steps] == [1, 2]


KILLED = """
import asyncio, os, signal, sys, time
sys.path[:0] = [{app!r}, {root!r}, {here!r}]
from pathlib import Path
from loopback import make_recorder
from sigscope.recorder.routes import Routes, parse_route
async def main():
    recorder, _, _ = make_recorder(Path({tmp!r}), Routes([parse_route({url!r})]))
    await recorder.start()
    print(recorder.port, flush=True)
    await asyncio.sleep(600)
asyncio.run(main())
"""


def start_recorder(tmp: Path, url: str) -> tuple[subprocess.Popen[str], int]:
    """A recorder in a process of its own, and its port."""
    here = Path(__file__).parent
    root = here.parents[2]
    folders = {"app": str(root / "app"), "root": str(root), "here": str(here)}
    code = KILLED.format(**folders, tmp=str(tmp), url=url)
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    return process, int(process.stdout.readline())


async def fetch_then_kill(tmp: Path, url: str, count: int) -> None:
    """Leave one answer half way, get some whole, kill the recorder at once."""
    process, port = await asyncio.to_thread(start_recorder, tmp, url)
    half, half_writer = await asyncio.open_connection("127.0.0.1", port)
    half_writer.write(b"GET /half HTTP/1.1\r\n\r\n")
    await half.readuntil(b"half.")
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for _ in range(count):
        writer.write(b"GET / HTTP/1.1\r\n\r\n")
        await reader.readuntil(b"\r\n\r\n")
        await reader.readexactly(80_000)
    process.kill()
    assert process.stdout is not None
    process.stdout.close()
    process.wait()
    writer.close()
    half_writer.close()


def has_steps(path: str, count: int) -> bool:
    return len(open_session(path).steps) == count


async def test_what_a_client_got_whole_survives_a_killed_recorder(
    tmp_path: Path,
) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while head := await reader.readuntil(b"\r\n\r\n"):
            if b"/half" in head:
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf.")
                continue
            body = os.urandom(8).hex().encode() * 5000
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 80000\r\n\r\n" + body)
            answers.append(body)

    answers: list[bytes] = []
    async with listening(serve) as upstream:
        url = f"http://127.0.0.1:{upstream}"
        for count in (1, 2, 8):
            tmp = tmp_path / str(count)
            tmp.mkdir()
            answers.clear()
            await fetch_then_kill(tmp, url, count)
            path = str(tmp / "r.session.jsonl")
            await until(partial(has_steps, path, count + 1))
            session = open_session(path)
            assert not session.problems
            first, *others = (step.exchange.response for step in session.steps)
            assert [response.body.raw for response in others if response] == answers
            assert first is not None
            assert (first.ending, first.body.raw) == ("open", b"half.")
