"""What the pane is given to show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from types import MappingProxyType
from typing import Literal, Protocol

from sigscope.edits.records import Edit
from sigscope.reader import Reading
from sigscope.records import dataclass

Side = Literal["request", "response", "event"]
"""Which JSON a pointer is meant for: a body, or the data of one event."""

MarkKey = tuple[Side, int | None, str]
"""Side, number of the event (None for bodies), pointer."""


class Offered(Protocol):
    """A field that could be switched on; `readymade.records.OfferRow` is one."""

    @property
    def pointer(self) -> str:
        """Where it would stand."""

    @property
    def value(self) -> str:
        """JSON text."""

    @property
    def note(self) -> str:
        """Where the value comes from."""

    @property
    def edit(self) -> Edit:
        """What switching it on does."""

    @property
    def grade(self) -> str:
        """Whether the service insists on the signature in it; empty for nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedField:
    """A field that is not in the request but could be."""

    pointer: str
    """Where it would stand in the base body; an existing node for another value."""
    value: str
    """JSON text."""
    note: str = ""
    """Where the value comes from, in words: "from step 1"."""
    edit: Edit
    """What switching it on does."""
    grade: str = ""
    """Whether the service insists on the signature in it: "required"; or empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeMark:
    """A badge beside a node."""

    glyph: str
    """One cell: the fate of a signature, the severity of a finding."""
    text: str
    """What it names: "9f3a21", "CPC-1"."""
    ink: str
    """Name of an ink (see `tui.lineview`): "sig-3", "bad", "warn"."""
    note: str = ""
    """More, where there is room: "from step 1"."""
    target: object = None
    """Given back in `MarkChosen` when it is clicked; None: the row is chosen."""


Chips = Mapping[str, NodeMark]
"""Signatures by their text: what stands before a value that nobody can read."""
NO_CHIPS: Chips = MappingProxyType({})


@dataclass(frozen=True, kw_only=True)
class JsonSubject:
    """One step or run, and what is known about its nodes."""

    title: str
    """"step 2", "run 4 of step 2"."""
    reading: Reading
    """The exchange to show."""
    base: Reading
    """The one whose request edits name places in; `reading` itself for a step."""
    parent: Reading | None = None
    """What to compare with: the step or run that this run was made from."""
    parent_title: str = ""
    """"step 2"; empty without a parent."""
    client: Reading | None = None
    """With the request that the client sent, where the recorder sent a mended one."""
    marks: Mapping[MarkKey, tuple[NodeMark, ...]] = field(default_factory=dict)
    chips: Chips = field(default_factory=dict)
    """The signatures of the session."""
    offered: tuple[Offered, ...] = ()
    """Rows that could be switched on in the base request."""
