"""Copilot chat completions: the CPC rules, and the seeds' attempts one by one."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from sim_client import Client, begun, clock, judged

from sigscope.upstreams.simulator import SimConfig, Standing, create_app, judge

MISSING = (
    "Unable to submit request because function call `default_api:read_file` in the "
    "{n}. content block is missing a `thought_signature`. Learn more: https://docs."
    "cloud.google.com/vertex-ai/generative-ai/docs/thought-signatures"
)
INVALID = {"error": {"message": "invalid request body", "code": "invalid_request_body"}}


async def asked(question: str = "Read a.md", **settings: Any) -> tuple[Client, Any]:
    return await begun("copilot-chat", question, **settings)


def without(body: Any, index: int = 1) -> str:
    """Take the envelope off a message; returns it."""
    return str(body["messages"][index].pop("reasoning_opaque"))


async def test_cpc_1_comes_in_vertex_s_words_with_copilot_s_code() -> None:
    client, body = await asked()
    without(body)
    verdict = judged(client, body)
    assert (verdict.status, verdict.rule) == (400, "CPC-1")
    assert verdict.error == MISSING.format(n=2)
    assert verdict.body == {
        "error": {"message": verdict.error, "code": "invalid_request_body"}
    }
    assert verdict.pointer == "/messages/1/tool_calls/0"


async def test_cpc_1_is_not_enforced_everywhere() -> None:
    client, body = await asked()
    without(body)
    assert judged(client, body, enforce="lenient").status == 200


async def test_cpc_1_does_not_count_the_system_message() -> None:
    client, body = await asked()
    body["messages"].insert(0, {"role": "system", "content": "Be brief."})
    without(body, 2)
    assert judged(client, body).error == MISSING.format(n=2)


async def test_cpc_1_asks_only_for_the_current_turn() -> None:
    client, _ = await asked()
    await client.step()
    client.ask("Read b.md")
    await client.step()
    body = client.request()
    for index in (1, 3):
        without(body, index)
    assert judged(client, body).status == 200
    without(body, 5)
    assert judged(client, body).error == MISSING.format(n=6)


async def test_cpc_1_needs_every_round_of_the_current_turn() -> None:
    client, _ = await asked("Read a.md, then read b.md")
    await client.step()
    body = client.request()
    assert judged(client, body).status == 200
    without(body, 1)
    assert judged(client, body).error == MISSING.format(n=2)


async def test_cpc_1_gemini_2_5_does_not_insist() -> None:
    client, body = await asked(model="gemini-2.5-pro")
    without(body)
    assert judged(client, body).status == 200


async def test_the_text_may_be_left_out_beside_the_envelope() -> None:
    client, body = await asked()
    del body["messages"][1]["reasoning_text"]
    assert judged(client, body).status == 200


@pytest.mark.parametrize("carrier", ["cot_id", "signature"])
async def test_the_other_flavours_carry_the_envelope_too(carrier: str) -> None:
    client, body = await asked()
    body["messages"][1][carrier] = without(body)
    assert judged(client, body).status == 200


Change = Callable[[dict[str, Any], str], None]


def attempt_1(message: dict[str, Any], value: str) -> None:
    message["tool_calls"][0]["thought_signature"] = value


def attempt_2(message: dict[str, Any], value: str) -> None:
    message["tool_calls"][0]["function"]["thought_signature"] = value


def attempt_3_call(message: dict[str, Any], value: str) -> None:
    message["tool_calls"][0]["thoughtSignature"] = value


def attempt_3_function(message: dict[str, Any], value: str) -> None:
    message["tool_calls"][0]["function"]["thoughtSignature"] = value


def content_list(message: dict[str, Any], value: str) -> None:
    message["reasoning_opaque"] = value
    message["content"] = []


@pytest.mark.parametrize(
    ("attempt", "pointer"),
    [
        (attempt_1, "/messages/1/tool_calls/0/thought_signature"),
        (attempt_2, "/messages/1/tool_calls/0/function/thought_signature"),
        (attempt_3_call, "/messages/1/tool_calls/0/thoughtSignature"),
        (attempt_3_function, "/messages/1/tool_calls/0/function/thoughtSignature"),
        (content_list, "/messages/1/content"),
    ],
)
async def test_the_seeds_attempts_end_in_invalid_request_body(
    attempt: Change, pointer: str
) -> None:
    client, body = await asked()
    attempt(body["messages"][1], without(body))
    verdict = judged(client, body)
    assert (verdict.status, verdict.rule, verdict.body) == (400, "CPC-2", INVALID)
    assert verdict.pointer == pointer


async def test_copies_beside_the_envelope_are_let_through() -> None:
    """opencode 1.18.33 sends them with each call and its result."""
    client, body = await asked()
    _, said, result = body["messages"][:3]
    copy = said["reasoning_opaque"]
    said["tool_calls"][0]["reasoningOpaque"] = copy
    result["reasoningOpaque"] = copy
    assert judged(client, body).status == 200


@pytest.mark.parametrize(("attempt", "status"), [(attempt_2, 200), (content_list, 400)])
async def test_only_the_empty_list_is_beyond_dispute(
    attempt: Change, status: int
) -> None:
    client, body = await asked()
    attempt(body["messages"][1], without(body))
    assert judged(client, body, enforce="lenient").status == status


@pytest.mark.parametrize("content", [None, "", "I will read it."])
async def test_the_final_fix_is_accepted_with_any_content_but_a_list(
    content: str | None,
) -> None:
    client, body = await asked()
    body["messages"][1]["content"] = content
    verdict = judged(client, body)
    assert verdict.status == 200
    assert verdict.signatures[0].standing is Standing.GENUINE


async def test_leaving_content_out_is_accepted() -> None:
    client, body = await asked()
    del body["messages"][1]["content"]
    assert judged(client, body).status == 200


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        (lambda b: b.update(messages=[]), "/messages"),
        (lambda b: b.update(messages="hi"), "/messages"),
        (lambda b: b["messages"].append(7), "/messages/3"),
        (lambda b: b["messages"][0].pop("role"), "/messages/0"),
        (lambda b: b["messages"][0].update(content=5), "/messages/0/content"),
        (lambda b: b["messages"][0].update(content=[{}]), "/messages/0/content/0"),
        (lambda b: b["messages"][0].update(content=None), "/messages/0/content"),
        (lambda b: b["messages"][1].update(tool_calls={}), "/messages/1/tool_calls"),
        (
            lambda b: b["messages"][1]["tool_calls"][0]["function"].update(
                arguments={}
            ),
            "/messages/1/tool_calls/0/function",
        ),
        (
            lambda b: b["messages"][1].update(reasoning_opaque=["x"]),
            "/messages/1/reasoning_opaque",
        ),
    ],
)
async def test_cpc_2_wrong_types_are_refused_at_their_node(
    change: Callable[[Any], Any], pointer: str
) -> None:
    client, body = await asked()
    change(body)
    verdict = judged(client, body)
    assert (verdict.rule, verdict.body) == ("CPC-2", INVALID)
    assert verdict.pointer == pointer


async def test_cpc_2_the_index_of_a_streamed_call_may_be_echoed() -> None:
    client, body = await asked()
    body["messages"][1]["tool_calls"][0]["index"] = 0
    assert judged(client, body).status == 200


@pytest.mark.parametrize("body", [b"{", b"", b"\xff", b"[]", b'"x"', b"[" * 99_999])
def test_cpc_2_broken_json_is_refused_in_the_same_words(body: bytes) -> None:
    verdict = judge(SimConfig(), "/chat/completions", body)
    assert verdict is not None
    assert (verdict.status, verdict.body) == (400, INVALID)


async def test_cpc_3_names_the_argument_where_it_is_told_to_refuse_it() -> None:
    client, body = await asked()
    body["reasoning_effort"] = "high"
    assert judged(client, body).status == 200
    verdict = judged(client, body, refused_arguments=("reasoning_effort",))
    assert verdict.rule == "CPC-3"
    assert verdict.error == ("Unrecognized request argument supplied: reasoning_effort")


async def test_cpc_4_gemini_has_no_responses_api() -> None:
    _, body = await asked()
    verdict = judge(SimConfig(), "/responses", json.dumps(body).encode())
    assert verdict is not None
    assert verdict.status == 400
    assert verdict.body == {
        "error": {
            "message": "model gemini-3-pro-preview is not supported via Responses API.",
            "code": "unsupported_api_for_model",
        }
    }


@pytest.mark.parametrize("model", ["gpt-5.3-codex", "gpt-5.4", "gpt-5.4-mini"])
async def test_cpc_4_some_have_no_chat_completions(model: str) -> None:
    client, body = await asked()
    body["model"] = model
    verdict = judged(client, body)
    assert (verdict.rule, verdict.error) == (
        "CPC-4",
        f'model "{model}" is not accessible via the /chat/completions endpoint',
    )


@pytest.mark.parametrize("model", ["gpt-5.2", "gpt-4o", "gpt-5-mini"])
async def test_others_have_them(model: str) -> None:
    client, body = await asked()
    body["model"] = model
    assert judged(client, body).status == 200


async def test_cpc_5_claude_s_blob_is_verified() -> None:
    client, body = await asked(model="claude-sonnet-4.5")
    assert judged(client, body).status == 200
    body["messages"][1]["reasoning_opaque"] = "reasoning_opaque"
    verdict = judged(client, body)
    assert verdict.rule == "CPC-5"
    assert verdict.body == {
        "error": {
            "message": "messages.1.content.0: Invalid signature in thinking block",
            "code": "invalid_request_body",
        }
    }


async def test_cpc_5_another_account_s_blob_is_refused() -> None:
    client, body = await asked(model="claude-sonnet-4.5")
    verdict = judged(client, body, account="account-2")
    assert verdict.rule == "CPC-5"
    assert verdict.signatures[0].standing is Standing.FOREIGN


async def test_cpc_5_claude_may_go_without() -> None:
    client, body = await asked(model="claude-sonnet-4.5")
    without(body)
    assert judged(client, body).status == 200


@pytest.mark.parametrize("drop", [1, 2])
async def test_cpc_6_orphans_of_either_kind_are_refused(drop: int) -> None:
    client, body = await asked()
    body["messages"].append({"role": "user", "content": "Go on."})
    assert judged(client, body).status == 200
    del body["messages"][drop]
    for enforce in ("strict", "lenient"):
        verdict = judged(client, body, enforce=enforce)
        assert (verdict.status, verdict.rule) == (400, "CPC-6")
    assert "Please ensure that" in str(verdict.error)


async def test_cpc_7_the_answer_s_envelope_may_be_dropped() -> None:
    client, _ = await asked()
    await client.step()
    client.ask("Thanks!")
    body = client.request()
    assert without(body, 3)
    assert judged(client, body).status == 200


async def test_cpc_8_one_envelope_comes_per_response() -> None:
    client, _ = await asked("Read both a.md and b.md at the same time")
    said = await client.step()
    carrying = [
        event
        for event in said.events
        if "reasoning_opaque" in event["choices"][0]["delta"]
    ]
    assert len(carrying) == 1
    assert carrying[0] is said.events[-1]


async def test_cpc_9_a_missing_signature_may_end_as_an_error_in_200() -> None:
    client, _ = await asked(config=SimConfig(missing="finish"))
    client.spoil = lambda body: body["messages"][1].pop("reasoning_opaque")
    said = await client.step()
    assert (said.status, said.finish, said.text) == (200, "error", "")


@pytest.mark.parametrize(
    ("change", "standing"),
    [
        (lambda v: v[:90] + ("A" if v[90] != "A" else "B") + v[91:], Standing.ALTERED),
        (lambda v: v[:400], Standing.CUT),
        (lambda v: v + "...", Standing.NOT_BASE64),
        (lambda v: "skip_thought_signature_validator", Standing.BYPASS),
    ],
)
async def test_an_envelope_that_does_not_open_is_a_bad_body(
    change: Callable[[str], str], standing: Standing
) -> None:
    client, body = await asked()
    body["messages"][1]["reasoning_opaque"] = change(without(body))
    verdict = judged(client, body)
    assert (verdict.status, verdict.body) == (400, INVALID)
    assert verdict.signatures[0].standing in (standing, Standing.CUT)
    assert judged(client, body, enforce="lenient").status == 200


async def test_an_envelope_on_another_message_s_call_is_not_valid() -> None:
    client, _ = await asked("Read a.md, then read b.md")
    await client.step()
    body = client.request()
    body["messages"][3]["reasoning_opaque"] = body["messages"][1]["reasoning_opaque"]
    verdict = judged(client, body)
    assert "Thought signature is not valid" in str(verdict.error)
    assert verdict.signatures[1].standing is Standing.MISPLACED


async def test_split_messages_leave_the_call_unsigned_until_they_are_merged() -> None:
    client, body = await asked()
    message = body["messages"][1]
    calls = {"role": "assistant", "content": None, "tool_calls": message["tool_calls"]}
    text = {**message, "content": "I will read it."}
    del text["tool_calls"]
    body["messages"][1:2] = [text, calls]
    verdict = judged(client, body)
    assert (verdict.rule, verdict.error) == ("CPC-1", MISSING.format(n=3))
    body["messages"][1:3] = [{**text, "tool_calls": message["tool_calls"]}]
    assert judged(client, body).status == 200


async def test_signatures_in_unread_places_are_judged_all_the_same() -> None:
    client, body = await asked()
    body["messages"][1]["thought_signature"] = without(body)
    verdict = judged(client, body)
    assert verdict.rule == "CPC-1"
    (only,) = verdict.signatures
    assert (only.read, only.standing) == (False, Standing.GENUINE)
    assert only.pointer == "/messages/1/thought_signature"


async def test_a_signature_in_a_call_id_is_found_too() -> None:
    client, body = await asked()
    value = without(body)
    suffixed = body["messages"][1]["tool_calls"][0]["id"] + f"__thought__{value}"
    body["messages"][1]["tool_calls"][0]["id"] = suffixed
    body["messages"][2]["tool_call_id"] = suffixed
    found = {s.pointer: s.standing for s in judged(client, body).signatures}
    assert found == {
        "/messages/1/tool_calls/0/id": Standing.GENUINE,
        "/messages/2/tool_call_id": Standing.GENUINE,
    }


async def test_the_gateway_s_upstream_request_is_shown() -> None:
    client, body = await asked()
    upstream = judged(client, body).upstream["contents"]
    assert [content["role"] for content in upstream] == ["user", "model", "user"]
    call = upstream[1]["parts"][0]
    assert call["thoughtSignature"] == "(opened from /messages/1/reasoning_opaque)"


async def test_the_envelope_is_as_long_as_the_recorded_ones() -> None:
    _, body = await asked()
    assert 1400 < len(without(body)) < 1500


async def test_seed_002_s_conversation_runs_to_its_end() -> None:
    """Query with one call, answer, title on the side, thanks: VS Code's four
    requests, with its habit of sending only the newest envelope."""
    app = create_app(SimConfig(), clock=clock)

    def only_the_newest(body: Any) -> None:
        turn = [m["role"] for m in body["messages"]]
        last_user = len(turn) - turn[::-1].index("user") - 1
        for message in body["messages"][:last_user]:
            message.pop("reasoning_opaque", None)
            message.pop("reasoning_text", None)

    client = Client(app, "copilot-chat", spoil=only_the_newest)
    said = await client.turn(
        "Read the README (only make ONE tool call) and tell me what the next item on "
        "roadmap is"
    )
    assert said.text == "According to `README.md`: Python API."
    side = Client(app, "copilot-chat", tools=False)
    side.history = [
        {"role": "system", "content": "You craft pithy titles for conversations."},
        {
            "role": "user",
            "content": "Please write a brief title for: next roadmap item",
        },
    ]
    titled = await side.step()
    assert titled.text == "Next Roadmap Item"
    assert not titled.thoughts
    thanked = await client.turn("Thanks!")
    assert thanked.status == 200
    assert "!" in thanked.text
    assert thanked.message["reasoning_opaque"]
    assert [m["role"] for m in client.history] == [
        "user",
        "assistant",
        "tool",
        "assistant",
        "user",
        "assistant",
    ]
    assert [entry["status"] for entry in app.log()["requests"]] == [200] * 4
