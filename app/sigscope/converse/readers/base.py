"""What every reader does."""

from __future__ import annotations

from typing import Any, Protocol

from sigscope.converse.memory import Heard


class Reader(Protocol):
    """Takes events in order; says at the end what it heard."""

    def feed(self, data: Any) -> None:
        """Take the JSON of one event, or of the whole body."""
        ...

    def heard(self) -> Heard: ...
