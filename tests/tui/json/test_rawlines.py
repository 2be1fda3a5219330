"""Bytes as rows, without a terminal."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from sigscope.search.text import make_query
from sigscope.tui.json.rawlines import RawLines
from sigscope.tui.json.rowroom import RowRoom
from sigscope.tui.lines import plain, width

ROOM = RowRoom(20)


def laid(data: bytes, *head: str, room: RowRoom = ROOM) -> RawLines:
    lines = RawLines()
    lines.show(data, head)
    lines.lay(room.cells)
    return lines


def drawn(lines: RawLines, room: RowRoom = ROOM) -> list[str]:
    return [plain(lines.line(row, room)) for row in range(lines.row_count)]


def test_a_long_line_is_broken_and_numbered_once() -> None:
    lines = laid(b"one\n" + b"x" * 20, "POST /v1")
    assert drawn(lines) == [
        "POST /v1", "1 one↵", "2 " + "x" * 17, "  xxx"
    ]  # fmt: skip


def test_what_is_not_broken_is_shown_from_the_column_scrolled_to() -> None:
    lines = laid("aé".encode() * 20)
    lines.wraps = False
    lines.lay(20)
    assert lines.is_sideways
    assert lines.widest == 62
    assert drawn(lines, ROOM._replace(left=2))[0].startswith("1 aéa")


def test_hex_takes_as_many_bytes_as_fit() -> None:
    lines = laid(bytes(range(20)))
    lines.is_hex = True
    lines.lay(43)
    assert lines.row_count == 3
    assert drawn(lines)[1].startswith("000008  08 09")
    assert lines.bytes_of(2) == bytes(range(16, 20))


@given(st.binary(max_size=300), st.integers(5, 60), st.booleans(), st.booleans())
def test_a_byte_is_in_the_row_that_begins_at_or_before_it(
    data: bytes, cells: int, wraps: bool, is_hex: bool
) -> None:
    lines = laid(data, "a head")
    lines.wraps, lines.is_hex = wraps, is_hex
    lines.lay(cells)
    for offset in range(len(data)):
        row = lines.row_at(offset)
        begin, after = lines.offset(row), lines.offset(row + 1)
        assert begin is not None
        assert begin <= offset
        assert after is None or offset < after
    assert lines.offset(0) is None
    assert lines.offset(lines.row_count) is None
    assert lines.bytes_of(lines.row_count) == b""


def test_what_is_searched_stands_out_but_not_in_numbers_of_lines() -> None:
    lines = laid(b"1 of 1")
    found = lines.line(0, ROOM._replace(found=re.compile("1")))
    assert [span.text for span in found if "found" in span.ink] == ["1", "1"]
    ((_, hits),) = lines.hits(make_query("of"))
    assert hits == [(2, 2)]
    assert width(found) == 8


def test_the_same_bytes_are_not_indexed_again() -> None:
    data = b"one\ntwo"
    lines = RawLines()
    assert lines.show(data, ())
    assert not lines.show(data, ("a head",))
    assert lines.row_count == 3
