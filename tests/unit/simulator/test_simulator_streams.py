"""Answers: the recorded chunk patterns, and streams that really stream."""

from __future__ import annotations

import asyncio
import base64
import json
from contextlib import aclosing
from typing import Any

import httpx
import httpx_sse
import pytest
from sim_client import PATHS, SCHEMA, Client, clock

from sigscope.errors import UpstreamError
from sigscope.upstreams.simulator import (
    ResponseStart,
    SimConfig,
    create_app,
    exchange,
    fetch,
)
from sigscope.upstreams.simulator.server import Server

BOTH = "Read both a.md and b.md at the same time"


def client(dialect: str, **settings: Any) -> Client:
    config = settings.pop("config", SimConfig())
    return Client(create_app(config, clock=clock), dialect, **settings)


async def test_copilot_sends_thoughts_then_text_then_calls_with_the_envelope() -> None:
    talker = client("copilot-chat")
    talker.ask("Read a.md, then read b.md")
    said = await talker.step()
    deltas = [event["choices"][0]["delta"] for event in said.events]
    kinds = [
        "thought"
        if "reasoning_text" in delta
        else "text"
        if delta["content"] is not None
        else "calls"
        for delta in deltas
    ]
    assert kinds.count("thought") >= 2
    assert kinds.count("calls") == 1
    assert kinds == sorted(kinds, key=["thought", "text", "calls"].index)
    last = said.events[-1]
    assert last["choices"][0]["finish_reason"] == "tool_calls"
    assert set(deltas[-1]) == {"content", "role", "tool_calls", "reasoning_opaque"}
    assert last["usage"]["reasoning_tokens"] > 0
    counts = [event["usage"] | {"prompt_tokens_details": 0} for event in said.events]
    assert not any(any(count.values()) for count in counts[:-1])
    assert all(delta["reasoning_text"].endswith("\n\n\n") for delta in deltas[:2])
    assert said.raw.endswith(b"data: [DONE]\n\n")
    call_id = deltas[-1]["tool_calls"][0]["id"].removeprefix("call_")
    assert base64.b64decode(call_id + "=").startswith(b"0|")


async def test_openrouter_comments_details_pieces_usage_done() -> None:
    talker = client("openrouter", model="google/gemini-3-pro-preview")
    talker.ask(BOTH)
    said = await talker.step()
    assert said.raw.startswith(b": OPENROUTER PROCESSING\n\n")
    entries = [
        entry
        for event in said.events
        for entry in event["choices"][0]["delta"].get("reasoning_details", [])
    ]
    assert {entry["index"] for entry in entries} == {0}
    assert [entry["type"] for entry in entries[-2:]] == [
        "reasoning.text",
        "reasoning.encrypted",
    ]
    assert entries[-1]["id"] == said.calls[0]["id"]
    pieces = [
        call["function"]["arguments"]
        for event in said.events
        for call in event["choices"][0]["delta"].get("tool_calls", [])
    ]
    assert pieces[0] == ""
    assert len(pieces) > 4
    assert said.events[-1]["usage"]["completion_tokens_details"]["reasoning_tokens"]
    assert said.events[-1]["choices"][0]["native_finish_reason"] == "STOP"
    assert said.raw.endswith(b"data: [DONE]\n\n")
    assert {event["provider"] for event in said.events} == {"Google"}


@pytest.mark.parametrize(
    ("model", "kind"),
    [
        ("google/gemini-3-pro-preview", "reasoning.text"),
        ("google/gemini-3.1-flash-lite-preview", "reasoning.encrypted"),
    ],
)
async def test_openrouter_signs_an_answer_after_its_text(model: str, kind: str) -> None:
    talker = client("openrouter", model=model)
    said = await talker.turn("Thanks!")
    deltas = [event["choices"][0]["delta"] for event in said.events]
    signed = next(
        n
        for n, delta in enumerate(deltas)
        for entry in delta.get("reasoning_details", [])
        if entry.get("signature") or entry.get("data")
    )
    assert deltas[signed - 1]["content"]
    (entry,) = deltas[signed]["reasoning_details"]
    assert entry["type"] == kind
    assert "text" not in entry
    assert "id" not in entry


@pytest.mark.parametrize(
    ("model", "keys"),
    [
        ("anthropic/claude-sonnet-4.5", ["text", "text", "text", "signature"]),
        ("openai/gpt-5.2", ["summary", "summary", "data"]),
        ("x-ai/grok-4.1-fast", ["summary", "summary", "data"]),
        ("minimax/minimax-m2.5", ["text", "text"]),
    ],
)
async def test_openrouter_s_entries_follow_the_vendor(
    model: str, keys: list[str]
) -> None:
    talker = client("openrouter", model=model)
    said = await talker.turn("Thanks!")
    entries = [
        entry
        for event in said.events
        for entry in event["choices"][0]["delta"].get("reasoning_details", [])
    ]
    shown = ("data", "summary", "text", "signature")
    assert [next(key for key in shown if key in entry) for entry in entries] == keys
    assert said.status == 200
    whole = await client("openrouter", model=model, stream=False).turn("Thanks!")
    for key in ("summary", "text"):
        told = [
            "".join(entry.get(key, "") for entry in each)
            for each in (entries, whole.message["reasoning_details"])
        ]
        assert told[0] == told[1]
        assert bool(told[0]) is (key in keys)


async def test_litellm_never_mixes_reasoning_and_content() -> None:
    talker = client("litellm", extra={"stream_options": {"include_usage": True}})
    for question in ("Read a.md, then read b.md", "Thanks!"):
        said = await talker.turn(question)
        deltas = [event["choices"][0]["delta"] for event in said.events]
        assert not any({"reasoning_content", "content"} <= set(d) for d in deltas)
        seen = set().union(*deltas)
        assert seen == {
            "role",
            "content",
            "reasoning_content",
            "provider_specific_fields",
        }
        assert said.events[-1]["usage"]["completion_tokens_details"]


async def test_litellm_puts_the_signature_in_three_places() -> None:
    talker = client("litellm")
    talker.ask(BOTH)
    said = await talker.step()
    delta = next(
        event["choices"][0]["delta"]
        for event in said.events
        if "tool_calls" in event["choices"][0]["delta"]
    )
    (listed,) = delta["provider_specific_fields"]["thought_signatures"]
    (call,) = delta["tool_calls"]
    assert call["provider_specific_fields"]["thought_signature"] == listed
    assert call["id"].endswith(f"__thought__{listed}")
    assert "__thought__" not in said.calls[1]["id"]


async def test_gemini_3_streams_calls_one_by_one_then_an_empty_unsigned_text() -> None:
    talker = client("gemini")
    talker.ask(BOTH)
    said = await talker.step()
    parts = [event["candidates"][0]["content"]["parts"] for event in said.events]
    assert all(len(group) == 1 for group in parts)
    flat = [group[0] for group in parts]
    calls = [part for part in flat if "functionCall" in part]
    assert ["thoughtSignature" in part for part in calls] == [True, False]
    assert flat[-1] == {"text": ""}
    assert said.finish == "STOP"
    assert b"\r\n\r\n" in said.raw
    assert {len(call["functionCall"]["id"]) for call in calls} == {8}


async def test_gemini_3_streams_an_answer_that_ends_in_an_empty_signed_text() -> None:
    said = await client("gemini").turn("Thanks!")
    last = said.events[-1]["candidates"][0]
    (part,) = last["content"]["parts"]
    assert part["text"] == ""
    assert part["thoughtSignature"].startswith("E")
    assert last["finishReason"] == "STOP"
    assert said.events[-1]["usageMetadata"]["thoughtsTokenCount"]


async def test_gemini_2_5_signs_the_first_part_after_the_thoughts() -> None:
    said = await client("gemini", model="gemini-2.5-pro").turn("Thanks!")
    parts = [event["candidates"][0]["content"]["parts"][0] for event in said.events]
    spoken = [part for part in parts if not part.get("thought")]
    assert [("thoughtSignature" in part) for part in spoken][:2] == [True, False]
    assert spoken[0]["thoughtSignature"].startswith("C")


async def test_gemini_shows_thoughts_only_if_asked() -> None:
    talker = client("gemini")
    talker.extra = {"generationConfig": {}}
    said = await talker.turn("Thanks!")
    assert said.thoughts == ""
    assert said.events[-1]["usageMetadata"]["thoughtsTokenCount"]


async def test_gemini_without_sse_is_one_array_in_pieces() -> None:
    app = create_app(SimConfig(), clock=clock)
    body = json.dumps({"contents": [{"parts": [{"text": "Hello there"}]}]}).encode()
    path = "/v1beta/models/gemini-3-pro-preview:streamGenerateContent"
    parts = [part async for part in exchange(app, "POST", path, (), body)]
    head, pieces = parts[0], parts[1:]
    assert isinstance(head, ResponseStart)
    assert dict(head.headers)["content-type"] == "application/json; charset=UTF-8"
    assert len(pieces) > 3
    whole = json.loads(b"".join(p for p in pieces if isinstance(p, bytes)))
    assert all("candidates" in entry for entry in whole)


async def test_gemini_s_errors_come_in_an_array_where_the_stream_would_be_one() -> None:
    app = create_app(SimConfig())
    path = "/v1beta/models/gemini-3-pro-preview:streamGenerateContent"
    head, data = await fetch(app, "POST", path, (), b"{}")
    assert head.status == 400
    assert json.loads(data)[0]["error"]["status"] == "INVALID_ARGUMENT"
    head, data = await fetch(app, "POST", path + "?alt=sse", (), b"{}")
    assert json.loads(data)["error"]["status"] == "INVALID_ARGUMENT"


@pytest.mark.parametrize("dialect", list(PATHS))
async def test_unstreamed_and_streamed_answers_say_the_same_kind_of_thing(
    dialect: str,
) -> None:
    streamed = await client(dialect).turn("Read a.md")
    whole = await client(dialect, stream=False).turn("Read a.md")
    assert streamed.text == whole.text
    assert set(streamed.message) - {"reasoning_opaque"} <= set(whole.message) | {
        "reasoning_opaque"
    }
    assert whole.finish in ("stop", "STOP", "end_turn")


async def test_openrouter_pads_unstreamed_answers_with_blank_lines() -> None:
    said = await client("openrouter", stream=False).turn("Thanks!")
    assert said.raw.startswith(b"\n         \n")
    assert json.loads(said.raw)["object"] == "chat.completion"
    assert json.loads(said.raw)["system_fingerprint"] is None


async def test_ids_are_fresh_for_every_reply_even_to_the_same_request() -> None:
    app = create_app(SimConfig(), clock=clock)
    said = []
    for _ in range(3):
        talker = Client(app, "copilot-chat")
        talker.ask("Read a.md")
        said.append(await talker.step())
    assert len({one.events[0]["id"] for one in said}) == 3
    assert len({one.calls[0]["id"] for one in said}) == 3
    assert len({one.message["reasoning_opaque"] for one in said}) == 3


async def test_the_first_piece_is_there_before_the_application_goes_on() -> None:
    gate = asyncio.Event()
    app = create_app(SimConfig(), clock=clock, pause=gate.wait)
    body = {"stream": True, "messages": [{"role": "user", "content": "Hello there"}]}
    stream = exchange(app, "POST", "/chat/completions", (), json.dumps(body).encode())
    async with aclosing(stream):
        head = await anext(stream)
        assert isinstance(head, ResponseStart)
        first = await anext(stream)
        assert isinstance(first, bytes)
        assert first.startswith(b"data: ")
        waiting = asyncio.ensure_future(anext(stream))
        await asyncio.sleep(0.01)
        assert not waiting.done()
        assert app.log()["requests"][0]["ended"] == "open"
        gate.set()
        await waiting
        rest = [part async for part in stream]
    assert rest[-1] == b"data: [DONE]\n\n"
    assert app.log()["requests"][0]["ended"] == "complete"


async def test_a_reader_who_leaves_early_stops_the_application() -> None:
    sent = 0

    async def count() -> None:
        nonlocal sent
        sent += 1

    app = create_app(SimConfig(), pause=count)
    body = {"stream": True, "messages": [{"role": "user", "content": "Hello there"}]}
    stream = exchange(app, "POST", "/chat/completions", (), json.dumps(body).encode())
    await anext(stream)
    await anext(stream)
    await stream.aclose()
    assert sent <= 1
    await asyncio.sleep(0)
    assert len(asyncio.all_tasks()) == 1


async def test_an_application_that_fails_is_an_upstream_error() -> None:
    async def broken(scope: Any, receive: Any, send: Any) -> None:
        raise RuntimeError("boom")

    async def silent(scope: Any, receive: Any, send: Any) -> None:
        return

    with pytest.raises(UpstreamError, match="boom"):
        await fetch(broken, "GET", "/")
    with pytest.raises(UpstreamError, match="without an answer"):
        await fetch(silent, "GET", "/")


async def test_a_client_that_hangs_up_is_noted() -> None:
    app = create_app(SimConfig())
    body = json.dumps(
        {"stream": True, "messages": [{"role": "user", "content": "Hello there"}]}
    ).encode()
    inbox = [
        {"type": "http.request", "body": body, "more_body": False},
        {"type": "http.disconnect"},
    ]
    sent: list[Any] = []

    async def receive() -> Any:
        return inbox.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)
        await asyncio.sleep(0)

    scope = {
        "type": "http",
        "method": "POST",
        "path": "/chat/completions",
        "query_string": b"",
        "headers": [],
    }
    await app(scope, receive, send)
    assert app.log()["requests"][0]["ended"] == "client-aborted"
    assert not any(m.get("more_body") is False for m in sent)


async def test_a_real_client_streams_from_a_real_port() -> None:
    server = Server(SimConfig(), port=0)
    running = asyncio.create_task(server.run())
    body = {
        "model": "gemini-3-pro-preview",
        "stream": True,
        "messages": [{"role": "user", "content": "Read a.md"}],
        "tools": [
            {
                "type": "function",
                "function": {"name": "read_file", "parameters": SCHEMA},
            }
        ],
    }
    try:
        async with (
            httpx.AsyncClient(base_url=server.url, trust_env=False, timeout=60) as web,
            httpx_sse.aconnect_sse(
                web, "POST", "/chat/completions", json=body
            ) as source,
        ):
            events = [event.data async for event in source.aiter_sse()]
            log = (await web.get("/_sim/log")).json()
    finally:
        server.stop()
        await asyncio.wait_for(running, 60)
    assert events[-1] == "[DONE]"
    last = json.loads(events[-2])["choices"][0]
    assert last["delta"]["tool_calls"][0]["function"]["name"] == "read_file"
    assert log["requests"][0]["status"] == 200


@pytest.mark.parametrize("dialect", list(PATHS))
async def test_equal_seeds_give_equal_bytes_and_others_do_not(dialect: str) -> None:
    async def run(seed: str) -> list[bytes]:
        talker = client(dialect, config=SimConfig(seed=seed))
        said = []
        for question in ("Read a.md", "Read a.md, then read b.md", "Thanks!"):
            said.append((await talker.turn(question)).raw)
        return said

    assert await run("one") == await run("one")
    assert await run("one") != await run("two")


async def test_what_happens_on_the_side_changes_no_answer() -> None:
    quiet, busy = client("copilot-chat"), client("copilot-chat")
    side = Client(busy.app, "litellm")
    await side.turn("Read b.md")
    assert (await quiet.turn("Read a.md")).raw == (await busy.turn("Read a.md")).raw
