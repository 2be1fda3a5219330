"""Sessions of pi."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.importer import import_path

from sigscope.capture.base import Imported
from sigscope.capture.retelling import KEPT
from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.opener import open_file
from sigscope.errors import InputError

SIGNED = "Eg" + "x" * 38
MODELS = {
    "anthropic-messages": "claude-x",
    "bedrock-converse-stream": "claude-y",
    "openai-completions": "gemini-3-y",
    "google-vertex": "gemini-3-x",
    "openai-responses": "gpt-x",
}
ASKED = {"role": "user", "content": "hé"}
RESULT = {
    "role": "toolResult",
    "toolCallId": "call_1|fc_1",
    "toolName": "f",
    "content": [{"type": "text", "text": "done"}],
    "isError": False,
}
CALL = {"type": "toolCall", "id": "call_1|fc_1", "name": "f", "arguments": {"a": 1}}
SAID = {"type": "text", "text": "Good."}


def answer(*content: dict[str, Any], api: str = "anthropic-messages") -> dict[str, Any]:
    told = {"role": "assistant", "api": api, "provider": "p", "model": MODELS[api]}
    return told | {"content": list(content), "stopReason": "stop"}


def thought(**more: Any) -> dict[str, Any]:
    signed = {"type": "thinking", "thinking": "t", "thinkingSignature": SIGNED}
    return signed | more


def lines(*messages: dict[str, Any]) -> list[dict[str, Any]]:
    moment = "2026-02-03T04:05:06.000Z"
    kept = [{"type": "message", "timestamp": moment, "message": m} for m in messages]
    return [{"type": "session", "id": "s", "timestamp": moment, "cwd": "/x"}, *kept]


def imported(tmp_path: Path, found: list[dict[str, Any]]) -> Imported:
    path = tmp_path / "x.jsonl"
    path.write_text("\n".join(map(json.dumps, found)) + "\n")
    name, read = import_path(path)
    assert name == "pi"
    return read


def bodies(tmp_path: Path, *messages: dict[str, Any]) -> tuple[Any, Any]:
    (exchange,) = imported(tmp_path, lines(*messages)).exchanges
    assert exchange.request is not None
    assert exchange.response is not None
    assert exchange.started_at == "2026-02-03T04:05:06Z"
    sides = (exchange.request, exchange.response)
    asked, answered = (json.loads(side.body.raw) for side in sides)
    return asked, answered


def test_by_the_messages_api(tmp_path: Path) -> None:
    redacted = thought(thinking="", redacted=True)
    first = answer(thought(), redacted, CALL)
    asked, answered = bodies(tmp_path, ASKED, first, RESULT, answer(thought(), SAID))
    result = {"type": "tool_result", "tool_use_id": "call_1|fc_1", "is_error": False}
    signed = {"type": "thinking", "thinking": "t", "signature": SIGNED}
    assert asked["model"] == "claude-x"
    assert asked["messages"] == [
        {"role": "user", "content": [{"type": "text", "text": "hé"}]},
        {
            "role": "assistant",
            "content": [
                signed,
                {"type": "redacted_thinking", "data": SIGNED},
                {
                    "type": "tool_use",
                    "id": "call_1|fc_1",
                    "name": "f",
                    "input": {"a": 1},
                },
            ],
        },
        {
            "role": "user",
            "content": [result | {"content": [{"type": "text", "text": "done"}]}],
        },
    ]
    assert answered["content"] == [signed, SAID]


def test_by_gemini(tmp_path: Path) -> None:
    api = "google-vertex"
    first = answer(CALL | {"thoughtSignature": SIGNED}, api=api)
    last = answer(SAID | {"textSignature": SIGNED}, api=api)
    asked, answered = bodies(tmp_path, ASKED, first, RESULT, last)
    call = {"functionCall": {"name": "f", "args": {"a": 1}}, "thoughtSignature": SIGNED}
    told = {"functionResponse": {"name": "f", "response": {"output": "done"}}}
    assert asked == {
        "contents": [
            {"role": "user", "parts": [{"text": "hé"}]},
            {"role": "model", "parts": [call]},
            {"role": "user", "parts": [told]},
        ]
    }
    (candidate,) = answered["candidates"]
    part = {"text": "Good.", "thoughtSignature": SIGNED}
    assert candidate["content"] == {"role": "model", "parts": [part]}


def test_by_the_responses_api(tmp_path: Path) -> None:
    api = "openai-responses"
    item = {"id": "rs_1", "type": "reasoning", "summary": [], "encrypted_content": "g"}
    signed = thought(thinkingSignature=json.dumps(item))
    messages = (ASKED, answer(signed, CALL, api=api), RESULT, answer(SAID, api=api))
    asked, answered = bodies(tmp_path, *messages)
    call = {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "f"}
    output = {"type": "function_call_output", "call_id": "call_1", "output": "done"}
    said = [{"type": "output_text", "text": "Good."}]
    assert asked["input"] == [
        {"role": "user", "content": [{"type": "input_text", "text": "hé"}]},
        item,
        call | {"arguments": '{"a": 1}'},
        output,
    ]
    assert answered["output"] == [
        {"type": "message", "role": "assistant", "content": said}
    ]


def test_by_chat_completions(tmp_path: Path) -> None:
    api = "openai-completions"
    entry = {"type": "reasoning.encrypted", "id": "call_1|fc_1", "data": SIGNED}
    call = CALL | {"thoughtSignature": json.dumps(entry)}
    first = answer(thought(thinkingSignature="reasoning"), call, api=api)
    asked, answered = bodies(tmp_path, ASKED, first, RESULT, answer(SAID, api=api))
    function = {"name": "f", "arguments": '{"a": 1}'}
    assert asked["messages"] == [
        {"role": "user", "content": [{"type": "text", "text": "hé"}]},
        {
            "role": "assistant",
            "content": None,
            "reasoning": "t",
            "tool_calls": [
                {"id": "call_1|fc_1", "type": "function", "function": function}
            ],
            "reasoning_details": [entry],
        },
        {"role": "tool", "tool_call_id": "call_1|fc_1", "content": "done"},
    ]
    (choice,) = answered["choices"]
    assert choice["message"] == {"role": "assistant", "content": "Good."}
    document = Document(open_file(tmp_path / "x.jsonl"))
    assert [each.value for each in document.ledger.signatures] == [SIGNED]


def test_by_converse(tmp_path: Path) -> None:
    api = "bedrock-converse-stream"
    first = answer(thought(), CALL, api=api)
    last = answer(thought(thinkingSignature="Eh" + SIGNED), SAID, api=api)
    asked, answered = bodies(tmp_path, ASKED, first, RESULT, last)
    signed = {"reasoningContent": {"reasoningText": {"text": "t", "signature": SIGNED}}}
    called = {"toolUseId": "call_1|fc_1", "name": "f", "input": {"a": 1}}
    result = {"toolUseId": "call_1|fc_1", "content": [{"text": "done"}]}
    assert asked["messages"][1]["content"] == [signed, {"toolUse": called}]
    assert asked["messages"][2]["content"] == [
        {"toolResult": result | {"status": "success"}}
    ]
    assert answered["output"]["message"]["content"][1] == {"text": "Good."}
    document = Document(open_file(tmp_path / "x.jsonl"))
    assert {each.value for each in document.opaque_fields} == {SIGNED, "Eh" + SIGNED}
    assert document.unjudged


def test_what_pi_prints_is_read_by_its_whole_messages(tmp_path: Path) -> None:
    told = [ASKED, answer(thought(), CALL), RESULT, answer(SAID)]
    found: list[dict[str, Any]] = [{"type": "agent_start"}, {"type": "turn_start"}]
    for message in told:
        found.append({"type": "message_start", "message": message | {"content": []}})
        event = {"type": "text_delta", "delta": "x", "partial": message}
        found.append({"type": "message_update", "assistantMessageEvent": event})
        found.append({"type": "message_end", "message": message})
    found.append({"type": "agent_end", "messages": told})
    (exchange,) = imported(tmp_path, found).exchanges
    assert exchange.request is not None
    sent = json.loads(exchange.request.body.raw)["messages"]
    assert [each["role"] for each in sent] == ["user", "assistant", "user"]
    assert sent[1]["content"][0]["signature"] == SIGNED


@pytest.mark.parametrize("api", MODELS)
def test_no_finding_in_a_sound_session(tmp_path: Path, api: str) -> None:
    item = {
        "id": "rs_1",
        "type": "reasoning",
        "summary": [],
        "encrypted_content": SIGNED,
    }
    is_item = api == "openai-responses"
    signed = thought(thinkingSignature=json.dumps(item) if is_item else SIGNED)
    call = CALL | ({"thoughtSignature": SIGNED} if api == "google-vertex" else {})
    imported(tmp_path, lines(ASKED, answer(signed, call, api=api), RESULT, ASKED))
    document = Document(open_file(tmp_path / "x.jsonl"))
    found = (*document.ledger.signatures, *document.opaque_fields)
    assert {each.value for each in found} <= {SIGNED}
    assert found or api == "openai-completions"
    assert not [f for f in document.findings if f.severity.value == "error"]


def test_another_models_thoughts_come_as_text(tmp_path: Path) -> None:
    foreign = answer(thought(), thought(redacted=True), api="anthropic-messages")
    last = answer(SAID, api="google-vertex")
    (exchange,) = imported(tmp_path, lines(ASKED, foreign, ASKED, last)).exchanges
    assert exchange.request is not None
    contents = json.loads(exchange.request.body.raw)["contents"]
    assert contents[1] == {"role": "model", "parts": [{"text": "t"}]}
    assert exchange.remarks[0] == KEPT.format("pi", "pi")
    assert "2 signed blocks of other models" in exchange.remarks[1]


def test_broken_answers_and_lone_calls_are_not_sent(tmp_path: Path) -> None:
    aborted = answer(thought()) | {"stopReason": "aborted"}
    messages = (ASKED, aborted, answer(CALL), ASKED, answer(SAID))
    read = imported(tmp_path, lines(*messages))
    (exchange,) = read.exchanges
    assert "1 answers that broke off" in read.problems[0].message
    assert exchange.request is not None
    sent = json.loads(exchange.request.body.raw)["messages"]
    assert [each["role"] for each in sent] == ["user", "user"]
    assert "1 calls without their result" in exchange.remarks[1]


def test_a_compaction_begins_another_conversation(tmp_path: Path) -> None:
    found = lines(ASKED, answer(SAID), ASKED, answer(thought(), SAID))
    found.insert(3, {"type": "compaction", "summary": "s"})
    assert len(imported(tmp_path, found).exchanges) == 2


def test_the_branch_of_the_last_line_counts(tmp_path: Path) -> None:
    found = lines(ASKED, answer(SAID), answer(thought(), SAID))
    for line, name, parent in zip(found[1:], "abc", (None, "a", "a"), strict=True):
        line |= {"id": name, "parentId": parent}
    read = imported(tmp_path, found)
    (exchange,) = read.exchanges
    assert exchange.response is not None
    assert SIGNED.encode() in exchange.response.body.raw
    assert "1 messages of other branches" in read.problems[0].message


def test_an_api_of_unknown_form_is_told(tmp_path: Path) -> None:
    other = answer(thought()) | {"api": "cursor-agent"}
    with pytest.raises(InputError, match="'cursor-agent', whose form"):
        imported(tmp_path, lines(ASKED, other))


def test_kinds_that_are_no_text_are_passed_over(tmp_path: Path) -> None:
    found = lines(ASKED, answer(SAID), answer(SAID) | {"stopReason": ["error"]})
    found[1:1] = [{"type": ["agent_start"]}, {"type": {}, "message": ASKED}]
    (exchange,) = imported(tmp_path, found).exchanges
    assert exchange.response is not None
