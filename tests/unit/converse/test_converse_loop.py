"""The agent loop: turns, rounds, ends, side requests, going on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rehearsals import (
    BOTH,
    ONE_BY_ONE,
    READ,
    THANKS,
    assistants,
    body,
    changed,
    hold,
    signatures,
    statuses,
)

from sigscope.converse.client import Client
from sigscope.converse.loader import load_policy
from sigscope.converse.loop import Talk, talk
from sigscope.converse.stage import Stage
from sigscope.exchange import Request
from sigscope.upstreams.base import AnswerHead, Arrival, Data, End
from sigscope.upstreams.simulator import SimConfig

FAITHFUL = (
    "faithful-copilot-chat",
    "faithful-openrouter",
    "faithful-litellm",
    "faithful-gemini",
    "faithful-vertex",
    "faithful-anthropic",
    "claude-code",
    "anthropic-sdk-loop",
)
TURNS = (READ, BOTH, ONE_BY_ONE, THANKS, "What files are in this directory?")


def test_a_turn_ends_with_an_answer_without_calls() -> None:
    held = hold("faithful-copilot-chat", [ONE_BY_ONE, THANKS])
    assert [(t.turn, t.round) for t in held] == [(1, 1), (1, 2), (1, 3), (2, 1)]
    assert [bool(t.heard.calls) for t in held] == [True, True, False, False]
    assert [t.step.number for t in held] == [1, 2, 3, 4]
    assert len({t.step.id for t in held}) == 4


def test_it_ends_at_the_first_refusal() -> None:
    held = hold("zed-copilot-attempt-1", [READ, THANKS])
    assert statuses(held) == [200, 400]
    assert held[-1].is_refused


def test_a_turn_takes_no_more_rounds_than_allowed() -> None:
    held = hold("faithful-copilot-chat", [ONE_BY_ONE, THANKS], rounds=2)
    assert [(t.turn, t.round) for t in held][:2] == [(1, 1), (1, 2)]
    assert held[2].turn == 2


def test_a_mended_client_goes_on_where_the_broken_one_was_refused() -> None:
    mended = load_policy("faithful-copilot-chat")
    held = hold("copilot-missing-signature", [READ, THANKS], then=mended)
    assert statuses(held) == [200, 400, 200, 200]
    assert [t.policy for t in held] == [
        "copilot-missing-signature",
        "copilot-missing-signature",
        "faithful-copilot-chat",
        "faithful-copilot-chat",
    ]
    assert [(t.turn, t.round) for t in held] == [(1, 1), (1, 2), (1, 3), (2, 1)]
    sent = assistants(held[2])[0]["reasoning_opaque"]
    assert sent == signatures(held[0])[0]


def test_a_mended_client_knows_what_the_broken_one_never_read() -> None:
    mended = load_policy("zed-openrouter-option-c")
    held = hold("zed-openrouter-never-emitted", [ONE_BY_ONE], then=mended)
    assert statuses(held) == [200, 400, 200, 200]


def test_a_second_policy_that_is_refused_too_ends_it() -> None:
    broken = load_policy("zed-copilot-attempt-2")
    held = hold("zed-copilot-attempt-1", [READ, THANKS], then=broken)
    assert statuses(held) == [200, 400, 400]


def test_a_title_is_asked_on_the_side_and_not_remembered() -> None:
    held = hold("vscode-copilot", [READ, THANKS])
    title = held[2]
    assert [t.is_title for t in held] == [False, False, True, False]
    said = body(title)
    assert "tools" not in said
    assert said["model"] == "gpt-4o-mini"
    assert READ in said["messages"][-1]["content"]
    assert "reasoning_opaque" not in str(said)
    texts = [m["content"] for m in body(held[3])["messages"]]
    assert not any("title" in str(text) for text in texts)
    assert title.status == 200


def test_a_title_may_be_asked_with_the_history() -> None:
    policy = changed("vscode-copilot", title={"carries": "history"})
    title = hold(policy, [READ, THANKS])[2]
    roles = [message["role"] for message in body(title)["messages"]]
    assert roles == ["system", "user", "assistant", "user"]
    assert "tool_calls" not in str(body(title)["messages"])
    assert title.status == 200


@pytest.mark.parametrize("name", FAITHFUL)
@settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=[HealthCheck.differing_executors],
)
@given(
    turns=st.lists(st.sampled_from(TURNS), min_size=1, max_size=6),
    stream=st.booleans(),
    seed=st.sampled_from(["a", "b", "c"]),
)
def test_a_faithful_client_is_never_refused(
    name: str, turns: list[str], stream: bool, seed: str
) -> None:
    held = hold(changed(name, stream=stream), turns, seed=seed)
    assert {t.status for t in held} == {200}
    assert {t.turn for t in held} == set(range(1, len(turns) + 1))


@pytest.mark.parametrize("model", ["gemini-2.5-pro", "claude-sonnet-4.5", "gpt-5"])
def test_faithful_clients_get_on_with_other_models(model: str) -> None:
    for name in FAITHFUL[:3]:
        prefix = {"c": "anthropic/", "g": "google/"}.get(model[0], "")
        prefix = "openai/" if model.startswith("gpt") else prefix
        asked = f"{prefix}{model}" if name == "faithful-openrouter" else model
        held = hold(changed(name, model=asked), TURNS)
        assert {t.status for t in held} == {200}, (name, model)


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(
    turns=st.lists(st.sampled_from(TURNS), min_size=1, max_size=5),
    seed=st.sampled_from(["a", "b", "c"]),
)
def test_options_a_b_and_c_give_the_same_wire_bytes(
    turns: list[str], seed: str
) -> None:
    def wire(option: str) -> list[tuple[bytes, object]]:
        held = hold(f"zed-openrouter-option-{option}", turns, seed=seed)
        requests = [t.step.exchange.request for t in held]
        return [(r.body.raw, r.headers) for r in requests if r]

    assert wire("a") == wire("b") == wire("c")


def test_options_a_b_and_c_differ_as_soon_as_answers_count() -> None:
    """The equality above is no accident of three names for one thing."""
    answers = load_policy("faithful-openrouter").write
    sent = {}
    for option in "abc":
        policy = changed(f"zed-openrouter-option-{option}", write=answers)
        held = hold(policy, [THANKS, THANKS])
        sent[option] = "reasoning_details" in assistants(held[1])[0]
    assert sent == {"a": True, "b": False, "c": False}


class _Broken:
    """An upstream that gives up after some arrivals."""

    name = "broken"

    def __init__(self, *arrivals: Arrival) -> None:
        self._arrivals = arrivals

    async def send(self, request: Request) -> AsyncIterator[Arrival]:
        for arrival in self._arrivals:
            yield arrival


@pytest.mark.parametrize(
    "arrivals",
    [
        (End(ending="upstream-aborted", at_ms=5, problem="no route"),),
        (
            AnswerHead(status=200, at_ms=1),
            Data(data=b'data: {"choices":[', at_ms=2),
            End(ending="upstream-aborted", at_ms=5, problem="broke off"),
        ),
        (
            AnswerHead(status=200, at_ms=1),
            Data(data=b'data: {"error":{"message":"x"}}\n\n', at_ms=2),
            End(ending="complete", at_ms=5),
        ),
    ],
)
def test_an_answer_that_does_not_come_whole_ends_it(
    arrivals: tuple[Arrival, ...],
) -> None:
    stage = Stage(SimConfig(), "2026-01-01T09:00:00Z")
    plan = Talk(
        client=Client(load_policy("faithful-copilot-chat")),
        turns=[READ, THANKS],
        upstream=_Broken(*arrivals),
        world=stage,
        then=load_policy("faithful-copilot-chat") if len(arrivals) == 1 else None,
    )

    async def collect() -> int:
        return sum([taken.is_refused async for taken in talk(plan)])

    assert asyncio.run(collect()) == 1


def test_a_request_may_be_given_another_address_before_it_is_recorded() -> None:
    stage = Stage(SimConfig(dialect="copilot-chat"), "2026-01-01T09:00:00Z")
    plan = Talk(
        client=Client(load_policy("faithful-copilot-chat")),
        turns=[THANKS],
        upstream=stage,
        world=stage,
        address=lambda request: Request(
            url="https://elsewhere.example/chat/completions",
            headers=request.headers,
            body=request.body,
        ),
    )

    async def collect() -> list[str]:
        exchanges = [taken.step.exchange async for taken in talk(plan)]
        return [e.request.url for e in exchanges if e.request]

    assert asyncio.run(collect()) == ["https://elsewhere.example/chat/completions"]
