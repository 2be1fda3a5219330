"""The conversations of the bundled sessions."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from sigscope.converse.loader import load_policy
from sigscope.converse.scenario import (
    MADE_HERE,
    Scenario,
    load_scenario,
    perform,
    scenarios,
)
from sigscope.errors import InputError

ALL = scenarios()


@pytest.mark.parametrize("scenario", ALL, ids=lambda s: s.name)
def test_it_tells_a_story_that_says_how_it_was_made(scenario: Scenario) -> None:
    session = asyncio.run(perform(scenario))
    assert session.story.endswith(MADE_HERE)
    assert "\n" not in session.story, "one paragraph"
    assert len(session.story) > 300
    assert 20 < len(session.title) < 80
    assert session.steps


def test_names_titles_and_times_are_all_different() -> None:
    assert len({s.title for s in ALL}) == len(ALL)
    assert len({s.started for s in ALL}) == len(ALL)


def test_policies_named_are_shipped() -> None:
    for scenario in ALL:
        assert load_policy(scenario.policy).name == scenario.policy
        if scenario.then:
            assert load_policy(scenario.then).name == scenario.then


def test_notes_are_about_steps_that_are_there() -> None:
    for scenario in ALL:
        session = asyncio.run(perform(scenario))
        numbers = {step.number for step in session.steps}
        assert {note.step for note in session.notes} <= numbers


def test_performing_twice_gives_the_same() -> None:
    first, second = (asyncio.run(perform(ALL[0])) for _ in range(2))
    assert first == second


def test_a_file_with_a_mistake_says_where(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text('title = "x"\nstroy = "y"\n')
    with pytest.raises(InputError, match=r"x\.toml: stroy: .*did you mean 'story'"):
        load_scenario(path)
