"""The sessions that come with sigscope, read for its list once in a process: half of
what it costs to open the list went into reading the same files for each test anew."""

from __future__ import annotations

from pathlib import Path

from sigscope.engine.sessions import library
from sigscope.engine.sessions.library import SessionCard
from sigscope.tui.screens.shelf import Seen, Shelf, Stamp

BUNDLED = "bundled"
_CARDS: dict[tuple[Path, int], SessionCard] = {}
_SEEN: dict[tuple[str, Stamp], Seen] = {}
_read_card = library.read_card
_look_into = Shelf._look_into


def _read_once(path: Path, shelf: str) -> SessionCard:
    if shelf != BUNDLED:
        return _read_card(path, shelf)
    key = (path, path.stat().st_mtime_ns)
    if key not in _CARDS:
        _CARDS[key] = _read_card(path, shelf)
    return _CARDS[key]


def _look_once(shelf: Shelf, card: SessionCard, stamp: Stamp) -> Seen:
    if card.shelf != BUNDLED:
        return _look_into(shelf, card, stamp)
    key = (card.path, stamp)
    if key not in _SEEN:
        _SEEN[key] = _look_into(shelf, card, stamp)
    return _SEEN[key]


def install() -> None:
    """For all tests of this process."""
    library.read_card = _read_once
    Shelf._look_into = _look_once  # type: ignore[method-assign]
