"""Undo and redo of edits. Pure: the screen keeps one for each request it shows."""

from __future__ import annotations

from sigscope.edits.records import Edit
from sigscope.records import dataclass

Edits = tuple[Edit, ...]

MOST = 1000
"""States kept; the oldest go first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _State:
    edits: Edits
    label: str
    """What led here, in words; empty for the beginning."""


class EditHistory:
    """The sets of edits that were on, one after the other."""

    def __init__(self, edits: Edits = ()) -> None:
        self._states = [_State(edits=edits, label="")]
        self._at = 0

    @property
    def edits(self) -> Edits:
        """The edits that are on now."""
        return self._states[self._at].edits

    def push(self, edits: Edits, label: str) -> bool:
        """Take a new set. What was undone before is forgotten. False if nothing is
        different: then there is nothing to undo either."""
        if edits == self.edits:
            return False
        del self._states[self._at + 1 :]
        self._states.append(_State(edits=edits, label=label))
        del self._states[: max(0, len(self._states) - MOST)]
        self._at = len(self._states) - 1
        return True

    @property
    def can_undo(self) -> bool:
        """Whether there is anything to take back."""
        return self._at > 0

    @property
    def can_redo(self) -> bool:
        """Whether there is anything to do again."""
        return self._at + 1 < len(self._states)

    def undo(self) -> str | None:
        """Take the last change back, and tell what it was; None if there was none."""
        if not self.can_undo:
            return None
        self._at -= 1
        return self._states[self._at + 1].label

    def redo(self) -> str | None:
        """Do the change undone last again, and tell what it is; None if there is
        none."""
        if not self.can_redo:
            return None
        self._at += 1
        return self._states[self._at].label
