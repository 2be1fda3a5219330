"""How a service words its errors, and what it makes of those that it passes on."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field

from sigscope.records import dataclass
from sigscope.refusals.entry import TURN, CatalogueEntry
from sigscope.refusals.pattern import Pattern

MISSING = ("GEM-1", "GEM-2", "GEM-3")
"""Rules by which Gemini says that a signature is missing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """One API's errors."""

    name: str
    """The dialect's, or that of a service whose API no dialect reads."""
    api: str = ""
    """Who says so, in words: "GitHub Copilot"."""
    prefix: str = ""
    """What the ids of its own rules begin with: "CPC-"."""
    marks: re.Pattern[str] | None = None
    """What tells in an error's text that it passed through here."""
    behind: Mapping[str, str] = field(default_factory=dict)
    """Rule of a service behind it → its own rule, meant as well."""
    in_stream: str = ""
    """Its rule for an error inside a stream that began well."""
    patterns: tuple[Pattern, ...] = ()
    """The words of its own rules. Of several that fit, the first in order counts."""
    last_patterns: tuple[Pattern, ...] = ()
    """Words that stand beside many messages, and say little alone."""
    looks: Mapping[str, str] = field(default_factory=dict)
    """Its rule that has a manual page → what to look at first."""
    records: Mapping[str, str] = field(default_factory=dict)
    """Of these: what to record to be sure, where that is not the turn."""
    apis: Mapping[str, str] = field(default_factory=dict)
    """Of these: who says so, where that is not `api`."""
    entries: tuple[CatalogueEntry, ...] = ()
    """What is known about its rule ids that have no page."""
    kin: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Its rule → rules whose words would be said if it were broken, besides those
    that `behind` names."""
    wants: frozenset[str] = frozenset()
    """Its rules whose words say that a signature, or the block that has it, is not
    there."""

    @property
    def catalogue(self) -> tuple[CatalogueEntry, ...]:
        """What is known about each of its rule ids."""
        looks = (
            CatalogueEntry(
                rule=rule,
                api=self.apis.get(rule, self.api),
                look=look,
                record=self.records.get(rule, TURN),
            )
            for rule, look in self.looks.items()
        )
        return (*looks, *self.entries)


def marks(words: str) -> re.Pattern[str]:
    """Any of these words, in whatever case."""
    return re.compile(words, re.IGNORECASE)
