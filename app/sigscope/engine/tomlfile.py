"""TOML files of the user's: read with tolerance, complained about by line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_PLACE = re.compile(r"^(?P<why>.*?) \(at (?:line (?P<line>\d+), .*|end of document)\)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class TomlFile:
    """What a file holds, as far as it could be read."""

    path: Path
    text: str
    """Empty where the file could not be read."""
    data: dict[str, Any]
    """Empty where the text is not TOML."""
    problem: str = ""
    """Why there is nothing in it, with the file and the line; empty if all is well."""

    def place(self, *keys: str) -> str:
        """ "config.toml:3": the file and the line where a key is set."""
        line = line_of(self.text, keys) if keys else None
        return f"{shortened(self.path)}:{line}" if line else shortened(self.path)


def read_toml(path: Path) -> TomlFile | None:
    """A file's content; None where there is no file. Never raises."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        return _broken(path, "", f"it cannot be read: {error.strerror or error}")
    except UnicodeDecodeError as error:
        return _broken(path, "", f"byte {error.start} is not UTF-8; save it as UTF-8")
    text = text.replace("\r\n", "\n")
    try:
        return TomlFile(path=path, text=text, data=tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        found = _PLACE.match(str(error))
        if found is None:
            return _broken(path, text, f"it is not TOML: {error}")
        line = int(found["line"] or text.count("\n") + 1)
        return _broken(path, text, f"it is not TOML: {found['why']}", line)
    except RecursionError:
        return _broken(path, text, "it is nested too deeply")


def _broken(path: Path, text: str, why: str, line: int | None = None) -> TomlFile:
    where = f"{shortened(path)}:{line}" if line else shortened(path)
    return TomlFile(path=path, text=text, data={}, problem=f"{where}: {why}")


def line_of(text: str, keys: Sequence[str]) -> int | None:
    """The line, from 1, of the statement that sets a key; None if none does.

    tomllib gives no positions, so the text is read again up to each line: the first
    reading that holds the key ends with its statement, which begins after the last
    statement before. Costs the square of the length; meant for files of the user's.
    """
    lines = text.split("\n")
    begin = 0
    for end in range(1, len(lines) + 1):
        try:
            data = tomllib.loads("\n".join(lines[:end]))
        except (tomllib.TOMLDecodeError, RecursionError):
            continue  # the middle of a statement of several lines
        if _has(data, keys):
            return _first_written(lines, begin, end)
        begin = end
    return None


def _has(data: object, keys: Sequence[str]) -> bool:
    for key in keys:
        if not isinstance(data, dict) or key not in data:
            return False
        data = data[key]
    return True


def _first_written(lines: Sequence[str], begin: int, end: int) -> int:
    for number in range(begin, end):
        bare = lines[number].strip()
        if bare and not bare.startswith("#"):
            return number + 1
    return end


def shortened(path: Path) -> str:
    """A path with `~` for the home folder."""
    try:
        return f"~/{path.relative_to(Path.home())}"
    except (ValueError, RuntimeError):
        return str(path)
