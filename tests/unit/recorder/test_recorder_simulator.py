"""A conversation with the strict simulator, recorded on its way."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest
from loopback import make_recorder

from sigscope.engine.recording.remotemender import MendOrder, RemoteMender
from sigscope.engine.sessions.document import Document
from sigscope.recorder import relay
from sigscope.recorder.routes import Routes, parse_route
from sigscope.store import open_session
from sigscope.upstreams.simulator import SimConfig
from sigscope.upstreams.simulator.server import Server

pytestmark = pytest.mark.slow

TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "list_files",
            "description": "Lists files.",
            "parameters": {
                "type": "object",
                "properties": {"path": {"type": "string"}},
            },
        },
    }
]


async def talk(url: str, *, forget: bool) -> list[int]:
    """Two turns; a client that forgets leaves the signature out of the second."""
    messages: list[Any] = [{"role": "user", "content": "List the files, use the tool."}]
    body = {"model": "gemini-3-pro-preview", "tools": TOOLS, "stream": False}
    statuses = []
    async with httpx.AsyncClient(base_url=url, trust_env=False, timeout=60) as client:
        for _ in range(2):
            answer = await client.post(
                "/chat/completions", json={**body, "messages": messages}
            )
            statuses.append(answer.status_code)
            if answer.status_code != 200:
                break
            message: dict[str, Any] = {"role": "assistant", "content": None}
            for choice in answer.json()["choices"]:
                message |= {k: v for k, v in choice["message"].items() if v}
            if forget:
                message.pop("reasoning_opaque", None)
            messages.append(message)
            for call in message.get("tool_calls", []):
                messages.append(
                    {"role": "tool", "tool_call_id": call["id"], "content": "a.md"}
                )
    return statuses


async def record(
    tmp_path: Path, *, forget: bool, mend: bool = False
) -> tuple[Document, list[int]]:
    told: list[str] = []
    mender = RemoteMender(MendOrder(), (), on_problem=told.append) if mend else None
    simulator = Server(SimConfig(dialect="copilot-chat", pace_ms=0), port=0)
    serving = asyncio.create_task(simulator.run())
    recorder, path, problems = make_recorder(
        tmp_path, Routes([parse_route(simulator.url)]), mender=mender
    )
    if mender is not None:
        await mender.start()
    await recorder.start()
    try:
        statuses = await talk(recorder.url, forget=forget)
    finally:
        await recorder.stop()
        if mender is not None:
            await mender.stop()
        simulator.stop()
        await serving
    assert not problems
    assert not told
    return Document(open_session(str(path))), statuses


async def test_a_forgetful_client_is_found_out(tmp_path: Path) -> None:
    document, statuses = await record(tmp_path, forget=True)
    assert statuses == [200, 400]
    assert [
        reading.dialect.name for reading in document.readings if reading.dialect
    ] == [
        "copilot-chat",
        "copilot-chat",
    ]
    (signature,) = document.ledger.received_in(1)
    assert [str(fate.fate) for fate in signature.fates] == ["dropped"]
    assert "CPC-1" in {finding.rule for finding in document.findings_of(2)}


async def test_a_right_client_is_not(tmp_path: Path) -> None:
    document, statuses = await record(tmp_path, forget=False)
    assert statuses == [200, 200]
    (signature,) = document.ledger.received_in(1)
    assert [str(fate.fate) for fate in signature.fates] == ["exact"]
    assert not [f for f in document.findings if f.severity == "error"]


async def test_a_client_that_forgets_is_served_where_its_requests_are_mended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relay, "LIMIT_SECONDS", 30.0)  # the machine may be busy
    document, statuses = await record(tmp_path, forget=True, mend=True)
    assert statuses == [200, 200]
    mended = document.step(2).exchange.mended
    assert mended is not None
    assert mended.words == "1 signature put back (CPC-1)"
    came = document.client_reading(2)
    assert came is not None
    assert not came.sent
    assert [s.value for s in document.reading(2).sent] == [
        s.value for s in document.reading(1).received
    ]
