"""What holds for any conversation: the faithful pass, the forgetful do not."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sim_client import Client, clock

from sigscope.upstreams.simulator import SimConfig, Standing, create_app, judge

pytestmark = pytest.mark.slow

QUESTIONS = (
    "Read a.md",
    "Read both a.md and b.md at the same time",
    "Read a.md, then read b.md",
    "Read a.md and b.md, then read c.md",
    "Thanks!",
    "What do you think of it?",
)
CALLING = QUESTIONS[:4]
SURFACES = st.sampled_from(["ai-studio", "vertex"])
DIALECTS = st.sampled_from(["copilot-chat", "openrouter", "litellm", "gemini"])
MODELS = st.sampled_from(
    ["gemini-3-pro-preview", "gemini-3.5-flash", "gemini-3.7-flash", "gemini-2.5-pro"]
)


def forget_calls(body: dict[str, Any]) -> None:
    """Drop what signs calls, in whichever dialect."""
    for message in body.get("messages", []):
        if not message.get("tool_calls"):
            continue
        message.pop("reasoning_opaque", None)
        message.pop("reasoning_details", None)
    for content in body.get("contents", []):
        for part in content["parts"]:
            if "functionCall" in part:
                part.pop("thoughtSignature", None)


@settings(max_examples=60, deadline=None)
@given(
    dialect=DIALECTS,
    model=MODELS,
    surface=SURFACES,
    stream=st.booleans(),
    seed=st.text(max_size=5),
    questions=st.lists(st.sampled_from(QUESTIONS), min_size=1, max_size=5),
)
def test_who_echoes_everything_is_never_refused(
    dialect: str,
    model: str,
    surface: Any,
    stream: bool,
    seed: str,
    questions: list[str],
) -> None:
    app = create_app(SimConfig(seed=seed, surface=surface), clock=clock)
    client = Client(app, dialect, model, stream, surface=surface)

    async def talk() -> None:
        for question in questions:
            assert (await client.turn(question)).status == 200

    asyncio.run(talk())
    for entry in app.log()["requests"]:
        assert {s["standing"] for s in entry["signatures"]} <= {"genuine"}
        assert entry["lost_turns"] == 0


@settings(max_examples=40, deadline=None)
@given(
    dialect=st.sampled_from(["copilot-chat", "openrouter", "gemini"]),
    surface=SURFACES,
    stream=st.booleans(),
    before=st.lists(st.sampled_from(QUESTIONS), max_size=3),
    question=st.sampled_from(CALLING),
)
def test_who_drops_the_signature_of_a_call_is_always_refused(
    dialect: str, surface: Any, stream: bool, before: list[str], question: str
) -> None:
    app = create_app(SimConfig(surface=surface), clock=clock)
    client = Client(app, dialect, stream=stream, surface=surface)

    async def talk() -> Any:
        for earlier in before:
            await client.turn(earlier)
        client.spoil = forget_calls
        return await client.turn(question)

    said = asyncio.run(talk())
    assert said.status == 400
    assert app.log()["requests"][-1]["rule"] in ("GEM-1", "GEM-2", "ORT-1", "CPC-1")
    assert "thought_signature" in app.log()["requests"][-1]["error"]


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_what_is_predicted_is_what_is_answered(data: st.DataObject) -> None:
    dialect = data.draw(DIALECTS)
    app = create_app(
        SimConfig(enforce=data.draw(st.sampled_from(["strict", "lenient"])))
    )
    client = Client(app, dialect)

    def shuffle(body: dict[str, Any]) -> None:
        entries = body.get("messages") or body["contents"]
        if len(entries) > 1 and data.draw(st.booleans()):
            entries.pop(data.draw(st.integers(0, len(entries) - 1)))

    client.spoil = shuffle

    async def talk() -> Any:
        client.ask(data.draw(st.sampled_from(CALLING)))
        for _ in range(3):
            said = await client.step()
            expected = judge(app.config, client.target, _encoded(client.last_request))
            assert expected is not None
            assert expected.status == said.status
            if said.status != 200:
                assert expected.body == said.error
                return

    asyncio.run(talk())


def _encoded(body: dict[str, Any]) -> bytes:
    return json.dumps(body).encode()


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=8)
    | st.sampled_from(["assistant", "user", "tool", "model", "reasoning.encrypted"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                [
                    "messages",
                    "contents",
                    "parts",
                    "role",
                    "content",
                    "tool_calls",
                    "function",
                    "functionCall",
                    "functionResponse",
                    "thoughtSignature",
                    "reasoning_details",
                    "reasoning_opaque",
                    "provider_specific_fields",
                    "thought_signatures",
                    "thinking_blocks",
                    "tool_call_id",
                    "id",
                    "type",
                    "data",
                    "text",
                    "model",
                    "tools",
                    "tool_choice",
                    "provider",
                    "stream",
                    "arguments",
                    "name",
                ]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=25,
)


@settings(max_examples=100, deadline=None)
@given(
    body=JSON,
    messages=st.lists(JSON, max_size=4),
    path=st.sampled_from(
        [
            "/chat/completions",
            "/responses",
            "/api/v1/chat/completions",
            "/v1/chat/completions",
            "/v1beta/models/gemini-3-pro-preview:generateContent",
        ]
    ),
    model=st.sampled_from(
        ["gemini-3-pro-preview", "claude-sonnet-4.5", "openai/gpt-5.2", "x-ai/grok-4"]
    ),
)
def test_no_json_makes_it_stumble(
    body: Any, messages: Any, path: str, model: str
) -> None:
    for document in (
        body,
        {"model": model, "messages": messages, "contents": messages},
    ):
        data = json.dumps(document).encode()
        verdict = judge(SimConfig(), path, data)
        if verdict is None:
            assert path == "/responses", "an API that it does not speak"
            continue
        assert verdict.status in (200, 400, 404, 500)
        assert (verdict.body is None) == (verdict.status == 200)


@settings(max_examples=100, deadline=None)
@given(body=st.binary(max_size=200))
def test_no_bytes_make_it_stumble(body: bytes) -> None:
    for path in ("/chat/completions", "/v1beta/models/gemini-3-pro:generateContent"):
        assert judge(SimConfig(), path, body) is not None


@pytest.mark.parametrize(("depth", "status"), [(150, 200), (250, 400), (5000, 400)])
@pytest.mark.parametrize("path", ["/chat/completions", "/v1/chat/completions"])
def test_deep_nesting_is_refused_not_stumbled_over(
    path: str, depth: int, status: int
) -> None:
    deep = b"[" * depth + b"]" * depth
    message = b'{"role":"user","content":"hi","x":' + deep + b"}"
    verdict = judge(SimConfig(), path, b'{"messages":[' + message + b"]}")
    assert verdict is not None
    assert verdict.status == status


Carrier = Callable[[Any], tuple[dict[str, Any], str]]


def _copilot(body: Any) -> tuple[dict[str, Any], str]:
    return body["messages"][1], "reasoning_opaque"


def _openrouter(body: Any) -> tuple[dict[str, Any], str]:
    return body["messages"][1]["reasoning_details"][-1], "data"


def _gemini(body: Any) -> tuple[dict[str, Any], str]:
    parts = body["contents"][1]["parts"]
    return next(p for p in parts if "functionCall" in p), "thoughtSignature"


@pytest.mark.parametrize(
    ("dialect", "carrier"),
    [("copilot-chat", _copilot), ("openrouter", _openrouter), ("gemini", _gemini)],
)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_no_damage_to_a_signature_goes_unpunished(
    dialect: str, carrier: Carrier, data: st.DataObject
) -> None:
    app = create_app(SimConfig(), clock=clock)
    client = Client(app, dialect)
    client.ask("Read a.md")
    asyncio.run(client.step())
    body = client.request()
    holder, key = carrier(body)
    value = holder[key]
    if data.draw(st.booleans()):
        holder[key] = value[: data.draw(st.integers(1, len(value.rstrip("=")) - 1))]
    else:
        at = data.draw(st.integers(0, len(value.rstrip("=")) - 2))
        letter = data.draw(st.sampled_from("ABCabc012"))
        holder[key] = value[:at] + letter + value[at + 1 :]
    verdict = judge(app.config, client.target, _encoded(body))
    assert verdict is not None
    if holder[key] == value:
        assert verdict.status == 200
    else:
        assert verdict.status == 400
        assert verdict.signatures[0].standing is not Standing.GENUINE
