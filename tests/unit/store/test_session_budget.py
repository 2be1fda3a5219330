"""What a long agent session takes on disk, against what went over the wire."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from tests.unit.store.agents import Agent, http_bytes

from sigscope.session import Step
from sigscope.store import Header, SessionWriter, open_session
from sigscope.store.redact import Redactor

pytestmark = pytest.mark.slow

SHARE = 0.05
"""A 200-step agent session takes at most 5 % of its HTTP bytes."""
REACHED = 0.025
"""What is reached, with some air."""
SHARE_OF_SIXTY = 0.045


class AsItCame(Redactor):
    """Looking for secrets takes most of the time, and as many bytes as it leaves."""

    def step(self, step: Step) -> tuple[Step, Counter[str]]:
        return step, Counter()


def written(path: Path) -> SessionWriter:
    return SessionWriter.create(str(path), Header(id="agent"), redactor=AsItCame())


def test_two_hundred_steps_take_a_twentieth_of_their_bytes(tmp_path: Path) -> None:
    """Streamed answers, and requests that change near their start each time: what can
    be told in few bytes of either is told so, and no step costs more than those before
    it."""
    path = tmp_path / "agent.session.jsonl"
    total = 0
    sizes, sent = [], []
    with written(path) as writer:
        for step in Agent(streamed=True, early_change=True).steps(200):
            writer.append_step(step)
            sizes.append(path.stat().st_size)
            total += http_bytes(step)
            sent.append(step.exchange)
    share = sizes[-1] / total
    assert share < SHARE
    assert share < REACHED
    first, last = sizes[59] - sizes[29], sizes[199] - sizes[169]
    assert last < 1.2 * first, "it grows with what is new, not with its square"
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


def test_whole_answers_and_a_steady_start_take_less(tmp_path: Path) -> None:
    path = tmp_path / "agent.session.jsonl"
    total = 0
    with written(path) as writer:
        for step in Agent().steps(60):
            writer.append_step(step)
            total += http_bytes(step)
    assert path.stat().st_size / total < SHARE_OF_SIXTY
