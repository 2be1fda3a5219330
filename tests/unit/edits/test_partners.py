"""Which members and elements of two containers belong together."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sigscope.edits.partners import Indices, follow, pair_elements, pair_members
from sigscope.jsontext import JsonText, Node


def both(old: str, new: str) -> tuple[JsonText, JsonText, Any, Any]:
    """Two documents, and what stands in their outermost containers."""
    left, right = JsonText(old.encode()), JsonText(new.encode())
    return left, right, left.children(left.root), right.children(right.root)


def test_of_equal_keys_the_first_belongs_to_the_first() -> None:
    old, new, before, after = both('{"a":1,"a":2,"b":3}', '{"a":7,"c":8,"a":9,"a":0}')
    pairs, rest = pair_members(old, new, before, after)
    told = [partner and new.text(partner) for partner in pairs.values()]
    assert told == [b"7", b"9", None]
    left = {key: [new.text(node) for node in nodes] for key, nodes in rest.items()}
    assert left == {"a": [b"0"], "c": [b"8"]}


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ([1, 2, 3], [1, 9, 2, 3], [(0, 0), (1, 2), (2, 3)]),
        ([1, 2, 3], [1, 3], [(0, 0), (2, 1)]),
        ([1], [], []),
        # Named alike, whatever else is in them.
        ([0, {"id": "a", "x": 1}, 5], [0, "z", {"x": 2, "id": "a"}, 5],
         [(0, 0), (1, 2), (2, 3)]),
        # Of the rest, what looks alike.
        ([{"role": "user", "x": 1}, [7]], ["z", {"role": "user", "x": 2}, []],
         [(0, 1), (1, 2)]),
    ],
)  # fmt: skip
def test_elements_are_paired_from_both_ends(
    old: list[Any], new: list[Any], wanted: Indices
) -> None:
    found = both(json.dumps(old), json.dumps(new))
    assert pair_elements(*found) == wanted


def test_what_is_the_same_at_both_ends_is_not_asked_for() -> None:
    asked: list[tuple[int, int]] = []

    def match(olds: Any, news: Any) -> Indices:
        asked.append((len(olds), len(news)))
        return []

    pair_elements(*both("[1,2,3,4]", "[1,2,8,9,4]"), match)
    pair_elements(*both("[1,2]", "[1,2,3]"), match)
    assert asked == [(1, 2)]


def test_what_is_new_is_known_by_what_it_stands_behind() -> None:
    *_, after = both("[]", "[0,1,2,3]")
    fresh: set[Node] = {after[0], after[2], after[3]}
    assert follow(after, fresh) == {None: (after[0],), after[1]: after[2:]}
    assert follow((), set()) == {}
