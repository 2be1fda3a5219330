"""The user's keys: `keys.toml` in the config folder.

    "send" = "ctrl+r"
    "list.down" = ["down", "n"]
    "zoom" = ""                    # no key; the palette still has it

The left side is a command of `sigscope keys`, the right side one key or several. A line
that cannot be used is a problem, said with file and line, and changes nothing.

A command that several screens have is remapped once: `zoom` counts in the step-through
too, unless there is a line for `stepping.zoom`. Names of former versions keep working.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from itertools import combinations
from pathlib import Path

from textual.binding import Binding
from textual.dom import DOMNode

from sigscope.engine.settings.places import config_dir
from sigscope.records import dataclass
from sigscope.tomlfile import TomlFile, read_toml
from sigscope.tui.keynames import KeyProblem, in_words, is_key, no_key, read_keys
from sigscope.tui.keytable import FORMER, LIKE, Command, commands, inner_first

KEYS_FILE = "keys.toml"
NO_KEY = "the palette"
"""What a message names in place of a key, where a command has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyMap:
    """Which keys the user changed."""

    changed: Mapping[str, tuple[str, ...]]
    """Keys by command; empty for a command that has lost its key."""
    problems: tuple[str, ...] = ()
    """Lines that could not be used, and keys that now mean two things."""

    def keys(self, command: Command) -> tuple[str, ...]:
        """The keys a command has now."""
        return self.changed.get(command.id, command.keys)

    @property
    def overlay(self) -> dict[str, str]:
        """For `App.set_keymap`, which ignores an empty entry."""
        return {
            name: ",".join(keys) or no_key(name) for name, keys in self.changed.items()
        }


def key_on(node: DOMNode, command: str) -> str:
    """What to press for a command of a screen or widget, as a message names it: the
    user's key, else the one that is shipped; "the palette" where it has none."""
    keys = bound_keys(node, command)
    if not keys and not _is_changed(node, command):
        # Of another screen: the table of all imports every one of them.
        keys = next((each.keys for each in commands() if each.id == command), ())
    return in_words(keys[0]) if keys and is_key(keys[0]) else NO_KEY


def bound_keys(node: DOMNode, command: str) -> tuple[str, ...]:
    """The keys of a command of a widget or the app, by Textual's names: the user's,
    else those that are shipped."""
    keys = _key_map(node).changed.get(command)
    if keys is None:
        bound = (*node._bindings, *node.app._bindings)
        keys = tuple(key for key, binding in bound if binding.id == command)
    return keys


def binding_on(node: DOMNode, key: str) -> Binding | None:
    """What a widget does at a key, the user's keys among them."""
    bound = (binding for _, binding in node._bindings)
    mine = (each for each in bound if each.id and key in bound_keys(node, each.id))
    return next(mine, None)


def _is_changed(node: DOMNode, command: str) -> bool:
    return command in _key_map(node).changed


def _key_map(node: DOMNode) -> KeyMap:
    found: KeyMap = getattr(node.app, "keys", KeyMap(changed={}))
    return found


def load_keys(path: Path | None = None) -> KeyMap:
    """Read the user's file, if there is one. Never raises."""
    file = read_toml(path or config_dir() / KEYS_FILE)
    if file is None:
        return KeyMap(changed={})
    return read_map(file, commands())


def read_map(file: TomlFile, known: Sequence[Command]) -> KeyMap:
    """What a file changes of the known commands."""
    problems = [f"{file.problem}; the keys are as shipped"] if file.problem else []
    by_id = {command.id: command for command in known}
    changed: dict[str, tuple[str, ...]] = {}
    places: dict[str, str] = {}
    lines = {".".join(path): (path, value) for path, value in _leaves(file.data)}
    for written, (path, value) in lines.items():
        name, where = FORMER.get(written, written), file.place(*path)
        if name != written and name in lines:
            continue  # what it is called now counts
        if name not in by_id:
            problems.append(f"{where}: {_unknown(name, by_id)}")
            continue
        try:
            changed[name] = _keys_of(value)
        except KeyProblem as problem:
            problems.append(f"{where}: {name}: {problem}; it keeps its key")
        else:
            places[name] = where
    for name, model in LIKE.items():
        if model in changed and name in by_id and name not in lines:
            changed[name], places[name] = changed[model], places[model]
    problems += _conflicts(known, changed, places)
    return KeyMap(changed=changed, problems=tuple(problems))


def _leaves(
    data: Mapping[str, object], above: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], object]]:
    for key, value in data.items():
        if isinstance(value, dict):
            yield from _leaves(value, (*above, key))
        else:
            yield (*above, key), value


def _unknown(name: str, known: Mapping[str, Command]) -> str:
    near = get_close_matches(name, known, 1, 0.6)
    hint = f"did you mean {near[0]!r}?" if near else "`sigscope keys` lists them all"
    return f"there is no command {name!r}; {hint}"


def _keys_of(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return read_keys(value)
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return read_keys(",".join(value))
    raise KeyProblem(f"{value!r} is neither a key in quotes nor a list of them")


def _conflicts(
    known: Sequence[Command],
    changed: Mapping[str, tuple[str, ...]],
    places: Mapping[str, str],
) -> Iterator[str]:
    """Keys that mean two things since the user changed them. Those that are shipped so
    are meant so: `/` searches the pane in focus."""
    for one, other in combinations(known, 2):
        if _is_one(one.id, other.id) or not {one.id, other.id} & changed.keys():
            continue
        now = set(changed.get(one.id, one.keys)) & set(
            changed.get(other.id, other.keys)
        )
        new = sorted(now - (set(one.keys) & set(other.keys)))
        order = inner_first(one, other) if new else None
        if order is None:
            continue
        where = places[one.id if one.id in changed else other.id]
        yield f"{where}: {_told(new, *order, changed)}"


def _is_one(one: str, other: str) -> bool:
    return LIKE.get(one, one) == LIKE.get(other, other)


def _told(
    keys: Sequence[str],
    inner: Command,
    outer: Command,
    changed: Mapping[str, tuple[str, ...]],
) -> str:
    named = " and ".join(keys)
    if inner.holder is outer.holder or inner.where == outer.where:
        if inner.id not in changed:
            inner, outer = outer, inner
        return (
            f"{named} is the key of both {inner.id!r} and {outer.id!r}"
            f" ({inner.where}); only {inner.id!r} obeys it"
        )
    return (
        f"{named} is the key of both {inner.id!r} ({inner.where}) and {outer.id!r}"
        f" ({outer.where}); where both could, {inner.id!r} obeys it"
    )
