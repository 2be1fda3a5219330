from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.jsontext.texts import VALUES

from sigscope.jsontext.soundness import is_sound


def loads(text: str) -> bool:
    def refuse(constant: str) -> None:
        raise ValueError(constant)

    try:
        json.loads(text, parse_constant=refuse)
    except ValueError:
        return False
    return True


@given(VALUES)
def test_sound_text_is_sound(text: str) -> None:
    assert is_sound(text)
    assert is_sound(f" \n{text}\t")


@given(VALUES, st.data())
def test_a_changed_text_is_sound_exactly_if_it_can_be_read(
    text: str, data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(text)))
    piece = data.draw(
        st.sampled_from(
            [
                "",
                ",",
                ":",
                "[",
                "]",
                "{",
                "}",
                '"',
                "\\",
                "1",
                "-",
                "x",
                " ",
                "\x01",
                "NaN",
            ]
        )
    )
    changed = text[:at] + piece + text[at + data.draw(st.integers(0, 2)) :]
    assert is_sound(changed) is loads(changed)


@given(st.text('[]{},:"a1 \\', max_size=12))
def test_any_short_text_is_sound_exactly_if_it_can_be_read(text: str) -> None:
    assert is_sound(text) is loads(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[" * 50_000 + "]" * 50_000, True),
        ('{"a":' * 50_000 + "1" + "}" * 50_000, True),
        ("[" * 50_000 + "]" * 49_999, False),
        ("[" * 50_000 + "}" * 50_000, False),
        ('["' + r"\n" * 50_000 + '"]', True),
        ('["' + r"\n" * 50_000 + r'\q"]', False),
        ('["' + r"\n" * 50_000, False),
    ],
)
def test_depth_and_length_do_not_matter(text: str, expected: bool) -> None:
    assert is_sound(text) is expected
