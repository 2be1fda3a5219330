"""What edits do to a body: each one becomes effects on nodes of the recorded text.

Effects never overlap, or the edits contradict each other and nothing is applied.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field

from sigscope import pointer as pointers
from sigscope.edits.records import Edit, Op
from sigscope.edits.words import describe
from sigscope.errors import EditError, PointerError
from sigscope.jsontext import JsonText, Node
from sigscope.latest import Latest
from sigscope.records import dataclass
from sigscope.utf8 import to_text


@dataclass(frozen=True, slots=True)
class Take:
    """The value at `node` goes, with its key and comma if nothing replaces it."""

    node: Node
    text: str | None
    """What stands in its place; None: nothing, the member or element is removed."""


@dataclass(frozen=True, slots=True)
class Add:
    """A new member or element."""

    container: Node
    index: int
    """Of the child it goes before; their number to append."""
    key: str | None
    """None in arrays."""
    text: str
    alone: bool
    """Whether it names a place that holds one value only, as `set` does."""


Effect = Take | Add

Patch = tuple[int, int, bytes]
"""Start and end of a span of the text, and what replaces it."""

_BODY = frozenset({Op.DROP, Op.SET, Op.INSERT, Op.MOVE, Op.COPY})


def is_body_edit(edit: Edit) -> bool:
    """Whether the edit changes the body rather than headers or URL."""
    return edit.op in _BODY


@dataclass(frozen=True, slots=True)
class Planned:
    """A body edit and what it does."""

    edit: Edit
    effects: tuple[Effect, ...]


KEPT_EFFECTS = 20_000
"""Effects in containers whose text by them is kept."""


@dataclass(frozen=True, slots=True)
class EditMemory:
    """Of one document: what was made of edits before, for who makes the same ones in
    many combinations."""

    effects: dict[Edit, tuple[Effect, ...]] = field(default_factory=dict)
    patches: Latest[tuple[Node, tuple[Effect, ...]], tuple[Patch, ...]] = field(
        default_factory=lambda: Latest(KEPT_EFFECTS)
    )
    """What a container's text becomes by all effects in it together: of a list in which
    each of many edits adds something, there are as many as combinations."""


def plan(
    edits: Iterable[Edit], document: JsonText, known: EditMemory | None = None
) -> tuple[Planned, ...]:
    """The body edits with their effects, in their order; the others are left out.

    Of several `set` or `drop` that do the same to the same value, one is kept. Raises
    EditError for an edit that does not fit the document. `known`: is asked, and added
    to.
    """
    planned: list[Planned] = []
    seen: set[tuple[Effect, ...]] = set()
    told = {} if known is None else known.effects
    for edit in filter(is_body_edit, edits):
        effects = told.get(edit)
        if effects is None:
            effects = told[edit] = _effects(edit, document)
        if edit.op in (Op.SET, Op.DROP):
            if effects in seen:
                continue
            seen.add(effects)
        planned.append(Planned(edit, effects))
    return tuple(planned)


def contradictions(planned: Iterable[Planned]) -> Iterator[tuple[Edit, Edit]]:
    """Pairs of edits that cannot both be applied.

    Two edits that take the same value, an edit inside a value that another one takes,
    two different values for one new member.
    """
    taken: dict[Node, Edit] = {}
    places: dict[tuple[Node, str | None], list[tuple[Edit, Add]]] = {}
    items = [(p.edit, effect) for p in planned for effect in p.effects]
    for edit, effect in items:
        if isinstance(effect, Take):
            earlier = taken.setdefault(effect.node, edit)
            if earlier is not edit:
                yield earlier, edit
        else:
            twins = places.setdefault((effect.container, effect.key), [])
            for earlier, twin in twins:
                if _cannot_both_be_there(twin, effect):
                    yield earlier, edit
            twins.append((edit, effect))
    for edit, effect in items:
        above = effect.node.parent if isinstance(effect, Take) else effect.container
        while above is not None:
            taker = taken.get(above)
            if taker is not None and taker is not edit:
                yield taker, edit
            above = above.parent


def _cannot_both_be_there(one: Add, other: Add) -> bool:
    if one.key is None:
        return one.alone and other.alone
    return one.alone or other.alone


# --- From an edit to its effects -----------------------------------------------------


def _effects(edit: Edit, document: JsonText) -> tuple[Effect, ...]:
    try:
        if edit.op is Op.DROP:
            return (Take(_removable(document, edit.pointer), None),)
        if edit.op is Op.SET:
            return (_put(document, edit.pointer, _value(edit)),)
        if edit.op is Op.INSERT:
            return (_insert(document, edit.pointer, _value(edit)),)
        return _transfer(document, edit)
    except PointerError as error:
        raise EditError(f"cannot {describe(edit)}: {error.problem}") from None
    except EditError as error:
        raise EditError(f"cannot {describe(edit)}: {error}") from None


def _value(edit: Edit) -> str:
    if edit.value is None:
        raise EditError("it has no value")
    return edit.value


def _removable(document: JsonText, pointer: str) -> Node:
    node = document.locate(pointer)
    if node.parent is None:
        raise EditError("the whole body cannot be removed; set '' to another value")
    return node


def _put(document: JsonText, pointer: str, text: str) -> Effect:
    """Replace the value at a place, or add it where there is none yet."""
    node = document.maybe_locate(pointer)
    if node is not None:
        return Take(node, text)
    container, segment = _container(document, pointer)
    if container.kind == "array":
        end = len(document.children(container))
        if segment != "-" and pointers.index_of(segment) != end:
            document.locate(pointer)
        return _added(document, container, end, None, text, alone=True)
    return _member(document, container, pointer, segment, text, alone=True)


def _insert(document: JsonText, pointer: str, text: str) -> Add:
    container, segment = _container(document, pointer)
    if container.kind == "object":
        return _member(document, container, pointer, segment, text, alone=False)
    count = len(document.children(container))
    index = count if segment == "-" else pointers.index_of(segment)
    if index is None or index > count:
        document.locate(pointer)
    return _added(document, container, index or 0, None, text, alone=False)


def _container(document: JsonText, pointer: str) -> tuple[Node, str]:
    """The container a place is in, and the name of the place there."""
    segments = pointers.parse(pointer)
    if not segments:
        raise EditError("the whole body has no place before or after it")
    container = document.locate(pointers.parent(pointer))
    if not container.is_container:
        document.locate(pointer)
    return container, segments[-1]


def _member(
    document: JsonText,
    container: Node,
    pointer: str,
    key: str,
    text: str,
    *,
    alone: bool,
) -> Add:
    if isinstance(key, pointers.Nth):
        if alone:
            document.locate(pointer)
        raise EditError("a new member has no ordinal; leave out the ~#N")
    end = len(document.children(container))
    return _added(document, container, end, key, text, alone=alone)


def _added(
    document: JsonText,
    container: Node,
    index: int,
    key: str | None,
    text: str,
    *,
    alone: bool,
) -> Add:
    if not container.closed and index == len(document.children(container)):
        where = document.pointer(container) or "the document"
        raise EditError(
            f"the text is broken: {where} is never closed, so nothing can be added "
            "at its end"
        )
    return Add(container, index, key, text, alone)


def _transfer(document: JsonText, edit: Edit) -> tuple[Effect, ...]:
    """`move` and `copy`: the text of one value goes to another place."""
    if edit.source is None:
        raise EditError("it has no source")
    moves = edit.op is Op.MOVE
    source = (_removable if moves else JsonText.locate)(document, edit.source)
    if moves and document.maybe_locate(edit.pointer) is source:
        return ()
    text = to_text(document.text(source))
    target = _target(document, edit.pointer, text)
    if not moves:
        return (target,)
    place = target.node if isinstance(target, Take) else target.container
    if _is_within(place, source):
        raise EditError("a value cannot be moved into itself")
    if isinstance(target, Take) and _is_within(source, target.node):
        # What is around the source goes, and the source with it.
        return (target,)
    return (Take(source, None), target)


def _target(document: JsonText, pointer: str, text: str) -> Effect:
    """Where a moved value goes: between elements, or as the value of a member."""
    if pointer:
        container, _ = _container(document, pointer)
        if container.kind == "array":
            return _insert(document, pointer, text)
    return _put(document, pointer, text)


def _is_within(node: Node | None, ancestor: Node) -> bool:
    while node is not None:
        if node is ancestor:
            return True
        node = node.parent
    return False
