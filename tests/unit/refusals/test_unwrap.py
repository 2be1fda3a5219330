"""Errors wrapped in errors give their innermost words, and keep the others."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigscope.refusals.unwrap import MAX_LAYERS, Unwrapped, unwrap

WORDS = "Unable to submit request because function call `default_api:f` in the 2. one"
GOOGLE = {"error": {"code": 400, "message": WORDS, "status": "INVALID_ARGUMENT"}}
PRINTED = json.dumps(GOOGLE, indent=2) + "\n"
PREFIX = "litellm.BadRequestError: Vertex_ai_betaException BadRequestError - "
PREFERRED = (
    "Gemini models require OpenRouter reasoning details to be preserved. Upstream "
    "error: "
)


def openrouter(raw: object) -> object:
    return {
        "error": {
            "message": "Provider returned error",
            "code": 400,
            "metadata": {"raw": raw, "provider_name": "Google AI Studio"},
        },
        "user_id": "u",
    }


def says(message: object, **more: object) -> object:
    return {"error": {"message": message, **more}}


SHAPES = {
    "Google": GOOGLE,
    "array of one": [GOOGLE],
    "OpenRouter": openrouter(PREFERRED + PRINTED),
    "OpenRouter, raw is JSON": openrouter(PRINTED),
    "OpenRouter, raw is an object": openrouter(GOOGLE),
    "OpenRouter, in a choice": {"choices": [{"error": GOOGLE["error"]}]},
    "LiteLLM": says(f"{PREFIX}{PRINTED}", type=None, param=None, code="400"),
    "LiteLLM, bytes": says(f"{PREFIX}{PRINTED.encode()!r}"),
    "LiteLLM, model group": says(
        f"{PREFIX}{PRINTED.encode()!r}. Received Model Group=g\nAvailable Model Group "
        "Fallbacks=None"
    ),
    "LiteLLM, mid stream": says(
        f"litellm.ServiceUnavailableError: litellm.MidStreamFallbackError: {PREFIX}"
        f"{PRINTED.encode()!r} Original exception: BadRequestError: {PREFIX}"
        f"{PRINTED.encode()!r}"
    ),
    "JSON in the message": says(PRINTED, code=400, status="Bad Request"),
    "JSON in JSON in the message": says(json.dumps(says(PRINTED))),
    "VS Code": f"Request Failed: 400 {json.dumps(GOOGLE)}",
    "gemini-cli": f"got status: 400 Bad Request. {json.dumps(GOOGLE)}",
    "OpenAI SDK": f"Error code: 400 - {GOOGLE!r}",
    "exception of an exception": f"RuntimeError({str(GOOGLE)!r})",
    "a gateway that prints Python": says(f"400 INVALID_ARGUMENT. {GOOGLE!r}"),
    "a gateway that repeats itself": says(
        f"Error from provider(x: 400): {json.dumps(GOOGLE)}Error: the same"
    ),
    "a gateway that found an array": says(f"Invalid response from x: [{PRINTED}]"),
    "FastAPI": {"detail": GOOGLE},
    "FastAPI, text": {"detail": f"upstream said {json.dumps(GOOGLE)}"},
    "named, with details": {"error": "Bad gateway", "details": f"400 {PRINTED}"},
    "named, with a message": {"statusCode": 400, "error": "x", "message": PRINTED},
    "object as message": says(says(GOOGLE)),
    "unknown envelope": {"id": 3, "outcome": GOOGLE},
    "Code Assist": {"response": GOOGLE},
    "torn": "upstream: " + json.dumps(GOOGLE)[:-3],
}


@pytest.mark.parametrize("shape", SHAPES)
def test_the_innermost_words_come_out(shape: str) -> None:
    found = unwrap(SHAPES[shape])
    assert found.text == WORDS
    assert found.texts[-1] == WORDS
    if shape != "torn":
        assert found.code == "INVALID_ARGUMENT"


@pytest.mark.parametrize("shape", SHAPES)
def test_text_and_parsed_body_say_the_same(shape: str) -> None:
    body = SHAPES[shape]
    printed = body if isinstance(body, str) else json.dumps(body)
    assert unwrap(printed) == unwrap(body)


def test_every_layer_is_kept_from_the_outside_in() -> None:
    found = unwrap(openrouter(PREFERRED + PRINTED))
    assert found.texts == ("Provider returned error", PREFERRED.strip(), WORDS)
    assert found.wrappings == ("OpenRouter metadata.raw", "upstream error after text")
    assert found.provider == "Google AI Studio"


def test_litellm_s_names_become_wrappings_and_its_provider_is_read() -> None:
    found = unwrap(SHAPES["LiteLLM, mid stream"])
    assert found.wrappings[:3] == (
        "litellm.ServiceUnavailableError",
        "litellm.MidStreamFallbackError",
        "litellm.BadRequestError",
    )
    assert found.wrappings[3:] == ("Python bytes", "JSON in a string")
    assert found.provider == "Vertex_ai_beta"
    assert any("Original exception" in text for text in found.texts)


def test_what_stands_after_the_inner_error_is_kept() -> None:
    found = unwrap(SHAPES["LiteLLM, model group"])
    assert any("Received Model Group=g" in text for text in found.texts)


def test_litellm_s_own_words_are_freed_of_the_prefix() -> None:
    text = "Missing corresponding tool call for tool response message. Received - x"
    found = unwrap(says(f"litellm.APIConnectionError: {text}"))
    assert found.text == text
    assert found.wrappings == ("litellm.APIConnectionError",)


def test_a_quoted_history_is_no_error() -> None:
    text = (
        "Missing corresponding tool call for tool response message. Received - "
        "message={'role': 'tool', 'content': '{\"message\": \"hi\"}', 'tool_call_id': "
        "'c'}"
    )
    assert unwrap(says(text)).text == text


@pytest.mark.parametrize(
    ("body", "text", "code"),
    [
        (
            {
                "error": {
                    "message": "invalid request body",
                    "code": "invalid_request_body",
                }
            },
            "invalid request body",
            "invalid_request_body",
        ),
        (
            {
                "type": "error",
                "error": {"type": "invalid_request_error", "message": "m"},
            },
            "m",
            "invalid_request_error",
        ),
        (
            {"code": "invalid-argument", "error": "Could not decrypt"},
            "Could not decrypt",
            "invalid-argument",
        ),
        ({"message": "Bad Request"}, "Bad Request", ""),
        (
            {"__type": "ValidationException", "message": "no"},
            "no",
            "ValidationException",
        ),
        ({"error": {"message": "no", "code": 429, "type": None}}, "no", ""),
        ({"error": {"code": 500}}, '{"code": 500}', ""),
        ({"nothing": "known"}, '{"nothing": "known"}', ""),
        ({"error": "plain"}, "plain", ""),
        ("upstream connect error", "upstream connect error", ""),
        ("", "", ""),
        ([], "", ""),
        (None, "", ""),
        (7, "", ""),
    ],
)
def test_plain_shapes_are_read(body: object, text: str, code: str) -> None:
    found = unwrap(body)
    assert (found.text, found.code) == (text, code)
    assert found.wrappings == ()


def test_a_message_alone_in_an_object_is_an_error_in_text() -> None:
    assert unwrap('ValidationException: {"message": "no"}').text == "no"
    text = 'the last turn was {"message": "no", "role": "user"}'
    assert unwrap(text).text == text


def test_pages_are_read_as_their_words() -> None:
    page = (
        "<!DOCTYPE html>\n<html><head><title>502 Bad&nbsp;Gateway</title>"
        "<style>h1 {color: red}</style></head><body><h1>Oops &amp; sorry</h1>"
        "<script>var x = {error: 1}</script></body></html>"
    )
    found = unwrap(page)
    assert found.text == "502 Bad Gateway: Oops & sorry"
    assert found.wrappings == ("HTML page",)
    twice = unwrap(page.replace("Oops &amp; sorry", "502 Bad Gateway") + "nginx")
    assert twice.text == "502 Bad Gateway nginx"
    assert len(unwrap("<html>" + "word " * 5000).text) <= 400
    assert unwrap("<html></html>").text == "a page without words"


def test_the_field_an_error_names_is_kept() -> None:
    (layer,) = unwrap(says("Invalid input", param="messages.2.x", code="c")).layers
    assert layer.param == "messages.2.x"
    details = [
        {"@type": "x", "fieldViolations": [{"field": "contents[6].parts[0].y"}]},
    ]
    (layer,) = unwrap(says("Invalid value", details=details)).layers
    assert layer.param == "contents[6].parts[0].y"


def test_complaints_of_a_schema_checker_are_joined() -> None:
    complaints = [
        {"loc": ["body", "messages", 2], "msg": "field required", "type": "missing"},
        {"loc": ["body", "model"], "msg": "too long", "type": "string"},
    ]
    found = unwrap({"detail": complaints})
    assert found.text == "field required\ntoo long"
    assert found.layers[-1].param == "messages.2"


def test_the_reason_a_stream_ended_counts_as_its_code() -> None:
    chunk = {
        "error": {"code": 502, "message": "Upstream error"},
        "provider": "Google",
        "choices": [
            {
                "finish_reason": "error",
                "native_finish_reason": "MISSING_THOUGHT_SIGNATURE",
            }
        ],
    }
    found = unwrap(chunk)
    assert (found.code, found.provider) == ("MISSING_THOUGHT_SIGNATURE", "Google")


def test_wrapping_without_end_is_cut_off() -> None:
    body: object = GOOGLE
    for _ in range(MAX_LAYERS * 2):
        body = [body]
    assert unwrap(body).layers == ()


@given(st.text(max_size=80) | st.text(alphabet="{}[]'\"\\:, erorb<html>", max_size=80))
def test_any_text_is_taken_without_an_exception(text: str) -> None:
    found = unwrap(text)
    assert isinstance(found, Unwrapped)
    assert bool(found.text) == bool(found.texts)


keys = st.sampled_from(
    ["error", "message", "metadata", "raw", "code", "details", "choices", "detail", "x"]
)
bodies = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=4)
    ),
    max_leaves=12,
)


@given(bodies)
def test_any_body_is_taken_without_an_exception(body: object) -> None:
    assert isinstance(unwrap(body), Unwrapped)
