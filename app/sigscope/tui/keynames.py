"""Names of keys as people write them, in the form the screens know.

`?`, `question_mark`, `Ctrl+X`, `esc` and `shift+g` are all understood. Source: the
names of Textual 8.2.8 (`textual.keys`), and how terminals send keys: ctrl with a letter
is one of the first 32 characters of ASCII.
"""

from __future__ import annotations

import string

from textual.keys import Keys, _character_to_key, key_to_character

NONE = "none."
"""How the key of a command without a key begins: no terminal sends it."""

_ALIASES = {
    "esc": "escape",
    "return": "enter",
    "spacebar": "space",
    "pgup": "pageup",
    "pgdn": "pagedown",
    "pgdown": "pagedown",
    "page_up": "pageup",
    "page_down": "pagedown",
    "del": "delete",
    "ins": "insert",
    "bksp": "backspace",
}
_MODIFIERS = ("ctrl", "alt", "shift", "super", "hyper", "meta")
_SAME = {"ctrl+i": "tab", "ctrl+m": "enter", "ctrl+j": "newline", "ctrl+h": "backspace"}
"""What a terminal cannot tell apart, and as what it arrives."""

_SIGNS = {_character_to_key(sign): sign for sign in string.punctuation}
_NAMED = frozenset(
    {key.value.rpartition("+")[2] for key in Keys if not key.value.startswith("<")}
    | _SIGNS.keys()
)


def no_key(command: str) -> str:
    """The key of a command without one. Each has its own, for what is active is found
    by its key: two commands with the same would be one in the palette."""
    return f"{NONE}{command}"


def is_key(key: str) -> bool:
    """Whether this is a key that a terminal may send."""
    return not key.startswith(NONE)


class KeyProblem(ValueError):
    """A key that does not exist or never arrives; says what to write instead."""


def read_keys(text: str) -> tuple[str, ...]:
    """Keys out of "down, j". Raises KeyProblem. Nothing at all is no key."""
    if not text.strip():
        return ()
    return tuple(dict.fromkeys(read_key(part) for part in text.split(",")))


def read_key(text: str) -> str:
    """One key in the form the screens know. Raises KeyProblem."""
    bare = text.strip()
    if not bare:
        raise KeyProblem(
            "there is a comma too many; the comma key itself is written comma"
        )
    if bare == "+":
        return "plus"
    if bare.endswith("++"):
        bare = f"{bare[:-1]}plus"
    *modifiers, name = bare.split("+")
    modifiers = [modifier.strip().lower() for modifier in modifiers]
    unknown = [modifier for modifier in modifiers if modifier not in _MODIFIERS]
    if unknown:
        raise KeyProblem(f"{unknown[0]!r} in {bare!r} is none of ctrl, alt, shift")
    name = _base(name.strip(), bare)
    if "shift" in modifiers and len(name) == 1 and name.isalpha():
        # A terminal sends the capital letter.
        modifiers.remove("shift")
        name = name.upper() if "ctrl" not in modifiers else name
    if "ctrl" in modifiers and len(name) == 1:
        name = name.lower()
    order = sorted(set(modifiers), key=_MODIFIERS.index)
    key = "+".join([*order, name])
    if key in _SAME:
        raise KeyProblem(f"terminals send {key} as {_SAME[key]}: it never arrives")
    return key


def _base(name: str, whole: str) -> str:
    if len(name) == 1:
        return _character_to_key(name)
    low = _ALIASES.get(name.lower(), name.lower())
    if low in _NAMED or key_to_character(low) is not None:
        return low
    raise KeyProblem(
        f"there is no key {whole!r}; keys are written like x, ctrl+x, f5, space, enter,"
        " question_mark or ?"
    )


def displayed(key: str) -> str:
    """A key as people read it: "ctrl+x", "?", "pageup"."""
    if not is_key(key):
        return ""
    *modifiers, name = key.split("+")
    return "+".join([*modifiers, _SIGNS.get(name, name)])


def in_words(key: str) -> str:
    """A key as a sentence names it: "esc", where a table has "escape"."""
    return "esc" if key == "escape" else displayed(key)
