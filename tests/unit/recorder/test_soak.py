"""A small soak; `make soak` runs the full one."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.soak import Plan, soak

pytestmark = pytest.mark.slow


async def test_nothing_is_lost_or_changed(tmp_path: Path) -> None:
    plan = Plan(clients=20, requests=200, events=1000, kills=2)
    outcome = await soak(plan, tmp_path)
    assert outcome.counts["kills"] == 2
    assert outcome.counts["whole"] > 100
    assert outcome.counts["given up"] > 5
    assert not outcome.missing
    assert not outcome.changed
    assert not outcome.counts["problems"]
    assert not outcome.leaks


async def test_what_was_whole_for_a_while_survives_recorder_and_scribe(
    tmp_path: Path,
) -> None:
    # Where no answer waits for the scribe, dozens are lost that are older than that.
    # Twice the promised half second, as tests share their machine with others.
    plan = Plan(
        requests=10**6,
        events=2000,
        kills=1,
        group=True,
        longest=4,
        safe=1,
        least=301,
    )
    outcome = await soak(plan, tmp_path)
    assert outcome.counts["kills"] == 1
    assert outcome.counts["whole"] > 300
    assert not outcome.old
    assert not outcome.changed
    assert not outcome.leaks
