"""The short way of a stream: nothing is lost, changed or let go too soon."""

from __future__ import annotations

import asyncio
import itertools
import socket
import struct
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from loopback import Bench, Call, bench, post
from tests.patience import PATIENCE

from sigscope.exchange import Response
from sigscope.recorder.arrival import IncomingAnswer
from sigscope.recorder.glance import is_chunk, is_some
from sigscope.recorder.heads import RequestHead
from sigscope.recorder.passage import BURST, PIECE, Note, Passage
from sigscope.recorder.transfer import Chunked

HEAD = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
    b"transfer-encoding: chunked\r\n\r\n"
)
END = b"0\r\n\r\n"


def chunk(data: bytes, size: str = "x") -> bytes:
    return b"%b\r\n%b\r\n" % (format(len(data), size).encode(), data)


def event(number: int) -> bytes:
    return chunk(b'data: {"n":%d}\n\n' % number)


class Loop:
    """Serves one passage when told to; remembers the rest."""

    def __init__(self) -> None:
        self.calls: list[tuple[Callable[..., object], tuple[object, ...]]] = []
        self.served: list[Passage] = []
        self.rests = 0

    def soon(self, callback: Callable[..., object], *args: object) -> None:
        self.calls.append((callback, args))

    def run(self) -> None:
        calls, self.calls = self.calls, []
        for callback, args in calls:
            callback(*args)

    def note_later(self, passage: Passage) -> None:
        pass

    def rest(self, passage: Passage) -> None:
        self.rests += 1

    def open(self, passage: Passage) -> None:
        self.served.append(passage)

    def shut(self, passage: Passage) -> None:
        self.served.remove(passage)


class Client:
    """A socket, and what its transport was given."""

    def __init__(self, connection: socket.socket) -> None:
        self.fd = connection.fileno()
        self.written = b""

    def write(self, data: bytes) -> None:
        self.written += data


class Way:
    """An answer whose head has come, between two pairs of sockets."""

    def __init__(self, head: bytes = HEAD) -> None:
        asked = RequestHead(method="POST", target="/", version="HTTP/1.1")
        self.incoming = IncomingAnswer(asked)
        self.incoming.take_head(head)
        self.incoming.take_body(b"")
        self.continues = self.incoming.continues
        self.notes: list[Note] = []
        self.round: list[bytes] = []
        self.errors: list[Exception] = []
        self.upstream, ours = socket.socketpair()
        self.reader, out = socket.socketpair()
        self._kept = ours, out
        for each in (ours, out, self.reader):
            each.setblocking(False)
        self.loop = Loop()
        self.client = Client(out)
        self.clock = 0.0
        self.passage = Passage(
            ours.fileno(),
            self,
            self.client,
            self.loop,
            on_data=self._go_round,
            on_error=self.errors.append,
            clock=self._tick,
        )

    def close(self) -> None:
        for each in (self.upstream, self.reader, *self._kept):
            each.close()

    def _tick(self) -> float:
        self.clock += 1.0
        return self.clock

    def may_pass(self) -> bool:
        return self.incoming.is_between and not self.client.written

    def passed(self, notes: Sequence[Note]) -> None:
        for _, data in notes:
            self.incoming.take_body(data)
        self.notes += notes

    def _go_round(self, data: bytes) -> None:
        self.passage.note()
        self.incoming.take_body(data)
        self.round.append(data)
        self.passage.look()

    def come(self, data: bytes) -> bool:
        self.upstream.sendall(data)
        served = self.passage.take()
        self.loop.run()
        return served

    def got(self) -> bytes:
        try:
            return self.reader.recv(1 << 20)
        except BlockingIOError:
            return b""


# --- What may take it -----------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [event(1), event(1).upper(), chunk(b"x" * 5000), chunk(b"0\r\n\r\n"), chunk(b"\n")],
)
def test_one_whole_chunk_may_pass(data: bytes) -> None:
    assert is_chunk(data)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        END,
        b"0\r\nX: 1\r\n\r\n",
        b"\r\n",
        b"5\r\nhello",
        b"5\r\nhello\r",
        b"6\r\nhello\r\n",
        b"4\r\nhello\r\n",
        b"5;a=b\r\nhello\r\n",
        b"05\r\nhello\r\n",
        b"+5\r\nhello\r\n",
        b"0x5\r\nhello\r\n",
        b" 5\r\nhello\r\n",
        b"5\nhello\r\n",
        b"?" * 1234 + b"\r\n",
        event(1) + END,
        event(1) + event(2),
        chunk(b"data: [DONE]\n\n"),
        chunk(b'data: {"type":"message_stop"}\n\n'),
        chunk(b'data: {"type":"response.completed"}\n\n'),
        chunk(b'data: {"type":"response.failed"}\n\n'),
        chunk(b'data: {"type":"response.incomplete"}\n\n'),
    ],
)
def test_what_is_more_or_less_than_a_chunk_may_not(data: bytes) -> None:
    assert not is_chunk(data)


@given(st.binary(max_size=40))
@example(b"1\r\n\r\r\n")
@example(b"a\r\n0123456789\r\n")
def test_what_may_pass_never_ends_a_body(data: bytes) -> None:
    decoder = Chunked()
    if is_chunk(data):
        _, rest = decoder.feed(data)
        assert not rest
        assert not decoder.done
        assert decoder.is_between


def test_of_a_body_until_the_close_all_may_pass_but_its_last_event() -> None:
    assert is_some(b"data: 1\n\n")
    assert not is_some(b"data: [DONE]\n\n")
    assert not is_some(b"")


# --- One passage ----------------------------------------------------------------------


def test_an_event_is_at_the_client_before_it_is_noted() -> None:
    way = Way()
    assert way.come(event(1))
    assert way.got() == event(1)
    assert not way.notes
    way.passage.note()
    assert way.notes == [(1.0, event(1))]
    way.close()


def test_the_end_goes_round_after_what_passed_is_noted() -> None:
    way = Way()
    way.come(event(1))
    way.come(END)
    assert way.got() == event(1)
    assert [data for _, data in way.notes] == [event(1)]
    assert way.round == [END]
    assert way.incoming.is_done
    way.close()


def test_after_a_torn_chunk_nothing_passes_until_the_next_begins() -> None:
    way = Way()
    torn = event(1)
    way.come(torn[:5])
    # By itself it looks like a chunk, and it is the inside of one.
    inner = chunk(b"x")
    outer = b"%x\r\n" % (len(inner) + 4)
    way.come(torn[5:] + outer)
    way.come(inner)
    assert way.got() == b""
    way.come(b"abcd\r\n")
    way.come(event(2))
    assert way.got() == event(2)
    assert b"".join(way.round) == torn + outer + inner + b"abcd\r\n"
    way.close()


def test_the_end_of_the_connection_is_for_the_loop() -> None:
    way = Way()
    way.upstream.close()
    assert not way.passage.take()
    way.close()


def test_nothing_there_is_no_end() -> None:
    way = Way()
    assert way.passage.take()
    assert not way.loop.calls
    way.close()


def test_a_client_that_reads_slowly_loses_nothing() -> None:
    way = Way()
    sent = b""
    while not way.client.written:
        data = chunk(b"x" * 9000)
        sent += data
        way.come(data)
    # What follows waits behind what its system did not take.
    way.come(event(1))
    assert way.round == [event(1)]
    got = b""
    while data := way.got():
        got += data
    assert got + way.client.written == sent
    way.close()


def test_a_client_that_is_gone_is_for_its_transport_to_find() -> None:
    way = Way()
    way.reader.close()
    way.come(event(1))
    assert way.client.written == event(1)
    assert not way.errors
    way.close()


def test_a_burst_is_read_more_seldom_and_single_events_are_not() -> None:
    way = Way()
    way._tick = lambda: 1.0  # type: ignore[method-assign]
    way.passage._clock = way._tick
    for number in range(BURST + 1):
        assert way.loop.rests == 0
        way.come(event(number))
    assert way.loop.rests == 1
    way.come(event(1) + event(2))  # as much as came meanwhile
    assert way.loop.rests == 2
    way.come(event(3))
    assert way.loop.rests == 2
    way.close()


def test_what_was_read_to_the_brim_is_read_on_at_once() -> None:
    way = Way()
    way._tick = lambda: 1.0  # type: ignore[method-assign]
    way.passage._clock = way._tick
    for number in range(BURST + 1):
        way.come(event(number))
    assert way.loop.rests == 1
    way.upstream.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4 * PIECE)
    more = chunk(b"x" * 1000) * (2 * PIECE // 1000 + 1)
    way.come(more)
    assert len(way.round[-1]) == PIECE
    assert way.loop.rests == 1  # the rest of it is there
    while len(way.round[-1]) == PIECE:
        way.passage.take()
        way.loop.run()
    assert way.loop.rests == 2
    assert b"".join(way.round) == more
    way.close()


@given(
    st.lists(st.binary(min_size=1, max_size=30), max_size=8),
    st.lists(st.integers(0, 10_000), max_size=12),
    st.booleans(),
)
def test_cuts_never_matter(
    bodies: list[bytes], cuts: list[int], has_trailer: bool
) -> None:
    chunks = [chunk(body, "X") for body in bodies]
    end = b"0\r\nX-Sum: 1\r\n\r\n" if has_trailer else END
    wire = b"".join(chunks) + end
    places = {0, len(wire), *(cut % len(wire) for cut in cuts)}
    at = 0
    for each in chunks:  # many at the ends of chunks
        at += len(each)
        places.add(at)
    way = Way()
    got = b""
    marks = sorted(places)
    for start, stop in itertools.pairwise(marks):
        way.come(wire[start:stop])
        before = way.got()
        got += before + b"".join(way.round)
        way.round.clear()
        assert not (way.incoming.is_done and before)
    assert got == wire
    assert way.incoming.is_done
    way.passage.close()
    assert not way.loop.served
    way.close()


# --- Through a recorder ---------------------------------------------------------------

slow = pytest.mark.slow
on_both_loops = pytest.mark.on_both_loops


async def recorded(b: Bench) -> Response:
    """The answer that is in the file."""
    session = await b.finish()
    response = session.steps[0].exchange.response
    assert response is not None
    return response


@slow
@on_both_loops
@pytest.mark.parametrize("size", [1, 2, 7, 1000])
async def test_a_stream_in_pieces_of_any_size_is_the_same(
    tmp_path: Path, size: int
) -> None:
    body = b"".join(event(n) for n in range(12)) + chunk(b"data: [DONE]\n\n") + END
    wire = b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + HEAD + body

    async def handler(call: Call) -> None:
        for start in range(0, len(wire), size):
            await call.say(wire[start : start + size])
            await asyncio.sleep(0)

    async with bench(tmp_path, handler) as b:
        reader, writer = await b.connect()
        writer.write(post(b"{}"))
        answer = await reader.read()
        assert answer.endswith(b"\r\n\r\n" + body)
        assert answer.startswith(b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n")
        writer.close()
        response = await recorded(b)
    events = (b'data: {"n":%d}\n\n' % n for n in range(12))
    assert response.body.raw == b"".join(events) + b"data: [DONE]\n\n"
    assert response.ending == "complete"


@slow
@on_both_loops
async def test_paced_events_keep_their_times_and_the_connection_goes_on(
    tmp_path: Path,
) -> None:
    has_come = asyncio.Event()

    async def handler(call: Call) -> None:
        await call.say(HEAD)
        for number in range(6):
            await call.say(event(number))
            await has_come.wait()
            has_come.clear()
            await asyncio.sleep(0.01)
        await call.say(END)

    async with bench(tmp_path, handler) as b:
        reader, writer = await b.connect()
        request = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}"
        writer.write(request * 2)  # the second waits for the end of the first
        for _ in range(2):
            await reader.readuntil(b"\r\n\r\n")
            for number in range(6):
                data = event(number)
                assert await reader.readexactly(len(data)) == data
                has_come.set()
            assert await reader.readexactly(len(END)) == END
        writer.close()
        assert b.upstream.connections == 1
        session = await b.finish()
    for step in session.steps:
        response = step.exchange.response
        assert response is not None
        times = [piece.at_ms for piece in response.chunks]
        assert len(times) == 6
        assert all(b - a > 9 for a, b in itertools.pairwise(times))


@slow
@on_both_loops
async def test_a_burst_of_events_arrives_whole(tmp_path: Path) -> None:
    count = 5000

    async def handler(call: Call) -> None:
        await call.say(HEAD)
        for number in range(count):
            call.writer.write(event(number))
            if number % 64 == 0:
                await call.writer.drain()
        await call.say(END)

    async with bench(tmp_path, handler) as b:
        answer = await b.ask(post(b"{}"))
        assert answer.partition(b"\r\n\r\n")[2] == (
            b"".join(map(event, range(count))) + END
        )
        response = await recorded(b)
    decoder = Chunked()
    expected, _ = decoder.feed(b"".join(map(event, range(count))))
    assert response.body.raw == expected


@slow
@on_both_loops
async def test_what_passed_before_a_client_hung_up_is_recorded(tmp_path: Path) -> None:
    gone = asyncio.Event()

    async def handler(call: Call) -> None:
        await call.say(HEAD)
        await asyncio.sleep(0.01)
        await call.say(event(1))
        await asyncio.sleep(0.01)
        await call.say(event(2))
        assert not await call.reader.read()
        gone.set()

    async with bench(tmp_path, handler) as b:
        reader, writer = await b.connect()
        writer.write(post(b"{}"))
        await reader.readuntil(b'"n":2}\n\n\r\n')
        writer.close()
        async with asyncio.timeout(PATIENCE):
            await gone.wait()
        response = await recorded(b)
    assert response.ending == "client-aborted"
    assert response.body.raw == b'data: {"n":1}\n\ndata: {"n":2}\n\n'


@slow
@on_both_loops
async def test_a_client_that_goes_at_the_last_event_has_all_there_is(
    tmp_path: Path,
) -> None:
    async def handler(call: Call) -> None:
        await call.say(HEAD)
        for data in (event(1), chunk(b"data: [DONE]\n\n")):
            await asyncio.sleep(0.01)
            await call.say(data)
        await call.reader.read()

    async with bench(tmp_path, handler) as b:
        reader, writer = await b.connect()
        writer.write(post(b"{}"))
        await reader.readuntil(b"[DONE]\n\n\r\n")
        writer.transport.abort()
        await b.recorder.journal.idle(PATIENCE)
        response = await recorded(b)
    assert response.ending == "complete"
    assert response.body.raw == b'data: {"n":1}\n\ndata: [DONE]\n\n'


@slow
@on_both_loops
@pytest.mark.parametrize("is_reset", [False, True])
async def test_an_upstream_that_breaks_off_ends_the_client_too(
    tmp_path: Path, is_reset: bool
) -> None:
    has_come = asyncio.Event()

    async def handler(call: Call) -> None:
        await call.say(HEAD)
        await call.say(event(1))
        await has_come.wait()
        if is_reset:  # it would throw away what is unread
            connection = call.writer.get_extra_info("socket")
            linger = struct.pack("ii", 1, 0)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        call.writer.transport.abort()

    async with bench(tmp_path, handler) as b:
        reader, writer = await b.connect()
        writer.write(post(b"{}"))
        await reader.readuntil(b"\r\n\r\n" + event(1))
        has_come.set()
        assert await reader.read() == b""
        writer.close()
        response = await recorded(b)
        session = await b.finish()
    assert response.ending == "upstream-aborted"
    assert response.body.raw == b'data: {"n":1}\n\n'
    (remark,) = session.steps[0].exchange.remarks
    assert remark.startswith("the upstream closed the connection")
    assert remark.endswith("missing: the last chunk")
    assert ("reset" in remark) == is_reset


@slow
@on_both_loops
async def test_a_half_closed_upstream_ends_a_body_until_the_close(
    tmp_path: Path,
) -> None:
    pieces = (b"data: 1\n\n", b"data: 2\n\n", b"data: [DONE]\n\n")
    has_come = asyncio.Event()

    async def handler(call: Call) -> None:
        await call.say(b"HTTP/1.1 200 OK\r\n\r\n")
        for data in pieces:
            await call.say(data)
            await has_come.wait()
            has_come.clear()
        call.writer.write_eof()
        await call.reader.read()

    async with bench(tmp_path, handler) as b:
        reader, writer = await b.connect()
        writer.write(post(b"{}"))
        await reader.readuntil(b"\r\n\r\n")
        for data in pieces:
            assert await reader.readexactly(len(data)) == data
            has_come.set()
        assert await reader.read() == b""
        writer.close()
        response = await recorded(b)
    assert (response.ending, response.body.raw) == ("complete", b"".join(pieces))
    assert len(response.chunks) == 3


@slow
@on_both_loops
async def test_a_client_that_does_not_read_stops_the_upstream(tmp_path: Path) -> None:
    sent = 0
    data = chunk(b"x" * 20_000)

    async def handler(call: Call) -> None:
        nonlocal sent
        call.writer.transport.set_write_buffer_limits(0)
        await call.say(HEAD)
        for _ in range(2000):
            await call.say(data)
            sent += 1
        await call.say(END)

    async with bench(tmp_path, handler, journal={"backlog": 100_000}) as b:
        reader, writer = await b.connect()
        transport = writer.transport
        assert isinstance(transport, asyncio.Transport)
        writer.write(post(b"{}"))
        await reader.readuntil(b"\r\n\r\n")
        transport.pause_reading()
        before = -1
        while before != sent:
            before = sent
            await asyncio.sleep(0.3)
        assert sent < 2000  # 40 MB would be
        transport.resume_reading()
        assert (await reader.readexactly(2000 * len(data) + 5)).endswith(END)
        assert sent == 2000
        writer.close()
        response = await recorded(b)
    assert response.body.size < 2000 * 20_000  # masking it all is not the point here
    assert response.ending == "complete"


@slow
async def test_stopping_keeps_what_just_passed(tmp_path: Path) -> None:
    async def handler(call: Call) -> None:
        await call.say(HEAD)
        await asyncio.sleep(0.01)
        await call.say(event(1))
        await call.reader.read()

    async with bench(tmp_path, handler) as b:
        reader, writer = await b.connect()
        writer.write(post(b"{}"))
        await reader.readuntil(b"}\n\n\r\n")
        response = await recorded(b)
        writer.close()
    assert response.ending == "open"
    assert response.body.raw == b'data: {"n":1}\n\n'


@slow
async def test_streams_at_once_do_not_mix(tmp_path: Path) -> None:
    async def handler(call: Call) -> None:
        await call.say(HEAD)
        for _ in range(20):
            await call.say(chunk(call.body * 3))
            await asyncio.sleep(0.001)
        await call.say(END)

    async def ask(b: Bench, name: bytes) -> None:
        answer = await b.ask(post(name))
        assert answer.partition(b"\r\n\r\n")[2] == chunk(name * 3) * 20 + END

    async with bench(tmp_path, handler) as b:
        for _ in range(2):  # sockets get the numbers of others before them
            await asyncio.gather(*(ask(b, b"<%d>" % n) for n in range(12)))
        session = await b.finish()
    for step in session.steps:
        request, response = step.exchange.request, step.exchange.response
        assert request is not None
        assert response is not None
        assert response.body.raw == request.body.raw * 60
