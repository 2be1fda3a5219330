"""A request that went to another API of a service: replayed against its simulator."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from sigscope.engine.engine import Engine, Target
from sigscope.engine.sending.sender import Order
from sigscope.engine.sessions.document import Document
from sigscope.exchange import Body, Exchange, Request, Response
from sigscope.runs import Run, Verdict
from sigscope.session import Session, Step

COPILOT = "https://api.githubcopilot.com"
GEMINI = "gemini-3-pro-preview"
JSON = (("content-type", "application/json"),)
ON_RESPONSES = f"model {GEMINI} is not supported via Responses API."
ON_CHAT = 'model "gpt-5.3-codex" is not accessible via the /chat/completions endpoint'


def document(url: str, body: Any, message: str | None = None) -> Document:
    """One step, refused in Copilot's words or answered."""
    answer: Any = {"object": "response", "output": []}
    if message is not None:
        code = "unsupported_api_for_model"
        answer = {"error": {"message": message, "code": code}}
    made = Exchange(
        request=Request(url=url, headers=JSON, body=Body(json.dumps(body).encode())),
        response=Response(
            status=400 if message else 200,
            headers=JSON,
            body=Body(json.dumps(answer).encode()),
        ),
    )
    return Document(Session(id="made", steps=[Step(number=1, id="1", exchange=made)]))


def replayed(made: Document) -> Run:
    async def go() -> Run:
        found = [
            item
            async for item in Engine().replay(made, Order(step=1), Target())
            if isinstance(item, Run)
        ]
        return found[-1]

    return asyncio.run(go())


@pytest.mark.parametrize("url", [f"{COPILOT}/responses", "http://gw.test/v1/responses"])
def test_gemini_through_the_responses_api_is_refused_again(url: str) -> None:
    run = replayed(document(url, {"model": GEMINI, "input": "Hi"}, ON_RESPONSES))
    assert (run.status, run.error) == (400, ON_RESPONSES)
    assert run.verdict is Verdict.REPRODUCED


def test_codex_through_chat_completions_is_refused_again() -> None:
    body = {"model": "gpt-5.3-codex", "messages": [{"role": "user", "content": "Hi"}]}
    run = replayed(document(f"{COPILOT}/chat/completions", body, ON_CHAT))
    assert (run.status, run.error) == (400, ON_CHAT)
    assert run.verdict is Verdict.REPRODUCED


@pytest.mark.parametrize("model", ["gpt-5.2", "o4-mini"])
def test_a_model_that_speaks_it_answers(model: str) -> None:
    run = replayed(document(f"{COPILOT}/responses", {"model": model, "input": "Hi"}))
    assert (run.status, run.predicted) == (200, 200)


def test_the_responses_api_of_others_is_not_copilot_s() -> None:
    asked = {"model": GEMINI, "input": "Hi"}
    run = replayed(document("https://api.openai.com/v1/responses", asked))
    assert run.status == 200


def test_an_argument_that_was_refused_by_name_is_refused_again() -> None:
    body = {
        "model": GEMINI,
        "reasoning_effort": "high",
        "messages": [{"role": "user", "content": "Hi"}],
    }
    words = "Unrecognized request argument supplied: reasoning_effort"
    run = replayed(document(f"{COPILOT}/chat/completions", body, words))
    assert (run.status, run.error) == (400, words)
    assert run.verdict is Verdict.REPRODUCED
