from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigscope.jsontext.layout import laid_out

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
