"""Logs with a call and its answer a line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.importer import import_path, read_as

from sigscope.capture.base import Imported
from sigscope.errors import InputError

PAIR: dict[str, Any] = {
    "request": {
        "timestamp": 1_700_000_000.5,
        "method": "POST",
        "url": "https://api.example.com/v1/messages",
        "headers": {"content-type": "application/json"},
        "body": {"model": "m", "messages": [{"role": "user", "content": "h\u00e9"}]},
    },
    "response": {
        "timestamp": 1_700_000_002.0,
        "status_code": 200,
        "headers": {"content-type": "text/event-stream"},
        "body_raw": 'event: ping\ndata: {"type":"ping"}\n\n',
    },
    "logged_at": "2023-11-14T22:13:22Z",
}


def imported(tmp_path: Path, *lines: Any) -> Imported:
    spelled = [x if isinstance(x, str) else json.dumps(x) for x in lines]
    return read_as("traces", tmp_path / "log.jsonl", "\n".join(spelled))


def test_a_pair_is_an_exchange(tmp_path: Path) -> None:
    (exchange,) = imported(tmp_path, PAIR).exchanges
    request, response = exchange.request, exchange.response
    assert request is not None
    assert response is not None
    assert request.method == "POST"
    assert request.url == "https://api.example.com/v1/messages"
    assert json.loads(request.body.raw) == PAIR["request"]["body"]
    assert response.status == 200
    assert response.body.raw == PAIR["response"]["body_raw"].encode()
    assert exchange.started_at == "2023-11-14T22:13:20.500Z"
    assert exchange.first_byte_ms == 1500
    assert exchange.duration_ms == 1500
    assert "request: the body is rebuilt" in exchange.remarks[0]


@pytest.mark.parametrize(
    ("logged_at", "whole"),
    [
        ("2023-11-14T22:13:25.250Z", 4750),
        ("2023-11-14T22:13:21Z", 1500),
        ("soon", 1500),
        (None, 1500),
    ],
    ids=["at the end", "before the head", "no time", "not told"],
)
def test_the_log_is_written_after_the_last_byte(
    logged_at: str | None, whole: float, tmp_path: Path
) -> None:
    """The response's own time is that of its head."""
    (exchange,) = imported(tmp_path, {**PAIR, "logged_at": logged_at}).exchanges
    assert exchange.first_byte_ms == 1500
    assert exchange.duration_ms == whole


def test_a_call_without_an_answer_has_no_end(tmp_path: Path) -> None:
    (exchange,) = imported(tmp_path, {**PAIR, "response": None}).exchanges
    assert exchange.first_byte_ms is None
    assert exchange.duration_ms is None


def test_several_lines_broken_ones_and_other_ones(tmp_path: Path) -> None:
    other = {"level": "info", "message": "started"}
    found = imported(tmp_path, PAIR, '{"request": {"ur', other, PAIR)
    assert len(found.exchanges) == 2
    assert [problem.where for problem in found.problems] == ["line 2", "line 3"]
    assert "not JSON" in found.problems[0].message
    assert "no call with a URL" in found.problems[1].message


def test_a_call_without_an_answer_is_kept(tmp_path: Path) -> None:
    orphan = {**PAIR, "response": None, "note": "ORPHANED"}
    (exchange,) = imported(tmp_path, orphan).exchanges
    assert exchange.response is None
    assert "note of the log: ORPHANED" in exchange.remarks


def test_one_document_and_a_list_are_read_too(tmp_path: Path) -> None:
    assert len(imported(tmp_path, json.dumps(PAIR, indent=2)).exchanges) == 1
    assert len(imported(tmp_path, json.dumps([PAIR, PAIR], indent=1)).exchanges) == 2


def test_parsed_events_become_a_stream(tmp_path: Path) -> None:
    answered = {
        "status_code": 200,
        "events": [{"event": "ping", "data": {"type": "ping"}}, {"data": "[DONE]"}],
    }
    (exchange,) = imported(tmp_path, {**PAIR, "response": answered}).exchanges
    assert exchange.response is not None
    assert (
        exchange.response.body.raw
        == b'event: ping\ndata: {"type":"ping"}\n\ndata: [DONE]\n\n'
    )


@pytest.mark.parametrize("depth", [0, 3])
def test_what_litellm_sent_on_is_found_at_any_depth(tmp_path: Path, depth: int) -> None:
    raw: dict[str, Any] = {
        "raw_request_api_base": "https://up.example/v1beta/m:generateContent",
        "raw_request_body": {"contents": []},
        "raw_request_headers": {"Content-Type": "application/json"},
        "raw_response": '{"candidates": []}',
    }
    line = raw
    for _ in range(depth):
        line = {"kwargs": line}
    (exchange,) = imported(tmp_path, line).exchanges
    assert exchange.request is not None
    assert exchange.request.url.endswith("m:generateContent")
    assert exchange.request.body.raw == b'{"contents":[]}'
    assert exchange.response is not None
    assert exchange.response.body.raw == b'{"candidates": []}'
    assert any("LiteLLM sent on" in remark for remark in exchange.remarks)


def test_nothing_to_read_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text('{"a": 1}\n{"b": 2}\n')
    with pytest.raises(InputError, match="no calls with a URL"):
        import_path(path, "traces")


API_LOG: dict[str, Any] = {
    "id": "01",
    "ts_start": "2026-01-31T10:00:00.500Z",
    "method": "POST",
    "path": "/v1/messages",
    "upstream": "https://api.example.com/",
    "status": 200,
    "req": {"headers": {"a": "b"}, "body": {"messages": []}},
    "resp": {
        "headers": {"content-type": "text/event-stream"},
        "events": [
            {"event": "ping", "data": {"type": "ping"}, "t_delta_ms": 5},
            {"event": "", "data": "[DONE]", "t_delta_ms": 6},
        ],
    },
}


def test_a_line_of_api_log_is_an_exchange(tmp_path: Path) -> None:
    (exchange,) = imported(tmp_path, API_LOG).exchanges
    request, response = exchange.request, exchange.response
    assert request is not None
    assert (request.method, request.url, request.headers, request.body.raw) == (
        "POST",
        "https://api.example.com/v1/messages",
        (("a", "b"),),
        b'{"messages":[]}',
    )
    assert exchange.started_at == "2026-01-31T10:00:00.500Z"
    assert response is not None
    assert response.status == 200
    assert response.body.raw == (
        b'event: ping\ndata: {"type":"ping"}\n\ndata: [DONE]\n\n'
    )


def test_api_log_keeps_what_is_no_json_in_base64(tmp_path: Path) -> None:
    answer = {"headers": {}, "body_b64": "YSBi", "parse_error": "x"}
    line = {**API_LOG, "status": -1, "resp": answer}
    (exchange,) = imported(tmp_path, line).exchanges
    assert exchange.response is not None
    assert exchange.response.status is None
    assert exchange.response.body.raw == b"a b"


def test_a_call_without_an_answer_in_api_log_has_none(tmp_path: Path) -> None:
    (exchange,) = imported(tmp_path, {**API_LOG, "resp": {}}).exchanges
    assert exchange.response is None


def test_a_refusal_of_which_api_log_has_only_the_status_is_one(tmp_path: Path) -> None:
    line = {**API_LOG, "status": 502, "resp": None}
    (exchange,) = imported(tmp_path, line).exchanges
    assert exchange.response is not None
    assert (exchange.response.status, exchange.response.body.raw) == (502, b"")


def test_a_log_of_requests_without_any_body_is_no_recording(tmp_path: Path) -> None:
    asked = {"method": "GET", "url": "/v1/models"}
    line = {"level": 30, "req": asked, "res": {"statusCode": 200}}
    path = tmp_path / "log.jsonl"
    path.write_text(f"{json.dumps(line)}\n" * 3)
    with pytest.raises(InputError):
        import_path(path)
    whole = {
        **line,
        "req": {**asked, "body": {"messages": []}},
        "time": 1_700_000_000_000,
    }
    bare, full = imported(tmp_path, line, whole).exchanges
    assert bare.started_at is None
    assert full.started_at is not None
    assert full.started_at.startswith("2023-11-14T22:13:20")


@pytest.mark.parametrize("name", ["res", "resp"])
def test_a_line_of_a_node_logger_is_an_exchange(tmp_path: Path, name: str) -> None:
    asked = {"method": "POST", "url": "https://h/x", "body": {"messages": []}}
    line = {"level": 30, "req": asked, name: {"statusCode": 201, "body": {"a": 1}}}
    (exchange,) = imported(tmp_path, line).exchanges
    assert exchange.request is not None
    assert exchange.request.url == "https://h/x"
    assert exchange.request.body.raw == b'{"messages":[]}'
    assert exchange.response is not None
    assert (exchange.response.status, exchange.response.body.raw) == (201, b'{"a":1}')
