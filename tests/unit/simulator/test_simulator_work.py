"""What a history costs the simulator: calls of functions, by its messages."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from tests.effort import calls_of

from sigscope.upstreams.simulator import SimConfig, judge

Json = Any
USER = {"role": "user", "content": "a"}
SAID = {"role": "assistant", "content": "b"}


def called(number: int) -> Json:
    function = {"name": "look", "arguments": json.dumps({"at": number})}
    return {"id": f"c{number}", "type": "function", "function": function}


def calling(count: int) -> list[Json]:
    calls = [called(number) for number in range(count)]
    results = [
        {"role": "tool", "tool_call_id": f"c{number}", "content": "r"}
        for number in range(count)
    ]
    return [USER, {"role": "assistant", "content": None, "tool_calls": calls}, *results]


@pytest.mark.parametrize(
    ("dialect", "model", "history"),
    [
        ("litellm", "gemini-3-pro", lambda count: [USER] * count),
        ("litellm", "gemini-3-pro", lambda count: [USER, *[SAID] * count, USER]),
        ("litellm", "gemini-2.5-pro", calling),
        ("responses", "gpt-5", lambda count: [USER] * count),
    ],
)
def test_neighbours_of_one_role_cost_their_number(
    dialect: str, model: str, history: Callable[[int], list[Json]]
) -> None:
    small, large = (work(dialect, model, history(count)) for count in (300, 1200))
    assert large < 4.5 * small


def work(dialect: str, model: str, history: list[Json]) -> int:
    is_chat = dialect == "litellm"
    key, path = (
        ("messages", "/v1/chat/completions") if is_chat else ("input", "/v1/responses")
    )
    body = json.dumps({"model": model, key: history}).encode()

    def judged() -> None:
        assert judge(SimConfig(dialect=dialect), path, body) is not None

    return calls_of(judged)


@pytest.mark.parametrize(
    ("arguments", "count"),
    [
        (('{"a": 1, "b": [2]}', '{"b": [2.0], "a": true}'), 1),
        (('{"a": 1}', '{"a": "1"}'), 2),
        (('{"a": []}', '{"a": {}}'), 2),
        (("[" * 400 + "]" * 400, "[" * 400 + "]" * 400), 1),
    ],
)
def test_calls_that_mean_the_same_are_twins_to_the_proxy(
    arguments: tuple[str, str], count: int
) -> None:
    calls = [called(number) for number in range(2)]
    for call, text in zip(calls, arguments, strict=True):
        call["function"]["arguments"] = text
    message = {"role": "assistant", "content": None, "tool_calls": calls}
    body = {"model": "gemini-2.5-pro", "messages": [USER, message]}
    config = SimConfig(dialect="litellm")
    verdict = judge(config, "/v1/chat/completions", json.dumps(body).encode())
    assert verdict is not None
    assert len(verdict.upstream["contents"][1]["parts"]) == count
