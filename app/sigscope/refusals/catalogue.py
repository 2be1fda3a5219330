"""What is known about each rule id, also of APIs that have no rules here yet.

One record per id, in the file of its API in `dialects`. `rules.meanings` puts it and
the manual page of the rule together.
"""

from __future__ import annotations

from sigscope.refusals.dialects import WORDINGS
from sigscope.refusals.entry import CatalogueEntry
from sigscope.refusals.own import own_entry

CATALOGUE: tuple[CatalogueEntry, ...] = tuple(
    entry for wording in WORDINGS for entry in wording.catalogue
)

_BY_RULE = {entry.rule: entry for entry in CATALOGUE}


def entry(rule: str) -> CatalogueEntry | None:
    """What is known about a rule id, whatever its case; None for one nobody knows."""
    code = rule.strip().upper()
    return _BY_RULE.get(code) or own_entry(code)
