"""Asking for the path of a recording."""

from __future__ import annotations

from pathlib import Path

from sigscope.tui.screens.lineinput import LineDialog


def path_dialog() -> LineDialog:
    """Asks for a path."""
    return LineDialog(
        "Open a recording",
        "session file, HAR, VCR cassette, N-req.json / N-res.json, a folder",
        hint="path",
        field="path",
        done="opens",
        problem_of=_problem_of_path,
    )


def expanded(text: str) -> str:
    """A path with the home folder for `~`."""
    return str(Path(text).expanduser())


def _problem_of_path(text: str) -> str:
    try:
        is_there = bool(text) and Path(text).expanduser().exists()
    except (OSError, RuntimeError, ValueError) as error:
        return f"{text}: {error}"
    return "" if is_there else f"{text or 'nothing'}: there is no such file"
