"""Reasoning fades where signatures stay away, and nowhere else."""

from __future__ import annotations

from itertools import pairwise

import pytest
from rehearsals import hold

from sigscope.converse.loop import TalkStep
from sigscope.converse.scenario import FOLDER, load_scenario

EIGHT = load_scenario(FOLDER / "zoo-litellm-dummy.toml").turns


def shares(policy: str) -> list[float]:
    """Share of reasoning in what the client heard, turn by turn."""
    held = hold(policy, EIGHT)
    found = []
    for number in range(1, len(EIGHT) + 1):
        of_turn = [t for t in held if t.turn == number]
        thoughts = sum(len(t.heard.thoughts) for t in of_turn)
        found.append(thoughts / (thoughts + texts(of_turn)))
    return found


def texts(held: list[TalkStep]) -> int:
    return sum(len(t.heard.text) for t in held)


@pytest.mark.parametrize("policy", ["zoo-litellm-dummy", "zoo-litellm-message-echo"])
def test_the_share_of_reasoning_falls_from_turn_to_turn(policy: str) -> None:
    found = shares(policy)
    assert all(later < earlier for earlier, later in pairwise(found))
    assert found[0] > 0.9
    assert found[-1] == 0


def test_the_answers_grow_as_the_summaries_shrink() -> None:
    held = hold("zoo-litellm-dummy", EIGHT)
    grown = [texts([t for t in held if t.turn == n]) for n in range(1, 9)]
    assert grown == sorted(grown)
    assert grown[-1] > 10 * grown[0]


@pytest.mark.parametrize(
    "policy", ["zoo-litellm-per-call-echo", "openai-litellm", "faithful-litellm"]
)
def test_it_stays_where_signatures_come_back(policy: str) -> None:
    if policy == "openai-litellm":
        held = hold(policy, EIGHT)
        assert texts(held) == texts(hold("faithful-litellm", EIGHT))
    else:
        assert min(shares(policy)) > 0.7
