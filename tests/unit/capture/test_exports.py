"""Exports of tracing tools: OpenTelemetry spans, Langfuse, LangSmith.

The files in tests/real were made by the tools from one conversation (`ask_sdk.py`): two
calls with signatures, an answer, and a request that has lost its first and is refused.
"""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from tests.importer import import_path
from tests.real.ask_sdk import QUESTION

from sigscope.capture.base import Imported
from sigscope.capture.detect import FORMATS
from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.opener import open_file
from sigscope.errors import InputError
from sigscope.ledger.records import Fate

REAL = Path(__file__).parents[2] / "real"
FILES = {
    "otlp-openinference.json": "otel",
    "otlp-openllmetry.json": "otel",
    "otlp-langfuse.json": "otel",
    "langsmith.jsonl": "langsmith",
}
WHOLE = ("otlp-openinference.json", "langsmith.jsonl")
"""Keep answers with the fields that they do not know."""


def imported(path: Path, name: str) -> Imported:
    found, made = import_path(path)
    assert found == name
    return made


def saved(tmp_path: Path, value: object, *, lines: bool = False) -> Path:
    path = tmp_path / "export.json"
    items = value if lines and isinstance(value, list) else [value]
    path.write_text("\n".join(json.dumps(item) for item in items))
    return path


def bodies(made: Imported) -> list[tuple[Any, Any]]:
    return [
        (
            json.loads(each.request.body.raw) if each.request else None,
            json.loads(each.response.body.raw) if each.response else None,
        )
        for each in made.exchanges
    ]


@pytest.mark.parametrize("name", FILES)
def test_every_call_is_an_exchange_in_order(name: str) -> None:
    made = imported(REAL / name, FILES[name])
    assert made.problems == ()
    asked = [request for request, _ in bodies(made)]
    assert [len(each["messages"]) for each in asked] == [1, 3, 5, 3]
    for each in asked:
        assert each["model"] == "gemini-3-pro-preview"
        assert each["messages"][0] == {"role": "user", "content": QUESTION}
        assert each["tools"][0]["function"]["name"] == "list_files"
    called, result = asked[1]["messages"][1:]
    (call,) = called["tool_calls"]
    assert call["function"] == {"name": "list_files", "arguments": '{"folder":"."}'}
    assert (result["role"], result["tool_call_id"]) == ("tool", call["id"])
    starts = [exchange.started_at or "" for exchange in made.exchanges]
    assert starts == sorted(starts)
    assert all(starts)


@pytest.mark.parametrize("name", FILES)
def test_bodies_are_said_to_be_put_together(name: str) -> None:
    made = imported(REAL / name, FILES[name])
    for exchange in made.exchanges:
        assert "put together from an export" in exchange.remarks[0]


@pytest.mark.parametrize("name", FILES)
def test_the_refusal_is_kept_with_its_words(name: str) -> None:
    response = imported(REAL / name, FILES[name]).exchanges[-1].response
    assert response is not None
    assert response.status == 400
    message = json.loads(response.body.raw)["error"]["message"]
    assert "is missing a `thought_signature`" in message
    assert "Traceback" not in message


@pytest.mark.parametrize("name", WHOLE)
def test_what_is_kept_whole_has_its_ledger_and_finding(name: str) -> None:
    document = Document(open_file(REAL / name))
    first = document.ledger.signatures[0]
    fates = [(fate.step, str(fate.fate)) for fate in first.fates]
    assert (first.step, fates) == (1, [(2, "exact"), (3, "exact"), (4, "dropped")])
    errors = [(f.step, f.rule) for f in document.findings if f.severity == "error"]
    assert errors == [(4, "CPC-1")]


@pytest.mark.parametrize("name", ["otlp-openllmetry.json", "otlp-langfuse.json"])
def test_answers_without_their_signatures_are_not_judged(name: str) -> None:
    made = imported(REAL / name, "otel")
    assert "signatures that came are not in it" in made.exchanges[0].remarks[-1]
    document = Document(open_file(REAL / name))
    lost = {"altered", "cut", "dropped", "foreign"}
    fates = {str(f.fate) for s in document.ledger.signatures for f in s.fates}
    assert not fates & lost
    assert {f.step for f in document.findings if f.severity == "error"} <= {4}


# --- Spellings ------------------------------------------------------------------------

ASKED = [{"role": "user", "content": "hi"}]
SAID = {"role": "assistant", "content": "hello", "tool_calls": None}


def span(attributes: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "name": "chat m",
        "context": {"trace_id": "0x1", "span_id": "0x2"},
        "start_time": "2026-01-01T00:00:00.5Z",
        "end_time": "2026-01-01T00:00:02Z",
        "attributes": attributes,
        **more,
    }


TAKEN_APART = {
    "gen_ai.request.model": "m",
    "gen_ai.prompt.0.role": "user",
    "gen_ai.prompt.0.content": "hi",
    "gen_ai.prompt.1.role": "assistant",
    "gen_ai.prompt.1.tool_calls.0.id": "c1",
    "gen_ai.prompt.1.tool_calls.0.name": "f",
    "gen_ai.prompt.1.tool_calls.0.arguments": "{}",
    "gen_ai.completion.0.role": "assistant",
    "gen_ai.completion.0.content": "hello",
}


def test_numbered_attributes_and_console_prints_are_read(tmp_path: Path) -> None:
    path = tmp_path / "console.txt"
    one = json.dumps(span(TAKEN_APART), indent=4)
    path.write_text(f"{one}\n{one}\n")
    made = imported(path, "otel")
    assert len(made.exchanges) == 2
    request, response = bodies(made)[0]
    function = {"name": "f", "arguments": "{}"}
    call = {"id": "c1", "type": "function", "function": function}
    assert request["messages"] == [
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
    ]
    assert response["content"] == "hello"
    assert made.exchanges[0].duration_ms == 1500


def test_spans_of_googles_agent_kit_are_read_with_their_signatures(
    tmp_path: Path,
) -> None:
    sealed = "c2VhbGVk" * 5
    call = {"function_call": {"id": "a", "name": "f", "args": {}}}
    content = {"role": "model", "parts": [{**call, "thought_signature": sealed}]}
    result = {"function_response": {"id": "a", "name": "f", "response": {}}}
    history: list[Any] = [{"role": "user", "parts": [{"text": "hi"}]}]
    spans = []
    for contents in (
        history,
        [*history, content, {"role": "user", "parts": [result]}],
    ):
        asked = {"model": "gemini-3-flash", "config": {}, "contents": contents}
        told = {"request": asked, "response": {"content": content, "partial": False}}
        spans.append(
            span({f"gcp.vertex.agent.llm_{k}": json.dumps(v) for k, v in told.items()})
        )
    around = [span({"http.method": "POST"}), span({"gen_ai.system": "x"})]
    document = Document(open_file(saved(tmp_path, [*around, *spans])))
    first, *_ = document.ledger.signatures
    assert first.value == sealed
    assert [fate.fate for fate in first.fates] == [Fate.EXACT]


def test_traces_of_mlflow_are_read_whole(tmp_path: Path) -> None:
    thought = {"type": "thinking", "thinking": "t", "signature": "c2VhbGVk" * 5}
    said = {"type": "message", "role": "assistant", "content": [thought]}
    asked = {"model": "claude-sonnet-4-5", "max_tokens": 9, "messages": ASKED}
    told = {
        "mlflow.spanType": json.dumps("CHAT_MODEL"),
        "mlflow.spanInputs": json.dumps(asked),
        "mlflow.spanOutputs": json.dumps({**said, "model": "claude-sonnet-4-5"}),
    }
    around = {**told, "mlflow.spanType": json.dumps("CHAIN")}
    spans = [
        {
            "span_id": "1",
            "start_time_unix_nano": 1_767_225_600_000_000_000,
            "end_time_unix_nano": 1_767_225_602_000_000_000,
            "attributes": attributes,
        }
        for attributes in (told, around)
    ]
    path = saved(tmp_path, {"info": {"trace_id": "tr-1"}, "data": {"spans": spans}})
    (exchange,) = imported(path, "otel").exchanges
    assert (exchange.started_at, exchange.duration_ms) == ("2026-01-01T00:00:00Z", 2000)
    (signature,) = Document(open_file(path)).ledger.signatures
    assert signature.value == thought["signature"]
    path.write_bytes(path.read_bytes()[:-9])
    assert len(imported(path, "otel").exchanges) == 1


def test_events_of_the_earlier_conventions_are_read(tmp_path: Path) -> None:
    events = [
        {"name": "gen_ai.user.message", "attributes": {"content": "hi"}},
        {"name": "gen_ai.tool.message", "attributes": {"id": "c1", "content": "r"}},
        {"name": "gen_ai.choice", "attributes": {"message": {"content": "hello"}}},
    ]
    made = imported(
        saved(tmp_path, span({"gen_ai.request.model": "m"}, events=events)), "otel"
    )
    request, response = bodies(made)[0]
    assert request["messages"] == [
        {"role": "user", "content": "hi"},
        {"role": "tool", "content": "r", "tool_call_id": "c1"},
    ]
    assert response == {"role": "assistant", "content": "hello"}


def test_log_records_beside_spans_are_read(tmp_path: Path) -> None:
    attributes = [{"key": "gen_ai.request.model", "value": {"stringValue": "m"}}]
    one = {"spanId": "ab", "name": "chat m", "attributes": attributes}
    body = {
        "kvlistValue": {"values": [{"key": "content", "value": {"stringValue": "hi"}}]}
    }
    record = {"spanId": "ab", "eventName": "gen_ai.user.message", "body": body}
    spans = {"resourceSpans": [{"scopeSpans": [{"spans": [one]}]}]}
    logs = {"resourceLogs": [{"scopeLogs": [{"logRecords": [record]}]}]}
    made = imported(saved(tmp_path, [logs, spans], lines=True), "otel")
    assert bodies(made)[0][0] == {"model": "m", "messages": ASKED}


def test_spans_without_content_say_how_to_switch_it_on(tmp_path: Path) -> None:
    path = saved(tmp_path, span({"gen_ai.request.model": "m"}))
    with pytest.raises(InputError, match="CAPTURE_MESSAGE_CONTENT"):
        import_path(path)


def observation(**more: Any) -> dict[str, Any]:
    return {
        "id": "o1",
        "traceId": "t1",
        "type": "GENERATION",
        "startTime": "2026-01-01T00:00:00.000Z",
        "endTime": "2026-01-01T00:00:01.000Z",
        "model": "m",
        "level": "DEFAULT",
        "statusMessage": None,
        "input": {"messages": ASKED},
        "output": SAID,
        **more,
    }


@pytest.mark.parametrize(
    "how", ["list", "lines", "page", "trace", "texts", "messages alone"]
)
def test_observations_of_langfuse_are_read_wherever_they_stand(
    tmp_path: Path, how: str
) -> None:
    later = observation(id="o2", startTime="2026-01-02T00:00:00.000Z")
    two = [later, observation()]  # the newest first, as in its tables
    value: object = two
    if how == "page":
        value = {"data": two, "meta": {"page": 1}}
    elif how == "trace":
        value = {"id": "t1", "observations": two}
    elif how == "texts":
        value = [{**o, "input": json.dumps(o["input"]), "output": "hello"} for o in two]
    elif how == "messages alone":
        value = [{**o, "input": ASKED} for o in two]
    made = imported(saved(tmp_path, value, lines=how == "lines"), "langfuse")
    starts = [exchange.started_at for exchange in made.exchanges]
    assert starts == ["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"]
    assert bodies(made)[0][0] == {"model": "m", "messages": ASKED}


def test_a_generation_with_a_whole_answer_is_judged(tmp_path: Path) -> None:
    answer = {"choices": [{"index": 0, "message": SAID}]}
    made = imported(saved(tmp_path, [observation(output=answer)]), "langfuse")
    response = made.exchanges[0].response
    assert response is not None
    assert (response.status, json.loads(response.body.raw)) == (200, answer)


def test_an_error_printed_by_python_is_json_again(tmp_path: Path) -> None:
    said = "Error code: 429 - {'error': {'message': \"it's full\", 'code': None}}"
    failed = observation(level="ERROR", statusMessage=said, output=None)
    made = imported(saved(tmp_path, [failed, observation(type="SPAN")]), "langfuse")
    response = made.exchanges[0].response
    assert response is not None
    assert response.status == 429
    assert bodies(made)[0][1] == {"error": {"message": "it's full", "code": None}}
    assert "1 observations that are no generations" in made.problems[0].message


def test_messages_of_langchain_are_chat_messages_again(tmp_path: Path) -> None:
    def message(kind: str, **kwargs: Any) -> dict[str, Any]:
        path = ["langchain", "schema", "messages", f"{kind}Message"]
        return {"lc": 1, "type": "constructor", "id": path, "kwargs": kwargs}

    call = {"name": "f", "args": {"a": 1}, "id": "c1", "type": "tool_call"}
    run = {
        "id": "r1",
        "run_type": "llm",
        "start_time": "2026-01-01T00:00:00",
        "inputs": {
            "messages": [
                [
                    message("Human", content="hi"),
                    message("AI", content="", tool_calls=[call]),
                    message("Tool", content="r", tool_call_id="c1"),
                ]
            ]
        },
        "outputs": {"generations": [[{"message": message("AI", content="hello")}]]},
        "extra": {"invocation_params": {"model": "m"}},
    }
    chain = {"id": "r0", "run_type": "chain", "inputs": {}, "child_runs": [run]}
    made = imported(saved(tmp_path, {"runs": [chain]}), "langsmith")
    request, response = bodies(made)[0]
    assert request["model"] == "m"
    assert [each["role"] for each in request["messages"]] == [
        *("user", "assistant", "tool")
    ]
    function = request["messages"][1]["tool_calls"][0]["function"]
    assert function == {"name": "f", "arguments": '{"a":1}'}
    assert response["content"] == "hello"
    assert "LangChain" in made.exchanges[0].remarks[1]
    assert "1 runs that are no calls" in made.problems[0].message


@pytest.mark.parametrize("name", FILES)
def test_every_cut_is_read_or_refused_with_a_message(name: str, tmp_path: Path) -> None:
    whole = (REAL / name).read_bytes()
    path = tmp_path / "cut.json"
    for end in range(1, len(whole), max(97, len(whole) // 150)):
        path.write_bytes(whole[:end])
        try:
            found, made = import_path(path)
        except InputError:
            assert end < len(whole) // 2
            continue
        if found != FILES[name]:
            assert end < len(whole) // 2
            continue
        assert made.problems or end > len(whole) - 3 or whole[end : end + 1] == b"\n"


@pytest.mark.parametrize("odd", [[], {}, [["llm"]], {"a": 1}])
@pytest.mark.parametrize("name", ["type", "role", "run_type"])
def test_an_odd_kind_is_no_kind(tmp_path: Path, name: str, odd: object) -> None:
    """Lists and mappings cannot be looked up in sets."""
    tree = {**observation(), name: odd, "inputs": {"messages": [{name: odd}]}}
    path = saved(tmp_path, [tree])
    with suppress(InputError):
        open_file(path)
    for wanted in FORMATS:
        with suppress(InputError):
            open_file(path, wanted.name)
