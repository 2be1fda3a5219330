"""Checking a profile against real servers on loopback."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from tests.listeners import listening

from sigscope.engine.sending.reachability import knock
from sigscope.engine.settings.profiles import Profile

KEY = "GIT_KEY_OF_A_TEST"


class Service:
    """Answers by path; remembers the heads of requests."""

    def __init__(self, answers: dict[str, tuple[int, Any]]) -> None:
        self.answers = answers
        self.heads: list[str] = []
        self.base = ""

    async def serve(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        self.heads.append(head)
        status, tree = self.answers[head.split()[1]]
        body = json.dumps(tree).encode()
        writer.write(
            b"HTTP/1.1 %d X\r\ncontent-length: %d\r\n\r\n" % (status, len(body))
        )
        writer.write(body)
        await writer.drain()


@asynccontextmanager
async def service(**answers: tuple[int, Any]) -> AsyncIterator[Service]:
    made = Service({f"/{name}": answer for name, answer in answers.items()})
    async with listening(made.serve) as port:
        made.base = f"http://127.0.0.1:{port}"
        yield made


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY, "the-key")


def profile(base: str = "http://127.0.0.1:1", **more: Any) -> Profile:
    table = {"check_url": f"{base}/models", "key_env": KEY, **more}
    return Profile(name="p", url=f"{base}/chat/completions", **table)


async def outcomes(
    one: Profile, *, offline: bool = False
) -> list[tuple[str, str, str]]:
    return [(a.what, a.outcome, a.text) for a in await knock(one, offline=offline)]


async def test_a_service_that_takes_the_key_is_fine() -> None:
    async with service(models=(200, {"data": []})) as there:
        found = await outcomes(profile(there.base, headers=(("x-a", "b"),)))
    assert [each[:2] for each in found] == [("key", "fine"), ("service", "fine")]
    (head,) = there.heads
    assert head.startswith("GET /models HTTP/1.1\r\n")
    assert "authorization: Bearer the-key\r\n" in head
    assert "x-a: b\r\n" in head


async def test_another_header_takes_the_key_bare() -> None:
    async with service(models=(200, {})) as there:
        await outcomes(profile(there.base, key_header="x-goog-api-key"))
    assert "x-goog-api-key: the-key\r\n" in there.heads[0]
    assert "authorization" not in there.heads[0].lower()


async def test_a_key_that_is_refused_is_wrong_and_the_words_are_told() -> None:
    refused = {"error": {"message": "no such\nkey"}}
    async with service(models=(401, refused)) as there:
        found = await outcomes(profile(there.base))
    text = "it is there and refuses the key (401): no such key"
    assert found[1] == ("service", "wrong", text)


async def test_another_error_proves_nothing_about_the_key() -> None:
    async with service(models=(404, {})) as there:
        found = await outcomes(profile(there.base))
    assert found[1][1] == "unknown"
    assert "answered 404" in found[1][2]


async def test_a_key_is_exchanged_first() -> None:
    token = {"token": "short", "expires_at": 1_800_000_000}
    async with service(token=(200, token), models=(200, {})) as there:
        found = await outcomes(profile(there.base, token_url=f"{there.base}/token"))
    assert [each[0] for each in found] == ["key", "token", "service"]
    assert found[1][2].endswith("good until 2027-01-15 08:00 UTC")
    first, second = there.heads
    assert "authorization: token the-key\r\n" in first
    assert "authorization: Bearer short\r\n" in second
    assert "the-key" not in second


async def test_a_failed_exchange_ends_the_check() -> None:
    async with service(token=(403, {"message": "no Copilot here"})) as there:
        found = await outcomes(profile(there.base, token_url=f"{there.base}/token"))
    assert found[-1][:2] == ("token", "wrong")
    assert "no Copilot here" in found[-1][2]
    assert len(there.heads) == 1


async def test_without_a_key_or_offline_nothing_is_sent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert await outcomes(profile(), offline=True) == [("key", "fine", f"in {KEY}")]
    monkeypatch.delenv(KEY)
    found = await outcomes(profile())
    assert [each[:2] for each in found] == [("key", "wrong")]
    assert KEY in found[0][2]


async def test_nobody_there_is_wrong_and_no_known_address_unknown() -> None:
    found = await outcomes(profile())
    assert found[1][:2] == ("service", "wrong")
    assert "cannot connect to 127.0.0.1:1" in found[1][2]
    unasked = await outcomes(profile(check_url="", key_env=""))
    assert [each[:2] for each in unasked] == [("key", "fine"), ("service", "unknown")]
