"""Words of errors that the user adds: sentences that nobody else knows."""

from __future__ import annotations

from collections.abc import Iterable

from sigscope.refusals.entry import CatalogueEntry
from sigscope.refusals.pattern import Pattern

_patterns: list[Pattern] = []
_entries: dict[str, CatalogueEntry] = {}


def set_own(patterns: Iterable[Pattern], entries: Iterable[CatalogueEntry]) -> None:
    """From now on these are known, and no others of the user's."""
    _patterns[:] = patterns
    _entries.clear()
    _entries.update((entry.rule, entry) for entry in entries)


def own_patterns() -> tuple[Pattern, ...]:
    """The user's, in their order; they are searched after ours."""
    return tuple(_patterns)


def own_entry(rule: str) -> CatalogueEntry | None:
    """What the user says of a rule id; None for one they say nothing of."""
    return _entries.get(rule)
