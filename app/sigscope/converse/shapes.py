"""The ways in which a model calls tools, as words that make it do so.

A signature stands elsewhere where calls come together, one after the other, or alone,
and where the answer is streamed or not: a client that is right in one of these shapes
may be wrong in the next.
"""

from __future__ import annotations

from itertools import product
from typing import Literal

from sigscope.converse.tools import READ
from sigscope.records import dataclass

CallShape = Literal["single", "parallel", "sequential"]
CALLS: tuple[CallShape, ...] = ("single", "parallel", "sequential")

TURNS = 5
"""Enough for reasoning to fade visibly, and for a mistake with older turns to show."""
PLAIN_EVERY = 3
"""Each third turn asks for nothing: answers without calls carry signatures, too."""

_PAIRS = (
    ("README.md", "pyproject.toml"),
    ("docs/setup.md", "docs/routes.md"),
    ("CHANGELOG.md", "LICENSE.md"),
    ("tests/test_plan.py", "src/fieldmap/plan.py"),
)
_PLAIN = "Thanks!"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationShape:
    """How answers come, and how they call."""

    stream: bool
    calls: CallShape

    @property
    def name(self) -> str:
        """ "streamed, parallel"."""
        return f"{'streamed' if self.stream else 'whole'}, {self.calls}"

    def turns(self, count: int, tool: str = READ) -> tuple[str, ...]:
        """What the user says, turn by turn. `tool`: one that the client offers."""
        return tuple(
            _PLAIN
            if number % PLAIN_EVERY == 0
            else self._words(_PAIRS[number % len(_PAIRS)], tool.replace("_", " "))
            for number in range(1, count + 1)
        )

    def _words(self, files: tuple[str, str], tool: str) -> str:
        one, other = files
        if self.calls == "parallel":
            return f"Use {tool} on {one} and {other}, both at the same time."
        if self.calls == "sequential":
            return f"Use {tool} on {one}, then use {tool} on {other}."
        return f"Use {tool} on {one}, with only one call."


SHAPES = tuple(
    ConversationShape(stream=stream, calls=calls)
    for stream, calls in product((True, False), CALLS)
)
"""All of them, streamed ones first."""
