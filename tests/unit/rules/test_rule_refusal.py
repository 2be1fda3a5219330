"""Every refusal is a finding: its code, its sentence, its place, its weight."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from tests.unit.rules.cases import Bench, bench, exchange
from tests.unit.rules.gemini_cases import HI, ask, call, model, refused, result

from sigscope.exchange import Body, Exchange, Request, Response
from sigscope.recorder.answers import (
    RelayedAnswer,
    dropped,
    maybe_refuse,
    unreachable,
)
from sigscope.recorder.heads import parse_request
from sigscope.recorder.routes import RouteOrigin, Routes, parse_route
from sigscope.refusals.catalogue import entry
from sigscope.refusals.patterns import PATTERNS
from sigscope.rules.base import Finding, Severity
from sigscope.rules.registry import RULES

ERROR, WARNING = Severity.ERROR, Severity.WARNING
ORIGIN = RouteOrigin(scheme="http", host="127.0.0.1", port=9)
RESPONSES = "https://api.openai.com/v1/responses"
UNKNOWN = "https://llm.example.test/api/talk"
BODY: dict[str, Any] = {
    "model": "wise-one-9",
    "messages": [{"role": "user", "content": "hi"}],
    "tool_choice": "required",
}


def told(message: str, **more: Any) -> dict[str, Any]:
    return {"error": {"message": message, **more}}


def only(found: Bench) -> Finding:
    (finding,) = found.all_findings()
    return finding


def answered(
    status: int | None, answer: Any, *, url: str = UNKNOWN, body: Any = BODY
) -> Finding:
    return only(bench([exchange(url, body, answer, status=status)]))


@pytest.mark.parametrize(
    ("status", "answer", "code"),
    [
        (400, told("The seed is out of range"), "REF-1"),
        (404, told("no such model"), "REF-1"),
        (422, told("bad shape"), "REF-1"),
        (401, told("wrong key", type="invalid_request_error"), "REF-2"),
        (403, told("not for you"), "REF-2"),
        (400, refused("API key not valid. Please pass a valid API key."), "REF-2"),
        (403, told("m requires moderation on p. Your input was flagged"), "REF-1"),
        (429, told("slow down"), "REF-3"),
        (402, told("Insufficient credits"), "REF-3"),
        (400, told("Your credit balance is too low to access this"), "REF-3"),
        (200, told("slow down", code=429), "REF-3"),
        (500, told("oh no"), "REF-4"),
        (408, told("too late"), "REF-4"),
        (529, told("Overloaded", type="overloaded_error"), "REF-4"),
        (500, told("odd value", status="INVALID_ARGUMENT"), "REF-1"),
        (429, told("odd value", status="INVALID_ARGUMENT"), "REF-1"),
        (502, b"<html><title>502 Bad Gateway</title></html>", "REF-4"),
        (None, told("odd value"), "REF-1"),
    ],
)
def test_every_refusal_of_an_unknown_api_has_its_code(
    status: int | None, answer: Any, code: str
) -> None:
    if isinstance(answer, bytes):
        request = Request(url=UNKNOWN, body=Body(json.dumps(BODY).encode()))
        response = Response(status=status, body=Body(answer))
        finding = only(bench([Exchange(request=request, response=response)]))
    else:
        finding = answered(status, answer)
    assert (finding.rule, finding.severity) == (code, ERROR)


@pytest.mark.parametrize("status", [401, 402, 403, 408, 429, 500, 503, 529])
def test_what_is_said_of_key_limit_or_service_points_at_no_node_of_the_request(
    status: int,
) -> None:
    finding = answered(status, told("`tool_choice` and messages.0 were never read"))
    assert finding.in_response
    assert finding.pointer == ""
    assert "the request is not what it blames" in finding.message


def test_the_innermost_sentence_is_told_whole() -> None:
    inner = json.dumps(told("The temperature of the tea is wrong. " * 6))
    wrapped = told(
        "Provider returned error", metadata={"raw": inner, "provider_name": "Tea Co"}
    )
    finding = answered(400, wrapped)
    assert ("The temperature of the tea is wrong. " * 6).strip() in finding.message
    assert "Tea Co says" in finding.message


def test_a_node_that_the_words_name_is_pointed_at() -> None:
    finding = answered(400, told("Thinking mode does not support this tool_choice"))
    assert (finding.pointer, finding.in_response) == ("/tool_choice", False)


def test_words_of_a_rule_without_a_card_name_its_id() -> None:
    words = "thinking is enabled but reasoning_content is missing in assistant"
    body = {"model": "m", "messages": [{"role": "assistant", "content": "x"}]}
    finding = answered(400, told(f"{words} tool call message at index 0"), body=body)
    assert finding.rule == "REF-1"
    known = entry("KIM-1")
    assert known is not None
    assert f"KIM-1 ({known.api}: {known.meaning.rstrip('.')})" in finding.message
    assert finding.spoken == ("KIM-1",)
    assert finding.pointer == "/messages/0"


def test_known_words_are_heard_whatever_the_status() -> None:
    words = "thinking is enabled but reasoning_content is missing in assistant"
    body = {"model": "m", "messages": [{"role": "assistant", "content": "x"}]}
    for status in (401, 429, 500):
        finding = answered(
            status, told(f"{words} tool call message at index 0"), body=body
        )
        assert finding.rule == "REF-1"


def test_an_error_in_a_stream_is_told_with_its_event() -> None:
    events = [{"choices": [{"delta": {"content": "a"}}]}, told("The tea is cold")]
    finding = only(bench([exchange(UNKNOWN, BODY, events=events)]))
    assert (finding.rule, finding.severity, finding.event) == ("REF-1", ERROR, 2)
    assert "event 2" in finding.message
    assert "The tea is cold" in finding.message


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/v1/models", None),
        ("POST", "/v1/embeddings", {"model": "m", "input": "x"}),
        ("POST", "/oauth/token", {"grant": "x"}),
        ("POST", "/v1/messages/count_tokens", BODY),
        ("POST", "/api/show", {"model": "wise-one-9"}),
    ],
)
def test_what_is_no_model_call_warns_and_says_so(
    method: str, path: str, body: Any
) -> None:
    data = b"" if body is None else json.dumps(body).encode()
    request = Request(
        method=method, url=f"https://llm.example.test{path}", body=Body(data)
    )
    response = Response(
        status=404,
        headers=(("content-type", "application/json"),),
        body=Body(json.dumps(told("nothing here")).encode()),
    )
    finding = only(bench([Exchange(request=request, response=response)]))
    assert finding.severity is WARNING
    assert f"{method} {path}, which is no model call" in finding.message
    assert "nothing here" in finding.message


def test_an_answer_without_its_request_is_an_error_all_the_same() -> None:
    response = Response(status=400, body=Body(json.dumps(told("no")).encode()))
    finding = only(bench([Exchange(response=response)]))
    assert finding.severity is ERROR


@pytest.mark.parametrize("status", [101, 200, 204, 304])
def test_what_is_no_refusal_says_nothing(status: int) -> None:
    request = Request(method="GET", url="https://llm.example.test/socket")
    found = bench([Exchange(request=request, response=Response(status=status))])
    assert found.all_findings() == []


def test_an_answer_that_never_came_is_no_refusal() -> None:
    response = Response(status=None, ending="upstream-aborted")
    request = Request(url=UNKNOWN, body=Body(json.dumps(BODY).encode()))
    found = bench([Exchange(request=request, response=response)])
    assert found.all_findings() == []


def test_a_refusal_that_a_rule_explains_is_told_once() -> None:
    words = "Function call is missing a thought_signature in functionCall parts."
    found = bench([ask([HI], refused(words), status=400)])
    assert [f.rule for f in found.all_findings()] == ["GEM-1"]
    assert only(found).is_echo


def test_a_recorded_refusal_of_any_status_makes_an_error() -> None:
    for status in range(400, 600, 7):
        assert answered(status, told("no")).severity is ERROR


def test_every_id_without_a_rule_here_has_a_meaning_to_tell() -> None:
    built = {rule.code for rule in RULES}
    spoken = {pattern.rule for pattern in PATTERNS} - built
    assert {"KIM-1", "XAI-1"} <= spoken
    for rule in sorted(spoken):
        known = entry(rule)
        assert known is not None, rule
        assert known.meaning, rule


@pytest.mark.parametrize(
    ("answer", "severity"),
    [
        (unreachable(ORIGIN, ConnectionRefusedError()), ERROR),
        (dropped("on request"), WARNING),
    ],
    ids=["unreachable", "dropped"],
)
def test_what_the_recorder_answered_is_no_word_of_the_service(
    answer: RelayedAnswer, severity: Severity
) -> None:
    finding = answered(answer.status, json.loads(answer.body))
    assert (finding.rule, finding.severity) == ("REF-4", severity)
    assert "no service answered" in finding.message
    assert "sigscope record" in finding.message


def upgraded() -> Exchange:
    """Codex asks for a WebSocket before anything else."""
    head = parse_request(
        b"GET /v1/responses HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n\r\n"
    )
    route = parse_route("https://api.openai.com")
    answer = maybe_refuse(head, route, Routes([route]))
    assert answer is not None
    asked = exchange(RESPONSES, {}, json.loads(answer.body), status=answer.status)
    request = Request(method="GET", url=RESPONSES)
    return replace(asked, request=request)


def test_a_websocket_refused_by_the_recorder_is_nothing_where_plain_http_came() -> None:
    alone = only(bench([upgraded()]))
    assert (alone.rule, alone.severity) == ("REF-4", WARNING)
    assert "plain HTTP" in alone.message
    body = {"model": "gpt-5.2", "input": "hi"}
    answer = {"object": "response", "output": [], "status": "completed"}
    told_after = bench([upgraded(), exchange(RESPONSES, body, answer)])
    assert told_after.all_findings() == []
    refused_after = bench(
        [upgraded(), exchange(RESPONSES, body, told("x"), status=400)]
    )
    assert [f.step for f in refused_after.all_findings()] == [1, 2]


def test_a_page_in_place_of_an_answer_is_no_word_on_the_request() -> None:
    good = ask([HI], {})
    assert good.request is not None
    response = Response(
        status=200,
        headers=(("content-type", "text/html"),),
        body=Body(b"<!doctype html><html><title>Sign in</title></html>"),
    )
    finding = only(bench([Exchange(request=good.request, response=response)]))
    assert (finding.rule, finding.severity) == ("REF-4", ERROR)
    assert "Sign in" in finding.message


def test_a_place_that_a_schema_checker_names_is_pointed_at() -> None:
    """As FastAPI says it: fastapi.tiangolo.com, "Handling Errors"."""
    complaint = {"loc": ["body", "messages", 0, "content"], "msg": "field required"}
    finding = answered(422, {"detail": [complaint]})
    assert (finding.rule, finding.pointer) == ("REF-1", "/messages/0/content")
    assert not finding.in_response
    assert "“field required”" in finding.message


def test_what_other_rules_found_is_neither_blamed_nor_forgotten() -> None:
    contents = [HI, model(call("ls")), {"role": "user", "parts": [result("ls")]}]
    found = bench([ask(contents, refused("Odd order of turns."), status=400)])
    said = {finding.rule: finding.message for finding in found.all_findings()}
    assert set(said) == {"GEM-1", "REF-1"}
    assert "whether for what GEM-1 found, the answer does not tell" in said["REF-1"]
    assert "no rule here explains" not in said["REF-1"]


@pytest.mark.parametrize("status", [400, 500])
def test_an_answer_without_a_body_is_not_quoted(status: int) -> None:
    asked = exchange(UNKNOWN, BODY, told("x"), status=status)
    empty = replace(asked, response=Response(status=status))
    finding = only(bench([empty]))
    assert finding.message.endswith("The recorded answer has no body.")
    assert "says" not in finding.message
