"""Two hops, both through one recorder: client → gateway → provider."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from loopback import make_recorder
from tests.builders import (
    LS,
    answers,
    ask,
    copilot,
    exchange,
    gemini,
    litellm,
    request_body,
    response_body,
    result,
    says,
    text_part,
    user,
)
from tests.listeners import listening

from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.tables import ledger_table
from sigscope.ledger.hops import build_hop_ledger, find_hops, hop_losses
from sigscope.reader import Reading, read_steps
from sigscope.recorder.routes import Routes, parse_map
from sigscope.session import Step
from sigscope.store import open_session

Json = Any
CALL = copilot(LS)
DONE = copilot(content="It is empty.", opaque=None)


def keeps(message: Json) -> Json:
    return message


def loses(message: Json) -> Json:
    return {key: value for key, value in message.items() if key != "reasoning_opaque"}


class Provider:
    """Calls a tool, then is done."""

    async def answer(self, body: Json) -> Json:
        has_result = any(m["role"] == "tool" for m in body["messages"])
        return response_body("copilot-chat", DONE if has_result else CALL)


class Gateway:
    """Asks the provider, and may lose something on either way."""

    def __init__(
        self, up: Callable[[Json], Json] = keeps, down: Callable[[Json], Json] = keeps
    ) -> None:
        self.up, self.down = up, down
        self.url = ""

    async def answer(self, body: Json) -> Json:
        body = {**body, "messages": [self.up(m) for m in body["messages"]]}
        async with httpx.AsyncClient(trust_env=False, timeout=60) as client:
            got = (await client.post(self.url, json=body)).json()
        for choice in got["choices"]:
            choice["message"] = self.down(choice["message"])
        return got


@asynccontextmanager
async def served(service: Provider | Gateway) -> AsyncIterator[str]:
    async def handle(
        reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        while head := await reader.readuntil(b"\r\n\r\n"):
            size = int(head.lower().partition(b"content-length:")[2].split()[0])
            body = json.loads(await reader.readexactly(size))
            data = json.dumps(await service.answer(body)).encode()
            writer.write(
                b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                b"Content-Length: %d\r\n\r\n" % len(data) + data
            )

    async with listening(handle) as port:
        yield f"http://127.0.0.1:{port}"


async def record(
    tmp_path: Path, gateway: Gateway, client: Callable[[Json], Json] = keeps
) -> Document:
    """A conversation of two turns through both hops."""
    async with served(Provider()) as provider, served(gateway) as gate:
        routes = [parse_map(f"/gw={gate}"), parse_map(f"/api={provider}")]
        recorder, path, _ = make_recorder(tmp_path, Routes(routes))
        await recorder.start()
        gateway.url = f"{recorder.url}/api/chat/completions"
        turns = [user()]
        async with httpx.AsyncClient(trust_env=False, timeout=60) as http:
            for _ in range(2):
                body = request_body("copilot-chat", turns)
                url = f"{recorder.url}/gw/chat/completions"
                answer = (await http.post(url, json=body)).json()
                message = answer["choices"][0]["message"]
                turns.append(client(message))
                for call in message.get("tool_calls", []):
                    turns.append(
                        {"role": "tool", "tool_call_id": call["id"], "content": "a.md"}
                    )
        await recorder.stop()
    return Document(open_session(str(path)))


@pytest.mark.slow
async def test_the_hops_are_found_and_nothing_is_lost(tmp_path: Path) -> None:
    document = await record(tmp_path, Gateway())
    assert document.hops == {2: 1, 4: 3}
    assert not document.hop_losses
    for step in (1, 2):
        (signature,) = document.ledger.received_in(step)
        assert [(f.step, str(f.fate)) for f in signature.fates] == [(step + 2, "exact")]
    assert [thread.steps for thread in document.ledger.threads] == [(1, 3), (2, 4)]
    rows = ledger_table(document)["steps"]
    assert [row["hop_of"] for row in rows] == [None, 1, None, 3]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("gateway", "client", "loser", "words"),
    [
        (Gateway(up=loses), keeps, "gateway", "the client had sent it in step 3"),
        (Gateway(), loses, "client", "had not sent it in step 3 either"),
        (Gateway(down=loses), keeps, "gateway", "did not hand it to the client"),
    ],
    ids=["gateway on the way up", "client", "gateway on the way down"],
)
async def test_who_lost_a_signature_is_told(
    tmp_path: Path,
    gateway: Gateway,
    client: Callable[[Json], Json],
    loser: str,
    words: str,
) -> None:
    document = await record(tmp_path, gateway, client)
    first = document.hop_losses[0]
    assert first.loser == loser
    assert words in first.note
    assert first.signature == document.ledger.received_in(2)[0].id


def reading(
    host: str, start: str, ms: float, reply: Json = CALL, said: str = "hi"
) -> Step:
    made = exchange(
        "copilot-chat",
        request_body("copilot-chat", [user(said)]),
        response_body("copilot-chat", reply),
        url=f"https://{host}/chat/completions",
    )
    timed = replace(made, started_at=f"2026-11-21T00:00:{start}Z", duration_ms=ms)
    return Step(number=0, id="", exchange=timed)


def hops(*steps: Step) -> dict[int, int]:
    numbered = [replace(step, number=n) for n, step in enumerate(steps, start=1)]
    readings: tuple[Reading, ...] = read_steps(numbered)
    return find_hops(readings)


OUTER = ("a.example", "00.000", 900.0)


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        (reading("b.example", "00.100", 700), {2: 1}),
        (reading("b.example", "00.100", 815), {2: 1}),
        (reading("b.example", "00.100", 900), {}),
        (reading("b.example", "01.000", 10), {}),
        (reading("a.example", "00.100", 700), {}),
        (reading("b.example", "00.100", 700, said="other words"), {}),
        (reading("b.example", "00.100", 700, reply=DONE), {}),
    ],
    ids=["inside", "crossing", "ends later", "after", "same host", "words", "answer"],
)
def test_an_inner_step_is_inside_elsewhere_and_about_the_same(
    inner: Step, expected: dict[int, int]
) -> None:
    assert hops(reading(*OUTER), inner) == expected


def test_steps_without_times_are_no_hops() -> None:
    bare = reading("b.example", "00.1", 1)
    bare = replace(bare, exchange=replace(bare.exchange, started_at=None))
    assert hops(reading(*OUTER), bare) == {}


@pytest.mark.parametrize("ms", [1e300, float("inf"), float("nan"), -1e18, 1e15])
def test_a_duration_of_more_days_than_there_are_is_no_hop(ms: float) -> None:
    odd = reading("b.example", "00.1", 1)
    odd = replace(odd, exchange=replace(odd.exchange, duration_ms=ms))
    assert hops(reading(*OUTER), odd) == {}


def bare(dialect: str, history: list[Json], reply: Json) -> Step:
    """A step of a numbered folder: no host, no time, no status."""
    made = exchange(
        dialect,
        request_body(dialect, history),
        response_body(dialect, reply),
        url="",
        status=None,
    )
    return Step(number=0, id="", exchange=made)


def folder(*, wrapped: Json, said: str = "It is empty.") -> tuple[Step, ...]:
    """A turn through LiteLLM, in the order in which the files were saved: what the
    gateway asks is done before what it is asked."""
    chat, done = [user()], {"role": "assistant", "content": said}
    native = [ask()]
    return (
        bare("gemini", native, gemini(LS)),
        bare("litellm", chat, wrapped),
        bare(
            "gemini",
            [*native, gemini(LS, signature=None), answers(LS)],
            says(text_part("It is empty.")),
        ),
        bare("litellm", [*chat, wrapped, result(LS)], done),
    )


def test_hops_without_times_are_linked_by_what_they_carry() -> None:
    assert hops(*folder(wrapped=litellm(LS))) == {1: 2, 3: 4}


def test_who_lost_a_signature_is_told_without_times() -> None:
    steps = folder(wrapped=litellm(LS))
    numbered = [replace(step, number=n) for n, step in enumerate(steps, start=1)]
    readings = read_steps(numbered)
    found = find_hops(readings)
    (loss,) = hop_losses(readings, build_hop_ledger(readings, found), found)
    assert (loss.loser, loss.inner, loss.outer) == ("gateway", 3, 4)


def test_two_services_that_were_asked_the_same_are_no_hops() -> None:
    alone = litellm(LS, signatures=("EhkKFwHeWwZgyDYfm0aOaMhtoCQnDglJzhOc",))
    assert hops(*folder(wrapped=alone)) == {}


def test_each_of_two_requests_at_once_gets_its_own_hop() -> None:
    steps = [
        reading("a.example", "00.000", 900),
        reading("a.example", "00.010", 900),
        reading("b.example", "00.100", 500),
        reading("b.example", "00.110", 500),
    ]
    assert sorted(hops(*steps)) == [3, 4]
    assert sorted(hops(*steps).values()) == [1, 2]


def test_threads_of_all_hops_have_numbers_of_their_own() -> None:
    steps = [
        replace(reading(host, start, 10 * n, said=said), number=n)
        for n, (host, start, said) in enumerate(
            [
                ("a.example", "01.000", "one"),
                ("b.example", "01.001", "one"),
                ("a.example", "02.000", "two"),
                ("b.example", "02.001", "two"),
            ],
            start=1,
        )
    ]
    ledger = build_hop_ledger(read_steps(steps), {2: 1, 4: 3})
    assert [(t.number, t.steps) for t in ledger.threads] == [
        (1, (1,)),
        (2, (3,)),
        (3, (2,)),
        (4, (4,)),
    ]
