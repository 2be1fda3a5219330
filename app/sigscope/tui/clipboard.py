"""The clipboard: the terminal's, then a helper's, then a file.

OSC 52 is a sequence that asks the terminal to take a text; it works over SSH too, but
terminals drop what is long and never answer. So a helper program of the system is fed
as well where there is one, and what nobody takes goes to a file, without the keys that
a file of another tool may have in it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from sigscope.engine.settings.places import state_dir
from sigscope.exchange import Request
from sigscope.store.private import make_private_folder
from sigscope.utf8 import to_bytes

MOST_OSC = 100_000
"""Characters of base64 that terminals take; xterm's limit, the lowest known."""
PATIENCE = 2.0
"""Seconds a helper may take."""

_HELPERS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("WAYLAND_DISPLAY", ("wl-copy",)),
    ("DISPLAY", ("xclip", "-selection", "clipboard")),
    ("DISPLAY", ("xsel", "--clipboard", "--input")),
    ("", ("pbcopy",)),
    ("", ("clip.exe",)),
)
"""The variable that says that it can work, and the command."""


def copy(
    text: str,
    tell_terminal: Callable[[str], None],
    environ: Mapping[str, str],
    requests: Iterable[Request | None] = (),
) -> str:
    """Copy a text; says in a few words where it went. Takes up to `PATIENCE`.
    `requests`: no file gets what they were sent with."""
    # Half a surrogate pair, which recorded text may hold, has no UTF-8.
    sayable = text.encode("utf-8", "replace")
    is_short = len(b64encode(sayable)) <= MOST_OSC
    if is_short:
        tell_terminal(sayable.decode("utf-8"))
    helped = _helper(text, environ)
    if helped or is_short:
        return helped or "to the clipboard"
    from sigscope.store.secrets.learner import keys_of  # dear to import
    from sigscope.store.secrets.masker import mask_text

    plain, removed = mask_text(text, keys_of(requests))
    without = ", with its keys masked," * bool(removed)
    try:
        path = _file(plain)
        return f"too long for the terminal's clipboard; written{without} to {path}"
    except OSError as error:
        return f"not copied: too long for the clipboard, and no file: {error.strerror}"


def _helper(text: str, environ: Mapping[str, str]) -> str:
    if "SSH_CONNECTION" in environ:
        return ""  # its clipboard is not the one in front of the user
    for variable, command in _HELPERS:
        if variable and not environ.get(variable):
            continue
        program = shutil.which(command[0], path=environ.get("PATH", os.defpath))
        if program is None:
            continue
        try:
            subprocess.run(
                [program, *command[1:]],
                input=_bytes(text),
                timeout=PATIENCE,
                check=True,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        except (OSError, subprocess.SubprocessError):
            continue
        return f"to the clipboard, with {command[0]}"
    return ""


def _file(text: str) -> Path:
    path = state_dir() / "copied.txt"
    make_private_folder(path.parent)
    # For the user's eyes alone: bodies may hold what nobody else should read.
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
        file.write(_bytes(text))
    return path


def _bytes(text: str) -> bytes:
    """UTF-8; a byte that was none when it was recorded is itself again."""
    return to_bytes(text)
