"""An edit: one reversible change to a request.

Edits never change what was recorded. They are kept beside it and applied to a
copy of its bytes, all at once: every pointer names a place in the *recorded* body,
so that edits do not shift one another, any subset of them means the same as it
means inside the whole set, and switching one off is exactly its undoing.

As JSON: {"op": "set", "pointer": "/messages/2/content", "value": null}
"""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum

from sigscope.records import dataclass


class Op(StrEnum):
    DROP = "drop"
    """Remove the member or element at `pointer`."""
    SET = "set"
    """Replace the value at `pointer`, or add an object member that is not there."""
    INSERT = "insert"
    """Put `value` before the element at `pointer` (`/a/-` appends); in an object,
    add a member although one of that name may exist already."""
    MOVE = "move"
    """Take the value at `source` away and put it at `pointer`."""
    COPY = "copy"
    """Put the value at `source` at `pointer` too."""
    HEADER = "header"
    """Set the request header `name` to `value`."""
    UNHEADER = "unheader"
    """Remove every request header called `name`."""
    URL = "url"
    """Send to the URL `value` instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """One change. Equal edits do the same; `label` and `origin` do not count."""

    op: Op
    pointer: str = ""
    """Where in the recorded body; unused by header and url edits."""
    value: str | None = None
    """JSON text, spelled as it is to stand in the body; for `header` and `url`
    the plain text. None for drop, move, copy and unheader."""
    source: str | None = None
    """Where `move` and `copy` take from, in the recorded body."""
    name: str | None = None
    """Header name."""
    label: str = field(default="", compare=False)
    """What it is for, in words: "restore 9f3a21 from step 1"."""
    origin: str = field(default="user", compare=False)
    """Who proposed it: "user", "rule CPC-1", "ready copilot.final-fix"."""
