"""Bytes, headers, times and URLs of recordings."""

from __future__ import annotations

import base64
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigscope.capture.values import (
    base64_bytes,
    epoch_time,
    go_duration_ms,
    headers_of,
    json_bytes,
    text_bytes,
    utc_time,
    with_query,
)


@given(st.binary(max_size=40))
def test_bytes_smuggled_through_text_come_back(data: bytes) -> None:
    assert text_bytes(data.decode("utf-8", "surrogateescape")) == data


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=20))
def test_any_text_has_bytes(value: str) -> None:
    assert text_bytes(value) == value.encode("utf-8")


def test_halves_of_a_pair_are_joined_and_lone_halves_kept() -> None:
    assert text_bytes("\ud83d\ude00") == "😀".encode()
    assert text_bytes("a\ud83d") == b"a\xed\xa0\xbd"
    assert text_bytes("\udcffé\ud83d\ude00") == b"\xff\xc3\xa9\xf0\x9f\x98\x80"


@given(st.binary(max_size=40), st.booleans(), st.booleans())
def test_base64_is_read_in_both_alphabets(data: bytes, url: bool, pad: bool) -> None:
    spelled = (base64.urlsafe_b64encode if url else base64.b64encode)(data).decode()
    assert base64_bytes(spelled if pad else spelled.rstrip("=")) == data
    assert base64_bytes("\n ".join(spelled)) == data


@pytest.mark.parametrize("value", ["a", "{}", "äöü", "ab*d", '["x"]'])
def test_what_is_no_base64_is_none(value: str) -> None:
    assert base64_bytes(value) is None


def test_trees_become_compact_json_in_order() -> None:
    tree = {"b": [1, 1.5, None, True], "a": "é\n", 1: {"x": float("nan")}}
    assert (
        json_bytes(tree).decode() == '{"b":[1,1.5,null,true],"a":"é\\n","1":{"x":NaN}}'
    )


@given(st.recursive(st.none() | st.integers() | st.text(), st.lists))
def test_json_bytes_reads_back(tree: object) -> None:
    assert json.loads(json_bytes(tree).decode("utf-8", "surrogatepass")) == tree


def test_bytes_in_a_tree_are_text() -> None:
    assert json_bytes({b"k": b"v"}) == b'{"k":"v"}'


def test_a_tree_that_holds_itself_is_refused() -> None:
    loop: list[object] = []
    loop.append(loop)
    with pytest.raises(ValueError, match="contains itself"):
        json_bytes(loop)


@pytest.mark.slow
def test_a_tree_that_unfolds_without_end_is_refused() -> None:
    tree: object = ["x"] * 10
    for _ in range(8):
        tree = [tree] * 10
    with pytest.raises(ValueError, match="unfolds"):
        json_bytes(tree)


@pytest.mark.parametrize(
    ("value", "headers"),
    [
        ({"A": "1", "B": ["2", 3]}, (("A", "1"), ("B", "2"), ("B", "3"))),
        ([{"name": "A", "value": "1"}], (("A", "1"),)),
        ([{"key": "A", "value": None}], (("A", ""),)),
        ([["A", "1"], ("B", "2")], (("A", "1"), ("B", "2"))),
        ([[["A", "1"], ["B", "2"]]], (("A", "1"), ("B", "2"))),
        (["A: 1", "Date: 10:30"], (("A", "1"), ("Date", "10:30"))),
        ({b"A": [b"1"]}, (("A", "1"),)),
        ({"": "x"}, ()),
        (None, ()),
        ("x", ()),
        ([None, 7, "x"], ()),
    ],
)
def test_headers_are_read_in_every_form(
    value: object, headers: tuple[tuple[str, str], ...]
) -> None:
    assert headers_of(value) == headers


@pytest.mark.parametrize(
    ("value", "time"),
    [
        ("2026-03-06T19:22:51.217000+00:00", "2026-03-06T19:22:51.217Z"),
        ("2026-03-06T19:22:51.217123456Z", "2026-03-06T19:22:51.217Z"),
        ("2026-03-06T20:22:51+01:00", "2026-03-06T19:22:51Z"),
        ("2026-07-09 10:31:39", "2026-07-09T10:31:39Z"),
        ("2020-11-27 10:44:33 GMT", "2020-11-27T10:44:33Z"),
        ("Wed, 19 Aug 2026 14:38:46 GMT", "2026-08-19T14:38:46Z"),
        ("2026-99-99", None),
        ("yesterday", None),
        ("", None),
        (None, None),
        (12, None),
        ("0001-01-01T00:00:00+23:59", None),
    ],
)
def test_times_become_rfc_3339(value: object, time: str | None) -> None:
    assert utc_time(value) == time


@given(st.text(max_size=30))
def test_no_text_is_a_time_that_raises(value: str) -> None:
    utc_time(value)


def test_seconds_since_1970_become_rfc_3339() -> None:
    assert epoch_time(1757015054.5) == "2025-09-04T19:44:14.500Z"
    for value in (None, -1.0, 0.0, float("nan"), float("inf"), 1e17):
        assert epoch_time(value) is None


@pytest.mark.parametrize(
    ("value", "ms"),
    [
        ("2.760922792s", 2760.922792),
        ("1m2.5s", 62_500.0),
        ("350ms", 350.0),
        ("12µs", 0.012),
        ("0s", 0.0),
        (1_500_000, 1.5),
        ("", None),
        ("fast", None),
        ("5s later", None),
        (None, None),
        (True, None),
    ],
)
def test_go_durations_are_milliseconds(value: object, ms: float | None) -> None:
    assert go_duration_ms(value) == (None if ms is None else pytest.approx(ms))


def test_query_parameters_are_put_behind_the_path() -> None:
    pairs = [("alt", "sse"), ("key", "[REDACTED] &")]
    assert with_query("/p", pairs) == "/p?alt=sse&key=%5BREDACTED%5D%20%26"
    assert with_query("/p?a=1", pairs[:1]) == "/p?a=1&alt=sse"
    assert with_query("/p", []) == "/p"
