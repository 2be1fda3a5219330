"""A long session in which everything goes wrong somewhere, made up."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace

from tests.tui.longstory import long_story
from tests.tui.story import MODEL, step

from sigscope.engine.sessions.document import Document
from sigscope.exchange import Body, Exchange, Request, Response
from sigscope.session import Session, Step

REFUSED, BROKEN, UNKNOWN, SIDE = "refused", "broken", "unknown", "side"


def troubled(steps: int, trouble: Mapping[int, str]) -> Session:
    """`long_story`, some of its steps in trouble: by number, what kind."""
    session = long_story(steps, is_timed=False, drops=set(trouble))
    made = [_step(each, trouble.get(each.number, "")) for each in session.steps]
    return replace(session, steps=tuple(made))


def document(steps: int, trouble: Mapping[int, str]) -> Document:
    return Document(troubled(steps, trouble))


def _step(one: Step, kind: str) -> Step:
    if kind == REFUSED:
        error = {"error": {"message": "no more quota", "code": "quota"}}
        return _answered(one, 429, json.dumps(error).encode(), "application/json")
    if kind == BROKEN:
        error = {"error": {"message": "overloaded", "code": 502}}
        data = b"data: " + json.dumps(error).encode() + b"\n\n"
        return _answered(one, 200, data, "text/event-stream")
    if kind == UNKNOWN:
        body = Body(json.dumps({"model": "m", "prompt": "hello"}).encode())
        asked = Request(url="https://llm.example/v1/ask", body=body)
        answer = Response(status=200, body=Body(b'{"text": "hi"}'))
        exchange = Exchange(request=asked, response=answer)
        return replace(one, exchange=exchange)
    if kind == SIDE:
        asking = {"role": "user", "content": f"A title for {one.number}, please."}
        body_of = {"model": MODEL, "messages": [asking]}
        message = {"role": "assistant", "content": f"Title {one.number}"}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        answer_of = json.dumps({"model": MODEL, "choices": [choice]}).encode()
        return step(one.number, body_of, 200, answer_of, streamed=False)
    return one


def _answered(one: Step, status: int, body: bytes, kind: str) -> Step:
    assert one.exchange.response is not None
    response = replace(
        one.exchange.response,
        status=status,
        headers=(("Content-Type", kind),),
        body=Body(body),
        chunks=(),
    )
    return replace(one, exchange=replace(one.exchange, response=response))
