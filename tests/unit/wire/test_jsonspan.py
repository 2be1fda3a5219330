"""Where JSON values end."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigscope.wire.jsonspan import is_whole, skip_space, value_end

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(JSON, st.booleans())
def test_a_value_ends_where_its_text_does(value: object, ascii_only: bool) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only).encode()
    assert value_end(b" " + text + b",1]", 1) == 1 + len(text)
    assert is_whole(b"\n" + text + b" ")
    assert not is_whole(text + b" 1")


@given(JSON.filter(lambda value: isinstance(value, str | list | dict)), st.data())
def test_a_torn_value_has_no_end(value: object, data: st.DataObject) -> None:
    text = json.dumps(value).encode()
    cut = data.draw(st.integers(1, len(text) - 1))
    assert value_end(text[:cut], 0) is None
    assert not is_whole(text[:cut])


@pytest.mark.parametrize("text", [b"", b" ", b"}", b",", b'"\\', b'"\\"', b"{]}"])
def test_what_is_no_value_is_not_whole(text: bytes) -> None:
    assert not is_whole(text)


def test_space_includes_the_record_separator() -> None:
    assert skip_space(b" \t\r\n\x1ex", 0) == 5
    assert skip_space(b"x", 0) == 0
