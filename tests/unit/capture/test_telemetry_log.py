"""Log records of agents with the bodies of their calls."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.importer import answered, asked, import_path, read_as

from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.opener import open_file
from sigscope.errors import InputError
from sigscope.ledger.records import Fate

SIGNED = "EhkKFwHeWwZgVZrq0IJk1XldOQlxjN0Fq9SV"
MODEL = "gemini-3-flash-preview"
CALL = {
    "functionCall": {"name": "look", "args": {}, "id": "c1"},
    "thoughtSignature": SIGNED,
}
RESULT = {"functionResponse": {"name": "look", "id": "c1", "response": {"r": 1}}}
FIRST: list[Any] = [{"role": "user", "parts": [{"text": "look"}]}]
CHUNKS = [
    {"candidates": [{"content": {"role": "model", "parts": [{"text": "so"}]}}]},
    {"candidates": [{"content": {"role": "model", "parts": [CALL]}}]},
]
SECOND = [
    *FIRST,
    {"role": "model", "parts": [CALL]},
    {"role": "user", "parts": [RESULT]},
]
REFUSAL = {"error": {"code": 400, "message": "no", "status": "INVALID_ARGUMENT"}}


def record(name: str, second: int, **told: Any) -> dict[str, Any]:
    when = f"2026-01-31T10:00:0{second}.000Z"
    named = {"event.name": name, "event.timestamp": when, "session.id": "s"}
    return {"hrTime": [1769853600 + second, 0], "attributes": {**named, **told}}


def of_gemini_cli() -> list[dict[str, Any]]:
    of_call = {"prompt_id": "p", "model": MODEL, "role": "main"}
    return [
        record("gemini_cli.config", 0, model=MODEL),
        record("gemini_cli.api_request", 1, request_text=json.dumps(FIRST), **of_call),
        record(
            "gemini_cli.api_response",
            2,
            response_text=json.dumps(CHUNKS),
            status_code=200,
            **of_call,
        ),
        {"scopeMetrics": []},
        record("gemini_cli.api_request", 3, request_text=json.dumps(SECOND), **of_call),
        record(
            "gemini_cli.api_error",
            4,
            error=f"got status: 400. {json.dumps(REFUSAL)}",
            status_code=400,
            **of_call,
        ),
    ]


def printed(records: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(each, indent=2) + "\n" for each in records)


def typed(attributes: Mapping[str, Any]) -> list[Any]:
    return [
        {
            "key": key,
            "value": {"intValue": str(value)}
            if isinstance(value, int)
            else {"stringValue": value},
        }
        for key, value in attributes.items()
    ]


def collected(records: list[dict[str, Any]]) -> str:
    """As a collector writes them, a line each, with words for a body."""
    lines = [
        {
            "timeUnixNano": "1769853600000000000",
            "body": {"stringValue": "a word"},
            "attributes": typed(each["attributes"]),
        }
        for each in records
        if "attributes" in each
    ]
    batches = [{"resourceLogs": [{"scopeLogs": [{"logRecords": [x]}]}]} for x in lines]
    return "\n".join(map(json.dumps, batches))


@pytest.mark.parametrize("spelled", [printed, collected])
def test_the_calls_of_a_run_are_told_with_what_was_refused(
    tmp_path: Path, spelled: Any
) -> None:
    path = tmp_path / "telemetry.log"

    imported = read_as("telemetry", path, spelled(of_gemini_cli()))

    first, second = imported.exchanges
    assert asked(first) == {"model": MODEL, "contents": FIRST}
    assert answered(first) == CHUNKS
    assert answered(second) == REFUSAL
    assert first.started_at == "2026-01-31T10:00:01Z"
    assert [each.response and each.response.status for each in imported.exchanges] == [
        200,
        400,
    ]
    assert not imported.problems
    signature = Document(open_file(path)).ledger.signatures[0]
    assert signature.value == SIGNED
    assert [each.fate for each in signature.fates] == [Fate.EXACT]


def test_bodies_of_claude_code_are_read_and_a_cut_one_is_told(tmp_path: Path) -> None:
    request = {"model": "claude-x", "messages": [{"role": "user", "content": "look"}]}
    answer = {"type": "message", "role": "assistant", "content": [], "model": "m"}
    body = json.dumps(request)
    records = [
        record("claude_code.api_request_body", 1, body=body, query_source="main"),
        record("claude_code.api_request", 2, model="claude-x", cost_usd=1),
        record("api_response_body", 3, body=json.dumps(answer), query_source="main"),
        record("api_request_body", 4, body=body[:30], body_truncated="true"),
        record("api_response_body", 5, body_ref="/tmp/x.response.json"),
    ]

    path = tmp_path / "otel.jsonl"
    imported = read_as("telemetry", path, "\n".join(map(json.dumps, records)))

    first, cut = imported.exchanges
    assert (asked(first), answered(first)) == (request, answer)
    assert cut.request is not None
    assert cut.request.body.raw == body[:30].encode()
    assert [each.where for each in imported.problems] == ["line 4", "line 5"]
    assert "cut" in imported.problems[0].message
    assert "files of their own" in imported.problems[1].message


def test_two_runs_at_a_time_are_told_apart(tmp_path: Path) -> None:
    def call(run: str, name: str, **told: str) -> dict[str, Any]:
        return record(f"gemini_cli.{name}", 1, prompt_id=run, model=MODEL, **told)

    def said(word: str) -> str:
        return json.dumps([{"role": "user", "parts": [{"text": word}]}])

    def reply(word: str) -> str:
        content = {"role": "model", "parts": [{"text": word}]}
        return json.dumps({"candidates": [{"content": content}]})

    records = [
        call("a", "api_request", request_text=said("a")),
        call("b", "api_request", request_text=said("b")),
        call("a", "api_response", response_text=reply("A")),
        call("b", "api_response", response_text=reply("B")),
    ]

    imported = read_as("telemetry", tmp_path / "t.log", printed(records))

    bodies = [
        (json.dumps(asked(each)), json.dumps(answered(each)))
        for each in imported.exchanges
    ]
    assert ['"A"' in bodies[0][1], '"a"' in bodies[0][0]] == [True, True]
    assert ['"B"' in bodies[1][1], '"b"' in bodies[1][0]] == [True, True]


def test_a_log_without_what_was_said_says_how_to_have_it(tmp_path: Path) -> None:
    records = [record("gemini_cli.api_request", 1, prompt_id="p", model=MODEL)]

    with pytest.raises(InputError, match=r"telemetry\.logPrompts"):
        read_as("telemetry", tmp_path / "t.log", printed(records * 2))


@pytest.mark.parametrize("body", [None, {"cart": [1]}])
def test_calls_of_other_services_are_none_of_a_model(tmp_path: Path, body: Any) -> None:
    told = {} if body is None else {"body": json.dumps(body)}
    records = [
        record("shop.api_request", 1, url="/cart", **told),
        record("shop.api_response", 2, status_code=200, **told),
    ]
    path = tmp_path / "events.jsonl"
    path.write_text("\n".join(map(json.dumps, records)))

    with pytest.raises(InputError) as refused:
        import_path(path)

    assert "of a model, but not what was said" not in str(refused.value)
