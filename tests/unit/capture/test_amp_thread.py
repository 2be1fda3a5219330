"""Threads of Amp."""

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
THOUGHT = {"type": "thinking", "thinking": "t", "signature": SIGNED}
CALL = {"type": "tool_use", "complete": True, "id": "toolu_1", "name": "Read"}
CALL = CALL | {"input": {"path": "a"}}
USAGE = {"model": "claude-x", "inputTokens": 1}


def said(role: str, *content: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"role": role, "messageId": 0, "content": list(content)} | more


def result(run: dict[str, Any]) -> dict[str, Any]:
    return {"type": "tool_result", "toolUseID": "toolu_1", "run": run}


def thread(*messages: dict[str, Any]) -> dict[str, Any]:
    head = {"v": 9, "id": "T-1", "created": 1770091506000, "title": "Look"}
    return head | {"messages": list(messages)}


TEXT = {"type": "text", "text": "hi"}
DONE = result({"status": "done", "result": {"content": "b"}})
ANSWERED = said("assistant", {"type": "text", "text": "Good."}, usage=USAGE)
SOUND = (
    said("user", TEXT),
    said("assistant", THOUGHT | {"provider": "anthropic"}, CALL, usage=USAGE),
    said("user", DONE),
    ANSWERED,
)


def write(tmp_path: Path, *messages: dict[str, Any]) -> Path:
    path = tmp_path / "T-1.json"
    path.write_text(json.dumps(thread(*messages)))
    return path


def test_its_blocks_are_those_of_the_messages_api(tmp_path: Path) -> None:
    name, read = import_path(write(tmp_path, *SOUND))
    (exchange,) = read.exchanges
    assert name == "amp"
    assert (read.title, exchange.started_at) == ("Look", "2026-02-03T04:05:06Z")
    assert exchange.request is not None
    assert exchange.response is not None
    sent = json.loads(exchange.request.body.raw)
    assert sent["model"] == "claude-x"
    assert sent["messages"][1]["content"][0] == THOUGHT
    (told,) = sent["messages"][2]["content"]
    assert told["tool_use_id"] == "toolu_1"
    assert told["content"] == [{"type": "text", "text": '{"content":"b"}'}]
    assert b"Good." in exchange.response.body.raw


def test_a_sound_thread_has_its_signature_and_no_finding(tmp_path: Path) -> None:
    document = Document(open_file(write(tmp_path, *SOUND)))
    assert [each.value for each in document.ledger.signatures] == [SIGNED]
    assert document.readings[0].dialect is not None
    assert not document.findings


def test_a_failed_tool_is_told_as_an_error(tmp_path: Path) -> None:
    failed = result({"status": "error", "error": {"message": "no"}})
    messages = (SOUND[0], SOUND[1], said("user", failed), ANSWERED)
    (exchange,) = import_path(write(tmp_path, *messages))[1].exchanges
    assert exchange.request is not None
    sent = json.loads(exchange.request.body.raw)
    assert sent["messages"][2]["content"][0]["is_error"] is True


def test_what_others_than_claude_answered_is_listed_and_not_judged(
    tmp_path: Path,
) -> None:
    sealed = {"type": "thinking", "thinking": "", "provider": "openai"}
    sealed["openAIReasoning"] = {"id": "rs_1", "encryptedContent": SIGNED}  # type: ignore[assignment]
    answer = said("assistant", sealed, CALL, usage={"model": "gpt-x"})
    document = Document(open_file(write(tmp_path, SOUND[0], answer, SOUND[2])))
    assert [each.value for each in document.opaque_fields] == [SIGNED]
    assert document.unjudged
    assert not document.findings


def test_a_thread_without_an_answer_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no answer"):
        import_path(write(tmp_path, SOUND[0]))
