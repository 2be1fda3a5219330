"""What a step speaks is decided by endpoint and conversation."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from tests.builders import LS, READ, SIG, copilot, detail, litellm, openrouter, user

from sigscope.dialects.operations import endpoint_of, is_model_call
from sigscope.dialects.registry import DIALECTS, named
from sigscope.dialects.settlement import PRECEDENCE, Naming
from sigscope.exchange import Body, Exchange, Request, Response
from sigscope.ledger import build_ledger
from sigscope.reader import Reading, read_steps
from sigscope.refusals.reader import read_refusal
from sigscope.rules.runner import check_session
from sigscope.session import Step

Json = Any
CHAT = "https://gw.example:8080/chat/completions"
GEMINI = "https://gw.example:8080/v1beta/models/gemini-3-pro:generateContent"
PRIVATE = "https://llm.example/openrouter/api/v1/chat/completions"


def exchange(
    url: str,
    messages: Sequence[Json] = (),
    answer: Json = None,
    status: int = 200,
    headers: Sequence[tuple[str, str]] = (),
    **more: Json,
) -> Exchange:
    body = {"model": "m", "messages": list(messages), **more}
    raw = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
    kind = "text/event-stream" if isinstance(answer, bytes) else "application/json"
    return Exchange(
        request=Request(url=url, body=Body(json.dumps(body).encode())),
        response=Response(
            status=status, headers=(("content-type", kind), *headers), body=Body(raw)
        ),
    )


def reply(message: Json, **more: Json) -> Json:
    return {"choices": [{"index": 0, "message": message, **more}]}


def routed(message: Json) -> Json:
    """An answer with the marks of OpenRouter."""
    return {"provider": "Google", **reply(message, native_finish_reason="STOP")}


def gemini(url: str = GEMINI) -> Exchange:
    body = {"contents": [{"role": "user", "parts": [{"text": "hi"}]}]}
    answer = {"candidates": [{"content": {"parts": [{"text": "hello"}]}}]}
    return Exchange(
        request=Request(url=url, body=Body(json.dumps(body).encode())),
        response=Response(status=200, body=Body(json.dumps(answer).encode())),
    )


def tool(call: Any = LS) -> Json:
    return {"role": "tool", "tool_call_id": call[0], "content": "a.md"}


def steps(*exchanges: Exchange) -> list[Step]:
    return [
        Step(number=n, id=f"s{n}", exchange=each) for n, each in enumerate(exchanges, 1)
    ]


def spoken(*exchanges: Exchange, **more: Json) -> list[tuple[str | None, str]]:
    return [told(reading) for reading in read_steps(steps(*exchanges), **more)]


def told(reading: Reading) -> tuple[str | None, str]:
    dialect = reading.decision.dialect
    return dialect.name if dialect else None, reading.decision.how


def names(*exchanges: Exchange, **more: Json) -> list[str | None]:
    return [name for name, _ in spoken(*exchanges, **more)]


NO = {"error": {"message": "invalid request body", "code": "invalid_request_body"}}
BARE = {k: v for k, v in copilot(LS).items() if k != "reasoning_opaque"}
REFUSED = exchange(CHAT, [user(), BARE, tool()], NO, 400)


def test_a_refused_step_keeps_the_dialect_when_its_host_serves_another_too() -> None:
    first = exchange(CHAT, [user()], reply(copilot(LS)))
    alone = spoken(first, REFUSED)
    assert alone[1] == ("copilot-chat", "marks in the answer of step 1")
    assert spoken(first, REFUSED, gemini())[:2] == alone
    assert spoken(gemini(), first, REFUSED)[2] == (
        "copilot-chat", "marks in the answer of step 2"
    )  # fmt: skip


def test_what_a_client_puts_in_a_request_does_not_rename_the_service() -> None:
    asked = exchange(PRIVATE, [user()], routed(openrouter(LS)))
    wrong = openrouter(LS, details=[])
    wrong["tool_calls"][0]["provider_specific_fields"] = {"thought_signature": SIG}
    raw = {"error": {"message": "bad request", "code": 400}}
    refused = exchange(PRIVATE, [user(), wrong, tool()], raw, 400)
    assert names(refused) == ["litellm"]  # nothing but the request tells
    readings = read_steps(steps(asked, refused))
    assert told(readings[1]) == ("openrouter", "marks in the answer of step 1")
    refusals = {r.number: read_refusal(r) for r in readings}
    found = check_session(
        readings, build_ledger(readings), {n: r for n, r in refusals.items() if r}
    )
    assert not any(finding.rule.startswith("LLM") for finding in found)


def test_the_words_that_pass_an_error_on_tell_the_gateway() -> None:
    wrong = openrouter(LS, details=[])
    wrong["tool_calls"][0]["provider_specific_fields"] = {"thought_signature": SIG}
    history = [user(), wrong, tool()]
    error = {"message": "Provider returned error", "code": 400,
             "metadata": {"raw": "no", "provider_name": "Google"}}  # fmt: skip
    assert names(exchange(PRIVATE, history, {"error": error}, 400)) == ["openrouter"]
    error["message"] = "Error from provider: Provider returned error"
    assert names(exchange(PRIVATE, history, {"error": error}, 400)) == ["litellm"]


def test_one_host_with_several_services_under_paths() -> None:
    lite = "https://llm.example/litellm/v1/chat/completions"
    other = "https://llm.example/vllm/v1/chat/completions"
    plain = {"role": "assistant", "content": "hello"}
    found = names(
        exchange(PRIVATE, [user()], routed(openrouter(LS))),
        exchange(lite, [user()], reply(litellm(LS))),
        gemini("https://llm.example/gw/v1beta/models/g:generateContent"),
        exchange(other, [user()], reply(plain)),
        exchange(PRIVATE, [user()], NO, 429),
        exchange(lite, [user()], NO, 429),
        exchange(other, [user()], NO, 429),
    )
    assert found[:4] == ["openrouter", "litellm", "gemini", None]
    assert found[4:] == ["openrouter", "litellm", None]


def test_a_thread_tells_where_the_endpoint_does_not() -> None:
    # Neither exchange names a host or a path.
    one = exchange("", [user()], reply(copilot(LS)))
    two = exchange("", [user()], routed(openrouter(READ, details=[detail(READ)])))
    after_one = exchange("", [user(), BARE, tool()], NO, 400)
    bare = {k: v for k, v in openrouter(READ).items() if k != "reasoning_details"}
    after_two = exchange("", [user(), bare, tool(READ)], NO, 400)
    new = exchange("", [user("Something else")], NO, 400)
    assert spoken(one, two, after_one, after_two, new)[2:] == [
        ("copilot-chat", "thread of step 1"),
        ("openrouter", "thread of step 2"),
        (None, ""),
    ]


def test_a_thread_does_not_name_another_host() -> None:
    here = exchange(PRIVATE, [user()], routed(openrouter(LS)))
    moved = "https://elsewhere.example/v1/chat/completions"
    bare = {k: v for k, v in openrouter(LS).items() if k != "reasoning_details"}
    assert names(here, exchange(moved, [user(), bare, tool()], NO, 400)) == [
        "openrouter", None
    ]  # fmt: skip


def test_headers_of_one_step_count_for_its_endpoint_before_marks() -> None:
    # LiteLLM passes on what OpenRouter, behind it, writes into a stream.
    url = "https://llm.example/v1/chat/completions"
    first = exchange(
        url, [user()], reply(litellm(LS)), headers=[("x-litellm-call-id", "1")]
    )
    second = exchange(url, [user()], routed(openrouter(LS)))
    assert spoken(first, second)[1] == ("litellm", "headers of step 1")


def test_reasoning_details_of_an_unknown_host_name_no_dialect() -> None:
    url = "https://ai-gateway.example/v1/chat/completions"
    assert names(exchange(url, [user()], reply(openrouter(LS)))) == [None]


def test_an_error_event_ends_a_stream_of_litellm() -> None:
    error = {"message": "boom", "type": "None", "param": "None", "code": "500"}
    chunk = {"choices": [{"index": 0, "delta": {"content": "a"}}]}
    raw = b"".join(
        b"data: " + json.dumps(event).encode() + b"\n\n"
        for event in (chunk, {"error": error})
    )
    url = "https://llm.example/v1/chat/completions"
    assert names(exchange(url, [user()], raw)) == ["litellm"]


def naming(name: str, **more: Json) -> Naming:
    dialect = named(name)
    assert dialect is not None
    return Naming(dialect=dialect, by="--dialect", **more)


def test_what_the_user_names_comes_first() -> None:
    first = exchange(CHAT, [user()], reply(copilot(LS)))
    two = (first, REFUSED, gemini())
    found = spoken(*two, namings=[naming("openrouter")])
    assert found == [
        ("openrouter", "named by --dialect"),
        ("openrouter", "named by --dialect"),
        ("gemini", "path"),  # its body is no chat
    ]
    only = naming("litellm", steps=frozenset({2}))
    assert names(*two, namings=[naming("openrouter"), only]) == [
        "openrouter", "litellm", "gemini"
    ]  # fmt: skip


def test_a_named_service_counts_more_than_marks_and_less_than_an_address() -> None:
    url = "https://llm.example/v1/chat/completions"
    service = naming("litellm", endpoint=endpoint_of(url, DIALECTS), is_service=True)
    marked = exchange(url, [user()], routed(openrouter(LS)))
    plain = exchange(url, [user()], reply({"role": "assistant", "content": "x"}))
    other = exchange("https://openrouter.ai/api/v1/chat/completions", [user()], NO, 400)
    assert names(marked, plain, other, namings=[service]) == [
        "litellm", "litellm", "openrouter"
    ]  # fmt: skip


def test_other_methods_of_an_endpoint_speak_nothing() -> None:
    url = "https://llm.example/v1/chat/completions"
    models = Exchange(
        request=Request(method="GET", url="https://llm.example/v1/models"),
        response=Response(status=200, body=Body(b'{"data":[]}')),
    )
    found = read_steps(
        steps(exchange(url, [user()], routed(openrouter(LS))), models),
        namings=[naming("openrouter")],
    )
    assert [told(r)[0] for r in found] == ["openrouter", None]
    assert [r.is_model_call for r in found] == [True, False]


def test_what_was_read_stays_read_until_new_steps_tell_otherwise() -> None:
    plain = {"role": "assistant", "content": "hello"}
    url = "https://llm.example/v1/chat/completions"
    all_steps = steps(
        exchange(url, [user()], reply(plain)),
        gemini(),
        exchange(url, [user()], routed(openrouter(LS))),
        exchange(url, [user()], reply(plain)),
    )
    first = read_steps(all_steps[:2])
    assert told(first[0]) == (None, "")
    known = {reading.number: reading for reading in first}
    second = read_steps(all_steps[:3], known=known)
    assert told(second[0]) == ("openrouter", "marks in the answer of step 3")
    assert second[0] is not first[0]
    assert second[0].reply.message is not None
    assert second[1] is first[1]
    known = {reading.number: reading for reading in second}
    third = read_steps(all_steps, known=known)
    assert all(a is b for a, b in zip(third, second, strict=False))
    assert [told(r) for r in third] == spoken(*(s.exchange for s in all_steps))


@pytest.mark.parametrize(
    ("url", "origin", "base"),
    [
        (GEMINI, "https://gw.example:8080", "/v1beta"),
        (PRIVATE, "https://llm.example", "/openrouter/api/v1"),
        ("https://h:8080/gw/v1beta/models/v/g%3AcountTokens", "https://h:8080",
         "/gw/v1beta"),
        ("https://h/v1internal:generateContent", "https://h", ""),
        ("https://h/v1/messages?beta=true", "https://h", "/v1"),
        ("/v1/responses", "", "/v1"),
        ("https://h/llm/", "https://h", "/llm"),
        ("", "", ""),
    ],
)  # fmt: skip
def test_an_endpoint_ends_where_the_apis_own_path_begins(
    url: str, origin: str, base: str
) -> None:
    assert endpoint_of(url, DIALECTS) == (origin, base)


@pytest.mark.parametrize(
    ("method", "url", "body", "is_call"),
    [
        ("POST", "https://h/v1/responses", {"input": "hi"}, True),
        ("POST", "https://h/v1/messages", {"messages": []}, True),
        ("POST", "https://h/model/claude/converse-stream", {"messages": []}, True),
        ("POST", "https://h/v1/complete", None, True),
        ("POST", "https://h/tasks/7/complete", None, False),
        ("POST", "https://h/llm", {"messages": []}, True),
        ("POST", "https://h/services/aigc/text-generation/generation", None, True),
        ("GET", "https://h/v1/models", None, False),
        ("GET", "https://h/v1/responses/resp_1", None, False),
        ("POST", "https://h/v1/embeddings", {"input": "hi"}, False),
        ("POST", "https://h/v1/messages/count_tokens", {"messages": []}, False),
        ("POST", "https://h/v1beta/models/g:countTokens", {"contents": []}, False),
        ("POST", "https://h/oauth2/token", {"input": "x"}, False),
        ("POST", "https://h/upload/v1beta/files", {"input": "x"}, False),
        ("POST", "https://h/telemetry", {"events": []}, False),
    ],
)
def test_only_what_asks_a_model_is_a_model_call(
    method: str, url: str, body: Json, is_call: bool
) -> None:
    raw = b"" if body is None else json.dumps(body).encode()
    request = Request(method=method, url=url, body=Body(raw))
    probe = Reading(Exchange(request=request)).probe
    assert is_model_call(probe, method) is is_call


def test_each_question_is_asked_once_and_says_what_it_looks_at() -> None:
    assert len(set(PRECEDENCE)) == len(PRECEDENCE)
    assert all(question.__doc__ for question in PRECEDENCE)
