"""What an importer is and what it yields."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from sigscope.capture.source import Source
from sigscope.exchange import Exchange
from sigscope.records import dataclass
from sigscope.session import Problem

_TURNED = (
    "by their times the calls stand with the newest on top: they are read from the last"
    " to the first"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """All that could be read of a recording."""

    exchanges: tuple[Exchange, ...] = ()
    """In the order of the recording."""
    title: str = ""
    """What the recording calls itself; empty if it does not."""
    problems: tuple[Problem, ...] = ()
    """What could not be read, and why."""

    @property
    def oldest_first(self) -> Imported:
        """The same; turned round, and with a word on that, where the last exchange
        began first: tables of gateways are exported with the newest on top."""
        began = [(each.started_at or "").removesuffix("Z") for each in self.exchanges]
        is_turned = all(began) and began[:1] > began[-1:]
        if not is_turned or began != sorted(began, reverse=True):
            return self
        return replace(
            self,
            exchanges=self.exchanges[::-1],
            problems=(*self.problems, Problem(message=_TURNED)),
        )


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


def some_of(names: Sequence[str], most: int) -> str:
    """The first few of some names, for a message: "1.json, 2.json, ..." """
    return ", ".join(names[:most]) + ", ..." * (len(names) > most)


def left_out(names: Sequence[str], why: str) -> Problem:
    """Some files are not read: "2 files without a call left out: a.json, b.json"."""
    files = f"{len(names)} file{'s' * (len(names) != 1)}"
    return Problem(message=f"{files} {why}: {some_of(names, 3)}")
