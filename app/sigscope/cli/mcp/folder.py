"""Which files may be named: those below one folder, wherever links lead."""

from __future__ import annotations

import os
from pathlib import Path

from sigscope.errors import UsageError

_MOST = 10_000
"""Files looked at in a folder that is opened whole."""


class Folder:
    """The folder that the server was started in."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()

    def find(self, name: str) -> str:
        """The real path of a file below it, given from it or whole.

        Raises UsageError for one that is elsewhere, not there, or that would bring
        files from elsewhere: numbered files and folders are read with what stands
        beside them.
        """
        if "\0" in name:
            raise UsageError("a path holds no zero byte")
        try:
            path = (self.root / name).resolve(strict=True)
        except (OSError, RuntimeError):
            raise UsageError(
                f"there is no {name!r} below {self.root}; paths are given from there"
            ) from None
        self._refuse_outside(path, name)
        if not (path.is_file() or path.is_dir()):
            raise UsageError(f"{name!r} is neither a file nor a folder")
        for beside in self._brought_along(path):
            self._refuse_outside(beside.resolve(), str(beside))
        return str(path)

    def _refuse_outside(self, path: Path, name: str) -> None:
        if not path.is_relative_to(self.root):
            raise UsageError(
                f"{name!r} is not below {self.root}: only files there can be read; the"
                " user can start `sigscope mcp` in another folder"
            )

    def _brought_along(self, path: Path) -> list[Path]:
        """Links in what is read together with a path."""
        if path.is_file():
            with os.scandir(path.parent) as entries:
                return [Path(each.path) for each in entries if each.is_symlink()]
        links: list[Path] = []
        seen = 0
        for folder, folders, files in os.walk(path):
            seen += len(folders) + len(files)
            if seen > _MOST:
                raise UsageError(f"{str(path)!r} holds more than {_MOST:,} files")
            every = (os.path.join(folder, each) for each in (*folders, *files))
            links += [Path(each) for each in every if os.path.islink(each)]
        return links
