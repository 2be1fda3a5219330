"""What agents keep in forms of their own: its signatures are listed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.importer import import_path

from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.opener import open_file
from sigscope.errors import InputError

SIGNED = "Eg" + "x" * 38
SEALED = "gA" + "y" * 38
HI = {"type": "text", "text": "hi"}

GOOSE = [
    {"working_dir": "/x", "description": "d", "message_count": 2},
    {"role": "user", "created": 1, "content": [HI]},
    {
        "role": "assistant",
        "created": 2,
        "content": [
            {"type": "thinking", "thinking": "t", "signature": SIGNED},
            {
                "type": "toolRequest",
                "id": "c",
                "toolCall": {"status": "success", "value": {"name": "f"}},
                "metadata": {"thoughtSignature": SEALED},
            },
        ],
    },
]
COPILOT = [
    {"type": "session.start", "data": {"sessionId": "s"}},
    {
        "type": "assistant.message",
        "data": {"reasoningOpaque": SIGNED, "encryptedContent": SEALED},
    },
]
DROID = [
    {"type": "session_start", "id": "s"},
    {"type": "message", "id": "m", "message": {"role": "user", "content": [HI]}},
    {
        "type": "message",
        "id": "n",
        "message": {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "t", "signature": SIGNED},
                {"type": "redacted_thinking", "data": SEALED},
            ],
        },
    },
]
OPENCODE = {
    "info": {"id": "ses_1"},
    "messages": [
        {
            "info": {"role": "assistant", "providerID": "anthropic"},
            "parts": [
                {
                    "type": "reasoning",
                    "text": "t",
                    "metadata": {"anthropic": {"signature": SIGNED}},
                },
                {
                    "type": "tool",
                    "tool": "bash",
                    "metadata": {"google": {"thoughtSignature": SEALED}},
                },
            ],
        }
    ],
}
CONTINUE = {
    "sessionId": "s",
    "history": [
        {"message": {"role": "user", "content": "hi"}},
        {"message": {"role": "thinking", "content": "t", "signature": SIGNED}},
        {"message": {"role": "thinking", "content": "", "redactedThinking": SEALED}},
    ],
}
CLINE = [
    {"role": "user", "content": [HI], "ts": 1777073160794},
    {
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "t", "signature": ""},
            {
                "type": "text",
                "text": "so",
                "reasoning_details": [{"type": "reasoning.encrypted", "data": SEALED}],
            },
            {"type": "tool_use", "id": "c", "name": "f", "input": {}, "call_id": "c"},
        ],
        "modelInfo": {"modelId": "m", "providerId": "openrouter", "mode": "act"},
        "ts": 1777073173494,
    },
    {"role": "user", "content": [HI], "ts": 1777073173495},
]
GEMINI_CLI = {
    "sessionId": "s",
    "messages": [
        {"id": "m", "timestamp": "2026-01-31T10:00:00.000Z", "type": "user",
         "content": "hi"},
        {"id": "n", "timestamp": "2026-01-31T10:00:01.000Z", "type": "gemini",
         "content": "so", "thoughts": [{"subject": "t"}], "toolCalls": []},
    ],
}  # fmt: skip
UNSEEN = {"turns": [{"said": "x", "state": {"reasoning_opaque": SIGNED}}]}
KEPT = {
    "goose.jsonl": (GOOSE, {SIGNED, SEALED}),
    "copilot.jsonl": (COPILOT, {SIGNED, SEALED}),
    "droid.jsonl": (DROID, {SIGNED, SEALED}),
    "opencode.json": (OPENCODE, {SIGNED, SEALED}),
    "continue.json": (CONTINUE, {SIGNED, SEALED}),
    "cline.json": (CLINE, {SEALED}),
    "cline.messages.json": ({"version": 1, "messages": CLINE[1:]}, {SEALED}),
    "roo.json": (CLINE[:1], set()),
    "gemini-cli.json": (GEMINI_CLI, set()),
    "unseen.json": (UNSEEN, {SIGNED}),
}


def write(path: Path, kept: Any) -> Path:
    lines = path.suffix == ".jsonl"
    path.write_text("\n".join(map(json.dumps, kept)) if lines else json.dumps(kept))
    return path


@pytest.mark.parametrize("name", KEPT)
def test_its_signatures_are_listed_and_nothing_is_judged(
    tmp_path: Path, name: str
) -> None:
    kept, values = KEPT[name]
    document = Document(open_file(write(tmp_path / name, kept)))
    assert {field.value for field in document.opaque_fields} == values
    assert document.unjudged
    assert not document.findings


@pytest.mark.parametrize("provider", ["anthropic", "bedrock", "vertexAnthropic"])
def test_a_signature_is_known_by_the_provider_above_it(
    tmp_path: Path, provider: str
) -> None:
    told = {"parts": [{"options": {provider: {"signature": SIGNED}}}]}
    document = Document(open_file(write(tmp_path / "x.json", told)))
    assert [field.value for field in document.opaque_fields] == [SIGNED]


def test_a_line_that_is_torn_is_told(tmp_path: Path) -> None:
    path = write(tmp_path / "x.jsonl", COPILOT)
    path.write_text(path.read_text() + '\n{"type": "assis')
    name, read = import_path(path)
    assert name == "agent"
    assert len(read.problems) == 1
    assert SIGNED.encode() in read.exchanges[0].request.body.raw  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "kept",
    [
        {"functions": [{"name": "f", "signature": "transfer(address,uint256)"}]},
        {"properties": {"thoughtSignature": {"type": "string"}}},
        {"thoughtSignature": "what a part was signed with"},
        {"commit": {"signature": SIGNED, "author": "a"}},
        {"type": "commit", "data": SIGNED},
        {"id": "a__thought__" + SIGNED, "previous_response_id": "resp_" + SIGNED},
        {"data": SIGNED},
        {"models": [{"id": "vendor/a-model-with-a-name", "reasoning": True}]},
    ],
)
def test_other_json_is_refused(tmp_path: Path, kept: Any) -> None:
    with pytest.raises(InputError, match="of another kind"):
        import_path(write(tmp_path / "x.json", kept))
