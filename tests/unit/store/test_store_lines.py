"""The layout of a line."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigscope.store.lines import (
    bodies_of,
    encode_line,
    head_of,
    is_as_written,
    pack,
    unpack,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.text().filter(lambda key: key != "bodies"), inner, max_size=3
        )
    ),
    max_leaves=8,
)
HEADS = st.dictionaries(
    st.text().filter(lambda key: key not in ("bodies", "sum")), JSON, max_size=4
)


@given(HEADS, st.text(), st.text())
def test_a_line_gives_back_its_head_and_its_bodies(
    head: dict[str, object], tricky: str, body: str
) -> None:
    head = {"type": "step", **head, "tricky": f'{tricky},"bodies":{{"sum":"00000000"}}'}
    bodies = {"request": {"text": body + ',"sum":"00000000"}'}}
    line = encode_line({**head, "bodies": bodies})
    assert line.count(b"\n") == 1
    data = line[:-1]
    assert is_as_written(data) is True
    assert json.loads(head_of(data)) == head
    assert bodies_of(data) == bodies
    assert json.loads(data) == {**head, "bodies": bodies, "sum": data[-10:-2].decode()}


def test_a_line_without_bodies_is_all_head() -> None:
    data = encode_line({"type": "note", "text": "x"})[:-1]
    assert json.loads(head_of(data)) == {"type": "note", "text": "x"}
    assert bodies_of(data) == {}


def test_no_part_of_a_line_passes_for_a_line() -> None:
    data = encode_line({"a": [{"b": '}"'}], "bodies": {"request": {"text": "}"}}})[:-1]
    for size in range(len(data)):
        assert not is_as_written(data[:size])


@given(st.integers(0, 10**6), st.integers(1, 255))
def test_a_changed_byte_is_noticed(place: int, change: int) -> None:
    data = bytearray(encode_line({"a": "text", "bodies": {"request": {"text": "é"}}}))
    del data[-1]
    data[place % len(data)] ^= change
    assert not is_as_written(bytes(data))


def test_a_line_without_a_sum_is_no_changed_line() -> None:
    assert is_as_written(b'{"type":"note"}') is None
    assert is_as_written(b"") is None


def test_lone_surrogates_become_replacement_characters() -> None:
    line = encode_line({"a": "x\ud800y\U0001f600"})
    assert json.loads(line)["a"] == "x\ufffdy\U0001f600"


@given(st.binary() | st.text().map(str.encode))
def test_any_bytes_can_be_packed(rest: bytes) -> None:
    stored = pack(rest)
    assert unpack(json.loads(json.dumps(stored))) == rest
    try:
        rest.decode()
    except UnicodeDecodeError:
        assert "base64" in stored
    else:
        assert "base64" not in stored


@pytest.mark.parametrize("stored", [{"base64": "x"}, {"base64": "é"}])
def test_broken_base64_is_a_value_error(stored: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"padd|ASCII|multiple"):
        unpack(stored)
