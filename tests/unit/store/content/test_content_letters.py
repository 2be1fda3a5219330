"""One character for another: same class, same width, one at a time."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigscope.store.content.letters import json_spans, mask_literal, mask_unit
from sigscope.store.pieces import UNIT

TEXT = st.text(st.characters(exclude_categories=["Cs"]))


def masked(text: str, *, ascii_only: bool = False) -> str:
    literal = json.dumps(text, ensure_ascii=ascii_only).encode()
    new = mask_literal(literal[1:-1])
    assert len(new) == len(literal) - 2
    return str(json.loads(b'"' + new + b'"'))


@given(TEXT)
def test_length_in_bytes_and_characters_stays(text: str) -> None:
    assert len(masked(text)) == len(text)
    assert len(masked(text, ascii_only=True)) == len(text)


@given(TEXT)
def test_how_a_character_is_spelled_does_not_matter(text: str) -> None:
    assert masked(text, ascii_only=True) == masked(text)


@given(TEXT, TEXT)
def test_pieces_are_masked_like_the_whole(one: str, other: str) -> None:
    assert masked(one) + masked(other) == masked(one + other)


@given(TEXT)
def test_what_is_masked_stays_so(text: str) -> None:
    once = masked(text)
    assert masked(once) == once


def test_the_shape_stays_and_the_words_go() -> None:
    assert masked("Fix bug 42 in café.py!\n") == "Xxx xxx 11 xx xxxø.xx!\n"
    assert masked("好🜚") == "〇𝐱"


def test_bytes_that_are_no_text_keep_their_number() -> None:
    assert mask_literal(b"\xffab\xc3") == b"?xx?"


@pytest.mark.parametrize(
    "text",
    [
        '{"path": "src/a.py", "n": -10.5e3, "ok": true, "none": null}',
        '{"a":"x\\n\\"y\\""}{"b":[1,"z"]}',
        "{}",
        "",
    ],
)
def test_json_text_stays_json_with_its_keys(text: str) -> None:
    units = UNIT.findall(text.encode())
    for start, end in json_spans(text):
        units[start:end] = map(mask_unit, units[start:end])
    new = b"".join(units).decode()
    decoder = json.JSONDecoder()
    at = 0
    while at < len(text):
        old_value, end = decoder.raw_decode(text, at)
        new_value, new_end = decoder.raw_decode(new, at)
        assert new_end == end
        assert [*new_value] == [*old_value]
        at = end
    assert "src" not in new


def test_json_text_that_breaks_off_is_masked_too() -> None:
    text = '{"path": "secret pla'
    assert "".join(text[a:b] for a, b in json_spans(text)) == "secret pla"


@pytest.mark.parametrize("cut", [b"\\u", b"\\u0", b"\\u00e", b"a\\", b"\\ud83d\\u"])
def test_an_escape_that_breaks_off_keeps_its_length(cut: bytes) -> None:
    made = mask_literal(cut)
    assert (len(made), made.count(b"\\")) == (len(cut), cut.count(b"\\"))


@pytest.mark.parametrize("size", [1, 2, 5, 6, 40])
def test_bytes_that_go_on_after_a_character_keep_their_number(size: int) -> None:
    data = b"a\xc3" + b"\x80" * size + b"b\xff"
    assert len(mask_literal(data)) == len(data)
