"""Where files are: bundled sessions and themes, the user's own data and config."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

import platformdirs

APP = "sigscope"
SUFFIX = ".session.jsonl"
"""How the name of a session file ends."""
FIRST = "copilot-missing-signature"
"""The bundled session that a newcomer should open; the demo walks it too."""


def shipped(kind: str) -> Path:
    """The folder of shipped "sessions" or "themes": inside the installed package, or
    at the top of a checkout."""
    package = Path(__file__).resolve().parents[2]
    inside = package / "data" / kind
    return inside if inside.is_dir() else package.parent.parent / kind


def is_shipped_session(path: str | Path) -> bool:
    """Whether a path leads to one of the bundled sessions. Never raises, as
    `Path.resolve` does where links lead in a circle."""
    return os.path.dirname(os.path.realpath(path)) == os.path.realpath(
        shipped("sessions")
    )


def data_dir() -> Path:
    """Where sigscope keeps what it makes (XDG; SIGSCOPE_DATA_DIR overrules)."""
    chosen = os.environ.get("SIGSCOPE_DATA_DIR")
    return Path(chosen) if chosen else Path(platformdirs.user_data_dir(APP))


def refuges() -> list[Path]:
    """Folders for what the folder of its own does not take, the best first."""
    found = [data_dir() / "sessions", state_dir()]
    with suppress(OSError):  # it looks for one that can be written
        found.append(Path(tempfile.gettempdir()))
    return [*found, Path(os.curdir)]


def config_dir() -> Path:
    """Where the user's settings lie (XDG; SIGSCOPE_CONFIG_DIR overrules)."""
    chosen = os.environ.get("SIGSCOPE_CONFIG_DIR")
    return Path(chosen) if chosen else Path(platformdirs.user_config_dir(APP))


def state_dir() -> Path:
    """Where it remembers recent sessions (XDG; SIGSCOPE_STATE_DIR overrules)."""
    chosen = os.environ.get("SIGSCOPE_STATE_DIR")
    return Path(chosen) if chosen else Path(platformdirs.user_state_dir(APP))
