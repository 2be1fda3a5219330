"""A small soak; `make soak` runs the full one."""

from __future__ import annotations

from pathlib import Path

from tests.soak import Plan, soak


async def test_nothing_is_lost_or_changed(tmp_path: Path) -> None:
    plan = Plan(clients=20, requests=200, events=1000, kills=2)
    outcome = await soak(plan, tmp_path)
    assert outcome.counts["kills"] == 2
    assert outcome.counts["whole"] > 100
    assert outcome.counts["given up"] > 5
    assert not outcome.missing
    assert not outcome.changed
    assert not outcome.counts["problems"]
