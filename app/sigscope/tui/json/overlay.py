"""What edits and offers do to the nodes of the recorded body.

Nothing is applied here: the tree shows the body as recorded, and beside each node what
becomes of it. The meaning of an edit is taken from `edits.plan`, the same that sending
uses, so that the check boxes cannot say something else than the bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

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


class PlacedOffers:
    """What could be switched on in a document, by the containers it would stand in.
    Made once for a document and its offers: a long conversation has thousands, and
    each edit that goes on or off makes an overlay."""

    def __init__(self, source: JsonSource, offered: Sequence[Offered] = ()) -> None:
        self.notes = {row.edit: row.note for row in offered}
        self.grades = {row.edit: row.grade for row in offered}
        self.order = {edit: place for place, edit in enumerate(self.notes)}
        self.places: dict[Node, list[_Place]] = {}
        self.holders: dict[str, Node] = {}
        """The containers, by the pointers of what would stand in them."""
        for edit, note in self.notes.items():
            for place in offers_of(source, edit, note, self.grades[edit]):
                self.places.setdefault(place.container, []).append(place)
                self.holders[edit.pointer] = place.container


def effects_of(source: JsonSource, edit: Edit) -> tuple[Effect, ...]:
    """What an edit does; EditError if it does not fit."""
    planned = plan((edit,), source.document)
    return planned[0].effects if planned else ()


def offers_of(
    source: JsonSource, edit: Edit, note: str, grade: str = ""
) -> Iterator[_Place]:
    """Rows for an edit that could be switched on. One that does not fit is no offer."""
    try:
        effects = effects_of(source, edit)
    except EditError:
        return
    for effect in effects:
        if isinstance(effect, Add):
            offer = Offer(edit, effect.key, effect.text, note, False, grade)
            yield _Place(effect.container, effect.index, offer)
        elif effect.text is not None and effect.node.parent is not None:
            offer = Offer(edit, None, effect.text, note, False, grade, effect.node)
            yield _Place(effect.node.parent, effect.node.index + 1, offer)


class Overlay:
    """Edits and offers, by the nodes they concern."""

    def __init__(
        self,
        source: JsonSource,
        edits: Sequence[Edit] = (),
        offers: PlacedOffers | None = None,
        parked: Sequence[Edit] = (),
    ) -> None:
        self.source = source
        self.edits = tuple(edits)
        self.misfits: list[tuple[Edit, str]] = []
        """Edits that do not fit this body, and why."""
        self.envelope = tuple(e for e in edits if not is_body_edit(e))
        """Edits of headers and URL."""
        self._taken: dict[Node, TakenNode] = {}
        self._places: dict[Node, list[_Place]] = {}
        """Rows of edits that are on, and of those that nobody else offers."""
        self._offers = offers or PlacedOffers(source)
        self._parked = tuple(parked)
        self._on = frozenset(edits)
        for edit in edits:
            self._take_in(edit, self._offers.notes.get(edit, ""))
        for edit in parked:
            if edit not in self._on and edit not in self._offers.order:
                for place in offers_of(source, edit, _said_of(edit) or "switched off"):
                    self._places.setdefault(place.container, []).append(place)

    def _take_in(self, edit: Edit, note: str) -> None:
        try:
            effects = effects_of(self.source, edit)
        except EditError as error:
            self.misfits.append((edit, str(error)))
            return
        moved = edit.op is Op.MOVE
        for effect in effects:
            if isinstance(effect, Take):
                goes_to = edit.pointer if moved and effect.text is None else ""
                self._taken[effect.node] = TakenNode(edit, effect.text, goes_to)
            else:
                self._add(effect, edit, note or _said_of(edit))

    def _add(self, effect: Add, edit: Edit, note: str) -> None:
        grade = self._offers.grades.get(edit, "")
        offer = Offer(edit, effect.key, effect.text, note, True, grade)
        place = _Place(effect.container, effect.index, offer)
        self._places.setdefault(effect.container, []).append(place)

    def _order(self, edit: Edit) -> int:
        """The order of offers; an edit that was never offered comes first."""
        order = self._offers.order
        if edit in self._parked and edit not in order:
            return len(order) + self._parked.index(edit)
        return order.get(edit, -1)

    def _rows(self, container: Node) -> list[_Place]:
        offered = self._offers.places.get(container, ())
        off = (place for place in offered if place.offer.edit not in self._on)
        return [*self._places.get(container, ()), *off]

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
        found = [(place.before, place.offer) for place in self._rows(container)]
        # A toggle does not move its row.
        return sorted(found, key=lambda row: (row[0], self._order(row[1].edit)))

    def goes_behind(self, edit: Edit, other: Edit) -> bool:
        """Whether both are offered as elements of one place, and this one later."""
        is_one_place = (
            edit.op is other.op is Op.INSERT and edit.pointer == other.pointer
        )
        return is_one_place and self._order(edit) > self._order(other)

    def containers(self) -> tuple[Node, ...]:
        """Containers that have rows of the overlay among their children."""
        known = dict.fromkeys((*self._places, *self._offers.places))
        return tuple(node for node in known if self._rows(node))

    def pointers(self) -> tuple[str, ...]:
        """Where the rows of the overlay stand, or would."""
        places = (place for node in self.containers() for place in self._rows(node))
        return tuple(dict.fromkeys(place.offer.edit.pointer for place in places))

    @property
    def holders(self) -> tuple[Mapping[str, Node], Mapping[str, Node]]:
        """What the rows of the overlay stand in, by pointer: those that nobody offers,
        and what is offered, switched on or not."""
        offered = self._offers.holders
        own = {
            place.offer.edit.pointer: node
            for node, places in self._places.items()
            for place in places
            if offered.get(place.offer.edit.pointer) is not node
        }
        return own, offered

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
