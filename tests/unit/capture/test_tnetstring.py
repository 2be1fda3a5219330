"""Typed netstrings: each type, nesting, and what breaks off."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.capture.flows import dump

from sigscope.capture.tnetstring import Torn, begins, end_of, load

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.binary(max_size=9)
    | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(max_size=4), inner, max_size=4)
    ),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b"11:hello world,", b"hello world"),
        (b"5:caf\xc3\xa9;", "caf\u00e9"),
        (b"5:12345#", 12345),
        (b"2:-7#", -7),
        (b"3:1.5^", 1.5),
        (b"4:true!", True),
        (b"5:false!", False),
        (b"0:~", None),
        (b"0:]", []),
        (b"0:}", {}),
        (b"19:5:12345#4:true!1:0#]", [12345, True, 0]),
        (b"14:5:hello;3:1.5^}", {"hello": 1.5}),
        (b"12:3:key,3:1.5^}", {b"key": 1.5}),
    ],
)
def test_each_type_is_read(data: bytes, value: object) -> None:
    assert load(data) == (value, len(data))


@given(VALUES, st.binary(max_size=5), st.binary(max_size=5))
def test_what_was_written_is_read_back_wherever_it_stands(
    value: object, before: bytes, after: bytes
) -> None:
    data = dump(value)
    found, end = load(before + data + after, len(before))
    assert found == value
    assert end == len(before) + len(data)
    assert end_of(before + data + after, len(before)) == end


@given(VALUES)
def test_every_cut_is_torn(value: object) -> None:
    data = dump(value)
    for cut in range(1, len(data)):
        with pytest.raises(Torn):
            load(data[:cut])


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"x",
        b"3:abc?",
        b"3:abc#",
        b"3:abc!",
        b"3:abc^",
        b"4:1:a,}",
        b"12:1:1#5:hello,}",
        b"9:3:abcd,xx]",
        b"9999999999999:x,",
    ],
)
def test_what_is_no_netstring_says_where(data: bytes) -> None:
    with pytest.raises(ValueError, match="byte"):
        load(data)


def test_deep_nesting_is_refused_and_not_recursed_into() -> None:
    data = b"0:]"
    for _ in range(5000):
        data = b"%d:%b]" % (len(data), data)
    with pytest.raises(ValueError, match="levels deep"):
        load(data)


def test_a_mapping_at_the_beginning_is_seen_from_two_lengths() -> None:
    assert begins(dump({"a": 1}))
    assert not begins(b"12:30 and so on")
    assert end_of(b"5:ab", 0) is None
