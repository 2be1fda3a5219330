"""Putting bodies together from what is new and what came before."""

from __future__ import annotations

import pytest

from sigscope.store.splices import assemble, sources

SPACE = b"0123456789abcdefghij"


def read(offset: int, length: int) -> bytes:
    return SPACE[offset : offset + length]


def test_copies_and_new_text_alternate() -> None:
    # At 20 the body begins; "<" is new, then 3 bytes from 21 - 16 = 5, then "-" ...
    data = assemble(b"<->", [1, 16, 3, 1, 15, 2], 20, read)
    assert data == b"<567-ab>"


def test_a_body_may_copy_from_its_own_beginning() -> None:
    assert assemble(b"ab.", [2, 2, 2], 20, read) == b"abab."


def test_a_body_may_be_nothing_but_a_copy() -> None:
    assert assemble(b"", [0, 20, 20], 20, read) == SPACE


def test_no_copies_leave_the_text_as_it_is() -> None:
    assert assemble(b"new", [], 20, read) == b"new"
    assert assemble(b"", [], 0, read) == b""


@pytest.mark.parametrize(
    "copies",
    [
        [1, 2],
        [9, 1, 1],
        [-1, 1, 1],
        [0, 5, -1],
        [0, -5, 1],
        [2, 1, 2],
        [2, 3, 2],
        [0, 0, 1],
    ],
    ids=str,
)
def test_copies_that_make_no_sense_are_refused(copies: list[int]) -> None:
    with pytest.raises(ValueError, match="cop"):
        assemble(b"new", copies, 20, read)


def test_sources_are_told_without_putting_the_body_together() -> None:
    assert list(sources([1, 16, 3, 1, 2, 2, 0, 20, 1], 20)) == [5, 7]
