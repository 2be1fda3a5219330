"""Answers that are errors are read as such, wherever the error stands."""

import json
from functools import partial
from typing import Any

import pytest
from tests import builders as b
from tests.effort import effort

from sigscope.exchange import Exchange, Request
from sigscope.reader import Reading
from sigscope.refusals import Refusal, confirms, read_refusal
from sigscope.refusals.reader import PAGE_BYTES

MISSING = (
    "Unable to submit request because function call `default_api:list_files` in the 2. "
    "content block is missing a `thought_signature`."
)


def answered(
    dialect: str,
    response: Any,
    *,
    status: int | None = 200,
    content_type: str = "application/json",
) -> Reading:
    sent = [b.ask()] if dialect == "gemini" else [b.user()]
    body = b.request_body(dialect, sent)
    (reading,) = b.read(
        [b.exchange(dialect, body, response, status=status, content_type=content_type)]
    )
    return reading


def said(reading: Reading) -> Refusal:
    refusal = read_refusal(reading)
    assert refusal is not None
    return refusal


def chunk(**delta: Any) -> Any:
    return {"choices": [{"index": 0, "delta": delta}]}


# --- What is no error -----------------------------------------------------------------


@pytest.mark.parametrize("dialect", ["copilot-chat", "openrouter", "litellm"])
def test_a_good_answer_is_no_error(dialect: str) -> None:
    good = b.response_body(dialect, {"role": "assistant", "content": "error: none"})
    assert read_refusal(answered(dialect, good)) is None
    assert read_refusal(answered(dialect, good | {"error": None})) is None


def test_a_good_stream_is_no_error() -> None:
    stream = b.sse(chunk(content="hi"), chunk(content='{"error": "x"}'), "[DONE]")
    reading = answered("copilot-chat", stream, content_type="text/event-stream")
    assert reading.is_streamed
    assert read_refusal(reading) is None


@pytest.mark.parametrize(
    "reason", ["MISSING_THOUGHT_SIGNATURE", "MALFORMED_FUNCTION_CALL", "SAFETY"]
)
def test_a_finish_reason_is_no_error(reason: str) -> None:
    body = {"candidates": [{"finishReason": reason, "index": 0}]}
    assert read_refusal(answered("gemini", body)) is None
    ended = {"choices": [{"finish_reason": "error", "delta": {}, "index": 0}]}
    stream = b.sse(ended, "[DONE]")
    reading = answered("openrouter", stream, content_type="text/event-stream")
    assert read_refusal(reading) is None


def test_an_exchange_without_a_response_says_nothing() -> None:
    assert read_refusal(Reading(Exchange(request=Request()))) is None
    assert read_refusal(answered("copilot-chat", b"", status=None)) is None


# --- Error answers --------------------------------------------------------------------


def test_an_error_behind_much_else_is_read_where_it_is_json() -> None:
    body = {"debug": "x" * (PAGE_BYTES + 1), "error": {"message": MISSING}}
    assert said(answered("gemini", body, status=400)).text == MISSING


def test_an_error_answer_is_unwrapped_matched_and_placed() -> None:
    sent = [b.user(), b.copilot(b.LS, opaque=None), b.result(b.LS)]
    error = [{"error": {"code": 400, "message": MISSING, "status": "INVALID_ARGUMENT"}}]
    reading = b.record("copilot-chat", [], sent=sent, status=400, error=error)[-1]
    refusal = said(reading)
    assert (refusal.status, refusal.event) == (400, None)
    assert (refusal.text, refusal.code) == (MISSING, "INVALID_ARGUMENT")
    assert refusal.layers == ("array of one",)
    assert refusal.texts == (MISSING,)
    assert [found.rule for found in refusal.matches] == ["CPC-1", "GEM-2"]
    assert {found.pointers for found in refusal.matches} == {("/messages/1",)}


@pytest.mark.parametrize("status", [400, 429, 500, 503])
def test_the_status_does_not_matter(status: int) -> None:
    refusal = said(answered("gemini", {"error": {"message": MISSING}}, status=status))
    assert refusal.status == status
    assert [found.rule for found in refusal.matches] == ["GEM-2"]


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (b"", "an empty body"),
        (b"  \n", "an empty body"),
        (b"upstream connect error", "upstream connect error"),
        (b"\xff\xfe\x00", "\ufffd\ufffd\x00"),
        (b'{"error": {"message": "torn', "torn"),
        (b"\xef\xbb\xbf" + b'{"error": {"message": "marked"}}', "marked"),
        (
            b"<html><title>504</title><body>Gateway Time-out</body>",
            "504: Gateway Time-out",
        ),
        (b'{"error": {"code": "only_a_code"}}', "only_a_code"),
        (b'"a string"', '"a string"'),
    ],
)
def test_any_body_of_an_error_answer_says_something(body: bytes, text: str) -> None:
    for content_type in ("application/json", "text/plain", "text/html"):
        reading = answered("openrouter", body, status=502, content_type=content_type)
        refusal = said(reading)
        assert text in refusal.text
        assert refusal.texts[-1] == refusal.text


def test_an_empty_error_answer_shows_the_reason_of_its_status_line() -> None:
    reading = answered("openrouter", b"", status=502)
    response = reading.exchange.response
    assert response is not None
    object.__setattr__(response, "reason", "Bad Gateway")
    assert said(reading).text == "Bad Gateway (empty body)"


def test_an_error_answer_that_came_as_a_stream_is_no_event_of_one() -> None:
    error = {"error": {"message": MISSING, "code": 400}}
    stream = b.sse(error, "[DONE]")
    reading = answered(
        "copilot-chat", stream, status=400, content_type="text/event-stream"
    )
    refusal = said(reading)
    assert (refusal.text, refusal.event) == (MISSING, None)


def test_an_error_array_of_a_streaming_endpoint_is_one_error() -> None:
    error = [{"error": {"code": 400, "message": MISSING, "status": "INVALID_ARGUMENT"}}]
    refusal = said(answered("gemini", error, status=400))
    assert (refusal.text, refusal.layers) == (MISSING, ("array of one",))
    assert refusal.event is None


# --- Errors inside answers that began well --------------------------------------------


def test_an_error_object_that_came_with_200_is_an_error() -> None:
    refusal = said(answered("litellm", {"error": {"message": "No deployments"}}))
    assert (refusal.status, refusal.text, refusal.event) == (
        200,
        "No deployments",
        None,
    )
    refusal = said(answered("copilot-chat", {"error": {"message": "m"}}, status=None))
    assert refusal.status is None


def test_an_error_in_a_stream_is_found_with_its_event() -> None:
    stream = b.sse(
        chunk(role="assistant", content="hi"),
        {
            "error": {"code": 502, "message": "Provider disconnected"},
            "choices": [{"index": 0, "delta": {}, "finish_reason": "error"}],
        },
        "[DONE]",
    )
    reading = answered("openrouter", stream, content_type="text/event-stream")
    refusal = said(reading)
    assert (refusal.status, refusal.event) == (200, 2)
    assert refusal.text == "Provider disconnected"
    assert [found.rule for found in refusal.matches] == ["ORT-8"]


def test_an_error_in_a_stream_of_another_service_is_not_openrouter_s() -> None:
    stream = b.sse(chunk(content="a"), {"error": {"message": "late"}})
    reading = answered("litellm", stream, content_type="text/event-stream")
    assert said(reading).matches == ()


@pytest.mark.parametrize(
    "event",
    [
        {"error": {"message": "late"}},
        {"error": "late"},
        [{"error": {"message": "late"}}],
        {"type": "error", "error": {"type": "overloaded_error", "message": "late"}},
        {"type": "error", "code": "server_error", "message": "late"},
        {"type": "response.failed", "response": {"error": {"message": "late"}}},
        {"choices": [{"index": 0, "delta": {}, "error": {"message": "late"}}]},
    ],
)
def test_every_shape_of_an_error_event_is_known(event: Any) -> None:
    stream = b.sse(chunk(content="a"), event)
    reading = answered("litellm", stream, content_type="text/event-stream")
    assert (said(reading).text, said(reading).event) == ("late", 2)


def test_an_event_named_error_is_one_whatever_it_holds() -> None:
    stream = b.sse(chunk(content="a")) + b"event: error\ndata: gone away\n\n"
    reading = answered("litellm", stream, content_type="text/event-stream")
    assert (said(reading).text, said(reading).event) == ("gone away", 2)


def test_the_reason_that_ended_a_stream_is_matched() -> None:
    stream = b.sse(
        {
            "error": {"code": 502, "message": "Upstream error"},
            "choices": [
                {
                    "index": 0,
                    "delta": {},
                    "finish_reason": "error",
                    "native_finish_reason": "MISSING_THOUGHT_SIGNATURE",
                }
            ],
        }
    )
    reading = answered("openrouter", stream, content_type="text/event-stream")
    assert [m.rule for m in said(reading).matches] == ["GEM-17", "ORT-8"]


def test_a_page_in_place_of_an_answer_is_an_error() -> None:
    page = b"<!doctype html><html><title>Sign in</title></html>"
    refusal = said(answered("copilot-chat", page, content_type="text/html"))
    assert (refusal.status, refusal.text) == (200, "Sign in")


def test_words_sent_to_no_chat_service_are_no_error() -> None:
    elsewhere = b.exchange(
        "copilot-chat",
        {},
        b"ok",
        url="https://example.test/x",
        content_type="text/plain",
    )
    (reading,) = b.read([elsewhere])
    assert read_refusal(reading) is None


# --- Rules that share words -----------------------------------------------------------


@pytest.mark.parametrize(
    ("dialect", "text", "rules"),
    [
        ("copilot-chat", MISSING, ["CPC-1", "GEM-2"]),
        ("litellm", MISSING, ["LLM-2", "GEM-2"]),
        ("openrouter", MISSING, ["ORT-1", "GEM-2"]),
        ("gemini", MISSING, ["GEM-2"]),
        (
            "openrouter",
            "messages.1.content.0: Invalid `signature` in `thinking` block",
            ["ORT-5", "ANT-1"],
        ),
        (
            "copilot-chat",
            "messages.1.content.0: Invalid signature in thinking block",
            ["CPC-5", "ANT-1"],
        ),
        (
            "openrouter",
            "Item with id 'rs_1' not found. Items are not persisted when x",
            ["ORT-4", "RSP-4"],
        ),
    ],
)
def test_a_gateway_s_own_rule_comes_before_that_of_the_service_behind_it(
    dialect: str, text: str, rules: list[str]
) -> None:
    refusal = said(answered(dialect, {"error": {"message": text}}, status=400))
    assert [found.rule for found in refusal.matches] == rules


@pytest.mark.parametrize(
    ("dialect", "text", "confirmed", "not_confirmed"),
    [
        ("gemini", MISSING, ("GEM-1", "GEM-2", "GEM-7", "GEM-11"), ("GEM-4", "GEM-6")),
        ("gemini", "Corrupted thought signature.", ("GEM-4", "GEM-14"), ("GEM-1",)),
        ("openrouter", "Corrupted thought signature.", ("ORT-6",), ("ORT-1",)),
        ("copilot-chat", MISSING, ("CPC-1",), ("CPC-2",)),
    ],
)
def test_one_text_confirms_every_rule_it_may_come_from(
    dialect: str, text: str, confirmed: tuple[str, ...], not_confirmed: tuple[str, ...]
) -> None:
    refusal = said(answered(dialect, {"error": {"message": text}}, status=400))
    assert all(confirms(refusal, rule) for rule in confirmed)
    assert not any(confirms(refusal, rule) for rule in not_confirmed)


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["x", "{", "[", '"', "litellm.", "<p>", "a b ", "- {"])
def test_a_huge_answer_is_read_in_no_time_and_shown_short(unit: str) -> None:
    words = unit * (400_000 // len(unit))
    bodies = {
        "text/html": words.encode(),
        "application/json": json.dumps({"error": {"message": words}}).encode(),
    }
    for kind, body in bodies.items():
        reading = answered("openrouter", body, status=502, content_type=kind)
        assert effort(partial(read_refusal, reading), limit=2) < 2
        refusal = read_refusal(reading)
        assert refusal is not None
        assert len(refusal.text) < 40_000


# --- Errors beside the message --------------------------------------------------------


@pytest.mark.parametrize(
    "error",
    [
        {"message": "Bad Request", "upstreamResponse": {"error": {"message": MISSING}}},
        {
            "message": "Provider returned error",
            "metadata": {
                "raw": "ERROR",
                "previous_errors": [{"code": 400, "message": MISSING}],
            },
        },
    ],
)
def test_an_error_beside_the_message_speaks_where_the_message_does_not(
    error: Any,
) -> None:
    refusal = said(answered("litellm", {"error": error}, status=400))
    assert "GEM-2" in [match.rule for match in refusal.matches]
    assert refusal.text == MISSING
    assert "beside the message" in refusal.layers


def test_an_error_beside_a_message_that_speaks_is_not_heard() -> None:
    error = {"message": MISSING, "cause": {"error": "Corrupted thought signature."}}
    refusal = said(answered("gemini", {"error": error}, status=400))
    assert [match.rule for match in refusal.matches] == ["GEM-2"]


@pytest.mark.parametrize(
    "beside",
    [
        {"inner": {"error": "slow down"}},
        {"metadata": {"raw": {"retryable": True}, "provider_name": "Nebius"}},
    ],
)
def test_a_message_without_a_rule_stays_what_is_shown(beside: Any) -> None:
    error = {"message": "Too many requests", **beside}
    refusal = said(answered("openrouter", {"error": error}, status=429))
    assert refusal.matches == ()
    assert refusal.text == "Too many requests"
