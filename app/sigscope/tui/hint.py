"""Three lines of advice for somebody who has never seen the screens. They are short
enough for a notice, which is 60 cells wide at most."""

from __future__ import annotations

from sigscope.tui.keymap import KeyMap
from sigscope.tui.keynames import displayed
from sigscope.tui.keytable import commands

TITLE = "sigscope follows thought signatures"
SECONDS = 30
"""How long it stays; a click takes it away."""


def hint_lines(keys: KeyMap, *, in_session: bool = False) -> tuple[str, str, str]:
    """The lines, with the keys the user has; `in_session`: where none is to be opened
    any more."""
    known = {command.id: command for command in commands()}

    def key(name: str) -> str:
        now = keys.keys(known[name])
        return displayed(now[0]) if now else "the palette"

    first = "fix" if in_session else "sessions.open"
    does = "applies a fix" if in_session else "opens a session"
    return (
        f"{key(first)} {does}, {key('json.toggle')} switches a JSON field",
        f"{key('send')} sends it again, offline: is the error gone?",
        f"{key('app.help')} explains the pane, {key('app.palette')} has every command",
    )
