"""What a ready-made edit is, and what a field that could be there is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

from sigscope.edits.records import Edit
from sigscope.readymade.context import Context
from sigscope.records import dataclass

Kind = Literal["mistake", "cure", "variant"]
"""`mistake`: what goes wrong in the wild. `cure`: what mends it. `variant`: another
spelling that the service is said to take as well; to try it is to know it."""


Make = Callable[[Context], tuple[Edit, ...] | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """A known mistake or cure, ready to be applied to any step it fits."""

    name: str
    """Dialect and mistake: "copilot.attempt-1-signature-on-tool-call"; without a
    dialect where it is the same in all."""
    title: str
    """One line for people."""
    dialects: tuple[str, ...]
    kind: Kind
    source: str
    """Where it is told: "zed-industries/zed#43024; docs/wire/copilot-chat.md#cpc-2"."""
    make: Make
    """The edits for a step, in the recorded body; None where it does not fit."""

    def edits(self, context: Context) -> tuple[Edit, ...] | None:
        """The edits under this name; None where it does not fit, or changes nothing."""
        if context.dialect not in self.dialects:
            return None
        try:
            made = self.make(context)
        except RecursionError:  # a body nested deeper than Python can compare
            return None
        origin = f"ready {self.name}"
        return tuple(replace(edit, origin=origin) for edit in made) if made else None


Rows = tuple[tuple[str, str, Kind, str, Make], ...]
"""Name, title, kind, source and edits of several, as a table is written."""


def ready_edits(
    dialects: tuple[str, ...], rows: Rows, prefix: str = ""
) -> tuple[Ready, ...]:
    """Those of a table; `prefix`: what is put before their names."""
    return tuple(
        Ready(
            name=f"{prefix}{name}",
            title=title,
            dialects=dialects,
            kind=kind,
            source=source,
            make=make,
        )
        for name, title, kind, source, make in rows
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferRow:
    """A field that is not in the request but could be."""

    pointer: str
    """Where it would stand; an existing node where another value is offered for it."""
    value: str
    """JSON text."""
    note: str
    """Where the value comes from, and why it belongs there."""
    edit: Edit
    """What switching it on does."""
    grade: str = ""
    """Whether the service insists on the signature in it: "required", "not required";
    empty where it has none, or nobody knows."""
