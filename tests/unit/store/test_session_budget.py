"""What a long agent session takes on disk, against what went over the wire."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.store.agents import Agent, http_bytes

from sigscope.store import Header, SessionWriter, open_session

pytestmark = pytest.mark.slow

SHARE = 0.05
"""A 200-step agent session takes at most 5 % of its HTTP bytes."""


@pytest.mark.parametrize(
    ("streamed", "early_change"),
    [(False, True), (True, False)],  # one is of answers, the other of requests
    ids=["whole, early change", "streamed, steady"],
)
def test_two_hundred_steps_take_a_twentieth_of_their_bytes(
    tmp_path: Path, streamed: bool, early_change: bool
) -> None:
    path = tmp_path / "agent.session.jsonl"
    agent = Agent(streamed=streamed, early_change=early_change)
    total = 0
    sent = []
    with SessionWriter.create(str(path), Header(id="agent")) as writer:
        for step in agent.steps(200):
            writer.append_step(step)
            total += http_bytes(step)
            sent.append(step.exchange)
    share = path.stat().st_size / total
    assert share < SHARE
    assert share < (0.025 if streamed else 0.02)  # what is reached, with some air
    session = open_session(str(path))
    assert not session.problems
    for step, exchange in zip(session.steps, sent, strict=True):
        assert step.exchange.response is not None
        assert exchange.response is not None
        assert step.exchange.request is not None
        assert exchange.request is not None
        assert step.exchange.request.body.raw == exchange.request.body.raw
        assert step.exchange.response.body.raw == exchange.response.body.raw
        assert step.exchange.response.chunks == exchange.response.chunks


def test_a_file_grows_with_what_is_new_not_with_its_square(tmp_path: Path) -> None:
    path = tmp_path / "agent.session.jsonl"
    sizes = []
    with SessionWriter.create(str(path), Header(id="agent")) as writer:
        for step in Agent().steps(120):
            writer.append_step(step)
            sizes.append(path.stat().st_size)
    first, last = sizes[59] - sizes[29], sizes[119] - sizes[89]
    assert last < 1.2 * first
