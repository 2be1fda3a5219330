"""Giving fields of the request other values, in place or in an editor, and moving them
by pointing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from sigscope.edits.records import Edit, Op
from sigscope.errors import EditError
from sigscope.jsontext import Node
from sigscope.jsontext.values import decode_text
from sigscope.tui.editor import Returned
from sigscope.tui.json import fieldmoves, toggles
from sigscope.tui.json.prompt import Prompt
from sigscope.tui.json.sheets import Sheet, read_back, sheet_of
from sigscope.tui.json.subject import Mark, Subject
from sigscope.tui.json.twigs import Envelope
from sigscope.tui.json.typeahead import Waiting

CARRIED: Final = object()
"""What the badge of a marked field means to a click."""

_ONLY_RECORDED = "only fields of the recorded request can be {} here"


@dataclass(frozen=True, slots=True)
class Carried:
    """The field that the user has marked."""

    op: fieldmoves.Carry
    pointer: str


class Changing(Waiting):
    """What turns into edits besides check boxes."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.carried: Carried | None = None
        """The field that is being moved or copied."""
        self._goal: fieldmoves.Goal | None = None
        """Where it goes, once it has a name."""
        self._kept: tuple[Sheet, Path] | None = None
        """A file whose text could not be read, to go on with."""

    def edits_changed(self, edits: tuple[Edit, ...], label: str) -> None:
        raise NotImplementedError

    def editor_wanted(self, sheet: Sheet) -> None:
        """A value is to be edited elsewhere."""
        raise NotImplementedError

    def watch_subject(self, old: Subject | None, new: Subject | None) -> None:
        """A field of another request is nothing to put here."""
        if old is None or new is None or old.base is not new.base:
            self.carried = None
        super().watch_subject(old, new)

    def _node(self) -> Node | None:
        """The recorded field under the cursor, or the string around it."""
        tree = self.request_tree
        leaf, source, spot = tree.leaf(), tree.source, tree.spot
        if leaf is None or source is None or spot is None or self.filling.as_sent:
            return None
        if isinstance(spot.item, Envelope):
            return None
        return leaf.node or source.maybe_locate(leaf.pointer)

    def _warn(self, text: str) -> None:
        self.app.notify(text, severity="warning", markup=False, timeout=6)

    # --- Another value ---------------------------------------------------------------

    def _now(self, node: Node) -> str:
        """JSON text of a value as it would be sent."""
        tree = self.request_tree
        taken = tree.overlay.taken(node) if tree.overlay else None
        if taken is not None and taken.text is not None:
            return taken.text
        assert tree.source is not None
        return decode_text(tree.source.text(node))

    def action_edit(self) -> None:
        """Ask for another value."""
        leaf, node = self.request_tree.leaf(), self._node()
        if leaf is None or leaf.node is None or node is None:
            self.app.notify(_ONLY_RECORDED.format("edited"))
            return
        self.query_one(Prompt).ask("value", self._now(node))

    def set_value(self, text: str) -> None:
        """Give the field under the cursor a value, as JSON text."""
        leaf = self.request_tree.leaf()
        if leaf is not None and leaf.node is not None:
            self._set(leaf.node, text)

    def _set(self, node: Node, text: str) -> None:
        overlay = self.request_tree.overlay
        if overlay is not None:
            self._take(toggles.set_value(overlay, node, text))

    def _take(self, outcome: toggles.Toggled | toggles.Refused) -> bool:
        if isinstance(outcome, toggles.Refused):
            self._warn(outcome.reason)
            return False
        if outcome.edits != self.edits:
            self.edits_changed(outcome.edits, outcome.label)
        return True

    # --- In an editor ----------------------------------------------------------------

    def action_outside(self) -> None:
        """Ask for the user's editor."""
        node, tree = self._node(), self.request_tree
        if node is None or tree.source is None or tree.overlay is None:
            self.app.notify(_ONLY_RECORDED.format("edited"))
        elif tree.overlay.taken_above(node):
            self._warn("it stands inside something that is off or replaced")
        else:
            self.editor_wanted(sheet_of(tree.source.document, node, self._now(node)))

    def kept_file(self, sheet: Sheet) -> Path | None:
        """The file of an earlier try at the same value."""
        return self._kept[1] if self._kept and self._kept[0] == sheet else None

    def edited_outside(self, sheet: Sheet, came: Returned) -> None:
        """Turn what came back into an edit. A file that cannot be read is kept."""
        source = self.request_tree.source
        node = source.maybe_locate(sheet.pointer) if source is not None else None
        place = sheet.pointer or "the body"
        try:
            text = read_back(sheet, came.data)
        except EditError as error:
            self._kept = sheet, came.path
            self.app.notify(
                f"{place} is as before. {error}. Your text is kept in {came.path}; "
                "the same key goes on with it",
                title="Not JSON" if sheet.form != "text" else "Not text",
                severity="error",
                markup=False,
                timeout=20,
            )
            return
        self._kept = None
        came.path.unlink(missing_ok=True)
        if text is None:
            self.app.notify(f"{place}: nothing was changed", markup=False, timeout=3)
        elif node is not None:
            self._set(node, text)

    # --- Moving and copying ----------------------------------------------------------

    def action_carry(self, word: str) -> None:
        """Mark the field under the cursor; the same key on it again forgets it."""
        op: fieldmoves.Carry = Op.MOVE if word == "move" else Op.COPY
        leaf, node = self.request_tree.leaf(), self._node()
        verb = "moved" if op is Op.MOVE else "copied"
        if leaf is None or leaf.node is None or node is None:
            self.app.notify(_ONLY_RECORDED.format(verb))
        elif node.parent is None:
            self._warn(f"the whole body cannot be {verb}")
        else:
            carried = Carried(op, leaf.pointer)
            self.carried = None if carried == self.carried else carried
            self._carried_changed()

    def forget_carried(self) -> None:
        """Nothing is marked any more."""
        self.carried = None
        self._carried_changed()

    def _carried_changed(self) -> None:
        if not self.filling.as_sent:
            self.request_tree.set_marks(self.filling.request_marks())
        self.retitle()
        self.refresh_bindings()

    def carried_marks(self) -> Mapping[str, tuple[Mark, ...]]:
        """The badge beside the marked field."""
        if self.carried is None:
            return {}
        mark = Mark(
            glyph=self.symbols.moved,
            text=self.carried.op.value,
            ink="warn",
            target=CARRIED,
        )
        return {self.carried.pointer: (mark,)}

    @property
    def can_put(self) -> bool:
        """Whether a field is marked, and the cursor points somewhere."""
        if self.carried is None or self.tab != "request" or self.filling.as_sent:
            return False
        return self.request_tree.has_focus

    def doing(self) -> str:
        """Where the marked field would go."""
        if self.carried is None or self.filling.as_sent:
            return ""
        goal, dot = self._goal_here(), self.symbols.dot
        verb = self.carried.op.value
        if goal is None:
            return f"{verb}: not here {dot} esc forgets"
        where = "where it is" if goal.is_idle else goal.words
        return f"esc forgets {dot} enter: {verb} {where}"

    def _carried_node(self) -> Node | None:
        source = self.request_tree.source
        if source is None or self.carried is None:
            return None
        return source.maybe_locate(self.carried.pointer)

    def _goal_here(self) -> fieldmoves.Goal | None:
        """The place the cursor points to; None beside the recorded fields."""
        tree = self.request_tree
        leaf, spot, source, node = (
            tree.leaf(), tree.spot, tree.source, self._carried_node()
        )  # fmt: skip
        if leaf is None or leaf.node is None or spot is None or source is None:
            return None
        if node is None:
            return None
        inside = spot.is_open or source.count(leaf.node) == 0
        return fieldmoves.goal_of(source, node, leaf.node, inside=inside)

    def action_put(self) -> None:
        """Put the marked field where the cursor is."""
        goal = self._goal_here()
        if goal is None:
            self._warn("point at a field of the recorded request")
        elif goal.needs_name:
            self._goal = goal
            self.query_one(Prompt).ask("name", "")
        else:
            self._put(goal)

    def put_named(self, name: str) -> None:
        """Put the marked element where it was to go, under a name."""
        goal, node, source = self._goal, self._carried_node(), self.request_tree.source
        self._goal = None
        if goal is not None and node is not None and source is not None:
            self._put(fieldmoves.named(source, node, goal.pointer, name))

    def _put(self, goal: fieldmoves.Goal) -> None:
        overlay, node = self.request_tree.overlay, self._carried_node()
        if overlay is None or node is None or self.carried is None:
            return
        if self._take(fieldmoves.put(overlay, node, goal, self.carried.op)):
            self.forget_carried()
