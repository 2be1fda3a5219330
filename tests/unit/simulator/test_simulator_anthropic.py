"""Messages: what it says, what it refuses, in the words of the real one."""

from __future__ import annotations

import base64
import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from sim_client import BUDGET, Client, begun, clock, judged

from sigscope.fingerprints import guess_origin
from sigscope.upstreams.simulator import SimConfig, create_app, exchange, judge
from sigscope.wire.frames import frame

Json = Any


async def loop(**settings: Any) -> tuple[Client, Json]:
    """A client that called a tool, and its next request."""
    return await begun("anthropic", **settings)


def content(body: Json, index: int = 1) -> list[Json]:
    found: list[Json] = body["messages"][index]["content"]
    return found


@pytest.mark.parametrize("stream", [True, False])
async def test_a_client_that_sends_its_blocks_back_is_answered(stream: bool) -> None:
    client, _ = await loop(stream=stream)
    said = await client.step()
    assert (said.status, said.finish, said.calls) == (200, "end_turn", [])
    assert "alpha" in said.text
    first = client.history[1]["content"]
    assert [block["type"] for block in first] == ["thinking", "tool_use"]
    assert guess_origin(first[0]["signature"]).detail == "Claude"
    assert first[1]["id"].startswith("toolu_01")


@pytest.mark.parametrize(
    ("model", "index", "status"),
    [
        ("claude-opus-4-8", 1, 200),
        ("claude-opus-5-5", 1, 200),
        ("claude-opus-5-5", 0, 400),
        ("claude-opus-4-7", 1, 400),
        ("claude-sonnet-4-20250514", 1, 400),
        ("claude-3-5-sonnet-20241022", 1, 400),
    ],
)
async def test_newer_models_take_system_messages_behind_a_users(
    model: str, index: int, status: int
) -> None:
    """So speaks Claude Code since its Opus 5.5; it does without where refused."""
    client, _ = await loop(stream=True)
    body = client.request() | {"model": model}
    told = {"role": "system", "content": "x", "output_config": {"effort": "low"}}
    body["messages"] = body["messages"][:1]
    body["messages"].insert(index, told)
    said = await client.send(body)
    assert said.status == status
    assert status == 200 or b"Unexpected role" in said.raw


async def test_streamed_and_whole_answers_say_the_same() -> None:
    streamed, _ = await loop(stream=True)
    whole, _ = await loop(stream=False)
    a, b = streamed.history[1]["content"], whole.history[1]["content"]
    assert [block["type"] for block in a] == [block["type"] for block in b]
    assert a[0]["thinking"]
    assert b[0]["thinking"]


async def test_events_are_named_and_in_order() -> None:
    client = Client(create_app(SimConfig(), clock=clock), "anthropic")
    client.ask("Read a.md")
    said = await client.send(client.request())
    events = frame(said.raw, "sse").events
    assert [event.name for event in events] == [e["type"] for e in said.events]
    names = [event.name for event in events]
    assert (names[0], names[-2:]) == (
        "message_start",
        ["message_delta", "message_stop"],
    )
    kinds = [e["delta"]["type"] for e in said.events if "index" in e and "delta" in e]
    assert kinds.index("signature_delta") > kinds.index("thinking_delta")
    assert "input_json_delta" in kinds


Spoil = Callable[[Json], None]


def drop_thinking(body: Json) -> None:
    body["messages"][1]["content"].pop(0)


def change_signature(body: Json) -> None:
    block = content(body)[0]
    block["signature"] = block["signature"][:40] + "AAAA" + block["signature"][44:]


def cut_signature(body: Json) -> None:
    content(body)[0]["signature"] = content(body)[0]["signature"][:-9]


def change_text(body: Json) -> None:
    content(body)[0]["thinking"] += " Really."


def trim_text(body: Json) -> None:
    content(body)[0]["thinking"] = "..."


def strip_text(body: Json) -> None:
    content(body)[0]["thinking"] = ""


def forget_signature(body: Json) -> None:
    del content(body)[0]["signature"]


def as_sealed(body: Json) -> None:
    block = content(body)[0]
    content(body)[0] = {"type": "redacted_thinking", "data": block["signature"]}


def split(body: Json) -> None:
    first, *rest = content(body)
    body["messages"][1:2] = [
        {"role": "assistant", "content": [first]},
        {"role": "assistant", "content": rest},
    ]


def after_the_call(body: Json) -> None:
    content(body).append(content(body).pop(0))


def text_after_the_call(body: Json) -> None:
    content(body).append({"type": "text", "text": "I will look."})


def no_result(body: Json) -> None:
    body["messages"][2]["content"] = [{"type": "text", "text": "Go on."}]


def remark_before_the_result(body: Json) -> None:
    content(body, 2).insert(0, {"type": "text", "text": "By the way:"})


def no_call(body: Json) -> None:
    content(body).pop()


SIGNATURE = "messages.1.content.0: Invalid `signature` in `thinking` block"
START = (
    "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found"
)
MODIFIED = "blocks in the latest assistant message cannot be modified"


@pytest.mark.parametrize(
    ("spoil", "rule", "text", "pointer"),
    [
        (drop_thinking, "ANT-2", f"{START} `tool_use`", "/messages/1/content/0"),
        (change_signature, "ANT-1", SIGNATURE, "/messages/1/content/0"),
        (cut_signature, "ANT-1", SIGNATURE, "/messages/1/content/0"),
        (change_text, "ANT-3", MODIFIED, "/messages/1/content/0"),
        (trim_text, "ANT-3", MODIFIED, "/messages/1/content/0"),
        (strip_text, "ANT-5", "each thinking block must contain thinking",
         "/messages/1/content/0"),
        (forget_signature, "ANT-4",
         "messages.1.content.0.thinking.signature: Field required",
         "/messages/1/content/0"),
        (as_sealed, "ANT-1", "Invalid `data` in `redacted_thinking` block",
         "/messages/1/content/0"),
        (split, "ANT-2", "messages.2.content.0.type: Expected `thinking`",
         "/messages/2/content/0"),
        (after_the_call, "ANT-2", f"{START} `tool_use`", "/messages/1/content/0"),
        (text_after_the_call, "ANT-9", "messages.1: `tool_use` ids were found without",
         "/messages/1"),
        (no_result, "ANT-9", "messages.1: `tool_use` ids were found without",
         "/messages/1"),
        (remark_before_the_result, "ANT-9", "messages.1: `tool_use` ids",
         "/messages/1"),
        (no_call, "ANT-9", "messages.2.content.0: unexpected `tool_use_id` found",
         "/messages/2/content/0/tool_use_id"),
    ],
)  # fmt: skip
async def test_what_is_spoilt_is_refused_at_its_node(
    spoil: Spoil, rule: str, text: str, pointer: str
) -> None:
    client, body = await loop()
    spoil(body)
    verdict = judged(client, body)
    assert (verdict.status, verdict.rule, verdict.pointer) == (400, rule, pointer)
    assert text in (verdict.error or "")
    assert verdict.body["error"]["type"] == "invalid_request_error"
    said = await client.send(body)
    assert (said.status, said.error) == (400, verdict.body)


def many_caches(body: Json) -> None:
    body["system"] = [
        {"type": "text", "text": str(n), "cache_control": {"type": "ephemeral"}}
        for n in range(5)
    ]


@pytest.mark.parametrize(
    ("more", "text"),
    [
        (many_caches, "A maximum of 4 blocks with cache_control may be provided."
                      " Found 5."),
        (lambda body: body.pop("max_tokens"), "max_tokens: Field required"),
        (lambda body: body["thinking"].update(budget_tokens=512),
         "greater than or equal to 1024"),
        (lambda body: body.update(tool_choice={"type": "any"}),
         "Thinking may not be enabled when tool_choice forces tool use."),
        (lambda body: body["messages"].insert(0, {"role": "system", "content": "x"}),
         "The Messages API accepts a top-level `system` parameter"),
        (lambda body: body["messages"][1].update(thinking_blocks=[]),
         "messages.1.thinking_blocks: Extra inputs are not permitted"),
        (lambda body: content(body)[1].update(signature="x"),
         "messages.1.content.1.tool_use.signature: Extra inputs are not permitted"),
        (lambda body: content(body)[0].update(cache_control={"type": "ephemeral"}),
         "messages.1.content.0.thinking.cache_control: Extra inputs"),
        (lambda body: body["messages"][0].update(content=""),
         "messages.0: all messages must have non-empty content"),
        (lambda body: content(body).insert(1, {"type": "text", "text": ""}),
         "messages: text content blocks must be non-empty"),
    ],
)  # fmt: skip
async def test_the_form_comes_first(more: Spoil, text: str) -> None:
    client, body = await loop()
    body["thinking"] = dict(BUDGET)
    more(body)
    verdict = judged(client, body)
    assert (verdict.status, verdict.rule) == (400, "")
    assert text in (verdict.error or "")


async def test_blocks_of_closed_turns_may_go_but_are_verified_if_sent() -> None:
    client, _ = await loop()
    await client.step()
    client.ask("And now b.md?")
    body = client.request()
    without = copy.deepcopy(body)
    content(without).pop(0)
    assert judged(client, without).status == 200
    change_text(body)
    assert judged(client, body).rule == "ANT-1"


@pytest.mark.parametrize("thinking", [{"type": "disabled"}, {"type": "adaptive"}, None])
async def test_without_a_budget_no_turn_has_to_begin_with_a_thought(
    thinking: Json,
) -> None:
    client, body = await loop()
    body["thinking"] = thinking
    drop_thinking(body)
    assert judged(client, body).status == 200


async def test_thinking_switched_off_ignores_blocks_but_not_in_a_prefill() -> None:
    client, body = await loop()
    del body["thinking"]
    assert judged(client, body).status == 200
    body["messages"].pop()
    verdict = judged(client, body)
    assert verdict.rule == "ANT-11"
    assert "in the final position cannot contain `thinking`" in (verdict.error or "")


async def test_a_model_thinks_between_calls_only_if_it_may() -> None:
    client, _ = await loop(question="Read a.md then read b.md")
    await client.step()
    kinds = [block["type"] for block in client.history[3]["content"]]
    assert kinds == ["tool_use"]
    assert (await client.step()).status == 200
    free, _ = await loop(
        question="Read a.md then read b.md", extra={"thinking": {"type": "adaptive"}}
    )
    await free.step()
    kinds = [block["type"] for block in free.history[3]["content"]]
    assert kinds == ["thinking", "tool_use"]


async def test_thoughts_are_sealed_or_left_out_on_demand() -> None:
    magic = "ANTHROPIC_MAGIC_STRING_TRIGGER_REDACTED_THINKING_46C9"
    client, body = await loop(question=f"Read a.md {magic}")
    assert content(body)[0]["type"] == "redacted_thinking"
    assert (await client.step()).status == 200
    content(body)[0]["data"] = content(body)[0]["data"][:-8]
    assert "Invalid `data` in `redacted_thinking`" in (judged(client, body).error or "")
    hidden = {"thinking": {**BUDGET, "display": "omitted"}}
    client, body = await loop(extra=hidden)
    assert content(body)[0]["thinking"] == ""
    assert len(content(body)[0]["signature"]) > 40
    assert (await client.step()).status == 200


async def test_tokens_are_counted_behind_the_same_checks() -> None:
    client, body = await loop()
    config = client.app.config
    target = "/v1/messages/count_tokens"
    data = json.dumps(body).encode()
    parts = [part async for part in exchange(client.app, "POST", target, (), data)]
    assert json.loads(parts[1])["input_tokens"] > 0  # type: ignore[arg-type]
    change_signature(body)
    verdict = judge(config, target, json.dumps(body).encode())
    assert verdict is not None
    assert verdict.rule == "ANT-1"


def adaptive(model: str) -> Json:
    return {"thinking": {"type": "adaptive"}, "model": model}


BOUND = (
    "messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound"
    " to a different conversation."
)


def system_changed(body: Json) -> None:
    body["system"] = "It is 10:02."


def tool_added(body: Json) -> None:
    body["tools"].append({"name": "more", "input_schema": {"type": "object"}})


def question_changed(body: Json) -> None:
    body["messages"][0]["content"] = "Read a.md, please"


def first_message_gone(body: Json) -> None:
    body["messages"].insert(0, {"role": "user", "content": "Hello"})
    body["messages"].insert(1, {"role": "assistant", "content": "Hello."})


def cache_marked(body: Json) -> None:
    text = body["messages"][0]["content"]
    mark = {"cache_control": {"type": "ephemeral"}}
    body["messages"][0]["content"] = [{"type": "text", "text": text, **mark}]


@pytest.mark.parametrize("model", ["claude-opus-5-5", "claude-fable-5-1"])
@pytest.mark.parametrize(
    ("change", "index"),
    [(system_changed, 1), (tool_added, 1), (question_changed, 1),
     (first_message_gone, 3)],
)  # fmt: skip
async def test_the_newest_bind_a_block_to_what_was_said_before_it(
    model: str, change: Spoil, index: int
) -> None:
    client, body = await loop(extra=adaptive(model))
    assert judged(client, body).status == 200
    change(body)
    verdict = judged(client, body)
    assert (verdict.status, verdict.rule) == (400, "ANT-6")
    assert verdict.pointer == f"/messages/{index}/content/0"
    assert BOUND.replace(".1.", f".{index}.") in (verdict.error or "")
    told = "The `system` prompt differs from the one this block was created with."
    assert (told in (verdict.error or "")) == (change is system_changed)
    said = await client.send(body)
    assert (said.status, said.error) == (400, verdict.body)


async def test_a_mark_of_the_cache_is_no_other_conversation() -> None:
    client, body = await loop(extra=adaptive("claude-opus-5-5"))
    cache_marked(body)
    assert judged(client, body).status == 200


@pytest.mark.parametrize("model", ["claude-sonnet-4-5", "claude-opus-4-8"])
async def test_older_models_bind_nothing_to_the_conversation(model: str) -> None:
    client, body = await loop(extra=adaptive(model))
    system_changed(body)
    assert judged(client, body).status == 200


async def test_the_first_thoughts_may_go_but_none_between_others() -> None:
    client, _ = await loop(
        question="Read a.md then read b.md", extra=adaptive("claude-opus-5-5")
    )
    await client.step()
    client.ask("Read c.md")
    await client.step()
    body = client.request()
    thoughts = [
        index
        for index, message in enumerate(body["messages"])
        if message["role"] == "assistant"
        and message["content"][0]["type"] == "thinking"
    ]
    assert len(thoughts) > 2
    first = copy.deepcopy(body)
    content(first, thoughts[0]).pop(0)
    assert judged(client, first).status == 200
    between = copy.deepcopy(body)
    content(between, thoughts[1]).pop(0)
    verdict = judged(client, between)
    assert (verdict.rule, verdict.pointer) == (
        "ANT-6",
        f"/messages/{thoughts[2]}/content/0",
    )


async def test_blocks_of_another_conversation_are_left_out_on_demand() -> None:
    client, body = await loop(extra=adaptive("claude-opus-5-5"))
    system_changed(body)
    body["thinking"]["block_binding"] = {"prefix_mismatch_behavior": "drop_block"}
    assert judged(client, body).rule == "ANT-6"
    config, data = client.app.config, json.dumps(body).encode()
    beta = (("anthropic-beta", "thinking-binding-controls-2026-08-01"),)
    verdict = judge(config, "/v1/messages", data, headers=beta)
    assert verdict is not None
    assert verdict.status == 200
    assert verdict.notes[0].startswith("/messages/1/content/0: left out")
    del body["stream"]
    data = json.dumps(body).encode()
    parts = [p async for p in exchange(client.app, "POST", "/v1/messages", beta, data)]
    assert json.loads(parts[1])["input_transformations"] == [  # type: ignore[arg-type]
        {
            "type": "thinking_dropped",
            "path": "messages.1.content.0",
            "reason": "prefix_binding_mismatch",
        }
    ]


async def test_bedrock_streams_in_binary_frames_and_has_its_own_errors() -> None:
    client, body = await loop()
    target = "/model/us.anthropic.claude-sonnet-4-5-v1%3A0/invoke-with-response-stream"
    body["anthropic_version"] = "bedrock-2023-05-31"
    del body["model"]

    async def ask() -> tuple[Any, bytes]:
        data = json.dumps(body).encode()
        parts = [p async for p in exchange(client.app, "POST", target, (), data)]
        return parts[0], b"".join(p for p in parts[1:] if isinstance(p, bytes))

    head, raw = await ask()
    events = frame(raw, "eventstream").events
    assert head.status == 200
    assert {event.name for event in events} == {"chunk"}
    assert not any(event.flags for event in events)
    change_signature(body)
    head, raw = await ask()
    assert (head.status, json.loads(raw)) == (400, {"message": SIGNATURE})


async def test_vertex_takes_the_model_from_the_path() -> None:
    client, body = await loop()
    path = "/v1/projects/p/locations/l/publishers/anthropic/models/claude-x:rawPredict"
    verdict = judge(client.app.config, path, json.dumps(body).encode())
    assert verdict is not None
    assert (verdict.model, verdict.streams) == ("claude-x", True)
    assert base64.b64decode(content(body)[0]["signature"])[0] == 0x12
