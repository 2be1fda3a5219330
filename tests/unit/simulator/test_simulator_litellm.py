"""The LiteLLM proxy: every row of docs/wire/litellm.md, the LLM rules, the wrapping."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from sim_client import Client, begun, clock, judged

from sigscope.upstreams.simulator import SimConfig, Standing, create_app, judge
from sigscope.upstreams.simulator.mint.shapes import BYPASS_B64, BYPASS_RAW

DUMMY = BYPASS_B64
OLD, DUMMIES, NONE = "1.90.0", "1.80.5", "1.79.0"


async def asked(question: str = "Read a.md", **settings: Any) -> tuple[Client, Any]:
    return await begun("litellm", question, **settings)


def bare(body: Any, index: int = 1) -> str:
    """Take every trace of the signature off a message; returns it."""
    message = body["messages"][index]
    message.pop("provider_specific_fields", None)
    value = ""
    for call in message["tool_calls"]:
        fields = call.pop("provider_specific_fields", {})
        value = value or fields.get("thought_signature", "")
        call["id"] = call["id"].split("__thought__")[0]
    for later in body["messages"][index + 1 :]:
        if "tool_call_id" in later:
            later["tool_call_id"] = later["tool_call_id"].split("__thought__")[0]
    message.pop("reasoning_content", None)
    return value


def parts(verdict: Any, index: int = 1) -> list[Any]:
    """The upstream parts as (kind, signature) pairs."""
    found = []
    for part in verdict.upstream["contents"][index]["parts"]:
        kind = "call" if "functionCall" in part else "text"
        kind = "thought" if part.get("thought") else kind
        found.append((kind, part.get("thoughtSignature")))
    return found


Place = Callable[[Any, str], None]


def on_call(message: Any, value: str) -> None:
    message["tool_calls"][0]["provider_specific_fields"] = {"thought_signature": value}


def on_function(message: Any, value: str) -> None:
    function = message["tool_calls"][0]["function"]
    function["provider_specific_fields"] = {"thought_signature": value}


def attempt_1(message: Any, value: str) -> None:
    message["tool_calls"][0]["thought_signature"] = value


def attempt_2(message: Any, value: str) -> None:
    message["tool_calls"][0]["function"]["thought_signature"] = value


def extra_content(message: Any, value: str) -> None:
    extra = {"google": {"thought_signature": value}}
    message["tool_calls"][0]["extra_content"] = extra


def at_message(message: Any, value: str) -> None:
    message["provider_specific_fields"] = {"thought_signatures": [value]}


def singular(message: Any, value: str) -> None:
    message["provider_specific_fields"] = {"thought_signature": value}


@pytest.mark.parametrize(
    ("place", "signed"),
    [
        (on_call, True),
        (on_function, True),
        (attempt_1, False),
        (attempt_2, False),
        (extra_content, False),
        (at_message, False),
        (singular, False),
    ],
)
async def test_each_placement_on_a_call_becomes_what_the_table_says(
    place: Place, signed: bool
) -> None:
    client, body = await asked()
    value = bare(body)
    body["messages"][1]["content"] = None
    place(body["messages"][1], value)
    verdict = judged(client, body)
    assert verdict.status == 200
    assert parts(verdict) == [("call", value if signed else DUMMY)]
    assert [s.read for s in verdict.signatures] == [signed]
    assert verdict.signatures[0].standing is Standing.GENUINE
    assert ("LLM-1" in " ".join(verdict.notes)) is not signed


async def test_nothing_sent_gets_the_dummy() -> None:
    client, body = await asked()
    bare(body)
    assert parts(judged(client, body)) == [("call", DUMMY)]


@pytest.mark.parametrize(
    ("version", "second"),
    [("1.106.2", None), ("1.109.1", None), (OLD, DUMMY), (DUMMIES, DUMMY)],
)
async def test_of_parallel_calls_newer_versions_stamp_only_the_first(
    version: str, second: str | None
) -> None:
    client, body = await asked("Read both a.md and b.md at once")
    bare(body)
    verdict = judged(client, body, litellm_version=version)
    assert parts(verdict) == [("call", DUMMY), ("call", second)]


async def test_gemini_2_5_gets_no_dummy() -> None:
    client, body = await asked(model="gemini-2.5-pro")
    bare(body)
    verdict = judged(client, body)
    assert verdict.status == 200
    assert parts(verdict) == [("call", None)]


@pytest.mark.parametrize(
    ("version", "status"), [("1.106.2", 200), ("1.90.0", 400), ("1.79.0", 400)]
)
async def test_llm_2_an_alias_got_no_dummy_from_older_versions(
    version: str, status: int
) -> None:
    client, body = await asked()
    bare(body)
    body["model"] = "my-favourite"
    verdict = judged(client, body, litellm_version=version)
    assert verdict.status == status
    assert verdict.rule == ("" if status == 200 else "LLM-2")
    if status == 400:
        assert parts(verdict) == [("call", None)]


async def test_the_suffix_on_call_and_result_signs_the_call() -> None:
    client, body = await asked()
    call_id = body["messages"][1]["tool_calls"][0]["id"]
    name, value = call_id.split("__thought__")
    assert body["messages"][2]["tool_call_id"] == call_id
    bare(body)
    body["messages"][1]["tool_calls"][0]["id"] = call_id
    body["messages"][2]["tool_call_id"] = call_id
    verdict = judged(client, body)
    assert parts(verdict) == [("call", value)]
    upstream = verdict.upstream["contents"]
    assert upstream[1]["parts"][0]["functionCall"]["id"] == name
    assert upstream[2]["parts"][0]["functionResponse"]["id"] == name


@pytest.mark.parametrize(("version", "status"), [("1.106.2", 500), ("1.109.1", 200)])
async def test_llm_3_a_suffix_on_the_call_alone_raises_in_the_proxy(
    version: str, status: int
) -> None:
    client, body = await asked()
    result = body["messages"][2]
    result["tool_call_id"] = result["tool_call_id"].split("__thought__")[0]
    verdict = judged(client, body, litellm_version=version)
    assert verdict.status == status
    if status == 500:
        assert verdict.rule == "LLM-3"
        message = verdict.body["error"]["message"]
        assert message.startswith(
            "litellm.APIConnectionError: Missing corresponding tool call for tool "
            "response message. Received - message={'role': 'tool', "
        )
        assert "last_message_with_tool_calls={" in message


async def test_llm_3_any_other_id_raises_too() -> None:
    client, body = await asked()
    body["messages"][2]["tool_call_id"] = "call_shortened"
    assert judged(client, body, litellm_version="1.109.1").rule == "LLM-3"


async def answered(**settings: Any) -> tuple[Client, Any, str]:
    """A conversation whose second message is a plain signed answer."""
    client = Client(create_app(SimConfig(), clock=clock), "litellm", **settings)
    said = await client.turn("Thanks!")
    client.ask("And now?")
    value = said.message["provider_specific_fields"]["thought_signatures"][0]
    return client, client.request(), value


async def test_the_message_level_list_signs_a_plain_string_answer() -> None:
    client, body, value = await answered()
    body["messages"][1].pop("reasoning_content")
    verdict = judged(client, body)
    assert parts(verdict) == [("text", value)]
    assert verdict.signatures[0].standing is Standing.GENUINE
    pointer = "/messages/1/provider_specific_fields/thought_signatures/0"
    assert verdict.signatures[0].pointer == pointer


async def test_only_the_first_of_the_list_is_used() -> None:
    client, body, value = await answered()
    body["messages"][1].pop("reasoning_content")
    fields = body["messages"][1]["provider_specific_fields"]
    fields["thought_signatures"] = [value, "EhkKFwHeWwZgyDYfm0aOaMhtoCQnDglJzhOc"]
    verdict = judged(client, body)
    assert parts(verdict) == [("text", value)]
    assert [s.read for s in verdict.signatures] == [True, False]


async def test_the_list_is_dropped_where_content_is_a_list() -> None:
    client, body, _ = await answered()
    message = body["messages"][1]
    message.pop("reasoning_content")
    message["content"] = [{"type": "text", "text": message["content"]}]
    assert parts(judged(client, body)) == [("text", None)]


async def test_with_calls_and_empty_content_the_list_makes_an_empty_text() -> None:
    client, body = await asked()
    value = bare(body)
    body["messages"][1]["content"] = ""
    at_message(body["messages"][1], value)
    verdict = judged(client, body)
    assert verdict.status == 200
    assert parts(verdict) == [("text", value), ("call", DUMMY)]


@pytest.mark.parametrize(("version", "text"), [("1.106.2", False), (OLD, True)])
async def test_at_both_levels_newer_versions_sign_the_call_only(
    version: str, text: bool
) -> None:
    client, body = await asked()
    value = bare(body)
    body["messages"][1]["content"] = "I will read it."
    at_message(body["messages"][1], value)
    on_call(body["messages"][1], value)
    verdict = judged(client, body, litellm_version=version)
    assert parts(verdict) == [("text", value if text else None), ("call", value)]


async def test_reasoning_content_becomes_an_unsigned_thought() -> None:
    client, body = await asked()
    value = bare(body)
    on_call(body["messages"][1], value)
    body["messages"][1]["reasoning_content"] = "sum"
    verdict = judged(client, body)
    assert parts(verdict) == [("thought", None), ("call", value)]


@pytest.mark.parametrize(("version", "leaks"), [("1.106.2", False), (OLD, True)])
async def test_older_versions_leak_thinking_blocks_as_text(
    version: str, leaks: bool
) -> None:
    client, body = await asked()
    value = bare(body)
    on_call(body["messages"][1], value)
    block = {"type": "thinking", "thinking": "secret", "signature": value}
    body["messages"][1]["thinking_blocks"] = [block]
    verdict = judged(client, body, litellm_version=version)
    expected = [("text", value)] if leaks else []
    assert parts(verdict) == [*expected, ("call", value)]


async def test_a_signature_on_the_second_call_stays_there() -> None:
    client, body = await asked("Read both a.md and b.md at once")
    value = bare(body)
    message = body["messages"][1]
    fields = {"thought_signature": value}
    message["tool_calls"][1]["provider_specific_fields"] = fields
    verdict = judged(client, body)
    assert parts(verdict) == [("call", DUMMY), ("call", value)]
    assert verdict.signatures[0].standing is Standing.MISPLACED
    assert verdict.rule == "GEM-4"


async def test_text_and_call_messages_are_merged_into_one_content() -> None:
    client, body = await asked()
    message = body["messages"][1]
    text = {"role": "assistant", "content": "I will read it."}
    body["messages"].insert(1, text)
    verdict = judged(client, body)
    assert verdict.status == 200
    kinds = [kind for kind, _ in parts(verdict)]
    assert kinds == ["text", "thought", "call"]
    assert message["tool_calls"]


@pytest.mark.parametrize(("version", "calls"), [("1.106.2", 2), (OLD, 1)])
async def test_older_versions_drop_one_of_two_identical_calls(
    version: str, calls: int
) -> None:
    client, body = await asked("Read both a.md and b.md at once")
    bare(body)
    first, second = body["messages"][1]["tool_calls"]
    second["function"] = dict(first["function"])
    verdict = judged(client, body, litellm_version=version)
    assert len(parts(verdict)) == calls
    assert verdict.status == (200 if calls == 2 else 400)
    if calls == 1:
        assert "number of function response parts" in str(verdict.error)


@pytest.mark.parametrize(
    ("surface", "stream", "start"),
    [
        (None, False, "litellm.BadRequestError: GeminiException BadRequestError - {"),
        (
            "vertex",
            False,
            "litellm.BadRequestError: Vertex_ai_betaException BadRequestError - {",
        ),
        (
            None,
            True,
            "litellm.BadRequestError: Vertex_ai_betaException BadRequestError - b'{",
        ),
    ],
)
async def test_llm_2_carries_the_proxy_s_prefix_and_the_upstream_body(
    surface: Any, stream: bool, start: str
) -> None:
    config = SimConfig(litellm_version=NONE, surface=surface)
    client, body = await asked(config=config, stream=stream)
    bare(body)
    verdict = judged(client, body)
    assert (verdict.status, verdict.rule) == (400, "LLM-2")
    error = verdict.body["error"]
    assert error["message"].startswith(start)
    assert error["code"] == "400"
    assert "Received Model Group=gemini-3-pro-preview" in error["message"]
    assert "default_api:read_file" in error["message"]


async def test_llm_4_a_cleaned_id_damages_the_signature() -> None:
    client, body = await asked()
    cleaned = "".join(
        c if c.isalnum() or c in "_-" else "*"
        for c in body["messages"][1]["tool_calls"][0]["id"]
    )
    bare(body)
    body["messages"][1]["tool_calls"][0]["id"] = cleaned
    body["messages"][2]["tool_call_id"] = cleaned
    verdict = judged(client, body)
    assert verdict.rule == "GEM-6"
    assert "contents[1].parts[0].thought_signature" in str(verdict.error)
    assert verdict.pointer == "/messages/1/tool_calls/0/id"


async def test_llm_7_a_missing_signature_may_look_like_an_empty_answer() -> None:
    config = SimConfig(litellm_version=NONE, missing="finish")
    client, _ = await asked(config=config)
    client.spoil = bare_all
    said = await client.step()
    assert (said.status, said.finish, said.text) == (200, "stop", "")


def bare_all(body: Any) -> None:
    bare(body)


@pytest.mark.parametrize(
    ("model", "surface"),
    [
        ("vertex_ai/gemini-3-pro-preview", "vertex"),
        ("gemini/gemini-3-pro", "ai-studio"),
    ],
)
async def test_the_proxy_s_own_prefixes_name_the_surface(
    model: str, surface: str
) -> None:
    client, body = await asked(model=model)
    assert judged(client, body).surface == surface
    assert judged(client, body).status == 200


async def test_base64_dummies_on_vertex_are_contested() -> None:
    client, body = await asked(model="vertex_ai/gemini-3-pro-preview")
    bare(body)
    assert judged(client, body).rule == "GEM-5"
    assert judged(client, body, enforce="lenient").status == 200


async def test_a_client_s_own_bypass_is_passed_on() -> None:
    client, body = await asked()
    bare(body)
    on_call(body["messages"][1], BYPASS_RAW)
    verdict = judged(client, body)
    assert parts(verdict) == [("call", BYPASS_RAW)]
    assert verdict.signatures[0].standing is Standing.BYPASS


async def test_claude_behind_the_proxy_verifies_thinking_blocks() -> None:
    client, body = await asked(model="claude-sonnet-4.5")
    assert judged(client, body).status == 200
    body["messages"][1]["thinking_blocks"][0]["thinking"] += "!"
    verdict = judged(client, body)
    assert verdict.rule == "ANT-1"
    assert verdict.body["error"]["message"].startswith(
        "litellm.BadRequestError: AnthropicException - {"
    )
    del body["messages"][1]["thinking_blocks"]
    assert judged(client, body).status == 200


@pytest.mark.parametrize("body", [b"{", b"{}", b'{"messages": []}', b"[" * 99_999])
def test_broken_bodies_get_a_400(body: bytes) -> None:
    verdict = judge(SimConfig(), "/v1/chat/completions", body)
    assert verdict is not None
    assert verdict.status == 400
    assert verdict.body["error"]["code"] == "400"


@pytest.mark.parametrize(("version", "native"), [("1.106.2", True), (OLD, False)])
async def test_the_id_prefix_is_gemini_s_own_since_it_is_passed_on(
    version: str, native: bool
) -> None:
    _, body = await asked(config=SimConfig(litellm_version=version))
    prefix = body["messages"][1]["tool_calls"][0]["id"].split("__thought__")[0]
    assert prefix.startswith("call_") is not native
    assert len(prefix) == (8 if native else 33)


def test_json_of_the_judgement_is_plain() -> None:
    body = json.dumps({"messages": [{"role": "user", "content": "hi"}]}).encode()
    verdict = judge(SimConfig(), "/v1/chat/completions", body)
    assert verdict is not None
    assert json.dumps(verdict.upstream)
