"""Bytes wrapped without looking at all of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from sigscope.tui.json.lineindex import NO_WRAP, LineIndex
from sigscope.tui.json.visible import spans_of_bytes

bodies = st.one_of(
    st.binary(max_size=120),
    st.text(alphabet="aé漢🙂\n\r\x1b", max_size=60).map(str.encode),
)


@given(bodies, st.integers(0, 20).map(lambda n: 0 if n < 4 else n))
def test_the_pieces_are_the_bytes_one_after_the_other(data: bytes, width: int) -> None:
    index = LineIndex(data, width)
    pieces = list(index)
    assert b"".join(data[p.start : p.end] for p in pieces) == data
    assert all(p.start < p.end for p in pieces)


@given(bodies, st.integers(4, 20))
def test_no_piece_is_wider_than_asked_for(data: bytes, width: int) -> None:
    for piece in LineIndex(data, width):
        text = data[piece.start : piece.end].removesuffix(b"\n")
        for ascii_only in (False, True):
            spans = spans_of_bytes(text, ascii_only=ascii_only)
            assert sum(cell_len(span.text) for span in spans) <= width + 1


@given(st.text(alphabet="aé漢🙂\n", max_size=80), st.integers(4, 20))
def test_no_character_is_torn(text: str, width: int) -> None:
    data = text.encode()
    for piece in LineIndex(data, width):
        data[piece.start : piece.end].decode()


@given(bodies, st.integers(4, 20))
def test_every_byte_is_found_in_its_row(data: bytes, width: int) -> None:
    index = LineIndex(data, width)
    for offset in range(len(data)):
        piece = index[index.row_at(offset)]
        assert piece.start <= offset < piece.end


def test_lines_are_numbered_and_only_their_first_piece_is_first() -> None:
    index = LineIndex(b"abcdefgh\nij\n", 5)
    assert [(p.line, p.is_first) for p in index] == [(1, True), (1, False), (2, True)]


def test_a_line_that_just_fits_takes_one_row() -> None:
    assert len(LineIndex(b"abcde\nabcde", 5)) == 2


def test_without_wrapping_a_row_is_a_line() -> None:
    index = LineIndex(b"x" * 1000 + b"\ny", NO_WRAP)
    assert len(index) == 2
    assert index.longest == 1001


def test_nothing_has_no_rows() -> None:
    assert len(LineIndex(b"", 10)) == 0
    with pytest.raises(IndexError):
        LineIndex(b"", 10)[0]


def test_wrapping_anew_takes_the_new_width() -> None:
    index = LineIndex(b"x" * 100, 10)
    index.wrap(25)
    assert len(index) == 4
    assert index[3].end == 100
