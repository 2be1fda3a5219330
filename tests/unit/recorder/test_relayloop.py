"""A loop that serves passages by itself forgets nobody else."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sys
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import cast

import pytest
from tests.patience import PATIENCE, until

from sigscope.recorder.passage import Passage
from sigscope.recorder.recorder import run_loop

if sys.platform != "linux":
    pytest.skip("epoll is Linux's", allow_module_level=True)

from sigscope.recorder.relayloop import REST_SECONDS, RelayLoop


class Flood:
    """A passage to which something has always come."""

    def __init__(self, connection: socket.socket, loop: RelayLoop) -> None:
        self.fd = connection.fileno()
        self.first_at = 0.0
        self.taken = 0
        self.noted: list[int] = []
        self._is_unnoted = False
        self._loop = loop

    def take(self) -> bool:
        self.taken += 1
        if not self._is_unnoted:
            self._is_unnoted = True
            self.first_at = self._loop.time()
            self._loop.passages.note_later(cast(Passage, self))
        return True

    def note(self) -> None:
        self._is_unnoted = False
        self.noted.append(self.taken)


@contextlib.contextmanager
def flood() -> Iterator[Flood]:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, RelayLoop)
    here, there = socket.socketpair()
    with here, there:
        here.setblocking(False)
        there.send(b"never read")
        made = Flood(here, loop)
        passage = cast(Passage, made)
        loop.add_reader(here, lambda: None)
        loop.passages.open(passage)
        try:
            yield made
        finally:
            loop.passages.shut(passage)
            loop.remove_reader(here)


async def test_timers_come_in_time_while_a_stream_never_pauses() -> None:
    with flood() as stream:
        await until(lambda: stream.taken > 1)
        first = stream.taken
        await until(lambda: stream.taken > first)


async def test_other_threads_and_sockets_are_heard_meanwhile() -> None:
    loop = asyncio.get_running_loop()
    with flood():
        done = asyncio.Event()
        threading.Timer(0.02, loop.call_soon_threadsafe, [done.set]).start()
        async with asyncio.timeout(PATIENCE):
            await done.wait()
            server = await asyncio.start_server(
                lambda _, writer: writer.close(), "127.0.0.1", 0
            )
            port = server.sockets[0].getsockname()[1]
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            assert await reader.read() == b""
            writer.close()
            server.close()


async def test_what_passed_is_noted_while_a_stream_never_pauses() -> None:
    with flood() as stream:
        await until(lambda: stream.noted)


async def test_a_socket_that_asyncio_does_not_read_from_is_left_alone() -> None:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, RelayLoop)
    here, there = socket.socketpair()
    with here, there:
        there.send(b"x")
        stream = Flood(here, loop)
        loop.passages.open(cast(Passage, stream))
        await asyncio.sleep(0.01)
        assert stream.taken == 0
        loop.passages.shut(cast(Passage, stream))


async def test_one_that_rests_is_left_for_a_moment_and_read_again() -> None:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, RelayLoop)
    with flood() as stream:
        passage = cast(Passage, stream)

        def take() -> bool:
            stream.taken += 1
            loop.passages.rest(passage)
            return True

        began = loop.time()
        stream.take = take  # type: ignore[method-assign]
        await until(lambda: stream.taken > 20)
        assert stream.taken <= (loop.time() - began) / REST_SECONDS + 2


def test_programs_started_from_the_loop_are_waited_for(tmp_path: Path) -> None:
    async def start() -> int:
        process = await asyncio.create_subprocess_exec(sys.executable, "-c", "exit(3)")
        return await process.wait()

    assert run_loop(start()) == 3


async def test_a_note_is_made_before_waiting_and_after_what_has_come() -> None:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, RelayLoop)
    seen: list[str] = []
    noted = asyncio.Event()
    here, there = socket.socketpair()
    with here, there:
        loop.add_reader(here, lambda: (here.recv(9), seen.append("came")))
        await asyncio.sleep(0)
        there.send(b"x")
        loop.passages.when_idle(
            lambda: (seen.append("noted"), loop.passages.soon(noted.set))
        )
        timer = loop.call_later(PATIENCE, seen.append, "timer")  # ends a wait
        await noted.wait()
        timer.cancel()
        loop.remove_reader(here)
    assert seen == ["came", "noted"]


async def test_notes_are_made_while_a_stream_never_pauses() -> None:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, RelayLoop)
    noted = asyncio.Event()
    with flood():
        loop.passages.when_idle(noted.set)
        async with asyncio.timeout(PATIENCE):
            await noted.wait()


async def test_many_notes_are_made_while_the_loop_has_calls_all_the_time() -> None:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, RelayLoop)
    noted: list[int] = []
    for number in range(64):
        loop.passages.when_idle(partial(noted.append, number))
    for _ in range(100):
        await asyncio.sleep(0)  # called next: the loop never waits
    assert noted == list(range(64))
