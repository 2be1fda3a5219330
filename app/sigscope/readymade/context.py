"""What a ready-made edit may look at."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cached_property

from sigscope.conversation import Conversation, Json, Sighting
from sigscope.dialects.base import Dialect
from sigscope.dialects.homes import HomeFinder
from sigscope.ledger import Ledger
from sigscope.reader import Reading
from sigscope.readymade.held import Bearer, find_bearers
from sigscope.records import dataclass


@dataclass(frozen=True, kw_only=True)
class Context:
    """The step that is to be edited, and the session around it."""

    reading: Reading
    ledger: Ledger
    readings: Mapping[int, Reading]
    """Every step of the session, by number."""

    @property
    def dialect(self) -> str:
        """Name of the dialect spoken; empty if none fits."""
        return self.reading.dialect.name if self.reading.dialect else ""

    @property
    def home(self) -> HomeFinder:
        """Where its dialect reads a signature; nowhere if none fits."""
        return (self.reading.dialect or Dialect).home

    @property
    def body(self) -> Json:
        """The parsed request; not to be changed."""
        return self.reading.request_json

    @property
    def conversation(self) -> Conversation:
        """The request's history."""
        return self.reading.conversation

    @cached_property
    def bearers(self) -> tuple[Bearer, ...]:
        """Messages of the history that have signatures or should, in order."""
        return find_bearers(self.reading, self.ledger, self.readings)

    @cached_property
    def sent(self) -> Mapping[int, tuple[Sighting, ...]]:
        """Signatures in the request, read there or not, by index of the message."""
        found: defaultdict[int, list[Sighting]] = defaultdict(list)
        for sighting in self.reading.sent:
            found[sighting.anchor.message].append(sighting)
        return {index: tuple(sightings) for index, sightings in found.items()}

    @cached_property
    def sources(self) -> dict[str, str]:
        """Where each known signature comes from, by its value."""
        return {held.value: held.source for b in self.bearers for held in b.held}
