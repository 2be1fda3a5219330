"""The table of `docs/disagreements.md`: which cases it lists, and which it does not."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tests.unit.agreement.sweep import Case, Kind

PAGE = Path(__file__).parents[3] / "docs" / "disagreements.md"
MOST = 12
SOURCE = re.compile(r"[\w.-]+/[\w.-]+(#\d+)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One known difference."""

    kind: Kind
    dialect: str
    refusals: frozenset[str]
    """What the simulator refuses for; empty where it accepts."""
    rules: frozenset[str]
    """Those that speak; empty where none does."""
    why: str
    sources: tuple[str, ...]

    def covers(self, kind: Kind, case: Case) -> bool:
        """Whether this is the difference that a case shows."""
        return (
            (self.kind, self.dialect) == (kind, case.dialect)
            and (case.refused_for in self.refusals or not self.refusals)
            and (not self.rules or bool(self.rules & set(case.rules)))
        )


def rows(page: str) -> tuple[Row, ...]:
    """The rows of the page's one table."""
    cells = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in page.splitlines()
        if line.startswith("|")
    ]
    return tuple(
        Row(
            kind=Kind(kind),
            dialect=dialect,
            refusals=_names(refusals),
            rules=_names(rules),
            why=why,
            sources=tuple(part.strip() for part in source.split(",")),
        )
        for kind, dialect, refusals, rules, why, source in cells[2:]
    )


def _names(cell: str) -> frozenset[str]:
    return frozenset(part.strip() for part in cell.split(",") if part.strip())


def covering(known: Iterable[Row], kind: Kind, case: Case) -> list[Row]:
    """The rows that list a difference of a case."""
    return [row for row in known if row.covers(kind, case)]
