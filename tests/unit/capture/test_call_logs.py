"""Logs of SDK calls."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sigscope.capture import call_logs
from sigscope.capture.base import Imported
from sigscope.capture.source import Source
from sigscope.errors import InputError


def imported(tmp_path: Path, content: str) -> Imported:
    path = tmp_path / "log"
    path.write_text(content, encoding="utf-8")
    source = Source(path)
    assert call_logs.recognise(source)
    return call_logs.read(source)


def test_answers_by_method_are_taken_byte_for_byte(tmp_path: Path) -> None:
    stream = '[{"candidates": [ ]},{"n":1.0}]'
    content = (
        f'{{"method":"generateContentStream","response":{stream}}}\n\n'
        '{"method":"countTokens","response":{ "totalTokens": 3 }}\n'
    )
    first, second = imported(tmp_path, content).exchanges
    assert first.request is None
    assert first.response is not None
    assert first.response.body.raw == stream.encode()
    assert (first.response.framing, first.response.status) == ("json-list", None)
    assert "generateContentStream" in first.remarks[0]
    assert second.response is not None
    assert second.response.body.raw == b'{ "totalTokens": 3 }'
    assert second.response.framing == "json"


def test_a_strewn_call_is_put_together(tmp_path: Path) -> None:
    log = {
        "messages": [{"role": "user", "content": "é"}],
        "tools": [],
        "kwargs": {"temperature": 0.0, "extra_body": {"m": 1}, "tools": ["other"]},
        "context_window": 65536,
        "response": {"model": "m", "choices": []},
        "cost": 0.1,
        "timestamp": 1757015054.5,
        "latency_sec": 6.5,
    }
    (exchange,) = imported(tmp_path, json.dumps(log)).exchanges
    assert exchange.request is not None
    assert exchange.response is not None
    assert exchange.request.url == "/chat/completions"
    assert json.loads(exchange.request.body.raw) == {
        "model": "m",
        "messages": [{"role": "user", "content": "é"}],
        "tools": [],
        "temperature": 0.0,
    }
    assert exchange.response.body.raw == b'{"model": "m", "choices": []}'
    assert exchange.response.status == 200
    assert exchange.started_at == "2025-09-04T19:44:08Z"
    assert exchange.duration_ms == 6500.0
    assert "put together" in exchange.remarks[0]
    assert "200 is assumed" in exchange.remarks[1]


def test_a_whole_request_is_taken_byte_for_byte(tmp_path: Path) -> None:
    content = '{"request": {"model": "m",  "x":1}, "response": {"error": {}}}'
    (exchange,) = imported(tmp_path, content).exchanges
    assert exchange.request is not None
    assert exchange.response is not None
    assert exchange.request.body.raw == b'{"model": "m",  "x":1}'
    assert exchange.response.status is None
    assert exchange.remarks == ()


def test_lines_that_are_no_calls_are_problems(tmp_path: Path) -> None:
    line = '{"contents": [], "response": [{}]}'
    found = imported(tmp_path, f'{line}\n{{"x": 1}}\n{{"torn\n{line}')
    assert len(found.exchanges) == 2
    assert [problem.where for problem in found.problems] == ["line 2", "line 3"]


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{}",
        "[]",
        '{"response": {}}',
        '{"messages": []}',
        '{"messages": [], "response": "x"}',
        '{"method": 7, "response": {}}',
        "text",
    ],
)
def test_other_files_are_no_logs(tmp_path: Path, content: str) -> None:
    path = tmp_path / "x"
    path.write_text(content)
    source = Source(path)
    assert not call_logs.recognise(source)
    with pytest.raises(InputError, match="no log of calls"):
        call_logs.read(source)


PAYLOAD = {
    "id": "x",
    "call_type": "acompletion",
    "stream": False,
    "status": "failure",
    "model": "gemini-3-pro-preview",
    "api_base": "https://up.example/v1beta/models/m:generateContent",
    "startTime": 1_700_000_000.5,
    "endTime": 1_700_000_001.0,
    "messages": [{"role": "user", "content": "x"}],
    "model_parameters": {"tools": [], "temperature": 1},
    "response": None,
    "error_str": 'litellm.BadRequestError: VertexAIException - {"error": {}}',
    "error_information": {"error_code": "400", "error_class": "BadRequestError"},
}


@pytest.mark.parametrize("nothing", [None, {}, "", []])
def test_a_call_that_failed_has_the_words_of_its_error(
    tmp_path: Path, nothing: object
) -> None:
    failed = {**PAYLOAD, "response": nothing}
    good = {**PAYLOAD, "response": {"choices": []}, "error_str": None}
    good["error_information"] = None
    content = f"{json.dumps(failed)}\n{json.dumps(good)}\n"
    first, second = imported(tmp_path, content).exchanges
    assert first.request is not None
    assert first.response is not None
    assert first.request.url == PAYLOAD["api_base"]
    assert json.loads(first.request.body.raw)["tools"] == []
    assert first.response.status == 400
    error = json.loads(first.response.body.raw)["error"]
    assert error == {"message": PAYLOAD["error_str"], "code": "400"}
    assert first.started_at == "2023-11-14T22:13:20.500Z"
    assert first.duration_ms == 500
    assert any("words of the error" in remark for remark in first.remarks)
    assert second.response is not None
    assert second.response.status == 200


def test_calls_in_a_list_keep_their_bytes(tmp_path: Path) -> None:
    asked, answered = '{"contents": [ ]}', '{"candidates":[ {} ]}'
    pair = f'{{"request": {asked}, "response": {answered}}}'
    found = imported(tmp_path, f'[ {pair} ,\n{pair}, {{"a": 1}}]')
    bodies = [
        (each.request.body.raw.decode(), each.response.body.raw.decode())
        for each in found.exchanges
        if each.request and each.response
    ]
    assert bodies == [(asked, answered)] * 2
    assert [problem.where for problem in found.problems] == ["entry 3"]


def test_lines_of_a_batch_have_one_side_each(tmp_path: Path) -> None:
    lines = [
        {"key": "a", "request": {"contents": []}},
        {"key": "b", "response": {"candidates": []}},
        {"key": "c", "error": {"code": 400, "message": "no"}},
    ]
    content = "\n".join(map(json.dumps, lines))
    asked, answered, refused = imported(tmp_path, content).exchanges
    assert asked.request is not None
    assert asked.response is None
    assert answered.request is None
    assert answered.response is not None
    assert json.loads(answered.response.body.raw) == {"candidates": []}
    assert any("the answer to b" in remark for remark in answered.remarks)
    assert refused.response is not None
    assert json.loads(refused.response.body.raw)["error"]["message"] == "no"
    assert refused.response.status is None


def test_what_a_home_made_log_says_beside_the_bodies_is_taken(tmp_path: Path) -> None:
    line = {
        "url": "https://llm.example/v1/chat/completions",
        "request": {"messages": [{"role": "user", "content": "hi"}]},
        "status": 400,
        "response": {"error": {"message": "no"}},
    }
    (exchange,) = imported(tmp_path, json.dumps(line)).exchanges
    assert exchange.request is not None
    assert exchange.response is not None
    assert exchange.request.url == line["url"]
    assert exchange.response.status == 400
    assert exchange.remarks == ()


ANSWER = {"object": "chat.completion", "choices": []}


@pytest.mark.parametrize("is_wrapped", [False, True])
def test_what_the_client_sent_is_taken_from_a_table_of_spend(
    tmp_path: Path, is_wrapped: bool
) -> None:
    body = {"model": "m", "messages": [{"role": "user", "content": "a"}]}
    asked = {"url": "http://h/", "method": "POST", "body": body} if is_wrapped else body
    row = {
        "call_type": "acompletion",
        "messages": {},
        "proxy_server_request": asked,
        "response": ANSWER,
        "startTime": "2026-01-31T10:00:00Z",
    }
    (exchange,) = imported(tmp_path, json.dumps(row)).exchanges
    assert exchange.request is not None
    assert exchange.request.body.raw == json.dumps(body).encode()
    assert exchange.started_at == "2026-01-31T10:00:00Z"


def test_texts_that_the_log_cut_are_told(tmp_path: Path) -> None:
    cut = "EqQB... (litellm_truncated skipped 952 chars) ...x9Q="
    sent = {"model": "m", "messages": [{"role": "assistant", "reasoning_opaque": cut}]}
    rows = [
        {"messages": {}, "proxy_server_request": body, "response": ANSWER}
        for body in (sent, {**sent, "messages": [{"role": "user", "content": "a"}]})
    ]
    read = imported(tmp_path, json.dumps(rows)).exchanges
    told = [any("LiteLLM cut" in each for each in one.remarks) for one in read]
    assert told == [True, False]


def test_a_request_of_which_nothing_is_kept_has_no_body(tmp_path: Path) -> None:
    """Else it would be judged, and found without a fault."""
    row = {"call_type": "c", "model": "m", "messages": {}, "response": ANSWER}
    (exchange,) = imported(tmp_path, json.dumps(row)).exchanges
    assert exchange.request is not None
    assert not exchange.request.body.raw
    assert any("does not keep what was said" in each for each in exchange.remarks)


@pytest.mark.parametrize(
    ("said", "answer", "name"),
    [
        ([{"type": "reasoning", "id": "r"}], {"object": "response"}, "input"),
        ("a", {"object": "response", "output": []}, "input"),
        ([{"role": "user", "parts": [{"text": "a"}]}], {"candidates": []}, "contents"),
        ([{"role": "user", "content": "a"}], ANSWER, "messages"),
    ],
)
def test_what_was_said_is_called_as_the_api_calls_it(
    tmp_path: Path, said: object, answer: object, name: str
) -> None:
    row = {"model": "m", "messages": said, "response": answer}
    (exchange,) = imported(tmp_path, json.dumps(row)).exchanges
    assert exchange.request is not None
    assert json.loads(exchange.request.body.raw) == {"model": "m", name: said}
