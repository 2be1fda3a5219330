from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigscope.jsontext.grammar import ELEMENT, MEMBER, kind_of_word, mask


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        (b"plain", b"plain"),
        (rb"\"", b"__"),
        (rb"\\" + b'"', b'__"'),
        (rb"\\\"", b"____"),
        (rb"\n\u00e9", rb"\n\u00e9"),
        (rb"\\n", b"__n"),
        (rb"\'", b"__"),
    ],
)
def test_masking_paints_over_what_could_be_taken_for_structure(
    text: bytes, masked: bytes
) -> None:
    assert mask(text) == masked


@given(st.lists(st.sampled_from([b"\\", b'"', b"'", b"n", b" "])).map(b"".join))
def test_a_quote_is_left_exactly_where_no_escape_hides_it(text: bytes) -> None:
    masked = mask(text)
    assert len(masked) == len(text)
    escaped = {m.end() - 1 for m in re.finditer(rb"\\.", text, re.DOTALL)}
    quotes = {at for at, byte in enumerate(text) if byte == 0x22}
    assert {at for at, byte in enumerate(masked) if byte == 0x22} == quotes - escaped


def test_text_without_escapes_is_not_copied() -> None:
    text = b'{"a": 1}'
    assert mask(text) is text


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        (b"0", "number"),
        (b"-0", "number"),
        (b"1.5e-10", "number"),
        (b"1E+2", "number"),
        (b"01", "broken"),
        (b"1.", "broken"),
        (b".5", "broken"),
        (b"+1", "broken"),
        (b"1e", "broken"),
        (b"-", "broken"),
        (b"1x", "broken"),
        (b"true", "true"),
        (b"null", "null"),
        (b"True", "broken"),
        (b"NaN", "broken"),
        (b"\xd9\xa1", "broken"),
    ],
)
def test_words_are_json_values_or_broken(word: bytes, kind: str) -> None:
    assert kind_of_word(word) == kind
    is_value = ELEMENT.match(word + b",") is not None
    assert is_value == (kind != "broken")


def test_a_child_is_matched_with_what_ends_it() -> None:
    text = b' "k" : {"a": [1, "]"]} , rest'
    match = MEMBER.match(text)
    assert match
    assert match.groups() == (b'"k"', b'{"a": [1, "]"]}')
    assert match.end() == len(text) - 5
    assert ELEMENT.match(b"1 2") is None
    assert ELEMENT.match(b"[1}") is None
    assert ELEMENT.match(b"1 ]", 0, 2)
