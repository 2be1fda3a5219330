"""Turns what the user does to a field of the request into edits: toggling it, giving it
another value in place or in an editor, moving and copying it by pointing.

Plain Python: it looks at the model of a tree, and answers with the edits that shall be
on, or with what to say instead. Nothing is changed here; who owns the edits does that.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal, NamedTuple

from sigscope.edits.records import Op
from sigscope.errors import EditError
from sigscope.jsontext import Node
from sigscope.jsontext.values import decode_text
from sigscope.records import dataclass
from sigscope.tui.editor import EditedFile
from sigscope.tui.json import fieldmoves, toggles
from sigscope.tui.json.documentmodel import DocumentModel
from sigscope.tui.json.overlay import Offer
from sigscope.tui.json.sheets import ValueFile, read_back, sheet_of
from sigscope.tui.json.subject import NodeMark
from sigscope.tui.json.toggles import NoToggle, Toggled
from sigscope.tui.json.twigs import Envelope
from sigscope.tui.symbols import Symbols

CARRIED: Final = object()
"""What the badge of a marked field means to a click."""


class EditRemark(NamedTuple):
    """Something to say to the user."""

    text: str
    severity: Literal["information", "warning", "error"] = "information"
    title: str = ""
    seconds: float = 5


class FieldQuestion(NamedTuple):
    """Something to ask the user; `FieldEditor.answer` takes the answer."""

    purpose: Literal["value", "name"]
    text: str = ""
    """To begin with."""


Deed = Toggled | EditRemark | FieldQuestion | ValueFile
"""What is to be done: other edits, words, a question, a file for the user's editor."""


@dataclass(frozen=True, slots=True)
class Carried:
    """The field that the user has marked."""

    op: fieldmoves.Carry
    pointer: str


class FieldEditor:
    """Edits of the document of one tree."""

    def __init__(self, model: DocumentModel) -> None:
        self._model = model
        self.carried: Carried | None = None
        """The field that is being moved or copied."""
        self._goal: fieldmoves.Goal | None = None
        """Where it goes, once it has a name."""
        self._kept: tuple[ValueFile, Path] | None = None
        """A file whose text could not be read, to go on with."""

    def _node(self) -> Node | None:
        """The recorded field under the cursor, or the string around it."""
        leaf, source, spot = self._model.leaf(), self._model.source, self._model.spot
        if leaf is None or source is None or spot is None:
            return None
        if not self._model.can_switch or isinstance(spot.item, Envelope):
            return None
        return leaf.node or source.maybe_locate(leaf.pointer)

    # --- Off and on ------------------------------------------------------------------

    def toggle(self) -> Toggled | NoToggle | None:
        """Switch the field under the cursor; None where there is nothing at all."""
        spot, overlay = self._model.spot, self._model.overlay
        if spot is None:
            return None
        if not self._model.can_switch:
            return NoToggle("this cannot be switched; edits are made to the request")
        if overlay is None:
            return NoToggle("the body is still being read")
        item, ground = spot.item, spot.level.context
        if isinstance(item, Envelope):
            return toggles.toggle_envelope(overlay, item.edit)
        if isinstance(item, Node) and ground.source is self._model.source:
            outcome = toggles.toggle_node(overlay, item)
        elif isinstance(item, Offer):
            outcome = toggles.toggle_offer(overlay, item)
        elif spot.parent() is None:
            return NoToggle("there is nothing to switch here")
        else:
            return NoToggle("this is part of a string; toggle the string itself")
        if isinstance(outcome, Toggled) and outcome.parked is not None:
            self._model.park(outcome.parked)
        return outcome

    # --- Another value ---------------------------------------------------------------

    def _now(self, node: Node) -> str:
        """JSON text of a value as it would be sent."""
        source, overlay = self._model.source, self._model.overlay
        taken = overlay.taken(node) if overlay else None
        if taken is not None and taken.text is not None:
            return taken.text
        assert source is not None
        return decode_text(source.text(node))

    def value(self) -> FieldQuestion | EditRemark:
        """Ask for another value of the field under the cursor, as JSON text."""
        leaf, node = self._model.leaf(), self._node()
        if leaf is None or leaf.node is None or node is None:
            return _only_recorded("edited")
        return FieldQuestion("value", self._now(node))

    def answer(self, purpose: str, text: str) -> Toggled | EditRemark | None:
        """Take what was asked for: a value of the field under the cursor, as JSON text,
        or the name of the element that is put."""
        if purpose == "name":
            return self._put_named(text)
        leaf = self._model.leaf()
        return self._set(leaf.node if leaf else None, text)

    def _set(self, node: Node | None, text: str) -> Toggled | EditRemark | None:
        overlay = self._model.overlay
        if overlay is None or node is None:
            return None
        return _said(toggles.set_value(overlay, node, text))

    # --- In an editor ----------------------------------------------------------------

    def sheet(self) -> ValueFile | EditRemark:
        """What the user's editor is to be given."""
        node, source, overlay = self._node(), self._model.source, self._model.overlay
        if node is None or source is None or overlay is None:
            return _only_recorded("edited")
        if overlay.taken_above(node):
            return _warning("it stands inside something that is off or replaced")
        return sheet_of(source.document, node, self._now(node))

    def kept_file(self, sheet: ValueFile) -> Path | None:
        """The file of an earlier try at the same value."""
        return self._kept[1] if self._kept and self._kept[0] == sheet else None

    def take_back(
        self, sheet: ValueFile, came: EditedFile
    ) -> Toggled | EditRemark | None:
        """Turn what came back into an edit. A file that cannot be read is kept."""
        place = sheet.pointer or "the body"
        try:
            text = read_back(sheet, came.data)
        except EditError as error:
            self._kept = sheet, came.path
            return EditRemark(
                f"{place} is as before. {error}. Your text is kept in {came.path}; "
                "the same key goes on with it",
                "error",
                "Not JSON" if sheet.form != "text" else "Not text",
                20,
            )
        self._kept = None
        came.path.unlink(missing_ok=True)
        if text is None:
            return EditRemark(f"{place}: nothing was changed", seconds=3)
        source = self._model.source
        return self._set(source.maybe_locate(sheet.pointer) if source else None, text)

    # --- Moving and copying ----------------------------------------------------------

    def carry(self, op: fieldmoves.Carry) -> EditRemark | None:
        """Mark the field under the cursor; the same again on it forgets it."""
        leaf, node = self._model.leaf(), self._node()
        verb = "moved" if op is Op.MOVE else "copied"
        if leaf is None or leaf.node is None or node is None:
            return _only_recorded(verb)
        if node.parent is None:
            return _warning(f"the whole body cannot be {verb}")
        carried = Carried(op, leaf.pointer)
        self.carried = None if carried == self.carried else carried
        return None

    def marks(self, symbols: Symbols) -> Mapping[str, tuple[NodeMark, ...]]:
        """The badge beside the marked field."""
        if self.carried is None:
            return {}
        word = self.carried.op.value
        mark = NodeMark(glyph=symbols.moved, text=word, ink="warn", target=CARRIED)
        return {self.carried.pointer: (mark,)}

    def doing(self, symbols: Symbols, *, forget: str, put: str) -> str:
        """Where the marked field would go, and the keys for it; empty if none is."""
        if self.carried is None or not self._model.can_switch:
            return ""
        goal, dot = self._goal_here(), symbols.dot
        verb = self.carried.op.value
        if goal is None:
            return f"{verb}: not here {dot} {forget} forgets"
        where = "where it is" if goal.is_idle else goal.words
        return f"{forget} forgets {dot} {put}: {verb} {where}"

    def _carried_node(self) -> Node | None:
        source = self._model.source
        if source is None or self.carried is None:
            return None
        return source.maybe_locate(self.carried.pointer)

    def _goal_here(self) -> fieldmoves.Goal | None:
        """The place the cursor points to; None beside the recorded fields."""
        leaf, spot, source = self._model.leaf(), self._model.spot, self._model.source
        node = self._carried_node()
        if leaf is None or leaf.node is None or spot is None or source is None:
            return None
        if node is None:
            return None
        inside = spot.is_open or source.count(leaf.node) == 0
        return fieldmoves.goal_of(source, node, leaf.node, inside=inside)

    def put(self) -> Deed | None:
        """Put the marked field where the cursor is; ask, where it needs a name."""
        goal = self._goal_here()
        if goal is None:
            return _warning("point at a field of the recorded request")
        if goal.needs_name:
            self._goal = goal
            return FieldQuestion("name")
        return self._put(goal)

    def _put_named(self, name: str) -> Toggled | EditRemark | None:
        goal, node, source = self._goal, self._carried_node(), self._model.source
        self._goal = None
        if goal is None or node is None or source is None:
            return None
        return self._put(fieldmoves.named(source, node, goal.pointer, name))

    def _put(self, goal: fieldmoves.Goal) -> Toggled | EditRemark | None:
        overlay, node = self._model.overlay, self._carried_node()
        if overlay is None or node is None or self.carried is None:
            return None
        outcome = fieldmoves.put(overlay, node, goal, self.carried.op)
        if isinstance(outcome, Toggled):
            self.carried = None
        return _said(outcome)


def _said(outcome: Toggled | NoToggle) -> Toggled | EditRemark:
    return outcome if isinstance(outcome, Toggled) else _warning(outcome.reason)


def _warning(text: str) -> EditRemark:
    return EditRemark(text, "warning", seconds=6)


def _only_recorded(verb: str) -> EditRemark:
    return EditRemark(f"only fields of the recorded request can be {verb} here")
