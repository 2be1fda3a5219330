from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigscope.jsontext import Style
from sigscope.jsontext.layout import is_same_but_for_space, laid_out, spaced

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(JSON, st.booleans())
def test_the_meaning_stays_and_the_form_is_that_of_json(
    value: Any, is_spread: bool
) -> None:
    raw = json.dumps(value, indent=5 if is_spread else None).encode()
    assert laid_out(raw).decode() == json.dumps(value, indent=2) + "\n"


@pytest.mark.parametrize(
    "raw", [b'{"a":1,"a":1.10e0}', b'"\\ud800\\/{,"', b"", b'{"a', b"]]{", b"a\xff:"]
)
def test_only_white_space_is_changed(raw: bytes) -> None:
    assert b"".join(laid_out(raw).split()) == b"".join(raw.split())


@given(JSON)
def test_a_text_is_spaced_in_any_style(value: Any) -> None:
    laid = json.dumps(value, indent=2).encode()
    tight = Style(comma=",", colon=":")
    assert json.loads(spaced(laid, tight)) == value
    assert spaced(laid, tight).decode() == json.dumps(value, separators=(",", ":"))
    four = Style(comma=",", colon=": ", indent="    ")
    assert spaced(laid, four).decode() == json.dumps(value, indent=4)


def test_lines_after_the_first_begin_with_the_margin() -> None:
    style = Style(comma=",", colon=": ", indent=" ")
    assert spaced(b"[1]", style, "--") == b"[\n-- 1\n--]"


def test_space_between_parts_alone_is_no_difference() -> None:
    assert is_same_but_for_space(b'{"a":[1, 2]}', b'{ "a": [1,2] }')
    assert not is_same_but_for_space(b'["a b"]', b'["ab"]')
