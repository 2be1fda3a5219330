"""Themes are files; a broken one is a sentence with file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from sigscope.tui.lineview import Inks
from sigscope.tui.themes import (
    FALLBACKS,
    WITHOUT_COLOUR,
    ThemeProblem,
    fallbacks,
    load_themes,
    read_theme,
)


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    return path


def test_a_theme_needs_no_more_than_one_colour(tmp_path: Path) -> None:
    theme = read_theme(write(tmp_path, 'primary = "#123456"\n'))
    assert (theme.name, theme.primary) == ("mine", "#123456")
    assert set(FALLBACKS) <= set(fallbacks(theme))


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ('primary = "#12"\n', ":1", "'#12' for 'primary' is not a colour"),
        ('# c\nprimary = "red"\nsucess = "red"\n', ":3", "did you mean 'success'?"),
        ('primary = "red"\nink-dim = "red"\n', ":2", "below [variables]"),
        ('primary = "red"\ndark = "no"\n', ":2", "'dark' must be true or false"),
        ('primary = "red"\nvariables = 3\n', ":2", "must be a table"),
        ('primary = "red"\n[variables]\nink-dim = "xx"\n', ":3", "'xx' for 'ink-dim'"),
        ('primary = "red"\n[variables]\nborder = 3\n', ":3", "a text in quotes"),
        ('primary = "red\n', ":1", "not TOML"),
        ('primary = "red"\n[variables]\nprimary = "#12"\n', ":3", "'#12' for"),
        ('primary = "red"\n[variables]\nborder = "auto 9"\n', ":3", "not a colour"),
        (
            'primary = "red"\n[variables]\nrow-cursor-style = "loud"\n',
            ":3",
            "'loud' for 'row-cursor-style' is not a style",
        ),
        ("dark = true\n", "", "`primary` is missing"),
        ("primary = 3\n", ":1", "3 for 'primary' is not a colour"),
    ],
)
def test_a_broken_file_names_the_line(
    tmp_path: Path, text: str, line: str, words: str
) -> None:
    path = write(tmp_path, text)
    with pytest.raises(ThemeProblem) as problem:
        read_theme(path)
    assert str(problem.value).startswith(f"{path}{line}: ")
    assert words in str(problem.value)


def test_variables_may_be_what_style_sheets_take(tmp_path: Path) -> None:
    text = (
        'primary = "red"\n[variables]\ntext-muted = "auto 50%"\n'
        'row-cursor-style = "bold underline"\nlink-background = "initial"\n'
        'of-my-own = "anything"\n'
    )
    assert len(read_theme(write(tmp_path, text)).variables) == 4


def test_a_file_that_is_gone_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ThemeProblem, match="no such file"):
        read_theme(tmp_path / "none.toml")


def test_the_users_theme_replaces_ours_by_its_name_and_bad_ones_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SIGSCOPE_CONFIG_DIR", str(tmp_path))
    folder = tmp_path / "themes"
    folder.mkdir()
    (folder / "a.toml").write_text('name = "ember"\nprimary = "#010203"\n')
    (folder / "b.toml").write_text("primary = 1\n")

    themes, problems = load_themes()

    by_name = {theme.name: theme for theme in themes}
    assert by_name["ember"].primary == "#010203"
    assert "sigscope-dark" in by_name
    assert len(problems) == 1
    assert "b.toml:1" in problems[0]


def test_without_colours_a_chosen_row_looks_otherwise_than_what_is_new() -> None:
    themes, _ = load_themes()
    plain = next(theme for theme in themes if theme.name == WITHOUT_COLOUR)
    row = Inks(plain.variables).row("selected")
    new = Inks({}).ink("bold underline")
    assert row.underline
    assert (row.bold or False, row.reverse or False) != (new.bold, False)
