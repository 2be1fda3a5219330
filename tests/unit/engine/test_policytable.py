"""The table of policies: what each cell says, and that docs/policies.md is current."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from sigscope.converse.loader import load_policy
from sigscope.converse.shapes import SHAPES
from sigscope.engine.sending.policytable import (
    ShapeOutcome,
    outcomes,
    policies_page,
    table_json,
    table_markdown,
)
from sigscope.upstreams.simulator import SimConfig

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[3]


def table(
    name: str, turns: int = 5, base: SimConfig | None = None
) -> dict[str, ShapeOutcome]:
    async def collect() -> list[ShapeOutcome]:
        policies = [load_policy(name)]
        return [one async for one in outcomes(policies, turns=turns, base=base)]

    return {one.shape.name: one for one in asyncio.run(collect())}


def test_a_mistake_with_parallel_calls_breaks_in_those_shapes_alone() -> None:
    found = table("gemini-split-calls")
    broken = {name for name, one in found.items() if one.broke}
    assert broken == {"streamed, parallel", "whole, parallel"}
    broke = found["whole, parallel"].broke
    assert broke is not None
    assert (broke.turn, broke.round, broke.status, broke.name) == (1, 2, 400, "GEM-1")
    assert "thought_signature" in broke.error
    assert found["whole, parallel"].turns == 0


def test_a_mistake_that_needs_older_turns_breaks_later() -> None:
    found = table("copilot-trimmed-history")
    assert {one.words for one in found.values()} == {"turn 1: CPC-6", "turn 2: CPC-6"}


def test_reasoning_fades_from_the_turn_that_brings_less_than_its_control() -> None:
    assert {one.fades_from for one in table("gemini-bypass-all").values()} == {2}
    whole = table("gemini-bypass-all", base=SimConfig(fades=False))
    assert {one.fades_from for one in whole.values()} == {None}


def test_a_faithful_client_is_ok_in_every_shape_for_as_long_as_asked() -> None:
    found = table("faithful-responses", turns=7)
    assert [one.words for one in found.values()] == ["ok"] * len(SHAPES)
    assert {one.turns for one in found.values()} == {7}


def test_json_and_markdown_say_the_same() -> None:
    found = list(table("gemini-split-calls", turns=1).values())
    rows = table_json(found, 1)["rows"]
    assert [bool(row["breaks"]) for row in rows] == [False, True, False] * 2
    text = table_markdown(found, "rules")
    assert text.count("turn 1: [GEM-1](rules/GEM-1.md)") == 2
    assert "| `gemini-split-calls` | gemini | ok |" in text
    assert table_markdown(found).count("GEM-1.md") == 0


@pytest.mark.timeout(240)  # ten seconds of work, and other programs run too
def test_the_page_is_what_the_program_makes() -> None:
    page = (ROOT / "docs" / "policies.md").read_text(encoding="utf-8")
    assert page == policies_page(), "run: make pages"
