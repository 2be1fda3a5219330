"""The themes there are now: shipped ones, and files that change while we look."""

from __future__ import annotations

from functools import cache

from textual.theme import Theme

from sigscope.engine.settings.places import shipped
from sigscope.foldercontents import files_in
from sigscope.tui.themes import read_folder, user_folder

Stamp = tuple[tuple[str, int, int], ...]


class ThemeShelf:
    """Reads the theme files, and again when one of the user's has changed."""

    def __init__(self) -> None:
        self.themes: dict[str, Theme] = {}
        self.own: set[str] = set()
        """Names of those that are files of the user's."""
        self.problems: list[str] = []
        self._stamp: Stamp = ()
        self._read()

    def look_again(self) -> list[Theme] | None:
        """Themes that are new or other than they were; None where no file was touched.
        Costs a `stat` for each of the user's files."""
        if self._stamp == _stamp():
            return None
        before = self.themes
        self._read()
        return [
            theme for name, theme in self.themes.items() if before.get(name) != theme
        ]

    def _read(self) -> None:
        self._stamp = _stamp()
        ours, broken = _shipped()
        own, problems = read_folder(user_folder())
        self.own = {theme.name for theme in own}
        self.themes = {theme.name: theme for theme in (*ours, *own)}
        self.problems = [*broken, *problems]


@cache
def _shipped() -> tuple[list[Theme], list[str]]:
    """The themes that come with sigscope, and what is wrong with them."""
    return read_folder(shipped("themes"))


def _stamp() -> Stamp:
    """What would differ if a file of the user's were written, added or deleted."""
    found = []
    try:
        for path in files_in(user_folder(), ".toml"):
            status = path.stat()
            found.append((path.name, status.st_mtime_ns, status.st_size))
    except OSError:
        pass
    return tuple(sorted(found))
