"""Theme files are read again when one was touched, and only then."""

from __future__ import annotations

from pathlib import Path

import pytest

from sigscope.tui.themeshelf import ThemeShelf


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SIGSCOPE_CONFIG_DIR", str(tmp_path))
    (tmp_path / "themes").mkdir()
    return tmp_path / "themes"


def test_nothing_is_read_again_while_no_file_is_touched(folder: Path) -> None:
    (folder / "mine.toml").write_text('primary = "red"\n')
    shelf = ThemeShelf()
    assert "mine" in shelf.own
    assert shelf.look_again() is None


def test_what_changed_is_told_and_what_did_not_is_not(folder: Path) -> None:
    (folder / "one.toml").write_text('primary = "red"\n')
    (folder / "two.toml").write_text('primary = "red"\n')
    shelf = ThemeShelf()
    (folder / "two.toml").write_text('primary = "blue"\n')
    assert [theme.name for theme in shelf.look_again() or ()] == ["two"]
    assert shelf.look_again() is None


def test_a_file_that_is_saved_without_a_change_changes_nothing(folder: Path) -> None:
    path = folder / "one.toml"
    path.write_text('primary = "red"\n')
    shelf = ThemeShelf()
    path.write_text('primary = "red"  # a remark\n')
    assert shelf.look_again() == []


def test_a_theme_of_the_users_that_is_deleted_gives_the_shipped_one_back(
    folder: Path,
) -> None:
    path = folder / "ember.toml"
    path.write_text('primary = "red"\n')
    shelf = ThemeShelf()
    assert shelf.themes["ember"].primary == "red"
    path.unlink()
    assert [theme.name for theme in shelf.look_again() or ()] == ["ember"]
    assert shelf.themes["ember"].primary == "#e8a857"


def test_without_a_folder_there_are_the_shipped_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SIGSCOPE_CONFIG_DIR", str(tmp_path / "none"))
    shelf = ThemeShelf()
    assert len(shelf.themes) == 6
    assert shelf.problems == []
    assert shelf.look_again() is None
