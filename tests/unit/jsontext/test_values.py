from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.jsontext.texts import JSON, SCALARS

from sigscope.jsontext.values import (
    fits_double,
    is_plain,
    read_scalar,
    read_string,
    read_text,
)


@given(SCALARS)
def test_scalars_are_read_as_json_reads_them(text: str) -> None:
    value = json.loads(text)
    kinds = {str: "string", bool: text, type(None): "null"}
    kind = kinds.get(type(value), "number")
    read = read_scalar(kind, text.encode())  # type: ignore[arg-type]
    assert (type(read), read) == (type(value), value)


@pytest.mark.parametrize(
    ("literal", "text"),
    [
        (rb'"a\nb"', "a\nb"),
        (rb'"\ud83d\ude00"', "😀"),
        (rb'"\ud83d"', "\ud83d"),
        (rb'"\q\u12"', r"\q\u12"),
        (rb'"\ud83d\ude00\q"', r"😀\q"),
        (rb'"unclosed \"', 'unclosed "'),
        (rb'"unclosed \\', "unclosed \\"),
        (rb'"\q\"', r"\q" + '"'),
        (b'"', ""),
        (rb"'it\'s'", "it's"),
        (b"'", ""),
        (b"bare", "bare"),
        (b'"\xff"', "\udcff"),
        (b'"\x00"', "\x00"),
        (b"", ""),
    ],
)
def test_strings_are_read_whatever_is_wrong_with_them(
    literal: bytes, text: str
) -> None:
    assert read_string(literal) == text


@pytest.mark.parametrize(
    ("number", "fits"),
    [
        ("0", True),
        ("-0.0", True),
        ("1.10", True),
        ("0.1", True),
        ("1e3", True),
        ("123456789012345", True),
        ("9007199254740992", True),
        ("9007199254740993", False),
        # A double holds 2 ** 60, but the shortest decimal that reads as it does not.
        ("1152921504606846976", False),
        ("3.141592653589793", True),
        ("3.14159265358979323846", False),
        ("1.7976931348623157e308", True),
        ("1e309", False),
        ("1e-400", False),
        ("0e999", True),
        ("1e9999999999999999999999", False),
        ("100000000000000000000", True),
    ],
)
def test_a_number_fits_a_double_if_it_comes_back_as_it_was(
    number: str, fits: bool
) -> None:
    assert fits_double(number) is fits


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_what_a_double_writes_fits_a_double(number: float) -> None:
    assert fits_double(repr(number))


def test_a_text_is_read_strictly_and_else_leniently() -> None:
    assert read_text(' {"a": 1} ') == ({"a": 1}, True)
    assert read_text('["\t"]') == (["\t"], False)
    value, strict = read_text("[NaN, -Infinity]")
    assert (math.isnan(value[0]), value[1], strict) == (True, -math.inf, False)
    assert read_text("9" * 5000) == (math.inf, True)
    with pytest.raises(ValueError, match="Extra data"):
        read_text("1 2")
    with pytest.raises(RecursionError):
        read_text("[" * 100_000 + "]" * 100_000)


@given(JSON)
def test_plain_means_no_repeated_keys_and_no_long_numbers(text: bytes) -> None:
    repeats = False

    def note(pairs: list[tuple[str, object]]) -> None:
        nonlocal repeats
        repeats |= len({key for key, _ in pairs}) < len(pairs)

    json.loads(text, object_pairs_hook=note)
    long_number = "12345678901234567890" in json.dumps(
        json.loads(text, object_pairs_hook=list), ensure_ascii=False
    )
    assert is_plain(text.decode()) == (not repeats and not long_number)


def test_broken_text_is_not_plain() -> None:
    for text in ("", "[1", "[NaN]", '["\t"]', "[" * 100_000):
        assert not is_plain(text)
