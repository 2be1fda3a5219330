"""Every setting can be told from the others, in files and in the environment."""

from __future__ import annotations

import pytest

from sigscope.engine.settings.settings import (
    SETTINGS,
    FoundSetting,
    Settings,
    SettingSource,
)

FLAG, ENVIRONMENT, USER = (
    SettingSource.FLAG,
    SettingSource.ENVIRONMENT,
    SettingSource.USER,
)
DEFAULT = SettingSource.DEFAULT


@pytest.mark.parametrize(
    ("target", "key", "expected"),
    [
        (("https://a", USER), ("KEY", USER), "KEY"),
        (("https://a", FLAG), ("KEY", FLAG), "KEY"),
        (("https://a", USER), ("KEY", FLAG), "KEY"),
        (("https://b", FLAG), ("KEY", USER), None),
        (("https://b", FLAG), ("KEY", ENVIRONMENT), None),
        (("simulator", DEFAULT), ("KEY", USER), None),
        (("simulator", DEFAULT), ("KEY", FLAG), "KEY"),
        (("https://a", USER), ("", DEFAULT), None),
    ],
)
def test_a_key_goes_to_the_target_it_was_named_for_and_to_no_other(
    target: tuple[str, SettingSource],
    key: tuple[str, SettingSource],
    expected: str | None,
) -> None:
    found = {
        "send.to": (FoundSetting(value=target[0], source=target[1], where=""),),
        "send.key_env": (FoundSetting(value=key[0], source=key[1], where=""),),
    }
    assert Settings(found=found).key_env == expected


def test_every_setting_has_words_and_a_variable_of_its_own() -> None:
    assert all(setting.words for setting in SETTINGS)
    assert len({setting.variable for setting in SETTINGS}) == len(SETTINGS)


def test_a_default_is_one_of_the_choices() -> None:
    for setting in SETTINGS:
        assert not setting.choices or setting.default in setting.choices
