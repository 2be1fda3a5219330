"""What stands in a recording entry by entry, or talk by talk."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from sigscope.capture.base import Imported
from sigscope.capture.shape import Tree, mapping
from sigscope.capture.source import Source
from sigscope.errors import InputError
from sigscope.exchange import Exchange
from sigscope.session import Problem

Talk = TypeVar("Talk")


def import_entries(
    source: Source,
    is_one: Callable[[Tree], bool],
    exchange_of: Callable[[dict[str, Tree]], Exchange],
    *,
    other: str,
    none: str,
) -> Imported:
    """An exchange of each entry that `is_one`; `other` says what an entry is else.
    Raises InputError with `none` where there is none."""
    found: list[Exchange] = []
    problems: list[Problem] = []
    for where, tree, error in source.entries():
        if error or not is_one(tree):
            told = f"{error or other}; left out"
            problems.append(Problem(message=told, where=where))
        else:
            found.append(exchange_of(mapping(tree)))
    if not found:
        raise InputError(none, path=source.name)
    return Imported(exchanges=tuple(found), problems=tuple(problems))


def import_talks(
    source: Source,
    talks: Iterable[Talk],
    exchange_of: Callable[[Talk], Exchange],
    problems: list[Problem],
    *,
    none: str,
) -> Imported:
    """One exchange of each conversation; `exchange_of` raises ValueError where it
    cannot be put together. Raises InputError where there is none, with the last of the
    problems, else with `none`."""
    found: list[Exchange] = []
    for talk in talks:
        try:
            found.append(exchange_of(talk))
        except ValueError as reason:
            told = f"a conversation cannot be put together: {reason}; left out"
            problems.append(Problem(message=told))
    if not found:
        told = problems[-1].message if problems else none
        raise InputError(told, path=source.name)
    return Imported(exchanges=tuple(found), problems=tuple(problems))
