"""Recorded text made safe and visible."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from sigscope.tui.json.visible import spans_of, spans_of_bytes
from sigscope.tui.lines import Span, highlit

_CONTROLS = {chr(code) for code in (*range(0x20), *range(0x7F, 0xA0))}


def plain(spans: list[Span]) -> str:
    return "".join(span.text for span in spans)


@given(st.text(max_size=50))
def test_no_control_character_reaches_the_screen(text: str) -> None:
    assert not set(plain(spans_of(text))) & _CONTROLS


@given(st.binary(max_size=80))
@pytest.mark.parametrize("ascii_only", [False, True])
def test_bytes_take_no_more_cells_than_they_are(ascii_only: bool, data: bytes) -> None:
    shown = plain(spans_of_bytes(data, ascii_only=ascii_only))
    assert not set(shown) & _CONTROLS
    assert cell_len(shown) <= len(data)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[31mb", "a\\x1b[31mb"),
        ("\u202eevil", "\\u202eevil"),
        ("stray \udcff byte", "stray \\xff byte"),
        ("half \ud800 pair", "half \\ud800 pair"),
        ("zero\u200bwidth", "zero\\u200bwidth"),
        ("漢字 é", "漢字 é"),
    ],
)
def test_what_cannot_be_seen_is_spelled_out(text: str, shown: str) -> None:
    spans = spans_of(text, "string")
    assert plain(spans) == shown
    assert any(span.ink == "warn" for span in spans) == (text != shown)


def test_control_bytes_are_pictures_or_reversed_letters() -> None:
    assert plain(spans_of_bytes(b"a\r\x00\x7f", ascii_only=False)) == "a␍␀␡"
    spans = spans_of_bytes(b"a\r", ascii_only=True)
    assert (spans[1].text, spans[1].ink) == ("M", "inverse")


def test_a_stray_byte_is_one_cell() -> None:
    assert plain(spans_of_bytes(b"a\xffb\xc3", ascii_only=False)) == "a�b�"
    assert plain(spans_of_bytes(b"\xed\xa0\x80", ascii_only=True)) == "???"


def test_what_is_found_stands_out_and_nothing_is_lost() -> None:
    import re

    spans = highlit([Span("one two one", "string")], re.compile("one"))
    assert plain(spans) == "one two one"
    assert [span.ink for span in spans] == ["string found", "string", "string found"]
    assert highlit([Span("abc")], re.compile("x*")) == [Span("abc")]


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        ("é漢😀a".encode(), "é漢😀a"),
        (b"a\xc3", "a�"),
        ("a\u202eb".encode(), "a·b"),
    ],
)
def test_bytes_of_whole_characters_are_shown_as_these(data: bytes, shown: str) -> None:
    assert plain(spans_of_bytes(data, ascii_only=False)) == shown
