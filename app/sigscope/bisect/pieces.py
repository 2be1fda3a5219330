"""Lists that one side lacks as a whole, taken apart: the list, and each element of it.

An edit acts on the recorded body, so none can put an element into a list that another
edit makes. The pieces of a list are put together into one edit instead. A piece that
does nothing alone, such as an element without its list, makes no request of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from sigscope.bisect.records import Factor, ListPiece
from sigscope.edits.records import Edit, Op
from sigscope.jsontext import JsonText
from sigscope.utf8 import to_bytes

Numbered = Mapping[int, Factor]
Group = tuple[str, bool]
"""Pointer of a list, and whether it is added."""


def edits_of(factors: Iterable[Factor]) -> tuple[Edit, ...]:
    """What factors come to together, each edit once, in their order."""
    chosen = tuple(factors)
    groups = _grouped(dict(enumerate(chosen)))
    told: set[Group] = set()
    found: list[Edit] = []
    for factor in chosen:
        piece = factor.piece
        if piece is None:
            found.extend(factor.edits)
        elif piece.group not in told:
            told.add(piece.group)
            found.extend(_of_list([chosen[n] for n in groups[piece.group]]))
    return tuple(dict.fromkeys(found))


def idle_among(factors: Numbered) -> frozenset[int]:
    """Numbers of those that do nothing in this company: elements to add without their
    list, and a list that cannot go, since some of its elements stay."""
    found: set[int] = set()
    for (_, is_added), numbers in _grouped(factors).items():
        lists = {n for n in numbers if _piece(factors[n]).index is None}
        elements = set(numbers) - lists
        if is_added and not lists:
            found |= elements
        elif not is_added and len(elements) < _piece(factors[numbers[0]]).size:
            found |= lists
    return frozenset(found)


def pieces_made_by(edit: Edit, factors: Numbered) -> frozenset[int] | None:
    """Which pieces came together in an edit that `edits_of` made; None if it made no
    such edit."""
    for (pointer, is_added), numbers in _grouped(factors).items():
        if edit.pointer != pointer:
            continue
        if not is_added:
            return frozenset(numbers) if edit.op is Op.DROP else None
        values = _elements(edit) if edit.op is Op.SET else None
        if values is None:
            return None
        lists = [n for n in numbers if _piece(factors[n]).index is None]
        rest = [n for n in numbers if n not in lists]
        made = set(lists)
        for value in values:
            while rest and _piece(factors[rest[0]]).value != value:
                rest.pop(0)
            if not rest:
                return None
            made.add(rest.pop(0))
        return frozenset(made)
    return None


def joined_lists(
    factors: Sequence[Factor], needed: frozenset[int]
) -> tuple[tuple[Factor, ...], frozenset[int]]:
    """Factors and the numbers of the needed ones, from 1, with each list of which all
    pieces are needed as one factor: to ask about each of them would tell no more."""
    numbered = dict(enumerate(factors, 1))
    whole: dict[int, Factor] = {}
    gone: set[int] = set()
    for numbers in _grouped(numbered).values():
        first, *others = numbers
        is_whole = len(numbers) == _piece(numbered[first]).size + 1
        if is_whole and needed.issuperset(numbers):
            pieces = [numbered[number] for number in numbers]
            count = len(numbers) - 1
            whole[first] = replace(
                next(one for one in pieces if _piece(one).index is None),
                label=f"{_piece(pieces[0]).verb} the list with all {count} elements",
                edits=edits_of(pieces),
                piece=None,
            )
            gone.update(others)
    kept = [number for number in numbered if number not in gone]
    renamed = {old: new for new, old in enumerate(kept, 1)}
    return (
        tuple(whole.get(number, numbered[number]) for number in kept),
        frozenset(renamed[number] for number in needed if number in renamed),
    )


def _grouped(factors: Numbered) -> dict[Group, list[int]]:
    """Numbers of pieces, by their list."""
    found: dict[Group, list[int]] = {}
    for number, factor in factors.items():
        if factor.piece is not None:
            found.setdefault(factor.piece.group, []).append(number)
    return found


def _piece(factor: Factor) -> ListPiece:
    assert factor.piece is not None
    return factor.piece


def _of_list(factors: Sequence[Factor]) -> Iterator[Edit]:
    """The edits of some pieces of one list."""
    whole = next((f for f in factors if _piece(f).index is None), None)
    elements = [f for f in factors if _piece(f).index is not None]
    if not _piece(factors[0]).is_added:
        if whole is not None and len(elements) == _piece(whole).size:
            yield from whole.edits
            return
        for element in elements:
            yield from element.edits
    elif whole is not None:
        ordered = sorted(elements, key=lambda f: _piece(f).index or 0)
        value = f"[{', '.join(_piece(f).value for f in ordered)}]"
        yield replace(whole.edits[0], value=value)


def _elements(edit: Edit) -> list[str] | None:
    """The texts of the elements of a list that an edit sets."""
    text = JsonText(to_bytes(edit.value or ""))
    if text.root.kind != "array":
        return None
    return [text.text(node).decode() for node in text.children(text.root)]
