"""Which files may be named: those below one folder, wherever links lead."""

from __future__ import annotations

from pathlib import Path

from sigscope import confinement
from sigscope.errors import UsageError


class Folder:
    """The folder that the server was started in."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()

    def confine(self, *others: Path) -> None:
        """From now on this process opens no file elsewhere, whatever stands beside one
        that is named, and whatever is put in its place. `others`: where sigscope keeps
        what it makes itself."""
        confinement.confine(self.root, *others)

    def find(self, name: str) -> str:
        """The real path of a file below it, given from it or whole. Raises UsageError
        for one that is elsewhere, or not there."""
        if "\0" in name:
            raise UsageError("a path holds no zero byte")
        given = self.root / name
        try:
            path = given.resolve(strict=True)
        except (OSError, RuntimeError):
            raise UsageError(
                f"there is no {_short(name)!r} below {self.root}; paths are given from"
                " there"
            ) from None
        if not path.is_relative_to(self.root):
            raise UsageError(f"{self._outside(name, given, path)}; {_WHAT_TO_DO}")
        if not (path.is_file() or path.is_dir()):
            raise UsageError(f"{_short(name)!r} is neither a file nor a folder")
        return str(path)

    def _outside(self, name: str, given: Path, path: Path) -> str:
        """Which path leads where."""
        told = f"{_short(name)!r} is not below {self.root}"
        if ".." in given.parts or not given.is_relative_to(self.root):
            return told
        leads = next(
            (
                each
                for each in (*reversed(given.parents), given)
                if each.is_relative_to(self.root)
                and each.is_symlink()
                and not each.resolve().is_relative_to(self.root)
            ),
            given,
        )
        return (
            f"{told}: the link {str(leads.relative_to(self.root))!r} leads to"
            f" {str(path)!r}"
        )


_WHAT_TO_DO = (
    "only files there can be read. The user can start `sigscope mcp` in another folder"
)


def _short(name: str) -> str:
    return name if len(name) <= 200 else f"{name[:200]}…"
