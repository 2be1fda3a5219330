"""Policies from TOML: the shipped ones by name, the user's own by path.

    name = "my-client"            # may be left out: the file's name
    extends = "vscode-copilot"    # may be left out; everything below overrules it
    about = "What it does, in a line"
    [read]
    signatures = ["reasoning_opaque"]

A policy with a mistake in it is refused whole: a misspelt field would quietly make a
faithful client of a faulty one.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from sigscope import extensions
from sigscope.converse.policy import Policy
from sigscope.converse.speeches.registry import SPEECHES, named, names
from sigscope.converse.tables import At, TableError, build, choice
from sigscope.errors import InputError, SigscopeError, UsageError
from sigscope.foldercontents import files_in
from sigscope.tomlfile import TomlFile, line_of
from sigscope.tomlfile import read_toml as read_file

FOLDER = Path(__file__).parent / "policies"
SUFFIX = ".toml"
_DEEPEST = 8
"""Files that `extends` may lead through; more is a circle."""

CALL_PLACES = ("next-part", "next-call")
"""Places that exist only where a message is a list of parts."""


_own: list[Path] = []


def set_own_folder(folder: Path) -> None:
    """From now on the policies in the user's folder have names, too."""
    _own[:] = [folder]


def policy_names() -> tuple[str, ...]:
    """Names of the shipped policies, in order."""
    return tuple(sorted(path.stem for path in FOLDER.glob(f"*{SUFFIX}")))


def added_policies() -> dict[str, Path]:
    """Name → file of those that the user and installed packages add; one of a shipped
    policy's name is not among them: a shipped name always means the same."""
    folders = (*_own, *map(Path, extensions.folders("policies")))
    files = (path for each in folders for path in files_in(each, SUFFIX))
    shipped = set(policy_names())
    found: dict[str, Path] = {}
    for path in files:
        if path.stem not in shipped:
            found.setdefault(path.stem, path)
    return found


def load_added() -> tuple[tuple[Policy, ...], tuple[str, ...]]:
    """The policies that the user and installed packages add, each under the name of its
    file; and what is wrong with those that cannot be had."""
    found: list[Policy] = []
    problems: list[str] = []
    for name in added_policies():
        try:
            found.append(replace(load_policy(name), name=name))
        except SigscopeError as error:
            problems.append(f"policy {name} is not offered: {error}")
    return tuple(found), tuple(problems)


@cache
def shipped_policies() -> tuple[Policy, ...]:
    """All shipped policies, by name."""
    return tuple(load_policy(name) for name in policy_names())


def load_policy(wanted: str) -> Policy:
    """A policy by name, or by the path of a TOML file.

    Raises UsageError for a name nobody knows, InputError for a file that cannot be read
    or that says something it must not.
    """
    path = find_policy(wanted)
    files: list[TomlFile] = []
    table = _with_ground(path, files)
    table.setdefault("name", path.stem)
    try:
        policy = build(Policy, table)
        _check(policy)
    except TableError as error:
        raise InputError(str(error), path=_place(files, error.at)) from None
    return policy


def _place(files: Sequence[TomlFile], at: At) -> str:
    """File and line of what was said of a policy: in the first of the files laid over
    one another that sets it, else what is around it."""
    for size in range(len(at), 0, -1):
        for file in files:
            line = line_of(file.text, at[:size])
            if line is not None:
                return f"{_shown(file.path)}:{line}"
    return _shown(files[0].path)


def find_policy(wanted: str, beside: Path | None = None) -> Path:
    """The file of a policy. Raises UsageError, naming the likely ones."""
    if wanted.endswith(SUFFIX) or "/" in wanted:
        path = Path(wanted)
        return beside / path if beside and not path.is_absolute() else path
    if wanted in policy_names():
        return FOLDER / f"{wanted}{SUFFIX}"
    added = added_policies()
    if wanted in added:
        return added[wanted]
    known = (*policy_names(), *added)
    close = [name for name in known if wanted and wanted in name][:3]
    close = close or difflib.get_close_matches(wanted, known, n=3)
    hint = f"; did you mean {' or '.join(close)}?" if close else ";"
    raise UsageError(
        f"there is no policy {wanted!r}{hint} `sigscope converse --list` shows all;"
        " a file of your own is given by a path that ends in .toml"
    )


def _with_ground(path: Path, files: list[TomlFile]) -> dict[str, Any]:
    """The file's table, laid over that of the policy it extends. `files`: those that
    were read, the uppermost first."""
    if len(files) > _DEEPEST:
        place = _place(files[:1], ("extends",))
        raise InputError("`extends` goes round in a circle", path=place)
    file = _read(path)
    files.append(file)
    table = dict(file.data)
    ground = table.pop("extends", None)
    if ground is None:
        return table
    place = _place([file], ("extends",))
    if not isinstance(ground, str):
        raise InputError("`extends` must be the name of a policy", path=place)
    try:
        below = find_policy(ground, path.parent)
    except UsageError as error:
        raise InputError(f"extends: {error}", path=place) from None
    beneath = _with_ground(below, files)
    beneath.pop("name", None)
    return _laid_over(beneath, table)


def read_toml(path: Path) -> dict[str, Any]:
    """A TOML file as a table. Raises InputError."""
    return _read(path).data


def _read(path: Path) -> TomlFile:
    file = read_file(path)
    if file is None:
        raise InputError("cannot be read: No such file", path=_shown(path))
    if file.problem:
        raise InputError(file.problem)
    return file


def _laid_over(below: dict[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Tables are joined key by key; anything else is replaced."""
    joined = dict(below)
    for key, value in above.items():
        old = joined.get(key)
        if isinstance(old, dict) and isinstance(value, dict):
            joined[key] = _laid_over(old, value)
        else:
            joined[key] = value
    return joined


def _check(policy: Policy) -> None:
    """What the types of the fields cannot say."""
    if not policy.dialects:
        raise TableError(("dialects",), "names no API")
    for number, name in enumerate(policy.dialects, start=1):
        choice(names(), name, ("dialects", number))
    in_parts = all(named(name).has_parts for name in policy.dialects)
    spoken = " and ".join(policy.dialects)
    for number, write in enumerate(policy.write, start=1):
        where: At = ("write", number)
        if not write.path and write.on != "id":
            raise TableError(where, "has no path")
        if write.on in CALL_PLACES and not in_parts:
            fit = ", ".join(speech.name for speech in SPEECHES if speech.has_parts)
            raise TableError((*where, "on"), f"{write.on!r} is for {fit} alone")
        if write.form != "value" and in_parts:
            plain = f"{spoken}'s signatures are plain values"
            raise TableError((*where, "form"), plain)
    if policy.bypass.calls != "never" and not policy.bypass.path:
        raise TableError(("bypass",), "stamps calls, but has no path to put the stamp")
    if policy.shape.stored == "split" and in_parts:
        raise TableError(("shape", "stored"), f"{spoken}'s messages are lists of parts")
    if policy.shape.merged and policy.shape.stored == "whole":
        raise TableError(("shape", "merged"), "there is nothing to merge unless split")
    for place, number in (
        (("history", "messages"), policy.history.messages),
        (("value", "length"), policy.value.length),
        (("title", "after_turn"), policy.title.after_turn),
    ):
        if number < 0:
            raise TableError(place, f"{number} is negative")


def _shown(path: Path) -> str:
    return path.stem if path.parent == FOLDER else str(path)
