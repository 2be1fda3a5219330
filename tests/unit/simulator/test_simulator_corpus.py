"""Recorded traffic replayed offline: what the real services took is taken here."""

from __future__ import annotations

from functools import cache

import pytest
import sim_corpus
from tests.each import each

from sigscope.upstreams.simulator import Anchor, SimConfig, Standing, judge
from sigscope.upstreams.simulator.mint.shapes import BYPASS_B64

pytestmark = pytest.mark.skipif(
    not sim_corpus.CORPUS.exists(), reason="no corpus beside the repository"
)

UNREACHABLE = (
    # A rate limit, and an image the service could not fetch: not about the request.
    "test_openrouter_errors_raised",
    "direct-url-image-google_vertex_.yaml #2",
)


def config(case: sim_corpus.Recorded, **settings: object) -> SimConfig:
    group = case.name.split("/")[0]
    pinned: dict[str, str] = {"openrouter": "openrouter", "litellm": "litellm"}
    claude = "claude-thinking" in case.name
    chosen = {
        "dialect": pinned.get(group, "gemini"),
        "model": "claude-sonnet-4.5" if claude else "gemini-3-pro-preview",
        "genuine": {text: Anchor() for text in case.genuine},
        **settings,
    }
    return SimConfig(**chosen)  # type: ignore[arg-type]


@cache
def cases() -> tuple[sim_corpus.Recorded, ...]:
    """Read by the test that asks first, not by every worker as it collects."""
    return tuple(sim_corpus.recorded())


def test_the_corpus_is_read() -> None:
    assert len(cases()) > 30
    assert sum(bool(case.genuine) for case in cases()) > 12


@pytest.mark.parametrize("enforce", ["strict", "lenient"])
def test_what_was_answered_is_answered(enforce: str) -> None:
    @each(cases(), name=lambda case: case.name)
    def answered(case: sim_corpus.Recorded) -> None:
        if any(name in case.name for name in UNREACHABLE):
            return  # refused for reasons outside the request
        target = sim_corpus.path_of(case.target)
        verdict = judge(config(case, enforce=enforce), target, case.body)
        assert verdict is not None
        assert verdict.status == case.status, verdict.error
        standings = {s.standing for s in verdict.signatures}
        assert standings <= {Standing.GENUINE, Standing.BYPASS}
        assert (Standing.BYPASS in standings) is (BYPASS_B64 in case.orphans)

    answered()


def test_signatures_that_are_not_told_of_are_foreign() -> None:
    @each([case for case in cases() if case.genuine], name=lambda case: case.name)
    def foreign(case: sim_corpus.Recorded) -> None:
        target = sim_corpus.path_of(case.target)
        verdict = judge(config(case, genuine={}), target, case.body)
        assert verdict is not None
        standings = {s.standing for s in verdict.signatures} - {Standing.BYPASS}
        assert standings
        assert not standings & {Standing.GENUINE}

    foreign()
