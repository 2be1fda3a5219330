"""Plain HTTP manners: paths, methods, keys, the log, and where it may listen."""

from __future__ import annotations

import asyncio
import gzip
import json
import socket
import threading
import zlib
from typing import Any

import httpx
import pytest
from sim_client import Client, clock

from sigscope.cli.keymask import mask_data
from sigscope.errors import UpstreamError, UsageError
from sigscope.upstreams.simulator import SimConfig, create_app, fetch, judge
from sigscope.upstreams.simulator.door import Door
from sigscope.upstreams.simulator.server import Server, guard_bind
from sigscope.wire.access import Access

HELLO = json.dumps({"messages": [{"role": "user", "content": "Hello"}]}).encode()
GEMINI = json.dumps({"contents": [{"parts": [{"text": "Hello"}]}]}).encode()


@pytest.mark.parametrize(
    ("path", "dialect"),
    [
        ("/chat/completions", "copilot-chat"),
        ("/api/v1/chat/completions", "openrouter"),
        ("/v1/chat/completions", "litellm"),
        ("/v1beta/models/gemini-3-pro-preview:generateContent", "gemini"),
        ("/v1/models/gemini-3-pro-preview:generateContent", "gemini"),
        ("/models/gemini-3-pro-preview:generateContent", "gemini"),
        (
            "/v1beta1/projects/p/locations/l/publishers/google/models/"
            "gemini-3-pro-preview:generateContent",
            "gemini",
        ),
        ("/v1/publishers/google/models/gemini-3-flash:generateContent", "gemini"),
    ],
)
async def test_each_path_finds_its_dialect(path: str, dialect: str) -> None:
    app = create_app(SimConfig())
    body = GEMINI if dialect == "gemini" else HELLO
    head, _ = await fetch(app, "POST", path, (), body)
    entry = app.log()["requests"][0]
    assert (head.status, entry["dialect"]) == (200, dialect)
    surface = {"gemini": "vertex" if "publishers" in path else "ai-studio"}
    if dialect in surface:
        assert entry["surface"] == surface[dialect]


@pytest.mark.parametrize("dialect", ["copilot-chat", "openrouter", "litellm"])
@pytest.mark.parametrize("prefix", ["", "/v1", "/api/v1", "/proxy/any"])
async def test_a_pinned_dialect_takes_any_base_url(dialect: Any, prefix: str) -> None:
    app = create_app(SimConfig(dialect=dialect))
    head, _ = await fetch(app, "POST", f"{prefix}/chat/completions", (), HELLO)
    assert (head.status, app.log()["requests"][0]["dialect"]) == (200, dialect)


@pytest.mark.parametrize(
    "path",
    ["/nowhere", "/chat", "/v2/chat/completions", "/v1beta/models/x:embedContent"],
)
async def test_an_unknown_path_is_404_and_names_the_known_ones(path: str) -> None:
    head, data = await fetch(create_app(SimConfig()), "POST", path, (), HELLO)
    assert head.status == 404
    message = json.loads(data)["error"]["message"]
    assert path in message
    assert "/chat/completions" in message
    assert judge(SimConfig(), path, HELLO) is None


async def test_a_pinned_dialect_names_its_own_paths_and_each_once() -> None:
    app = create_app(SimConfig(dialect="anthropic"))
    _, data = await fetch(app, "POST", "/chat/completions", (), HELLO)
    said = json.loads(data)["error"]["message"]
    head, _, known = said.partition(" Known: ")
    assert head == "no such path of anthropic: /chat/completions."
    paths = known.split(", ")
    assert "/v1/messages" in paths
    assert "/chat/completions" not in paths
    assert len(set(paths)) == len(paths)


@pytest.mark.parametrize(
    ("method", "path", "allow"),
    [
        ("GET", "/chat/completions", "POST"),
        ("PUT", "/v1/chat/completions", "POST"),
        ("HEAD", "/chat/completions", "POST"),
        ("POST", "/_sim/log", "GET, HEAD"),
        ("DELETE", "/models", "GET, HEAD"),
    ],
)
async def test_a_wrong_method_is_405_with_the_right_one(
    method: str, path: str, allow: str
) -> None:
    head, data = await fetch(create_app(SimConfig()), method, path)
    assert head.status == 405
    assert dict(head.headers)["allow"] == allow
    assert (data == b"") is (method == "HEAD")


def test_nothing_is_predicted_for_a_method_the_path_does_not_take() -> None:
    assert judge(SimConfig(), "/chat/completions", HELLO, method="GET") is None
    assert judge(SimConfig(), "/chat/completions", HELLO, method="post") is not None
    assert judge(SimConfig(), "https://h/chat/completions?x=1", HELLO) is not None
    assert judge(SimConfig(), "/_sim/log", b"", method="GET") is None


async def test_head_gives_the_length_and_no_body() -> None:
    head, data = await fetch(create_app(SimConfig()), "HEAD", "/models")
    assert (head.status, data) == (200, b"")
    assert int(dict(head.headers)["content-length"]) > 0


KEYS = [
    ("/chat/completions", {"authorization": "Bearer s3cret"}, ""),
    ("/api/v1/chat/completions", {"authorization": "bearer s3cret"}, ""),
    ("/v1/chat/completions", {"x-api-key": "s3cret"}, ""),
    (
        "/v1beta/models/gemini-3-pro-preview:generateContent",
        {"x-goog-api-key": "s3cret"},
        "",
    ),
    ("/v1beta/models/gemini-3-pro-preview:generateContent", {}, "?key=s3cret"),
]


@pytest.mark.parametrize(("path", "headers", "query"), KEYS)
async def test_with_a_key_requests_need_it(
    path: str, headers: dict[str, str], query: str
) -> None:
    app = create_app(SimConfig(key="s3cret"))
    body = GEMINI if "models" in path else HELLO
    head, data = await fetch(app, "POST", path, (), body)
    assert head.status == 401
    assert json.loads(data)["error"]["message"]
    wrong = tuple((name, value + "x") for name, value in headers.items())
    head, _ = await fetch(app, "POST", path, wrong, body)
    assert head.status == 401
    head, _ = await fetch(app, "POST", path + query, tuple(headers.items()), body)
    assert head.status == 200


async def test_the_log_needs_the_key_too_and_never_shows_it() -> None:
    app = create_app(SimConfig(key="s3cret"))
    head, _ = await fetch(app, "GET", "/_sim/log")
    assert head.status == 401
    headers = (("authorization", "Bearer s3cret"),)
    await fetch(app, "POST", "/chat/completions?key=s3cret", headers, HELLO)
    head, data = await fetch(app, "GET", "/_sim/log", headers)
    assert head.status == 200
    assert b"s3cret" not in data


async def test_what_the_log_quotes_of_requests_is_masked() -> None:
    key = "AIzaSyQ9xWv7Tr5Lm3Np1Kd8Hs6Gf4Bc2Xy0Za9"
    app = create_app(SimConfig(), mask=lambda told: mask_data(told, ()))
    body = json.dumps({"model": key, "max_tokens": 9, "messages": []}).encode()
    await fetch(app, "POST", "/v1/messages", (), body)
    await fetch(app, "POST", f"/v1/keys/{key}/models", (), body)
    _, data = await fetch(app, "GET", "/_sim/log")
    assert len(json.loads(data)["requests"]) == 3
    assert b"AIza" in data
    assert key.encode() not in data
    assert key in json.dumps(app.log())


async def test_a_log_that_is_long_to_mask_holds_no_other_request() -> None:
    answered = threading.Event()
    was_answered: list[bool] = []

    def mask(told: Any) -> Any:
        was_answered.append(answered.wait(20))
        return told

    app = create_app(SimConfig(), mask=mask)
    log = asyncio.create_task(fetch(app, "GET", "/_sim/log"))
    await asyncio.sleep(0)
    await fetch(app, "GET", "/")
    answered.set()
    await log
    assert was_answered == [True]


async def test_keys_of_strange_letters_do_no_harm() -> None:
    app = create_app(SimConfig(key="schlüssel"))
    headers = (("authorization", "Bearer \xff\xfe"),)
    head, _ = await fetch(app, "GET", "/_sim/log", headers)
    assert head.status == 401


async def test_the_log_tells_what_came_and_how_it_was_judged() -> None:
    app = create_app(SimConfig(), clock=clock)
    client = Client(app, "litellm")
    client.ask("Read a.md")
    await client.step()
    client.spoil = lambda body: body["messages"][1]["tool_calls"][0].pop(
        "provider_specific_fields"
    )
    await client.step()
    head, data = await fetch(app, "GET", "/_sim/log")
    first, second, *_ = json.loads(data)["requests"]
    assert head.status == 200
    assert (first["request"], second["request"]) == (1, 2)
    assert second["path"] == "/v1/chat/completions"
    assert second["at"] == clock()
    (signature, *strays) = second["signatures"]
    assert signature["pointer"] == "/messages/1/tool_calls/0/id"
    assert signature["standing"] == "genuine"
    assert signature["minted_for"].startswith("call read_file ")
    assert all(not stray["read"] for stray in strays)
    assert second["upstream"]["contents"][1]["role"] == "model"
    assert second["summary_share"] == 1.0
    assert app.log()["requests"][1] == second


async def test_the_log_cites_the_rule_that_refused() -> None:
    app = create_app(SimConfig())
    body = {"messages": [{"role": "user", "content": []}]}
    await fetch(app, "POST", "/chat/completions", (), json.dumps(body).encode())
    entry = app.log()["requests"][0]
    assert (entry["status"], entry["rule"]) == (400, "CPC-2")
    assert entry["pointer"] == "/messages/0/content"
    assert "docs/wire/copilot-chat.md#cpc-2" in entry["source"]
    assert "zed#43024" in entry["source"]


async def test_the_log_forgets_the_oldest() -> None:
    app = create_app(SimConfig(log_limit=2))
    for _ in range(5):
        await fetch(app, "POST", "/nowhere")
    assert [entry["request"] for entry in app.log()["requests"]] == [4, 5]


@pytest.mark.parametrize(
    ("path", "holds"),
    [
        ("/models", "supported_endpoints"),
        ("/api/v1/models", "google/gemini-3-pro-preview"),
        ("/v1/models", "gemini-3-pro-preview"),
        ("/v1beta/models", "models/gemini-3-pro-preview"),
        ("/", "sigscope simulator"),
    ],
)
async def test_clients_may_ask_for_models_first(path: str, holds: str) -> None:
    head, data = await fetch(create_app(SimConfig()), "GET", path)
    assert head.status == 200
    assert holds in data.decode()


async def test_counting_is_answered() -> None:
    path = "/v1beta/models/gemini-3-pro-preview:countTokens"
    head, data = await fetch(create_app(SimConfig()), "POST", path, (), GEMINI)
    assert (head.status, json.loads(data)["totalTokens"] > 0) == (200, True)


async def test_unknown_models_get_the_configured_one() -> None:
    app = create_app(SimConfig(model="gemini-2.5-pro"))
    body = {"model": "my-alias", "messages": [{"role": "user", "content": "Hello"}]}
    await fetch(app, "POST", "/v1/chat/completions", (), json.dumps(body).encode())
    body["model"] = "gemini-3.5-flash"
    await fetch(app, "POST", "/v1/chat/completions", (), json.dumps(body).encode())
    models = [entry["model"] for entry in app.log()["requests"]]
    assert models == ["gemini-2.5-pro", "gemini-3.5-flash"]


@pytest.mark.parametrize(
    ("coding", "body"),
    [
        ("gzip", gzip.compress(HELLO, mtime=0)),
        ("deflate", zlib.compress(HELLO)),
        ("gzip, deflate", zlib.compress(gzip.compress(HELLO, mtime=0))),
        ("gzip", HELLO),  # decoded already, as many recordings have it
        ("identity", HELLO),
    ],
    ids=["gzip", "deflate", "both", "decoded", "identity"],
)
async def test_a_coded_request_is_read(coding: str, body: bytes) -> None:
    headers = (("Content-Encoding", coding),)
    app = create_app(SimConfig())
    head, _ = await fetch(app, "POST", "/chat/completions", headers, body)
    assert head.status == 200
    said = judge(SimConfig(), "/chat/completions", body, headers=headers)
    assert said is not None
    assert said.status == 200


@pytest.mark.parametrize(
    ("coding", "body", "status", "words"),
    [
        ("gzip", gzip.compress(bytes(9_000_000)), 413, "decodes to more than"),
        ("x-own", b"\0\1" * 30, 415, "'x-own' is unknown"),
        ("gzip", gzip.compress(HELLO, mtime=0)[:-8] + b"\xff" * 8, 400, "is damaged"),
    ],
    ids=["bomb", "unknown", "damaged"],
)
async def test_a_coding_that_cannot_be_taken_off_is_told(
    coding: str, body: bytes, status: int, words: str
) -> None:
    headers = (("content-encoding", coding),)
    app = create_app(SimConfig())
    head, data = await fetch(app, "POST", "/chat/completions", headers, body)
    assert head.status == status
    assert words in json.loads(data)["error"]["message"]
    assert judge(SimConfig(), "/chat/completions", body, headers=headers) is None


async def test_lone_surrogates_of_a_client_survive() -> None:
    body = rb'{"stream":true,"messages":[{"role":"user","content":"Read \ud800 a"}]}'
    head, data = await fetch(
        create_app(SimConfig()), "POST", "/chat/completions", (), body
    )
    assert head.status == 200
    for line in data.decode().splitlines():
        if line.startswith("data: {"):
            json.loads(line[6:])


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"dialect": "smtp"}, "dialect 'smtp' is not one of"),
        ({"surface": "mars"}, "surface 'mars'"),
        ({"enforce": "sometimes"}, "enforce 'sometimes'"),
        ({"missing": "no"}, "missing 'no'"),
        ({"pace_ms": -1}, "pace -1"),
        ({"pace_ms": float("nan")}, "pace nan"),
        ({"litellm_version": "new"}, "LiteLLM version 'new'"),
    ],
)
def test_wrong_settings_are_usage_errors(settings: Any, text: str) -> None:
    with pytest.raises(UsageError, match=text):
        SimConfig(**settings)


def test_other_machines_need_leave_and_a_key() -> None:
    with pytest.raises(UsageError, match="not a loopback address"):
        guard_bind(SimConfig(key="k"), "0.0.0.0", remote=False)
    with pytest.raises(UsageError, match="needs a key"):
        guard_bind(SimConfig(), "0.0.0.0", remote=True)
    guard_bind(SimConfig(key="k"), "0.0.0.0", remote=True)
    guard_bind(SimConfig(), "127.0.0.1", remote=False)


def test_a_taken_port_is_one_clear_message() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(UpstreamError, match=f"cannot listen on 127.0.0.1:{port}"):
            Server(SimConfig(), port=port)


def test_a_port_that_is_none_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="port 70000"):
        Server(SimConfig(), port=70000)


async def test_other_protocols_are_refused_and_lifespan_is_obeyed() -> None:
    app = create_app(SimConfig())
    inbox = [{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}]
    sent: list[Any] = []

    async def receive() -> Any:
        return inbox.pop(0)

    async def send(message: Any) -> None:
        sent.append(message["type"])

    await app({"type": "lifespan"}, receive, send)
    assert sent == ["lifespan.startup.complete", "lifespan.shutdown.complete"]
    with pytest.raises(ValueError, match="websocket"):
        await app({"type": "websocket"}, receive, send)


async def test_a_web_page_gets_nothing_and_leaves_no_trace_in_the_log() -> None:
    told: list[str] = []
    server = Server(
        SimConfig(),
        port=0,
        access=Access(hosts=("sim.example",)),
        on_refused=told.append,
    )
    running = asyncio.create_task(server.run())
    try:
        async with httpx.AsyncClient(trust_env=False, base_url=server.url) as client:
            await _until_up(client)
            before = len((await client.get("/_sim/log")).json()["requests"])
            for headers in ({"Host": "evil.example"}, {"Origin": "https://e.example"}):
                refused = await client.get("/_sim/log", headers=headers)
                assert refused.status_code == 403
                assert "refuses this request" in refused.json()["error"]["message"]
            allowed = await client.get("/_sim/log", headers={"Host": "sim.example"})
            assert len(allowed.json()["requests"]) - before <= 2
    finally:
        server.stop()
        await running
    assert server.door.refused == 2
    assert [("evil.example" in told[0]), ("e.example" in told[1])] == [True, True]


async def test_an_allowed_page_is_told_that_it_may_ask_and_read() -> None:
    app = create_app(SimConfig())
    refused: list[str] = []
    door = Door(app, Access(origins=("app://editor",)), refused.append)
    asks = (
        ("origin", "app://editor"),
        ("access-control-request-method", "POST"),
        ("access-control-request-headers", "authorization,content-type"),
        ("access-control-request-private-network", "true"),
    )
    head, body = await fetch(door, "OPTIONS", "/v1/chat/completions", asks)
    assert (head.status, body) == (204, b"")
    assert dict(head.headers) == {
        "access-control-allow-headers": "authorization,content-type",
        "access-control-allow-methods": "POST",
        "access-control-allow-origin": "app://editor",
        "access-control-allow-private-network": "true",
        "access-control-expose-headers": "*",
        "access-control-max-age": "600",
        "vary": "Origin",
    }
    answer, _ = await fetch(door, "POST", "/chat/completions", asks[:1], HELLO)
    assert answer.status == 200
    assert dict(answer.headers)["access-control-allow-origin"] == "app://editor"
    foreign = (("origin", "https://evil.example"), *asks[1:])
    head, _ = await fetch(door, "OPTIONS", "/v1/chat/completions", foreign)
    assert head.status == 403
    assert not any("access-control" in name for name, _ in head.headers)
    plain, _ = await fetch(door, "POST", "/chat/completions", (), HELLO)
    assert not any("access-control" in name for name, _ in plain.headers)
    assert [door.refused, len(refused)] == [1, 1]
    _, log = await fetch(app, "GET", "/_sim/log")
    methods = [entry["method"] for entry in json.loads(log)["requests"]]
    assert methods == ["POST", "POST", "GET"]


async def _until_up(client: httpx.AsyncClient) -> None:
    for _ in range(200):
        try:
            await client.get("/")
            return
        except httpx.ConnectError:
            await asyncio.sleep(0.02)


async def test_a_websocket_is_refused_with_the_way_out() -> None:
    upgrade = (("connection", "Upgrade"), ("upgrade", "websocket"))
    head, body = await fetch(create_app(SimConfig()), "GET", "/v1/responses", upgrade)
    assert head.status == 426
    assert "plain HTTP" in json.loads(body)["error"]["message"]
