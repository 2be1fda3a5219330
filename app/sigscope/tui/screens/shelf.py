"""The shelves: which sessions there are, what each speaks. No widget, no terminal."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from sigscope.engine.engine import Engine
from sigscope.engine.sessions.library import Library, SessionCard
from sigscope.errors import SigscopeError
from sigscope.records import dataclass
from sigscope.tui.debugger.desk import Desk
from sigscope.tui.debugger.observed import Observable, Observed
from sigscope.tui.figures import count

TELL_EVERY = 0.25
"""Seconds between two reports of what was found; each one lays the list out anew."""
Stamp = tuple[int, int]
SMALL = 8_000_000
"""Bytes up to which a file is opened only to learn its dialect."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What one learns of a session by opening it."""

    dialects: str = ""
    """Names, with commas between; empty where none was recognised."""
    steps: int | None = None
    """None: it was not opened, being large or broken."""
    failed: int = 0
    stamp: Stamp = (0, 0)
    """When the file was changed last, and its size; it is opened again when one of them
    is another: changes that follow soon have the same time."""


class Shelf(Observable):
    """Reads cards, then looks into the files."""

    seen: Observed[Mapping[str, Seen]] = Observed({})
    """By path, as far as it was looked into."""

    def __init__(self, engine: Engine, library: Library, desk: Desk) -> None:
        super().__init__()
        self.engine = engine
        self.library = library
        self._desk = desk
        self.cards: dict[str, SessionCard] = {}
        """By path, in the order of the list."""
        self.path = ""
        """Of the session under the cursor; empty for none."""

    @property
    def card(self) -> SessionCard | None:
        """The session under the cursor."""
        return self.known(self.path)[0] if self.path in self.cards else None

    def known(self, path: str) -> tuple[SessionCard, str]:
        """A card with what was seen in its file, and the dialects."""
        card, seen = self.cards[path], self.seen.get(path, Seen())
        if seen.steps is not None and not card.steps:
            card = replace(card, steps=seen.steps, failed=seen.failed)
        return card, seen.dialects

    def reload(self, *, is_asked: bool = False) -> None:
        """Read the shelves, then look what each session speaks. Who asked is told."""
        known = {*self.cards} if is_asked else None
        self._desk.aside("shelf", self._read, partial(self._end, known))

    def _read(self) -> dict[str, Seen]:
        """In a thread; what was not told yet is the answer."""
        cards = self.library.cards()
        found: dict[str, Seen] = {}
        if self._desk.is_over():
            return found
        self._desk.later(self._list, cards)
        told = time.monotonic()
        for card in cards:
            if self._desk.is_over():
                return {}
            stamp = _stamp(card.path)
            known = self.seen.get(card.path)
            if not card.problem and (known is None or known.stamp != stamp):
                found[card.path] = self._look_into(card, stamp)
            if found and time.monotonic() - told > TELL_EVERY:
                self._desk.later(self._see, found)
                found, told = {}, time.monotonic()
        return found

    def _list(self, cards: list[SessionCard]) -> None:
        self.cards = {card.path: card for card in cards}
        self.tell("cards")

    def _see(self, found: Mapping[str, Seen]) -> None:
        self.seen = {**self.seen, **found}

    def _end(self, known: set[str] | None, found: Mapping[str, Seen]) -> None:
        """All is read; `known`: the paths there were, where somebody asked."""
        self._see(found)
        if known is not None:
            new, gone = len({*self.cards} - known), len(known - {*self.cards})
            changes = [f"{n} {word}" for n, word in ((new, "new"), (gone, "gone")) if n]
            told = ", ".join(changes) or "none new"
            self._desk.tell(f"read again: {count(len(self.cards), 'session')}, {told}")

    def _look_into(self, card: SessionCard, stamp: Stamp) -> Seen:
        path = Path(card.path)
        try:
            if not path.is_file() or path.stat().st_size > SMALL:
                return Seen(stamp=stamp)
            readings = self.engine.open(path).readings
        except (SigscopeError, OSError, RecursionError):
            return Seen(stamp=stamp)
        names = dict.fromkeys(r.dialect.name for r in readings if r.dialect)
        return Seen(
            dialects=", ".join(names),
            steps=len(readings),
            failed=sum(1 for r in readings if r.status and r.status >= 400),
            stamp=stamp,
        )


def _stamp(path: str) -> Stamp:
    try:
        status = Path(path).stat()
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_size
