"""Shapes of conversations: the words make the simulated model call as they promise."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace

import pytest

from sigscope.converse.client import Client
from sigscope.converse.loader import load_policy
from sigscope.converse.loop import Talk, talk
from sigscope.converse.shapes import SHAPES, ConversationShape
from sigscope.converse.speeches.registry import names
from sigscope.converse.stage import Stage
from sigscope.upstreams.simulator import SimConfig

CALLS = {"single": [1, 0], "parallel": [2, 0], "sequential": [1, 1, 0]}


@pytest.mark.parametrize("dialect", names())
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_the_model_calls_in_this_shape(dialect: str, shape: ConversationShape) -> None:
    policy = replace(load_policy(f"faithful-{dialect}"), stream=shape.stream)
    stage = Stage(SimConfig(dialect=dialect), "2026-01-01T09:00:00Z")
    client = Client(policy)
    plan = Talk(client=client, turns=shape.turns(4), upstream=stage, world=stage)

    async def hold() -> dict[int, list[int]]:
        calls: dict[int, list[int]] = {}
        async for taken in talk(plan):
            assert not taken.is_refused
            calls.setdefault(taken.turn, []).append(len(taken.heard.calls))
        return calls

    called = asyncio.run(hold())
    expected = CALLS[shape.calls]
    assert called == {1: expected, 2: expected, 3: [0], 4: expected}


def test_there_is_each_way_of_calling_streamed_and_whole() -> None:
    assert len(SHAPES) == len(set(SHAPES)) == 6
    assert Counter(shape.stream for shape in SHAPES) == {True: 3, False: 3}
