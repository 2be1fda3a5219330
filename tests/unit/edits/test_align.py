from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigscope.edits.align import align, look_of, name_of


def aligned(old: str, new: str) -> list[tuple[str, str]]:
    pairs = align(len(old), len(new), (old, new))
    return [(old[one], new[other]) for one, other in pairs]


def test_equal_elements_are_paired() -> None:
    assert aligned("abc", "abc") == [("a", "a"), ("b", "b"), ("c", "c")]
    assert aligned("abcd", "abd") == [("a", "a"), ("b", "b"), ("d", "d")]
    assert aligned("xbc", "abcy") == [("b", "b"), ("c", "c")]
    assert aligned("", "abc") == []


def test_what_one_way_leaves_the_next_one_pairs_in_between() -> None:
    old, new = "a1b2", "a3c4b5"
    kinds = [[("digit" if c.isdigit() else c) for c in text] for text in (old, new)]
    pairs = align(4, 6, (old, new), (kinds[0], kinds[1]))
    assert pairs == [(0, 0), (1, 1), (2, 4), (3, 5)]


def test_none_is_recognised_as_nothing() -> None:
    assert align(2, 2, ([None, 1], [None, 1])) == [(1, 1)]


def test_of_very_long_runs_equal_ends_are_still_paired() -> None:
    old = ["first", *range(2000), "last"]
    new = ["first", *range(-2000, 0), "last"]
    assert align(2002, 2002, (old, new)) == [(0, 0), (2001, 2001)]


KEYS = st.lists(st.sampled_from([1, 2, 3, None]), max_size=8)


@given(KEYS, KEYS)
def test_pairs_ascend_on_both_sides_and_match(
    old: list[int | None], new: list[int | None]
) -> None:
    pairs = align(len(old), len(new), (old, new), ([0] * len(old), [0] * len(new)))
    for index, (one, other) in enumerate(pairs[1:], start=1):
        assert one > pairs[index - 1][0]
        assert other > pairs[index - 1][1]
    # The last way pairs all that is between.
    assert len(pairs) <= min(len(old), len(new))
    if old and new:
        assert pairs


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"role": "tool", "tool_call_id": "c"}, {"role": "tool", "tool_call_id": "d"}),
        (
            {"role": "assistant", "tool_calls": [{"id": "c"}]},
            {"role": "assistant", "tool_calls": [{"id": "d"}]},
        ),
        (
            {"type": "function_call", "call_id": "c"},
            {"type": "function_call_output", "call_id": "c"},
        ),
        (
            {"role": "model", "parts": [{"functionCall": {"id": "c"}}]},
            {"role": "model", "parts": [{"functionCall": {"id": "d"}}]},
        ),
        (
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c"}]},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "c"}]},
        ),
    ],
)
def test_messages_are_called_by_the_calls_in_them(one: Any, other: Any) -> None:
    assert name_of(one) is not None
    assert name_of(one) == name_of(dict(one))
    assert name_of(one) != name_of(other)


def test_what_has_no_id_has_no_name() -> None:
    for value in (1, "a", [], {}, {"id": 5}, {"id": ""}, {"content": [{"text": "a"}]}):
        assert name_of(value) is None


def test_role_and_type_are_what_an_element_looks_like() -> None:
    user = {"role": "user", "content": "a"}
    assert look_of(user) == look_of({"role": "user", "content": "b"})
    assert look_of(user) != look_of({"role": "assistant", "content": "a"})
    assert look_of(1) == look_of("a") != look_of([]) != look_of({})
