"""Where a marked node goes when the user points at a row. Pure.

A row that is unfolded, or an empty container, takes it in: an array at its end, an
object under the name the node had. Any other element of an array gets it before
itself, any other member beside itself, in the same object.
"""

from __future__ import annotations

from typing import Literal

from sigscope import pointer as pointers
from sigscope.edits.plan import contradictions, plan
from sigscope.edits.records import Edit, Op
from sigscope.edits.words import describe
from sigscope.errors import EditError
from sigscope.jsontext import Node
from sigscope.records import dataclass
from sigscope.tui.json.overlay import Overlay
from sigscope.tui.json.source import JsonSource
from sigscope.tui.json.toggles import NoToggle, Toggled

Carry = Literal[Op.MOVE, Op.COPY]


@dataclass(frozen=True, slots=True)
class Goal:
    """A place in the recorded body, and how to call it."""

    pointer: str
    """Of the new value; of an object where the name is still to be chosen."""
    words: str
    needs_name: bool = False
    """Whether an element of an array is to become a member."""
    is_idle: bool = False
    """Whether the node stands there already."""


def goal_of(source: JsonSource, carried: Node, target: Node, *, inside: bool) -> Goal:
    """Where a node goes when the cursor is on `target`; `inside`: what is unfolded
    takes it in."""
    parent = target.parent
    if parent is None or (target.is_container and inside):
        return _into(source, carried, target)
    if parent.kind == "array":
        return _before(source, carried, target, parent)
    return _into(source, carried, parent)


def _before(source: JsonSource, carried: Node, target: Node, array: Node) -> Goal:
    pointer = source.pointer(target)
    idle = carried.parent is array and carried.index in (
        target.index,
        target.index - 1,
    )
    return Goal(pointer, f"before {pointer}", is_idle=idle)


def _into(source: JsonSource, carried: Node, holder: Node) -> Goal:
    place = source.pointer(holder)
    if holder.kind == "array":
        idle = (
            carried.parent is holder
            and carried.index == len(source.children(holder)) - 1
        )
        words = f"at the end of {place or 'the body'}"
        return Goal(pointers.join(place, "-"), words, is_idle=idle)
    if carried.parent is None or carried.parent.kind == "array":
        words = f"into {place or 'the body'}, by a name to be given"
        return Goal(place, words, needs_name=True)
    return named(source, carried, place, source.key(carried))


def named(source: JsonSource, carried: Node, holder: str, key: str) -> Goal:
    """The place of a member of that name."""
    pointer = pointers.join(holder, key)
    there = source.maybe_locate(pointer)
    words = f"in place of {pointer}" if there is not None else f"as {pointer}"
    return Goal(pointer, words, is_idle=there is carried)


def put(overlay: Overlay, carried: Node, goal: Goal, op: Carry) -> Toggled | NoToggle:
    """The edits with the node moved or copied. A node is moved once: moving it again
    takes its earlier move back."""
    source = overlay.source
    origin = source.pointer(carried)
    is_idle_copy = goal.is_idle and not _makes_an_element(source, goal.pointer)
    if goal.is_idle and (op is Op.MOVE or is_idle_copy):
        return NoToggle(f"{origin or 'the body'} stands there already")
    edit = Edit(op=op, source=origin, pointer=goal.pointer)
    kept = tuple(e for e in overlay.edits if not _is_earlier_move(e, edit))
    fitting = tuple(e for e in overlay.fitting if e in kept)
    try:
        wanted = plan((*fitting, edit), source.document)
    except EditError as error:
        return NoToggle(str(error))
    for pair in contradictions(wanted):
        if edit in pair:
            other = pair[0] if pair[1] == edit else pair[1]
            return NoToggle(
                f"it does not go with {describe(other)!r}: switch that off first"
            )
    if op is Op.COPY and (overlay.taken(carried) or overlay.edits_within(carried)):
        return Toggled((*kept, edit), f"{describe(edit)}, as recorded")
    return Toggled((*kept, edit), f"{op.value} {origin} {goal.words}")


def _makes_an_element(source: JsonSource, pointer: str) -> bool:
    """Whether a value put there stands beside what is there."""
    above = source.maybe_locate(pointers.parent(pointer)) if pointer else None
    return above is not None and above.kind == "array"


def _is_earlier_move(edit: Edit, other: Edit) -> bool:
    return edit.op is other.op is Op.MOVE and edit.source == other.source
