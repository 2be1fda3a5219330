"""Themes as files: the shipped ones, and the user's own beside their settings.

A theme file is TOML; its keys are the fields of `textual.theme.Theme`, and `variables`
may set any CSS variable, ours (`FALLBACKS`) included. A file that cannot be used is one
notice, never the end.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path

from textual.color import Color
from textual.theme import Theme

from sigscope.engine.places import config_dir, shipped

DEFAULT = "sigscope-dark"

_FIELDS = frozenset(field.name for field in fields(Theme))
_COLOURS = _FIELDS - {
    "name",
    "dark",
    "luminosity_spread",
    "text_alpha",
    "variables",
    "ansi",
}

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
    try:
        with path.open("rb") as file:
            data = tomllib.load(file)
    except OSError as error:
        raise ThemeProblem(f"{path.name}: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ThemeProblem(f"{path.name} is not TOML: {error}") from None
    unknown = sorted(set(data) - _FIELDS)
    if unknown:
        raise ThemeProblem(f"{path.name}: no field {unknown[0]!r} in a theme")
    data.setdefault("name", path.stem)
    if "primary" not in data:
        raise ThemeProblem(f"{path.name}: the colour `primary` is missing")
    _check(path, data)
    return Theme(**data)


def _check(path: Path, data: dict[str, object]) -> None:
    """Find what would only fail when the theme is switched on."""
    variables = data.get("variables", {})
    if not isinstance(variables, dict):
        raise ThemeProblem(f"{path.name}: `variables` must be a table")
    colours = {name: data[name] for name in sorted(_COLOURS & set(data))}
    ours = {name: value for name, value in variables.items() if name in FALLBACKS}
    for name, value in {**colours, **ours}.items():
        try:
            Color.parse(value)
        except Exception:  # noqa: BLE001 - Textual raises what the type brings
            raise ThemeProblem(
                f"{path.name}: {value!r} for {name!r} is not a colour"
            ) from None
    for name, value in variables.items():
        if not isinstance(value, str):
            raise ThemeProblem(f"{path.name}: {name!r} must be a text")


def load_themes() -> tuple[list[Theme], list[str]]:
    """Shipped themes and the user's (who may replace one by its name), and what is
    wrong with files that cannot be used."""
    themes: dict[str, Theme] = {}
    problems: list[str] = []
    for folder in (shipped("themes"), config_dir() / "themes"):
        for path in sorted(folder.glob("*.toml")):
            try:
                theme = read_theme(path)
            except ThemeProblem as problem:
                problems.append(str(problem))
            else:
                themes[theme.name] = theme
    return list(themes.values()), problems


def fallbacks(theme: Theme) -> dict[str, str]:
    """Values for our variables that a theme does not set."""
    system = theme.to_color_system().generate()
    found = {
        name: _mixed(system, recipe)
        for name, recipe in FALLBACKS.items()
        if name not in theme.variables
    }
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
