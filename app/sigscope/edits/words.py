"""Edits in words, for people."""

from __future__ import annotations

import difflib
import re

from sigscope.edits.records import Edit, Op

_LONGEST = 60
"""Characters of a value that are shown."""

_WORDS = (*(op.value for op in Op), "type")

_OTHER_WORDS = {
    "add": "insert",
    "append": "insert",
    "cp": "copy",
    "del": "drop",
    "delete": "drop",
    "mv": "move",
    "remove": "drop",
    "rename": "move",
    "replace": "set",
    "rm": "drop",
    "swap": "type",
}
"""What people write who come from JSON Patch or a shell, and what it is called here."""

_SECRET = re.compile("auth|key|token|secret|cookie|session", re.IGNORECASE)
"""Header names whose values are not for reports and screens."""


def describe(edit: Edit) -> str:
    """One line: "set /messages/2/content to null". Not made to be read back."""
    place = _visible(edit.pointer) or "the whole body"
    value = shortened(edit.value or "")
    match edit.op:
        case Op.DROP:
            return f"drop {place}"
        case Op.SET:
            return f"set {place} to {value}"
        case Op.INSERT if edit.pointer.endswith("/-"):
            whole = _visible(edit.pointer[:-2]) or "the whole body"
            return f"append {value} to {whole}"
        case Op.INSERT:
            return f"insert {value} at {place}"
        case Op.MOVE | Op.COPY:
            return f"{edit.op.value} {_visible(edit.source or '')} to {place}"
        case Op.HEADER:
            if _SECRET.search(edit.name or ""):
                value = f"({len(edit.value or '')} characters)"
            return f"set header {edit.name} to {value}"
        case Op.UNHEADER:
            return f"remove header {edit.name}"
        case Op.URL:
            return f"send to {_visible(edit.value or '')}"


def shortened(text: str) -> str:
    """A value on one line, cut where it is long."""
    shown = _visible(text[:_LONGEST])
    if len(text) <= _LONGEST:
        return shown
    is_string = text.startswith('"') and text.endswith('"')
    return f"{shown}... ({len(text) - 2 * is_string:,} characters)"


def _visible(text: str) -> str:
    """Without anything a terminal would obey."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def unknown_word(word: str) -> str:
    """What to tell someone who wrote an operation that does not exist."""
    words = ", ".join(_WORDS)
    if not word:
        return f"an empty edit; write for example: set /a null (there are {words})"
    near = _OTHER_WORDS.get(word.lower())
    if near is None:
        near = next(iter(difflib.get_close_matches(word.lower(), _WORDS, 1)), None)
    hint = f"did you mean {near!r}? " if near else ""
    return f"no edit is called {shortened(word)!r}; {hint}there are {words}"
