"""What an importer is and what it yields."""

from __future__ import annotations

from collections.abc import Callable

from sigscope.capture.source import Source
from sigscope.exchange import Exchange
from sigscope.records import dataclass
from sigscope.session import Problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """All that could be read of a recording."""

    exchanges: tuple[Exchange, ...] = ()
    """In the order of the recording."""
    title: str = ""
    """What the recording calls itself; empty if it does not."""
    problems: tuple[Problem, ...] = ()
    """What could not be read, and why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One kind of recording."""

    name: str
    """For `--format` and for session files; never reused."""
    title: str
    """For people: what writes it, how it looks."""
    recognise: Callable[[Source], bool]
    """Whether the content is of this kind. Cheap; never raises."""
    read: Callable[[Source], Imported]
    """Raises InputError where nothing at all can be read."""
    takes_folders: bool = False
    """Whether a folder may be given to `recognise` and `read`."""
