"""A relay that asks a mender: what goes on, what is recorded, what must not fail."""

from __future__ import annotations

import asyncio
import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest
from loopback import Call, bench, post
from tests.patience import PATIENCE

from sigscope.exchange import Body, Remedy, Request, Response
from sigscope.recorder import relay
from sigscope.recorder.gate import Decision, Release
from sigscope.recorder.mend import Mend, MendVerdict, Unmended
from sigscope.wire.bodies import decode

pytestmark = pytest.mark.slow

REMEDY = Remedy(rule="CPC-1", act="put back", count=1, at="/messages/1", words="w")
STREAM = "Content-Type: text/event-stream"


class Scripted:
    """A mender that puts a mark into bodies that ask for it."""

    def __init__(self) -> None:
        self.asked: list[Request] = []
        self.heard: list[tuple[int, bytes | None]] = []
        self.edits: list[tuple[bytes, bytes, int]] = []
        self.is_asked = asyncio.Event()
        self.waits = asyncio.Event()

    async def mend(self, request: Request, step: int) -> MendVerdict:
        self.asked.append(request)
        self.is_asked.set()
        body = decode(request.body.raw, request.headers).data
        if b"hang" in body:
            await self.waits.wait()
        if b"fail" in body:
            raise RuntimeError("broken")
        if b"doubt" in body:
            return Unmended("it is not certain")
        if b"mend" not in body:
            return Unmended()
        headers = tuple(h for h in request.headers if h[0] != "Content-Encoding")
        sent = replace(request, headers=headers, body=Body(body + b"+SIG"))
        return Mend(request=sent, remedies=(REMEDY,))

    def edited(self, came: Request, sent: Request, step: int) -> None:
        self.edits.append((came.body.raw, sent.body.raw, step))

    def answered(self, step: int, response: Response | None) -> None:
        self.heard.append((step, response.body.raw if response else None))


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is passed on unmended because this machine is slow."""
    monkeypatch.setattr(relay, "LIMIT_SECONDS", PATIENCE)


async def ok(call: Call) -> None:
    await call.answer(b"fine")


async def test_what_the_mender_gives_is_sent_and_both_are_recorded(
    tmp_path: Path,
) -> None:
    mender = Scripted()
    async with bench(tmp_path, ok, mender=mender) as b:
        await b.ask(post(b"mend me", "X-One: 1", "x-ONE:  2"))
        (call,) = b.upstream.calls
        session = await b.finish()
    assert call.body == b"mend me+SIG"
    assert call.head == (
        b"POST /v1/x HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nX-One: 1\r\nx-ONE:  2\r\n"
        b"Content-Length: 11\r\n\r\n" % b.upstream.port
    )
    (step,) = session.steps
    assert step.exchange.request is not None
    assert step.exchange.request.body.raw == b"mend me+SIG"
    assert step.exchange.mended is not None
    assert step.exchange.mended.request.body.raw == b"mend me"
    assert step.exchange.mended.remedies == (REMEDY,)
    assert mender.heard == [(1, b"fine")]
    assert not b.problems


async def test_chunked_and_compressed_requests_are_sent_plain_and_sized(
    tmp_path: Path,
) -> None:
    packed = gzip.compress(b"mend me")
    head = (
        b"POST /v1/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        b"Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    framed = b"%x\r\n%s\r\n0\r\n\r\n" % (len(packed), packed)
    async with bench(tmp_path, ok, mender=Scripted()) as b:
        await b.ask(head + framed)
        (call,) = b.upstream.calls
        session = await b.finish()
    assert call.body == b"mend me+SIG"
    assert b"encoding" not in call.head.lower()
    assert b"Content-Length: 11\r\n" in call.head
    mended = session.steps[0].exchange.mended
    assert mended is not None
    assert mended.request.body.raw == packed


@pytest.mark.parametrize(
    ("body", "remark"),
    [
        (b"plain", ()),
        (b"doubt", ("not mended: it is not certain",)),
        (b"fail", ("not mended: the mender failed: RuntimeError",)),
    ],
)
async def test_what_is_not_mended_goes_as_it_came(
    tmp_path: Path, body: bytes, remark: tuple[str, ...]
) -> None:
    async with bench(tmp_path, ok, mender=Scripted()) as b:
        answer = await b.ask(post(body))
        (call,) = b.upstream.calls
        session = await b.finish()
    assert answer.endswith(b"fine")
    assert call.body == body
    assert session.steps[0].exchange.mended is None
    assert session.steps[0].exchange.remarks == remark


async def test_a_mender_that_does_not_answer_holds_nothing_for_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relay, "LIMIT_SECONDS", 0.05)
    async with bench(tmp_path, ok, mender=Scripted()) as b:
        await b.ask(post(b"hang"))
        (call,) = b.upstream.calls
        session = await b.finish()
    assert call.body == b"hang"
    (remark,) = session.steps[0].exchange.remarks
    assert remark == "not mended: judging it took longer than 0.05 s"


async def test_others_pass_while_one_is_judged(tmp_path: Path) -> None:
    mender = Scripted()
    async with bench(tmp_path, ok, mender=mender) as b:
        waiting = asyncio.create_task(b.ask(post(b"hang")))
        await mender.is_asked.wait()
        assert (await b.ask(post(b"mend"))).endswith(b"fine")
        assert not waiting.done()
        mender.waits.set()
        assert (await waiting).endswith(b"fine")


async def test_what_was_edited_by_hand_is_not_mended_and_its_answer_is_told(
    tmp_path: Path,
) -> None:
    mender = Scripted()

    async def gate(request: Request, number: int) -> Decision:
        edited = replace(request, body=Body(b"mend, by hand"))
        return Release(request=edited, note="by hand")

    async with bench(tmp_path, ok, mender=mender, gate=gate) as b:
        assert (await b.ask(post(b"mend me"))).endswith(b"fine")
        (call,) = b.upstream.calls
        session = await b.finish()
    assert call.body == b"mend, by hand"
    assert not mender.asked
    assert mender.edits == [(b"mend me", b"mend, by hand", 2)]
    assert mender.heard == [(2, b"fine")]
    assert len(session.steps) == 2
    assert not b.problems


async def test_streams_are_not_touched(tmp_path: Path) -> None:
    stream = b"data: 1\n\ndata: mend\r\n\r\n: \xff\n\ndata: [DONE]\n\n"

    async def handler(call: Call) -> None:
        await call.answer(stream, STREAM)

    mender = Scripted()
    async with bench(tmp_path, handler, mender=mender) as b:
        answer = await b.ask(post(b"mend"))
        session = await b.finish()
    assert answer.partition(b"\r\n\r\n")[2] == stream
    response = session.steps[0].exchange.response
    assert response is not None
    assert response.body.raw == stream
    assert mender.heard == [(1, stream)]


async def test_an_answer_that_said_its_last_event_is_known_before_it_ends(
    tmp_path: Path,
) -> None:
    """Clients go on at once; the end of the body comes when it likes."""
    go = asyncio.Event()
    last = b"data: [DONE]\n\n"

    async def handler(call: Call) -> None:
        if call.body != b"first":
            await call.answer(b"fine")
            return
        head = b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\nContent-Type: "
        await call.say(head + b"text/event-stream\r\n\r\n" + last)
        await go.wait()

    mender = Scripted()
    async with bench(tmp_path, handler, mender=mender) as b:
        reader, writer = await b.connect()
        writer.write(post(b"first"))
        await reader.readuntil(last)
        await b.ask(post(b"second"))
        assert mender.heard[0] == (1, last)
        go.set()
        writer.close()
        await b.finish()
    assert [step for step, _ in mender.heard] == [1, 2]


async def test_what_is_no_post_is_not_asked_about(tmp_path: Path) -> None:
    mender = Scripted()
    async with bench(tmp_path, ok, mender=mender) as b:
        await b.ask(b"GET /v1/models HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    assert not mender.asked
    assert not mender.heard


def test_a_remedy_is_json(tmp_path: Path) -> None:
    from dataclasses import asdict

    assert Remedy(**json.loads(json.dumps(asdict(REMEDY)))) == REMEDY
