"""OpenRouter: the ORT rules, their wrapping, and each vendor behind it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from sim_client import Client, begun, judged

from sigscope.upstreams.simulator import SimConfig, Standing, judge

GEMINI = "google/gemini-3-pro-preview"
CLAUDE = "anthropic/claude-sonnet-4.5"
OPENAI = "openai/gpt-5.2"
XAI = "x-ai/grok-4.1-fast"


async def asked(
    model: str = GEMINI, question: str = "Read a.md", **settings: Any
) -> tuple[Client, Any]:
    return await begun("openrouter", question, model=model, **settings)


def details(body: Any, index: int = 1) -> list[Any]:
    entries: list[Any] = body["messages"][index]["reasoning_details"]
    return entries


def sealed(body: Any, index: int = 1) -> Any:
    return next(e for e in details(body, index) if e["type"] == "reasoning.encrypted")


@pytest.mark.parametrize(
    ("surface", "provider", "inner"),
    [
        (
            "vertex",
            "Google",
            "Unable to submit request because function call `default_api:read_file` in "
            "the 2. content block is missing a `thought_signature`. Learn more: "
            "https://docs.cloud.google.com/vertex-ai/generative-ai/docs/"
            "thought-signatures",
        ),
        (
            "ai-studio",
            "Google AI Studio",
            "Function call is missing a thought_signature in functionCall parts. This "
            "is required for tools to work correctly, and missing thought_signature "
            "may lead to degraded model performance. Additional data, function call "
            "`default_api:read_file` , position 2. Please refer to https://ai.google."
            "dev/gemini-api/docs/thought-signatures for more details.",
        ),
    ],
)
async def test_ort_1_is_wrapped_as_the_issues_show_it(
    surface: str, provider: str, inner: str
) -> None:
    client, body = await asked(config=SimConfig(surface=surface))  # type: ignore[arg-type]
    del body["messages"][1]["reasoning_details"]
    verdict = judged(client, body)
    assert (verdict.status, verdict.rule, verdict.error) == (400, "ORT-1", inner)
    error = verdict.body["error"]
    assert (error["message"], error["code"]) == ("Provider returned error", 400)
    assert error["metadata"]["provider_name"] == provider
    raw = error["metadata"]["raw"]
    assert raw.startswith(
        "Gemini models require OpenRouter reasoning details to be preserved in each "
        "request. Please refer to our docs: https://openrouter.ai/docs/guides/"
        "best-practices/reasoning-tokens#preserving-reasoning-blocks. Upstream error: "
        '{\n  "error": {\n    "code": 400,\n    "message": '
    )
    upstream = json.loads(raw.split("Upstream error: ")[1])
    assert upstream["error"]["message"] == inner
    assert raw.endswith("\n")


@pytest.mark.parametrize("question", ["Read a.md", "Read both a.md and b.md at once"])
async def test_echoed_details_are_accepted(question: str) -> None:
    client, body = await asked(question=question)
    verdict = judged(client, body)
    assert verdict.status == 200
    assert [s.standing for s in verdict.signatures] == [Standing.GENUINE]
    assert verdict.signatures[0].pointer == "/messages/1/reasoning_details/1/data"


Change = Callable[[Any, Any], None]


def _attempt(place: str, name: str) -> Change:
    def change(body: Any, value: Any) -> None:
        call = body["messages"][1]["tool_calls"][0]
        (call if place == "call" else call["function"])[name] = value

    return change


def _null(body: Any, value: Any) -> None:
    body["messages"][1]["reasoning_details"] = None


def _empty(body: Any, value: Any) -> None:
    body["messages"][1]["reasoning_details"] = []


def _text_only(body: Any, value: Any) -> None:
    body["messages"][1]["reasoning"] = "I should read it."


def _on_tool(body: Any, value: Any) -> None:
    entry = {"type": "reasoning.encrypted", "data": value, "index": 0}
    body["messages"][2]["reasoning_details"] = [entry]


def _seed_example(body: Any, value: Any) -> None:
    entry = {
        "type": "reasoning.text",
        "text": "Let me think.",
        "signature": value,
        "id": "reasoning-text-1",
        "format": "anthropic-claude-v1",
        "index": 0,
    }
    body["messages"][1]["reasoning_details"] = [entry]


def _other_id(body: Any, value: Any) -> None:
    body["messages"][1]["reasoning_details"] = [
        {
            "type": "reasoning.encrypted",
            "data": value,
            "format": "google-gemini-v1",
            "id": "call_other",
            "index": 0,
        }
    ]


@pytest.mark.parametrize(
    "attempt",
    [
        _attempt("call", "thought_signature"),
        _attempt("function", "thought_signature"),
        _attempt("call", "thoughtSignature"),
        _attempt("function", "thoughtSignature"),
        _null,
        _empty,
        _text_only,
        _on_tool,
        _seed_example,
        _other_id,
    ],
)
async def test_every_wrong_placement_ends_in_ort_1(attempt: Change) -> None:
    client, body = await asked()
    value = sealed(body)["data"]
    del body["messages"][1]["reasoning_details"]
    attempt(body, value)
    verdict = judged(client, body)
    assert verdict.rule == "ORT-1"
    assert not any(s.read for s in verdict.signatures)


async def test_the_summary_may_be_dropped_as_long_as_the_sealed_entry_stays() -> None:
    client, body = await asked()
    body["messages"][1]["reasoning_details"] = [sealed(body)]
    body["messages"][1]["content"] = None
    assert judged(client, body).status == 200


async def test_the_bypass_entry_is_accepted() -> None:
    client, body = await asked()
    sealed(body)["data"] = "skip_thought_signature_validator"
    verdict = judged(client, body)
    assert verdict.status == 200
    assert verdict.signatures[0].standing is Standing.BYPASS


@pytest.mark.parametrize(
    ("change", "path", "text"),
    [
        (
            lambda e: e.pop("data"),
            ["messages", 1, "reasoning_details", 1, "data"],
            "Invalid input: expected string, received undefined",
        ),
        (
            lambda e: e.update(data=None),
            ["messages", 1, "reasoning_details", 1, "data"],
            "Invalid input: expected string, received null",
        ),
        (
            lambda e: e.update(type="reasoning.textreasoning.encrypted"),
            ["messages", 1, "reasoning_details", 1, "type"],
            "received reasoning.textreasoning.encrypted",
        ),
        (
            lambda e: e.update(format="google-gemini-v1google-gemini-v1"),
            ["messages", 1, "reasoning_details", 1, "format"],
            "received google-gemini-v1google-gemini-v1",
        ),
    ],
)
async def test_ort_2_entries_have_to_fit_the_schema(
    change: Callable[[Any], Any], path: list[Any], text: str
) -> None:
    client, body = await asked()
    change(sealed(body))
    verdict = judged(client, body)
    assert (verdict.status, verdict.rule) == (400, "ORT-2")
    assert text in str(verdict.error)
    assert "metadata" not in verdict.body["error"]
    (issue,) = json.loads(verdict.body["error"]["message"])
    assert issue["path"] == path
    assert verdict.pointer == "/" + "/".join(map(str, path))


async def test_ort_3_an_entry_sent_twice_is_a_duplicate_item_for_openai() -> None:
    client, body = await asked(OPENAI)
    assert judged(client, body).status == 200
    entry = sealed(body)
    details(body).append(entry)
    verdict = judged(client, body)
    assert verdict.rule == "ORT-3"
    assert f"Duplicate item found with id {entry['id']}" in str(verdict.error)
    assert verdict.body["error"]["metadata"]["provider_name"] == "OpenAI"


async def test_ort_3_does_not_trouble_gemini() -> None:
    client, body = await asked()
    details(body).append(dict(sealed(body)))
    assert judged(client, body).status == 200


async def test_ort_4_an_item_id_without_its_content_is_looked_up_in_vain() -> None:
    client, body = await asked(OPENAI)
    item = sealed(body)["id"]
    summary = {**details(body)[0], "id": item}
    body["messages"][1]["reasoning_details"] = [summary]
    verdict = judged(client, body)
    assert (verdict.status, verdict.rule) == (404, "ORT-4")
    assert f"Item with id '{item}' not found." in str(verdict.error)
    del summary["id"]
    assert judged(client, body).status == 200


@pytest.mark.parametrize(
    "change",
    [
        lambda entries: entries[0].update(text=entries[0]["text"] + "!"),
        lambda entries: entries[0].update(text="..."),
        lambda entries: entries[0].pop("signature"),
        lambda entries: entries.insert(0, {**entries[0], "signature": ""}),
    ],
)
async def test_ort_5_claude_s_text_and_signature_belong_together(
    change: Callable[[Any], Any],
) -> None:
    client, body = await asked(CLAUDE)
    assert judged(client, body).status == 200
    change(details(body))
    verdict = judged(client, body)
    assert verdict.rule == "ORT-5"
    assert verdict.error == (
        "messages.1.content.0: Invalid `signature` in `thinking` block"
    )
    raw = json.loads(verdict.body["error"]["metadata"]["raw"])
    assert raw["error"]["type"] == "invalid_request_error"


async def test_ort_6_routing_to_the_other_surface_breaks_the_signature() -> None:
    client, body = await asked()
    body["provider"] = {"only": ["google-ai-studio"]}
    verdict = judged(client, body)
    assert (verdict.rule, verdict.error) == ("ORT-6", "Corrupted thought signature.")
    assert verdict.body["error"]["metadata"]["provider_name"] == "Google AI Studio"
    raw = verdict.body["error"]["metadata"]["raw"]
    assert json.loads(raw)["error"]["status"] == "INVALID_ARGUMENT"
    body["provider"] = {"order": ["google-vertex", "google-ai-studio"]}
    assert judged(client, body).status == 200


@pytest.mark.parametrize("model", [OPENAI, XAI, CLAUDE, "minimax/minimax-m2.5"])
async def test_ort_7_other_vendors_do_without(model: str) -> None:
    client, body = await asked(model)
    body["messages"][1].pop("reasoning_details", None)
    assert judged(client, body).status == 200


@pytest.mark.parametrize(
    ("model", "rule", "text"),
    [
        (OPENAI, "RSP-3", "could not be verified. Reason: Encrypted content could not"),
        (XAI, "XAI-1", "Could not decrypt the provided encrypted_content."),
        (GEMINI, "GEM-5", "Thought signature is not valid.."),
    ],
)
async def test_an_altered_sealed_entry_is_each_vendor_s_own_error(
    model: str, rule: str, text: str
) -> None:
    client, body = await asked(model)
    assert judged(client, body).status == 200
    entry = sealed(body)
    value = entry["data"]
    entry["data"] = value[:90] + ("A" if value[90] != "A" else "B") + value[91:]
    verdict = judged(client, body)
    assert verdict.rule == rule
    assert text in str(verdict.error)
    assert verdict.pointer.endswith("/data")


async def test_ort_8_an_upstream_failure_may_come_in_a_stream_of_200() -> None:
    client, _ = await asked(config=SimConfig(missing="finish"))
    client.spoil = lambda body: body["messages"][1].pop("reasoning_details")
    said = await client.step()
    assert (said.status, said.finish) == (200, "error")
    last = said.events[-1]["choices"][0]
    assert last["native_finish_reason"] == "MISSING_THOUGHT_SIGNATURE"


@pytest.mark.parametrize(("enforce", "status"), [("strict", 400), ("lenient", 200)])
async def test_an_entry_without_a_format_is_taken_for_claude_s(
    enforce: str, status: int
) -> None:
    client, body = await asked()
    sealed(body)["format"] = None
    assert judged(client, body, enforce=enforce).status == status


async def test_content_as_a_list_and_unknown_fields_are_no_trouble() -> None:
    client, body = await asked()
    body["messages"][1]["content"] = []
    body["messages"][1]["tool_calls"][0]["function"]["x"] = 1
    assert judged(client, body).status == 200


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (b"{", "Invalid JSON"),
        (b"{}", 'Input required: specify "prompt" or "messages"'),
        (b'{"messages": 3}', "Input required"),
        (b'{"messages": [3]}', "expected object, received number"),
    ],
)
def test_broken_bodies_get_openrouter_s_own_400(body: bytes, text: str) -> None:
    verdict = judge(SimConfig(), "/api/v1/chat/completions", body)
    assert verdict is not None
    assert verdict.body["error"]["code"] == 400
    assert text in json.dumps(verdict.body)[:400].replace('\\"', '"')


async def test_zed_s_first_try_and_its_fix_as_seed_000_tells_them() -> None:
    """Captured, never emitted, hence null; then emitted. The three options of the
    seed differ inside the client only: the wire is the same."""
    client, body = await asked()
    kept = details(body)
    body["messages"][1]["reasoning_details"] = None
    assert judged(client, body).rule == "ORT-1"
    body["messages"][1]["reasoning_details"] = kept
    assert judged(client, body).status == 200
