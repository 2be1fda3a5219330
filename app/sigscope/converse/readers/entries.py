"""Putting streamed `reasoning_details` together, rightly and as clients do it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from sigscope.converse.policy import MergeEntries

_READABLE = ("text", "summary")


class Entries:
    """Running entries of one reply (docs/wire/openrouter.md#accumulating)."""

    def __init__(self, merge: MergeEntries) -> None:
        self._merge = merge
        self._entries: list[dict[str, Any]] = []

    def take(self, pieces: Iterable[Any]) -> None:
        """The list of one delta."""
        found = [dict(piece) for piece in pieces if isinstance(piece, dict)]
        if self._merge == "last":
            self._entries = found
            return
        for piece in found:
            entry = next((e for e in self._entries if self._is_same(e, piece)), None)
            if entry is None:
                self._entries.append(piece)
            elif self._merge == "index":
                _glue(entry, piece)
            else:
                _join(entry, piece)

    def finished(
        self, *, drop_unsigned: bool = False, strip: tuple[str, ...] = ()
    ) -> Iterator[dict[str, Any]]:
        """The entries as they are kept, in the order they appeared."""
        for entry in self._entries:
            is_signed = bool(entry.get("data") or entry.get("signature"))
            if drop_unsigned and not is_signed:
                continue
            yield {key: value for key, value in entry.items() if key not in strip}

    def _is_same(self, entry: dict[str, Any], piece: dict[str, Any]) -> bool:
        if self._merge == "fragments":
            return False
        if entry.get("index") != piece.get("index"):
            return False
        if self._merge == "index":
            return True
        if entry.get("type") != piece.get("type"):
            return False
        ids = entry.get("id"), piece.get("id")
        differ = all(ids) and ids[0] != ids[1]
        return not (differ and self._merge == "type-index-id")


def _join(entry: dict[str, Any], piece: dict[str, Any]) -> None:
    """Text and sealed data grow, a signature replaces, the rest is set once."""
    for key, value in piece.items():
        if key in _READABLE or (key == "data" and entry.get("data") != value):
            entry[key] = (entry.get(key) or "") + (value or "")
        elif key == "signature":
            entry[key] = value or entry.get(key)
        elif entry.get(key) is None:
            entry[key] = value


def _glue(entry: dict[str, Any], piece: dict[str, Any]) -> None:
    """Every string is put behind the one before, names of types included."""
    for key, value in piece.items():
        old = entry.get(key)
        both = isinstance(old, str) and isinstance(value, str)
        entry[key] = f"{old}{value}" if both else value
