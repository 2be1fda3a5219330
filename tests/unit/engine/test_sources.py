"""Flags beat the environment, which beats the project, which beats the user."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigscope.engine.settings.settings import SETTINGS, Settings, SettingSource, Value
from sigscope.engine.settings.sources import (
    PROJECT_FILE,
    load_settings,
    maybe_project_file,
    template,
)


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """The user's file and a project folder, neither of which exists on disk yet."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    project = tmp_path / "project"
    project.mkdir()
    return tmp_path / "config.toml", project


def load(
    places: tuple[Path, Path],
    flags: Mapping[str, Value | None] | None = None,
    environ: Mapping[str, str] | None = None,
) -> Settings:
    user, here = places
    return load_settings(flags, environ=environ or {}, user=user, here=here)


def test_each_source_overrules_those_below_it(places: tuple[Path, Path]) -> None:
    user, here = places
    user.write_text('theme = "of user"\n')
    (here / PROJECT_FILE).write_text('\n\ntheme = "of project"\n')
    environ = {"SIGSCOPE_THEME": "of environment"}

    found = load(places, {"theme": "of flag"}, environ).found["theme"]

    assert [(item.source, item.value) for item in found] == [
        (SettingSource.FLAG, "of flag"),
        (SettingSource.ENVIRONMENT, "of environment"),
        (SettingSource.PROJECT, "of project"),
        (SettingSource.USER, "of user"),
        (SettingSource.DEFAULT, ""),
    ]
    assert [item.where for item in found] == [
        "--theme",
        "SIGSCOPE_THEME",
        f"{here / PROJECT_FILE}:3",
        f"{user}:1",
        "",
    ]


@given(st.sets(st.sampled_from(list(SettingSource)[:4])))
def test_the_first_source_that_has_a_value_wins(
    tmp_path_factory: pytest.TempPathFactory, having: set[SettingSource]
) -> None:
    folder = tmp_path_factory.mktemp("settings")
    user = folder / "config.toml"
    (folder / ".git").mkdir()
    if SettingSource.USER in having:
        user.write_text("[send]\nretries = 4\n")
    if SettingSource.PROJECT in having:
        (folder / PROJECT_FILE).write_text("[send]\nretries = 3\n")
    environ = (
        {"SIGSCOPE_SEND_RETRIES": "5"} if SettingSource.ENVIRONMENT in having else {}
    )
    flag = 6 if SettingSource.FLAG in having else None

    settings = load_settings(
        {"send.retries": flag}, environ=environ, user=user, here=folder
    )

    first = next((s for s in SettingSource if s in having), SettingSource.DEFAULT)
    expected = dict(zip(SettingSource, (6, 5, 3, 4, 2), strict=True))[first]
    assert settings.winner("send.retries").source is first
    assert settings.count("send.retries") == expected
    assert not settings.problems


def test_without_files_every_setting_has_its_default(
    places: tuple[Path, Path],
) -> None:
    settings = load(places)
    for setting in SETTINGS:
        assert settings.winner(setting.name).value == setting.default
        assert settings.winner(setting.name).source is SettingSource.DEFAULT


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("theme = 5", "theme: 5 is not a text in quotes"),
        ('ascii = "yes"', "ascii: 'yes' is not true or false"),
        ("send.timeout = 0", "send.timeout: 0.0 is less than 0.1"),
        ("send.timeout = nan", "send.timeout: nan is less than 0.1"),
        ("send.retries = 11", "send.retries: 11 is more than 10"),
        ("send.retries = true", "send.retries: True is not a whole number"),
        ("send.retries = 2.5", "send.retries: 2.5 is not a whole number"),
        ('send.enforce = "soft"', "'soft' is not one of strict, lenient"),
        ('them = "x"', "no setting 'them'; did you mean 'theme'?"),
        ("send.retrys = 1", "no setting 'send.retrys'; did you mean 'send.retries'?"),
        ("send = 1", "no setting 'send'"),
        ("theme.name = 1", "theme: {'name': 1} is not a text in quotes"),
        ("zzz = 1", "`sigscope doctor` lists them all"),
    ],
)
def test_a_bad_value_names_file_line_and_setting_and_is_not_used(
    places: tuple[Path, Path], line: str, words: str
) -> None:
    user, _ = places
    user.write_text(f"# mine\n\n{line}\n")
    settings = load(places)
    (problem,) = settings.problems
    assert problem.startswith(f"{user}:3: ")
    assert words in problem
    assert all(
        found[0].source is SettingSource.DEFAULT for found in settings.found.values()
    )


def test_a_bad_value_leaves_the_good_ones_of_the_file(
    places: tuple[Path, Path],
) -> None:
    user, _ = places
    user.write_text('ascii = 3\ntheme = "mine"\n')
    settings = load(places)
    assert settings.text("theme") == "mine"
    assert settings.switch("ascii") is False
    assert len(settings.problems) == 1


def test_a_file_that_is_not_toml_costs_that_file(places: tuple[Path, Path]) -> None:
    user, here = places
    user.write_text('theme = "mine"\nascii = \n')
    (here / PROJECT_FILE).write_text("ascii = true\n")
    settings = load(places)
    assert settings.switch("ascii") is True
    assert settings.text("theme") == ""
    (problem,) = settings.problems
    assert problem.startswith(f"{user}:2: it is not TOML")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        (s.name, '"https://example.com"' if isinstance(s.default, str) else "7")
        for s in SETTINGS
        if s.is_personal
    ],
)
def test_a_project_may_not_say_where_keys_go_nor_what_is_safe(
    places: tuple[Path, Path], name: str, value: str
) -> None:
    user, here = places
    text = f"{name} = {value}\n"
    (here / PROJECT_FILE).write_text(text)
    settings = load(places)
    assert settings.winner(name).source is SettingSource.DEFAULT
    assert f"{PROJECT_FILE}:1: a project may not set {name!r}" in settings.problems[0]

    user.write_text(text)
    assert load(places).winner(name).source is SettingSource.USER


@pytest.mark.parametrize(
    ("text", "value"),
    [("1", True), ("yes", True), ("ON", True), ("0", False), ("", False)],
)
def test_a_switch_in_the_environment_is_a_word_or_a_digit(
    places: tuple[Path, Path], text: str, value: bool
) -> None:
    user, _ = places
    user.write_text(f"ascii = {str(not value).lower()}\n")
    assert load(places, environ={"SIGSCOPE_ASCII": text}).switch("ascii") is value


def test_a_bad_variable_is_named_and_the_next_source_is_asked(
    places: tuple[Path, Path],
) -> None:
    user, _ = places
    user.write_text("[send]\nretries = 4\n")
    settings = load(places, environ={"SIGSCOPE_SEND_RETRIES": "many"})
    assert settings.count("send.retries") == 4
    (problem,) = settings.problems
    assert problem == (
        "SIGSCOPE_SEND_RETRIES: 'many' is not a whole number; it is not used"
    )


def test_a_variable_that_is_nearly_one_of_ours_is_named(
    places: tuple[Path, Path],
) -> None:
    environ = {"SIGSCOPE_THEEM": "x", "SIGSCOPE_DATA_DIR": "/x", "HOME": "/"}
    (problem,) = load(places, environ=environ).problems
    assert "did you mean SIGSCOPE_THEME?" in problem


def test_an_empty_number_in_the_environment_counts_as_not_set(
    places: tuple[Path, Path],
) -> None:
    settings = load(places, environ={"SIGSCOPE_SEND_TIMEOUT": ""})
    assert settings.number("send.timeout") == 120
    assert not settings.problems


def test_the_project_file_is_the_nearest_up_to_the_repository(tmp_path: Path) -> None:
    inner = tmp_path / "repo" / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / PROJECT_FILE).write_text("")
    (tmp_path / "repo" / ".git").mkdir()
    assert maybe_project_file(inner) is None, "above the repository"
    (tmp_path / "repo" / PROJECT_FILE).write_text("")
    assert maybe_project_file(inner) == tmp_path / "repo" / PROJECT_FILE
    (tmp_path / "repo" / "a" / PROJECT_FILE).write_text("")
    assert maybe_project_file(inner) == tmp_path / "repo" / "a" / PROJECT_FILE


def test_the_home_folder_is_no_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / PROJECT_FILE).write_text("")
    (tmp_path / "work").mkdir()
    assert maybe_project_file(tmp_path / "work") is None


def test_the_template_sets_nothing_until_a_line_is_taken_in(
    places: tuple[Path, Path],
) -> None:
    user, _ = places
    user.write_text(template())
    settings = load(places)
    assert not settings.problems
    assert all(len(found) == 1 for found in settings.found.values())

    lines = [x.removeprefix("# ") if " = " in x else x for x in template().split("\n")]
    user.write_text("\n".join(lines))
    settings = load(places)
    assert not settings.problems
    for found in settings.found.values():
        assert [item.source for item in found] == [
            SettingSource.USER,
            SettingSource.DEFAULT,
        ]
        assert found[0].value == found[1].value
