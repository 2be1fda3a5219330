"""What the screens remember from one start to the next: the theme chosen last, and
that the first advice was given."""

from __future__ import annotations

import json
from pathlib import Path

from sigscope.engine.settings.places import state_dir
from sigscope.store.private import write_private


class Memory:
    """A small JSON file in the state folder. One that cannot be read or written
    costs the memory, nothing else."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or state_dir() / "screens.json"

    @property
    def theme(self) -> str:
        """Name of the theme chosen last; empty if none was."""
        return str(self._read().get("theme", ""))

    @theme.setter
    def theme(self, name: str) -> None:
        values = self._read()
        if values.get("theme") != name:
            self._write({**values, "theme": name})

    @property
    def has_hinted(self) -> bool:
        """Whether the first advice was given."""
        return self._read().get("hinted") is True

    @has_hinted.setter
    def has_hinted(self, value: bool) -> None:
        self._write({**self._read(), "hinted": value})

    def _read(self) -> dict[str, object]:
        try:
            found = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}

    def _write(self, values: dict[str, object]) -> None:
        try:
            write_private(self._path, json.dumps(values, indent=1).encode())
        except OSError:
            return
