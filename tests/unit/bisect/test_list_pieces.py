"""A list that one side lacks, taken apart: what pieces come to together."""

from __future__ import annotations

from itertools import combinations

import pytest

from sigscope.bisect import (
    Factor,
    ListPiece,
    edits_of,
    idle_among,
    joined_lists,
    pieces_made_by,
)
from sigscope.edits.records import Edit, Op

PLACE = "/tools"
VALUES = ('{"name":"read"}', '{"name":"list"}', '{"name":"read"}')


def setting(value: str) -> tuple[Edit, ...]:
    return (Edit(op=Op.SET, pointer=PLACE, value=value),)


def added() -> dict[int, Factor]:
    """The list, then its elements; two of them are spelled the same."""
    whole = ListPiece(pointer=PLACE, size=len(VALUES), is_added=True)
    found = [Factor(name=PLACE, label="", edits=setting("[]"), piece=whole)]
    for index, value in enumerate(VALUES):
        piece = ListPiece(
            pointer=PLACE, size=len(VALUES), is_added=True, index=index, value=value
        )
        edits = setting(f"[{value}]")
        found.append(Factor(name=str(index), label="", edits=edits, piece=piece))
    return dict(enumerate(found, 1))


def dropped() -> dict[int, Factor]:
    """The elements, then the list."""
    found = []
    for index in (0, 1, None):
        piece = ListPiece(pointer=PLACE, size=2, is_added=False, index=index)
        place = PLACE if index is None else f"{PLACE}/{index}"
        edits = (Edit(op=Op.DROP, pointer=place),)
        found.append(Factor(name=place, label="", edits=edits, piece=piece))
    return dict(enumerate(found, 1))


def made(factors: dict[int, Factor], *numbers: int) -> tuple[Edit, ...]:
    return edits_of(factors[number] for number in numbers)


def test_elements_stand_in_their_list_in_their_order() -> None:
    factors = added()
    assert made(factors, 1) == setting("[]")
    assert made(factors, 1, 3) == setting(f"[{VALUES[1]}]")
    assert made(factors, 4, 1, 2) == setting(f"[{VALUES[0]}, {VALUES[2]}]")


def test_an_element_without_its_list_is_nothing() -> None:
    factors = added()
    assert made(factors, 2, 3) == ()
    assert idle_among({n: factors[n] for n in (2, 3)}) == {2, 3}
    assert idle_among({n: factors[n] for n in (1, 2)}) == frozenset()


def test_a_list_goes_where_all_of_its_elements_do() -> None:
    factors = dropped()
    assert made(factors, 1, 2, 3) == factors[3].edits
    assert made(factors, 1, 3) == factors[1].edits
    assert made(factors, 1, 2) == (*factors[1].edits, *factors[2].edits)
    assert idle_among({n: factors[n] for n in (1, 3)}) == {3}
    assert idle_among(factors) == frozenset()


@pytest.mark.parametrize("factors", [added(), dropped()], ids=["added", "dropped"])
def test_whatever_is_idle_changes_no_request(factors: dict[int, Factor]) -> None:
    for size in range(len(factors) + 1):
        for numbers in combinations(factors, size):
            idle = idle_among({n: factors[n] for n in numbers})
            active = [n for n in numbers if n not in idle]
            assert made(factors, *numbers) == made(factors, *active)


def test_which_pieces_made_an_edit_is_read_from_it() -> None:
    factors = added()
    (edit,) = setting(f"[{VALUES[1]}, {VALUES[2]}]")
    assert pieces_made_by(edit, factors) == {1, 3, 4}
    (edit,) = setting('[{"name":"write"}]')
    assert pieces_made_by(edit, factors) is None
    assert pieces_made_by(Edit(op=Op.SET, pointer="/n", value="1"), factors) is None
    (edit,) = dropped()[3].edits
    assert pieces_made_by(edit, dropped()) == {1, 2, 3}


def test_a_list_that_is_needed_whole_is_one_factor() -> None:
    other = Factor(
        name="n", label="", edits=(Edit(op=Op.SET, pointer="/n", value="1"),)
    )
    factors = (*added().values(), other)
    kept, needed = joined_lists(factors, frozenset({1, 2, 3, 4, 5}))
    assert (len(kept), needed) == (2, {1, 2})
    assert kept[0].edits == setting(f"[{', '.join(VALUES)}]")
    assert kept[0].label == "add the list with all 3 elements"
    assert joined_lists(factors, frozenset({1, 3, 5})) == (factors, {1, 3, 5})
