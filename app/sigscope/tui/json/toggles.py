"""What a toggle changes. Pure: from the edits that are on to those that will be."""

from __future__ import annotations

from sigscope.edits.notation import describe
from sigscope.edits.plan import contradictions, plan
from sigscope.edits.records import Edit, Op
from sigscope.errors import EditError
from sigscope.jsontext import Node
from sigscope.records import dataclass
from sigscope.tui.json.overlay import Offer, Overlay
from sigscope.utf8 import to_text


@dataclass(frozen=True, slots=True)
class Toggled:
    edits: tuple[Edit, ...]
    label: str
    """What was done, in words."""
    parked: Edit | None = None
    """An edit switched off that nobody offers: it shall stay in sight."""


@dataclass(frozen=True, slots=True)
class NoToggle:
    """Why there is nothing to toggle."""

    reason: str


def toggle_node(overlay: Overlay, node: Node) -> Toggled | NoToggle:
    """Switch a field of the recorded body off, or back on, or back to its value."""
    taken = overlay.taken(node)
    if taken is not None:
        parked = None if taken.edit.op is Op.DROP else taken.edit
        return Toggled(_without(overlay.edits, taken.edit), _undone(taken.edit), parked)
    above = overlay.taken_above(node)
    pointer = overlay.source.pointer(node)
    if above is not None:
        place = overlay.source.pointer(above[0]) or "the whole body"
        state = "off" if above[1].text is None else "replaced"
        return NoToggle(f"{place} is {state}; toggle that first")
    if node.parent is None:
        return NoToggle("the whole body cannot be switched off")
    drop = Edit(op=Op.DROP, pointer=pointer, label=f"without {pointer}")
    inside = set(overlay.edits_within(node))
    kept = tuple(edit for edit in overlay.edits if edit not in inside)
    lost = len(overlay.edits) - len(kept)
    tail = f" and {lost} edit{'' if lost == 1 else 's'} inside it" if lost else ""
    return Toggled((*kept, drop), f"drop {pointer}{tail}")


def toggle_offer(overlay: Overlay, offer: Offer) -> Toggled | NoToggle:
    """Switch a row that is not in the recorded body on, or off again."""
    if offer.is_on:
        without = _without(overlay.edits, offer.edit)
        return Toggled(without, _undone(offer.edit), offer.edit)
    if offer.replaces is not None:
        above = overlay.taken_above(offer.replaces)
        if above is not None:
            place = overlay.source.pointer(above[0]) or "the whole body"
            return NoToggle(f"{place} is off or replaced; toggle that first")
    try:
        wanted = plan((*overlay.fitting, offer.edit), overlay.source.document)
    except EditError as error:
        return NoToggle(str(error))
    against = {
        one if other == offer.edit else other
        for one, other in contradictions(wanted)
        if offer.edit in (one, other)
    }
    kept = tuple(edit for edit in overlay.edits if edit not in against)
    label = offer.edit.label or describe(offer.edit)
    # Elements of one place go in as they are offered, whichever was switched on first.
    at = next((n for n, e in enumerate(kept) if overlay.goes_behind(e, offer.edit)), -1)
    at = len(kept) if at < 0 else at
    return Toggled((*kept[:at], offer.edit, *kept[at:]), label)


def toggle_envelope(overlay: Overlay, edit: Edit) -> Toggled:
    """Switch off an edit of a header or the URL, or one that does not fit."""
    return Toggled(_without(overlay.edits, edit), _undone(edit))


def set_value(overlay: Overlay, node: Node, text: str) -> Toggled | NoToggle:
    """Give a field of the recorded body another value."""
    pointer = overlay.source.pointer(node)
    edit = Edit(op=Op.SET, pointer=pointer, value=text)
    taken = overlay.taken(node)
    kept = _without(overlay.edits, taken.edit) if taken else overlay.edits
    if overlay.taken_above(node):
        return NoToggle("it stands inside something that is off or replaced")
    if to_text(overlay.source.text(node)) == text:
        return Toggled(kept, f"{pointer or 'the body'} as recorded")
    inside = set(overlay.edits_within(node))
    kept = tuple(e for e in kept if e not in inside)
    return Toggled((*kept, edit), describe(edit))


def _without(edits: tuple[Edit, ...], edit: Edit) -> tuple[Edit, ...]:
    """Without one edit; without one of several equal ones."""
    at = edits.index(edit)
    return (*edits[:at], *edits[at + 1 :])


def _undone(edit: Edit) -> str:
    return f"take back: {edit.label or describe(edit)}"
