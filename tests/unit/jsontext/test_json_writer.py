from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigscope.errors import InputError
from sigscope.jsontext import JsonText, Style, dumps
from sigscope.jsontext.writer import style_of

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(), max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(st.characters(), max_size=3), inner, max_size=3)
    ),
    max_leaves=10,
)


def test_characters_stay_and_nothing_is_sorted() -> None:
    assert dumps({"b": "é😀\n", "a": [1, None]}) == '{"b":"é😀\\n","a":[1,null]}'


def test_half_of_a_surrogate_pair_is_escaped() -> None:
    assert dumps(["\ud83d", "\udcff"]) == '["\\ud83d","\\udcff"]'


@given(VALUES)
def test_what_is_written_reads_back_and_can_be_encoded(value: Any) -> None:
    for style in (Style(), Style(comma=", ", colon=": "), Style(indent="\t")):
        text = dumps(value, style, margin="    ")
        assert json.loads(text.encode()) == value


def test_a_value_inside_an_indented_text_gets_its_margin() -> None:
    style = Style(colon=": ", indent="  ")
    assert dumps({"a": [1]}, style, margin="  ") == (
        '{\n    "a": [\n      1\n    ]\n  }'
    )


def test_a_value_too_deep_to_write_is_refused() -> None:
    value: list[Any] = []
    for _ in range(200_000):
        value = [value]
    with pytest.raises(InputError, match="too deep"):
        dumps(value)
    while value:
        value = value[0]


@pytest.mark.parametrize(
    ("value", "options", "style"),
    [
        ({"a": [1, 2]}, {"separators": (",", ":")}, Style()),
        ({"a": [1, 2], "b": 3}, {}, Style(comma=", ", colon=": ")),
        ([[1, 2], {"a": 1}], {}, Style(comma=", ", colon=": ")),
        ({"a": [1, 2]}, {"indent": 2}, Style(comma=", ", colon=": ", indent="  ")),
        ([{"a": 1}], {"indent": "\t"}, Style(comma=", ", colon=": ", indent="\t")),
        ("text", {}, Style()),
        ([], {}, Style()),
    ],
)
def test_the_style_of_a_text_is_recognised(
    value: Any, options: dict[str, Any], style: Style
) -> None:
    document = JsonText(json.dumps(value, **options).encode())
    found = style_of(document)
    assert (found.colon, found.indent) == (style.colon, style.indent)
    assert json.loads(dumps(value, found)) == value
    if len(value) > 1:
        assert dumps(value, found) == document.characters
