"""Words can be read in every theme: contrast after WCAG 2.1."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tui.contrast import (
    FILL_ROLES,
    GROUNDS,
    SEEN,
    TEXT_ROLES,
    faint_texts,
    ratio,
)
from textual.color import Color
from textual.theme import Theme

from sigscope.engine.settings.places import shipped
from sigscope.tui.themes import FALLBACKS, read_theme, variables_of

THEMES = {
    theme.name: theme
    for theme in map(read_theme, sorted(shipped("themes").glob("*.toml")))
}
COLOURS = st.builds(Color, *[st.integers(0, 255)] * 3)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("#000000", "#ffffff", 21.0),
        ("#777777", "#777777", 1.0),
        ("#777777", "#ffffff", 4.48),
        ("#767676", "#ffffff", 4.54),
        ("#ff0000", "#ffffff", 4.0),
        ("#0000ff", "#000000", 2.44),
    ],
)
def test_the_ratio_is_that_of_the_guidelines(
    one: str, other: str, expected: float
) -> None:
    found = ratio(Color.parse(one), Color.parse(other))
    assert found == pytest.approx(expected, abs=0.005)


@given(COLOURS, COLOURS)
def test_the_ratio_does_not_ask_which_is_the_ground(one: Color, other: Color) -> None:
    assert ratio(one, other) == ratio(other, one)
    assert 1 <= ratio(one, other) <= 21


@pytest.mark.parametrize("name", sorted(THEMES))
def test_every_text_of_a_shipped_theme_can_be_read(name: str) -> None:
    theme = THEMES[name]
    assert list(faint_texts(theme, variables_of(theme))) == []


@pytest.mark.parametrize("name", sorted(THEMES))
def test_every_fill_of_a_bar_can_be_told_from_its_ground(name: str) -> None:
    theme = THEMES[name]
    if theme.ansi:
        return
    variables = variables_of(theme)
    ground = Color.parse(variables["background"])
    found = {role: ratio(Color.parse(variables[role]), ground) for role in FILL_ROLES}
    assert {role: each for role, each in found.items() if each < SEEN} == {}


def test_the_high_contrast_theme_keeps_its_word() -> None:
    variables = variables_of(THEMES["high-contrast"])
    for role in TEXT_ROLES:
        for ground in ("background", "surface"):
            found = ratio(Color.parse(variables[role]), Color.parse(variables[ground]))
            assert found >= 7, (role, ground, found)


def test_a_faint_text_is_found_and_named() -> None:
    theme = Theme(name="x", primary="#808080", background="#000", foreground="#fff")
    variables = {**variables_of(theme), "ink-dim": "#404040"}
    faint = [f for f in faint_texts(theme, variables) if f.role == "ink-dim"]
    assert {f.ground for f in faint} == set(GROUNDS)
    assert all(f.ratio < 4.5 for f in faint)


def test_emphasis_has_an_order_in_every_theme() -> None:
    for theme in THEMES.values():
        if theme.ansi:
            continue
        variables = variables_of(theme)
        ground = Color.parse(variables["background"])
        inks = ["ink-faint", "ink-dim", "foreground"]
        ratios = [ratio(Color.parse(variables[ink]), ground) for ink in inks]
        assert all(a < b for a, b in pairwise(ratios)), (theme.name, ratios)


def test_every_role_is_a_variable_of_ours_or_of_textual() -> None:
    for role in TEXT_ROLES:
        assert role == "foreground" or role in FALLBACKS


def test_there_are_six_themes_and_no_two_look_alike() -> None:
    assert set(THEMES) == {
        "sigscope-dark",
        "sigscope-light",
        "ansi-16",
        "high-contrast",
        "ember",
        "fjord",
    }
    looks = {(t.background, t.primary, t.foreground) for t in THEMES.values()}
    assert len(looks) == len(THEMES)
