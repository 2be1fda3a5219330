"""Reading the settings from flags, environment and files.

The user's file is `config.toml` in the config folder; a project's is `.sigscope.toml`
in the working folder or the nearest folder above it, up to the top of the repository.

A value that cannot be taken is a problem, said with file and line; the next source is
asked instead, so that a typing error never keeps anybody from their work.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from os.path import exists, isfile
from pathlib import Path

from sigscope.engine.settings.places import config_dir
from sigscope.engine.settings.settings import (
    BY_NAME,
    PREFIX,
    SETTINGS,
    TABLES,
    FoundSetting,
    Setting,
    Settings,
    SettingSource,
    Value,
)
from sigscope.tomlfile import TomlFile, read_toml

USER_FILE = "config.toml"
PROJECT_FILE = ".sigscope.toml"

_YES = frozenset({"1", "true", "yes", "on"})
_NO = frozenset({"0", "false", "no", "off", ""})


def load_settings(
    flags: Mapping[str, Value | None] | None = None,
    *,
    environ: Mapping[str, str] = os.environ,
    user: Path | None = None,
    here: Path | None = None,
) -> Settings:
    """Ask every source. `flags` are by name; None means that the flag was not given.
    `user` and `here` are the user's file and the working folder. Never raises."""
    problems: list[str] = []
    found: dict[str, list[FoundSetting]] = {setting.name: [] for setting in SETTINGS}
    _take_flags(flags or {}, found)
    _take_environment(environ, found, problems)
    project = maybe_project_file(here)
    if project is not None:
        _take_file(read_toml(project), SettingSource.PROJECT, found, problems)
    user = user or config_dir() / USER_FILE
    _take_file(read_toml(user), SettingSource.USER, found, problems)
    for setting in SETTINGS:
        value = setting.default
        found[setting.name].append(
            FoundSetting(value=value, source=SettingSource.DEFAULT, where="")
        )
    return Settings(
        found={name: tuple(values) for name, values in found.items()},
        problems=tuple(problems),
    )


def set_decoding(settings: Settings) -> None:
    """From now on decode as far as these settings allow."""
    from sigscope.wire.bodies import Bounds, set_bounds

    most, ratio = settings.count("decode.most"), settings.count("decode.ratio")
    set_bounds(Bounds(most=most * 1024 * 1024, ratio=ratio))


def maybe_project_file(here: Path | None = None) -> Path | None:
    """The project's file: the nearest one from the working folder upwards; not above
    the top of a repository, and not the home folder's."""
    try:
        folder = (here or Path.cwd()).resolve()
        home = Path.home().resolve()
    except (OSError, RuntimeError):
        return None
    for place in (folder, *folder.parents):
        if place == home:
            return None
        if isfile(place / PROJECT_FILE):
            return place / PROJECT_FILE
        if exists(place / ".git"):
            return None
    return None


# --- The sources ---------------------------------------------------------------------


def _take_flags(
    flags: Mapping[str, Value | None], found: dict[str, list[FoundSetting]]
) -> None:
    for name, value in flags.items():
        if value is not None:
            where = BY_NAME[name].flag
            found[name].append(
                FoundSetting(value=value, source=SettingSource.FLAG, where=where)
            )


def _take_environment(
    environ: Mapping[str, str],
    found: dict[str, list[FoundSetting]],
    problems: list[str],
) -> None:
    known = {setting.variable: setting for setting in SETTINGS}
    for variable, text in environ.items():
        setting = known.get(variable)
        if setting is None:
            if variable.startswith(PREFIX):
                near = get_close_matches(variable, known, 1, 0.85)
                if near:
                    problems.append(f"{variable} is not known; did you mean {near[0]}?")
            continue
        if not text and not isinstance(setting.default, str | bool):
            continue  # empty counts as not set
        try:
            value = checked(setting, _parsed(setting, text.strip()))
        except ValueError as error:
            problems.append(f"{variable}: {error}; it is not used")
        else:
            found[setting.name].append(
                FoundSetting(
                    value=value, source=SettingSource.ENVIRONMENT, where=variable
                )
            )


def _parsed(setting: Setting, text: str) -> object:
    """A text of the environment in the type of the setting. Raises ValueError."""
    default = setting.default
    if isinstance(default, bool):
        if text.lower() not in _YES | _NO:
            raise ValueError(f"{text!r} is neither on (1, yes) nor off (0, no)")
        return text.lower() in _YES
    try:
        return type(default)(text)
    except ValueError:
        raise ValueError(f"{text!r} is not {_kind(default)}") from None


def _take_file(
    file: TomlFile | None,
    source: SettingSource,
    found: dict[str, list[FoundSetting]],
    problems: list[str],
) -> None:
    if file is None:
        return
    if file.problem:
        problems.append(f"{file.problem}; nothing in this file is used")
    for keys, value in _leaves(file.data):
        name, where = ".".join(keys), file.place(*keys)
        setting = BY_NAME.get(name)
        if setting is None:
            problems.append(f"{where}: {_unknown(name)}")
        elif setting.is_personal and source is SettingSource.PROJECT:
            problems.append(
                f"{where}: a project may not set {name!r}, which decides where requests"
                f" and keys go; set it in {USER_FILE} or with {setting.flag}"
            )
        else:
            try:
                taken = checked(setting, value)
            except ValueError as error:
                problems.append(f"{where}: {name}: {error}; it is not used")
            else:
                found[name].append(
                    FoundSetting(value=taken, source=source, where=where)
                )


def _leaves(
    data: Mapping[str, object], above: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], object]]:
    """Keys and values; a table of ours is entered, any other value is one."""
    for key, value in data.items():
        if isinstance(value, dict) and not above and key in TABLES:
            yield from _leaves(value, (key,))
        else:
            yield (*above, key), value


def _unknown(name: str) -> str:
    near = get_close_matches(name, BY_NAME, 1, 0.6)
    hint = f"did you mean {near[0]!r}?" if near else "`sigscope doctor` lists them all"
    return f"there is no setting {name!r}; {hint}"


def checked(setting: Setting, value: object) -> Value:
    """The value, if it fits. Raises ValueError with what is wrong with it."""
    default = setting.default
    if isinstance(default, float) and type(value) is int:
        value = float(value)
    if type(value) is not type(default):
        raise ValueError(f"{value!r} is not {_kind(default)}")
    assert isinstance(value, str | bool | int | float)
    if setting.choices and value not in setting.choices:
        raise ValueError(f"{value!r} is not one of {', '.join(setting.choices)}")
    if not isinstance(value, str):
        if setting.least is not None and not value >= setting.least:
            raise ValueError(f"{value!r} is less than {setting.least:g}")
        if setting.most is not None and not value <= setting.most:
            raise ValueError(f"{value!r} is more than {setting.most:g}")
    return value


def _kind(default: Value) -> str:
    if isinstance(default, bool):
        return "true or false"
    if isinstance(default, int):
        return "a whole number"
    return "a number" if isinstance(default, float) else "a text in quotes"


def template() -> str:
    """A file to begin with: every setting with its default, switched off."""
    lines = ["# Settings of sigscope. Take the # away from what you want to change."]
    table = ""
    for setting in SETTINGS:
        above, _, key = setting.name.rpartition(".")
        if above != table:
            lines += ["", f"[{above}]"]
            table = above
        default = json.dumps(setting.default)
        lines += ["", f"# {setting.words}", f"# {key} = {default}"]
    return "\n".join(lines)
