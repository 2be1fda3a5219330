"""Two texts, line beside line."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sigscope.characters import first_difference
from sigscope.comparison.texts import facing_lines

LINES = st.lists(st.sampled_from(["a", "b", "c", ""]), min_size=1, max_size=12)


def test_lines_that_differ_stand_beside_one_another() -> None:
    found = facing_lines("one\ntwo\nthree", "one\ntoo\nthree\nfour")
    assert [(f.op, f.left, f.right, f.at) for f in found] == [
        ("same", "one", "one", 0),
        ("changed", "two", "too", 1),
        ("same", "three", "three", 0),
        ("right", None, "four", 0),
    ]


def test_what_is_far_from_any_difference_is_counted_and_left_out() -> None:
    text = "\n".join(map(str, range(20)))
    found = facing_lines(text, text.replace("10", "ten"))
    assert [(f.op, f.count) for f in found if f.op == "gap"] == [("gap", 8), ("gap", 7)]


def test_equal_texts_have_no_lines_to_show() -> None:
    assert facing_lines("a\nb", "a\nb") == ()


@given(LINES, LINES)
def test_both_texts_can_be_read_off_the_lines(one: list[str], other: list[str]) -> None:
    found = facing_lines("\n".join(one), "\n".join(other))
    gaps = sum(f.count for f in found)
    assert len([f for f in found if f.left is not None]) + gaps in (len(one), 0)
    changed = [f for f in found if f.op in ("left", "right", "changed")]
    assert bool(changed) == (one != other)


def test_the_first_difference_of_a_beginning_is_its_end() -> None:
    assert first_difference("ab", "abc") == 2


def test_a_line_that_comes_very_often_is_matched_all_the_same() -> None:
    right = ["same"] * 300
    found = facing_lines("\n".join(["first", *right]), "\n".join(right))
    assert [(f.op, f.left, f.count) for f in found] == [
        ("left", "first", 0),
        *[("same", "same", 0)] * 2,
        ("gap", None, 298),
    ]
