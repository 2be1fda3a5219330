"""What every reader does."""

from __future__ import annotations

from typing import Any, Protocol

from sigscope.converse.memory import Heard
from sigscope.converse.policy import DialectName, Read
from sigscope.converse.readers.chat import ChatReader
from sigscope.converse.readers.gemini import GeminiReader


class Reader(Protocol):
    """Takes events in order; says at the end what it heard."""

    def feed(self, data: Any) -> None:
        """Take the JSON of one event, or of the whole body."""
        ...

    def heard(self) -> Heard:
        """What was understood so far."""
        ...


def open_reader(dialect: DialectName, read: Read) -> Reader:
    """A reader for one reply."""
    return GeminiReader(read) if dialect == "gemini" else ChatReader(read)
