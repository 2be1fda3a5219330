"""Themes as files: the shipped ones, and the user's own beside their settings.

A theme file is TOML; its keys are the fields of `textual.theme.Theme`, and `variables`
may set any CSS variable, ours (`FALLBACKS`) included. A file that cannot be used is one
notice, never the end.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields
from difflib import get_close_matches
from functools import cache
from pathlib import Path

from textual.color import Color
from textual.css.constants import VALID_STYLE_FLAGS
from textual.theme import BUILTIN_THEMES, Theme

from sigscope.engine.settings.places import config_dir, shipped
from sigscope.foldercontents import files_in
from sigscope.tomlfile import TomlFile, read_toml, shortened

DEFAULT = "sigscope-dark"
WITHOUT_COLOUR = "ansi-16"
"""What is put on under NO_COLOR: it shows states by bold, underline and reverse."""

_FIELDS = frozenset(field.name for field in fields(Theme))
_COLOURS = _FIELDS - {
    "name",
    "dark",
    "luminosity_spread",
    "text_alpha",
    "variables",
    "ansi",
}
_ANSI_NEEDS = ("ansi-background", "ansi-foreground")
"""Variables that Textual's own rules use, and gives to its own ANSI themes alone; a
style sheet with an unknown variable is the end of the program."""

_KINDS: tuple[tuple[str, type | tuple[type, ...], str], ...] = (
    ("name", str, "a text in quotes"),
    ("dark", bool, "true or false"),
    ("ansi", bool, "true or false"),
    ("luminosity_spread", (int, float), "a number"),
    ("text_alpha", (int, float), "a number"),
    ("variables", dict, "a table: [variables]"),
)

_MIXED = frozenset(
    ("primary", "secondary", "accent", "success", "warning", "error", "foreground",
     "background", "surface", "panel")
)  # fmt: skip
"""Variables that others are mixed of: plain colours."""

FALLBACKS: Mapping[str, str] = {
    "title": "foreground",
    "row-cursor-background": "primary",
    "row-cursor-foreground": "background",
    "row-selected-background": "panel",
    "row-hover-background": "surface",
    "ink-dim": "foreground 62%",
    "ink-faint": "foreground 45%",
    "ink-accent": "primary",
    "ink-good": "success",
    "ink-bad": "error",
    "ink-warn": "warning",
    "ink-info": "secondary",
    "ink-key": "accent",
    "ink-heading": "primary",
    "ink-link": "secondary",
    "ink-code": "success",
    "ink-quote": "foreground 62%",
    "ink-string": "success",
    "ink-number": "warning",
    "ink-word": "warning",
    "ink-user": "secondary",
    "ink-assistant": "primary",
    "ink-system": "foreground 62%",
    "ink-thought": "foreground 62%",
    "ink-call": "foreground",
    "ink-result": "success",
    "ink-seg-thought": "primary 50%",
    "ink-seg-text": "secondary",
    "ink-seg-call": "accent 70%",
    "ink-seg-other": "foreground 35%",
    "sig-1": "primary",
    "sig-2": "secondary",
    "sig-3": "accent",
    "sig-4": "success",
    "sig-5": "warning",
    "sig-6": "primary 75%",
    "sig-7": "secondary 75%",
    "sig-8": "accent 75%",
}
"""Our variables, and what they are in a theme that does not set them: one of its
colours, or so much of it over the background. Never a colour of our own, so that any
theme stays itself."""


class ThemeProblem(Exception):
    """A theme file that cannot be used; says why in one sentence."""


def read_theme(path: Path) -> Theme:
    """The theme in a file. Raises ThemeProblem."""
    file = read_toml(path)
    if file is None:
        raise ThemeProblem(f"{shortened(path)}: there is no such file")
    if file.problem:
        raise ThemeProblem(file.problem)
    data = dict(file.data)
    for name in data:
        if name not in _FIELDS:
            raise ThemeProblem(f"{file.place(name)}: {_unknown(name)}")
    data.setdefault("name", path.stem)
    if "primary" not in data:
        raise ThemeProblem(f"{file.place()}: the colour `primary` is missing")
    _check(file)
    return Theme(**data)


def _unknown(name: str) -> str:
    near = get_close_matches(name, _FIELDS, 1, 0.7)
    if near:
        return f"a theme has no field {name!r}; did you mean {near[0]!r}?"
    ours = " (below [variables] it would be one)" if name in FALLBACKS else ""
    return f"a theme has no field {name!r}{ours}"


def _check(file: TomlFile) -> None:
    """Find what would only fail when the theme is switched on. Raises ThemeProblem."""
    data = file.data
    for name, kind, words in _KINDS:
        if name in data and not isinstance(data[name], kind):
            raise ThemeProblem(f"{file.place(name)}: {name!r} must be {words}")
    for name in sorted(_COLOURS & set(data)):
        if (problem := _colour_problem(name, data[name])) is not None:
            raise ThemeProblem(f"{file.place(name)}: {problem}")
    for name, value in data.get("variables", {}).items():
        if not isinstance(value, str):
            problem = f"{name!r} must be a text in quotes"
        else:
            problem = _variable_problem(name, value)
        if problem is not None:
            # Looked up only now: finding a line costs a second reading of the file.
            raise ThemeProblem(f"{file.place('variables', name)}: {problem}")


def _variable_problem(name: str, value: str) -> str | None:
    """What is wrong with the value of a variable. A style sheet that cannot be read is
    the end of the program, so whatever style sheets use has to be of its kind; a name
    that none of them knows is harmless."""
    if name in FALLBACKS or name in _MIXED:
        return _colour_problem(name, value)
    usual = _usual().get(name)
    if usual is None:
        return None
    if _is_colour(usual):
        return None if _is_colour(value) else _colour_problem(name, value)
    unknown = [word for word in value.split() if word not in VALID_STYLE_FLAGS]
    if unknown or not value.split():
        return f"{value!r} for {name!r} is not a style; there are bold, reverse, none …"
    return None


@cache
def _usual() -> dict[str, str]:
    """Every variable that style sheets may use, with a value of its kind."""
    return variables_of(Theme(name="trial", primary="blue"))


def _is_colour(value: str) -> bool:
    """Whether it is a colour where style sheets want one: "auto 87%" is."""
    bare = re.sub(r"\s+\d+(\.\d+)?%$", "", value)
    return bare in ("auto", "initial") or _colour_problem("", bare) is None


def _colour_problem(name: str, value: object) -> str | None:
    try:
        Color.parse(value)
    except Exception:  # noqa: BLE001 - Textual raises what the type brings
        return (
            f"{value!r} for {name!r} is not a colour; colours are written like"
            ' "#7fa7d1", "rgb(127, 167, 209)", "steelblue" or "ansi_blue"'
        )
    return None


def user_folder() -> Path:
    """Where the user's own themes lie."""
    return config_dir() / "themes"


def read_folder(folder: Path) -> tuple[list[Theme], list[str]]:
    """The themes in a folder, and what is wrong with files that cannot be used."""
    themes: list[Theme] = []
    problems: list[str] = []
    for path in files_in(folder, ".toml"):
        try:
            themes.append(read_theme(path))
        except ThemeProblem as problem:
            problems.append(str(problem))
    return themes, problems


def load_themes() -> tuple[list[Theme], list[str]]:
    """Shipped themes and the user's (who may replace one by its name), and what is
    wrong with files that cannot be used."""
    ours, broken = read_folder(shipped("themes"))
    own, problems = read_folder(user_folder())
    themes = {theme.name: theme for theme in (*ours, *own)}
    return list(themes.values()), [*broken, *problems]


def variables_of(theme: Theme) -> dict[str, str]:
    """Every CSS variable under a theme."""
    system = theme.to_color_system().generate()
    return {**system, **fallbacks(theme), **theme.variables}


def fallbacks(theme: Theme) -> dict[str, str]:
    """Values for our variables that a theme does not set."""
    system = theme.to_color_system().generate()
    found = {
        name: _mixed(system, recipe)
        for name, recipe in FALLBACKS.items()
        if name not in theme.variables
    }
    for name in _ANSI_NEEDS if theme.ansi else ():
        found[name] = BUILTIN_THEMES["ansi-dark"].variables[name]
    return {"row-cursor-style": "bold", "row-selected-style": "none", **found}


def _mixed(system: Mapping[str, str], recipe: str) -> str:
    """One colour, or a share of it over the background."""
    name, _, share = recipe.partition(" ")
    value = system.get(name, system["foreground"])
    colour, ground = Color.parse(value), Color.parse(system["background"])
    if not share or colour.ansi is not None or ground.ansi is not None:
        return value
    part = float(share.rstrip("%")) / 100
    return ground.blend(colour, part, alpha=1.0).hex
