"""What the two ends of a relay are: what all relays share, and the client's side."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from sigscope.recorder.gate import Gate
from sigscope.recorder.journal import Journal
from sigscope.recorder.routes import Routes
from sigscope.recorder.upstream import Pool


@dataclass(slots=True, kw_only=True)
class Hub:
    """What all relays of a recorder share."""

    routes: Routes
    journal: Journal
    pool: Pool
    clock: Callable[[], float]
    gate: Gate | None = None


class Client(Protocol):
    """The connection to the client, as a relay needs it."""

    def write(self, data: bytes) -> None: ...
    def read(self, *, is_wanted: bool) -> None: ...
    def done(self, *, closes: bool) -> None:
        """The answer is written; the next request may come."""
        ...

    def cut(self) -> None:
        """The answer breaks off here."""
        ...
