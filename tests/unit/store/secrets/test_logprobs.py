"""Keys in log probabilities, which tell each token as a text and as numbers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sigscope.store.secrets.logprobs import mask_bytes, token_lists
from sigscope.store.secrets.masker import mask_answer
from sigscope.store.secrets.split import mask_stream
from sigscope.wire.events import Framing

KEY = "sk-ant-" + "aB3x" * 12
SENT = "7c9e6679-7425-40de-944b-e07fc1f90ae7"
"""What a request was sent with; an id elsewhere."""
TEXT = f"Use {KEY} with {SENT}, **é** then."
MASKED = TEXT.replace(KEY[7:], "*" * 48).replace(SENT, "*" * 36)
TOKENS = [TEXT[at : at + 3] for at in range(0, len(TEXT), 3)]


def masked(body: bytes, framing: Framing) -> bytes:
    split, _ = mask_stream(body, framing, (SENT,))
    found, _ = mask_answer(split, (SENT,))
    assert len(found) == len(body)
    return found


def told(token: str) -> dict[str, Any]:
    alone = {"token": token, "logprob": -0.1, "bytes": list(token.encode())}
    other = {"token": "x", "logprob": -2.5, "bytes": [120]}
    return {**alone, "top_logprobs": [alone, other]}


def said(tokens: list[dict[str, Any]]) -> set[str]:
    """Each way in which the text is told."""
    tops = [token["top_logprobs"][0] for token in tokens]
    return {
        *("".join(token["token"] for token in each) for each in (tokens, tops)),
        *(
            b"".join(bytes(token["bytes"]) for token in each).decode()
            for each in (tokens, tops)
        ),
    }


@pytest.mark.parametrize("indent", [None, 1])
def test_they_are_masked_in_texts_and_in_numbers(indent: int | None) -> None:
    body = json.dumps(
        {"choices": [{"logprobs": {"content": [*map(told, TOKENS)]}}]}, indent=indent
    )
    choice = json.loads(masked(body.encode(), "json"))["choices"][0]
    assert said(choice["logprobs"]["content"]) == {MASKED}


def test_so_they_are_in_a_stream() -> None:
    body = b"".join(
        b"data: %b\n\n"
        % json.dumps({"choices": [{"logprobs": {"content": [told(t)]}}]}).encode()
        for t in TOKENS
    )
    events = [json.loads(e[6:]) for e in masked(body, "sse").splitlines() if e]
    choices = [event["choices"][0]["logprobs"]["content"] for event in events]
    assert said([token for content in choices for token in content]) == {MASKED}


def test_so_they_are_in_those_of_completions_and_of_gemini() -> None:
    chosen = [{"token": t, "logProbability": -0.1} for t in TOKENS]
    top = [{"candidates": [each]} for each in chosen]
    result = {"chosenCandidates": chosen, "topCandidates": top}
    of_gemini = json.dumps({"candidates": [{"logprobsResult": result}]}).encode()
    found = json.loads(masked(of_gemini, "json"))["candidates"][0]["logprobsResult"]
    assert "".join(each["token"] for each in found["chosenCandidates"]) == MASKED
    tops = (each["candidates"][0]["token"] for each in found["topCandidates"])
    assert "".join(tops) == MASKED
    old = json.dumps({"choices": [{"logprobs": {"tokens": TOKENS}}]}).encode()
    found = json.loads(masked(old, "json"))["choices"][0]["logprobs"]["tokens"]
    assert "".join(found) == MASKED


@pytest.mark.parametrize(
    "body",
    [
        b'{"logprobs":{"content":[{"token":"**","logprob":-1,"bytes":[42,42]}]}}',
        b'{"logprobs":{"content":[{"token":"*a","logprob":-1,"bytes":[42, 97]}]}}',
        b'{"logprobs":{"content":[{"token":"ok","bytes":[111,107]}, {"token":7}]}}',
        b'{"logprobs":null,"content":[{"token":"a*","logprob":-1,"bytes":[',
    ],
)
def test_what_is_no_key_stays(body: bytes) -> None:
    assert mask_bytes(body) == body
    assert masked(body, "json") == body


def test_lists_within_one_another_are_looked_at_once() -> None:
    depth = 2000
    body = b'{"logprobs":[{"token":"a"},{"token":"b","content":[1,' * depth
    told = [event for events in token_lists(body) for event in events]
    assert len(told) == 2
    assert sum(len(event.data) for event in told) <= len(body)
