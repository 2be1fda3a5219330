"""The stage: its own clock, arrival times worth looking at, nothing waited for."""

from __future__ import annotations

from datetime import datetime
from itertools import pairwise

import pytest
from rehearsals import ONE_BY_ONE, READ, THANKS, hold

from sigscope.converse.stage import Stage
from sigscope.errors import UsageError
from sigscope.exchange import Exchange, Response
from sigscope.reader import Reading
from sigscope.upstreams.simulator import SimConfig

POLICIES = ("faithful-copilot-chat", "faithful-openrouter", "faithful-gemini")


def response(exchange: Exchange) -> Response:
    assert exchange.response is not None
    return exchange.response


@pytest.mark.parametrize("policy", POLICIES)
def test_a_step_takes_one_to_three_seconds_and_ends_with_its_last_byte(
    policy: str,
) -> None:
    for taken in hold(policy, [ONE_BY_ONE, THANKS]):
        exchange = taken.step.exchange
        assert 1000 < (exchange.duration_ms or 0) < 3500
        chunks = response(exchange).chunks
        times = [chunk.at_ms for chunk in chunks]
        assert times == sorted(times)
        assert times[0] > (exchange.first_byte_ms or 0) > 400
        assert times[-1] == exchange.duration_ms
        assert chunks[-1].end == response(exchange).body.size
        assert response(exchange).ending == "complete"


def test_a_refusal_comes_at_once() -> None:
    refused = hold("zed-copilot-attempt-1", [READ])[1].step.exchange
    assert 100 < (refused.duration_ms or 0) < 400


def test_thoughts_take_longer_than_text() -> None:
    exchange = hold("faithful-copilot-chat", [READ])[1].step.exchange
    reading = Reading(exchange)
    gaps: dict[str, list[float]] = {"reasoning_text": [], "content": []}
    for before, after in pairwise(reading.events):
        delta = reading.event_data[after.number - 1]
        delta = delta["choices"][0]["delta"] if isinstance(delta, dict) else {}
        for key, found in gaps.items():
            if delta.get(key):
                found.append((after.at_ms or 0) - (before.at_ms or 0))
                break
    assert min(gaps["reasoning_text"]) > max(gaps["content"])


def test_steps_follow_one_another_in_time() -> None:
    held = hold("faithful-copilot-chat", [READ, THANKS])
    began = [datetime.fromisoformat(t.step.exchange.started_at or "") for t in held]
    gaps = [
        (after - before).total_seconds() * 1000 - (t.step.exchange.duration_ms or 0)
        for t, (before, after) in zip(held, pairwise(began), strict=False)
    ]
    assert gaps[0] < 100, "a tool runs"
    assert gaps[1] > 5000, "the user reads and types"


def test_equal_seeds_give_equal_steps_and_others_do_not() -> None:
    def steps(seed: str) -> list[Exchange]:
        held = hold("faithful-openrouter", [READ, THANKS], seed=seed)
        return [taken.step.exchange for taken in held]

    assert steps("one") == steps("one")
    assert steps("one") != steps("two")


def test_no_call_id_comes_twice() -> None:
    held = hold("faithful-copilot-chat", [READ, READ, READ])
    ids = [call.call_id for taken in held for call in taken.heard.calls]
    assert len(ids) == len(set(ids)) == 3


def test_the_time_it_begins_must_be_a_time() -> None:
    with pytest.raises(UsageError, match="should look like"):
        Stage(SimConfig(), "yesterday")


def test_it_tells_its_own_time_in_utc() -> None:
    stage = Stage(SimConfig(), "2026-01-01T10:00:00+01:00")
    assert stage.at() == "2026-01-01T09:00:00.000Z"
    stage.pass_time("user")
    assert stage.at() > "2026-01-01T09:00:05"
