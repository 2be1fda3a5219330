"""What edits and offers do to the nodes of the recorded body.

Nothing is applied here: the tree shows the body as recorded, and beside each node what
becomes of it. The meaning of an edit is taken from `edits.plan`, the same that sending
uses, so that the check boxes cannot say something else than the bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sigscope.edits.plan import Add, Effect, Take, is_body_edit, plan
from sigscope.edits.records import Edit, Op
from sigscope.errors import EditError
from sigscope.jsontext import Node
from sigscope.records import dataclass
from sigscope.tui.json.source import JsonSource
from sigscope.tui.json.subject import Offered


@dataclass(frozen=True, slots=True)
class TakenNode:
    """A node that an edit takes away or replaces."""

    edit: Edit
    text: str | None
    """JSON text that stands in its place; None: nothing."""
    goes_to: str = ""
    """Pointer of the place a moved value goes to."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A row for something that is not in the recorded body."""

    edit: Edit
    key: str | None
    """Name of the new member; None for an element of an array, or another value."""
    text: str
    """JSON text of its value."""
    note: str
    is_on: bool
    grade: str = ""
    """Whether the service insists on the signature in it; empty for nothing."""
    replaces: Node | None = None
    """The node whose place it would take; None for a new member or element."""


@dataclass(frozen=True, slots=True)
class _Place:
    container: Node
    before: int
    """Index of the child it goes before."""
    offer: Offer

    def rank(self, order: dict[Edit, int]) -> tuple[int, int]:
        """Where the row goes. A toggle does not move it."""
        return self.before, order.get(self.offer.edit, -1)


class Overlay:
    """Edits and offers, by the nodes they concern."""

    def __init__(
        self,
        source: JsonSource,
        edits: Sequence[Edit] = (),
        offered: Sequence[Offered] = (),
        parked: Iterable[Edit] = (),
    ) -> None:
        self.source = source
        self.edits = tuple(edits)
        self.misfits: list[tuple[Edit, str]] = []
        """Edits that do not fit this body, and why."""
        self.envelope = tuple(e for e in edits if not is_body_edit(e))
        """Edits of headers and URL."""
        self._taken: dict[Node, TakenNode] = {}
        self._places: dict[Node, list[_Place]] = {}
        notes = {row.edit: row.note for row in offered}
        self._grades = {row.edit: row.grade for row in offered}
        for edit in edits:
            self._take_in(edit, notes.get(edit, ""))
        on = set(edits)
        self._order: dict[Edit, int] = {}
        for edit, note in _offers(offered, parked):
            self._order.setdefault(edit, len(self._order))
            if edit not in on:
                on.add(edit)
                self._offer(edit, note)

    def _effects(self, edit: Edit) -> tuple[Effect, ...]:
        planned = plan((edit,), self.source.document)
        return planned[0].effects if planned else ()

    def _take_in(self, edit: Edit, note: str) -> None:
        try:
            effects = self._effects(edit)
        except EditError as error:
            self.misfits.append((edit, str(error)))
            return
        moved = edit.op is Op.MOVE
        for effect in effects:
            if isinstance(effect, Take):
                goes_to = edit.pointer if moved and effect.text is None else ""
                self._taken[effect.node] = TakenNode(edit, effect.text, goes_to)
            else:
                self._add(effect, edit, note or _said_of(edit), is_on=True)

    def _offer(self, edit: Edit, note: str) -> None:
        """An edit that could be switched on. One that does not fit is no offer."""
        try:
            effects = self._effects(edit)
        except EditError:
            return
        for effect in effects:
            if isinstance(effect, Add):
                self._add(effect, edit, note, is_on=False)
            elif effect.text is not None and effect.node.parent is not None:
                grade = self._grades.get(edit, "")
                offer = Offer(edit, None, effect.text, note, False, grade, effect.node)
                place = _Place(effect.node.parent, effect.node.index + 1, offer)
                self._places.setdefault(effect.node.parent, []).append(place)

    def _add(self, effect: Add, edit: Edit, note: str, *, is_on: bool) -> None:
        grade = self._grades.get(edit, "")
        offer = Offer(edit, effect.key, effect.text, note, is_on, grade)
        place = _Place(effect.container, effect.index, offer)
        self._places.setdefault(effect.container, []).append(place)

    # --- What the tree asks ----------------------------------------------------------

    def taken(self, node: Node) -> TakenNode | None:
        """What becomes of this very node; None: it stays."""
        return self._taken.get(node)

    def taken_above(self, node: Node) -> tuple[Node, TakenNode] | None:
        """The nearest node around this one that goes, or is replaced."""
        here = node.parent
        while here is not None:
            found = self._taken.get(here)
            if found is not None:
                return here, found
            here = here.parent
        return None

    def added(self, container: Node) -> list[tuple[int, Offer]]:
        """Rows to show among the children of a container: the index of the child each
        goes before, ascending."""
        places = sorted(
            self._places.get(container, ()), key=lambda place: place.rank(self._order)
        )
        return [(place.before, place.offer) for place in places]

    def goes_behind(self, edit: Edit, other: Edit) -> bool:
        """Whether both are offered as elements of one place, and this one later."""
        is_one_place = (
            edit.op is other.op is Op.INSERT and edit.pointer == other.pointer
        )
        order = self._order
        return is_one_place and order.get(edit, -1) > order.get(other, -1)

    def containers(self) -> tuple[Node, ...]:
        """Containers that have rows of the overlay among their children."""
        return tuple(self._places)

    def pointers(self) -> tuple[str, ...]:
        """Where the rows of the overlay stand, or would."""
        places = (place for found in self._places.values() for place in found)
        return tuple(dict.fromkeys(place.offer.edit.pointer for place in places))

    def edits_within(self, node: Node) -> tuple[Edit, ...]:
        """Edits that change something inside a node."""
        found = [
            taken.edit for below, taken in self._taken.items() if _is_below(below, node)
        ]
        for container, places in self._places.items():
            if container is node or _is_below(container, node):
                found += [p.offer.edit for p in places if p.offer.is_on]
        return tuple(dict.fromkeys(found))

    @property
    def fitting(self) -> tuple[Edit, ...]:
        """The edits that are on and fit this body, those of headers too."""
        odd = {edit for edit, _ in self.misfits}
        return tuple(edit for edit in self.edits if edit not in odd)


def _offers(
    offered: Sequence[Offered], parked: Iterable[Edit]
) -> Iterable[tuple[Edit, str]]:
    for row in offered:
        yield row.edit, row.note
    for edit in parked:
        yield edit, _said_of(edit) or "switched off"


def _said_of(edit: Edit) -> str:
    if edit.label:
        return edit.label
    if edit.source is not None:
        verb = "moved" if edit.op is Op.MOVE else "copied"
        return f"{verb} from {edit.source}"
    return ""


def _is_below(node: Node, ancestor: Node) -> bool:
    here = node.parent
    while here is not None:
        if here is ancestor:
            return True
        here = here.parent
    return False
