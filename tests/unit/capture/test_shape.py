"""Look-ups in trees of any shape."""

from __future__ import annotations

from hypothesis import given
from tests.unit.capture.trees import TREES

from sigscope.capture.shape import kind_of, mapping, number, sequence, text, whole


@given(TREES)
def test_nothing_makes_them_raise(tree: object) -> None:
    assert isinstance(mapping(tree), dict)
    assert isinstance(sequence(tree), list)
    assert isinstance(text(tree), str)
    assert number(tree) is None or isinstance(number(tree), float)
    assert whole(tree) is None or isinstance(whole(tree), int)
    assert kind_of(tree)


def test_binary_keys_become_text() -> None:
    assert mapping({b"Content-Type": 1}) == {"Content-Type": 1}


def test_numbers_and_texts_stand_for_one_another() -> None:
    assert (text(8080), text(True), text(None), text([])) == ("8080", "true", "", "")
    assert (number("1.5"), whole("200"), number(True)) == (1.5, 200, None)
    assert (number("x"), whole(float("nan")), number(1e300)) == (None, None, None)


def test_bytes_that_are_no_text_survive_as_surrogates() -> None:
    assert text(b"\xff") == "\udcff"
