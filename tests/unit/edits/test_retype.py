from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigscope.edits.retype import JSON_TYPES, retyped
from sigscope.errors import EditError

PART = {"type": "text", "text": "hi"}


@pytest.mark.parametrize(
    ("value", "kind", "expected"),
    [
        ("hi", "list", [PART]),
        ([PART], "string", "hi"),
        ([PART, {"text": "!"}], "string", "hi!"),
        ([{"type": "output_text", "text": "a"}], "string", "a"),
        ([{"type": "image"}], "string", '[{"type":"image"}]'),
        ([], "string", ""),
        ("", "list", []),
        (None, "list", []),
        ({"a": 1}, "list", [{"a": 1}]),
        ([1], "list", [1]),
        (None, "string", ""),
        (1.5, "string", "1.5"),
        (True, "string", "true"),
        ({"path": "é"}, "string", '{"path":"é"}'),
        ('{"path":"é"}', "object", {"path": "é"}),
        ([{"a": 1}], "object", {"a": 1}),
        ("", "object", {}),
        ([], "object", {}),
        (None, "object", {}),
        ({}, "object", {}),
        ("12", "number", 12),
        ("1.5e3", "number", 1500.0),
        (True, "number", 1),
        (None, "number", 0),
        (7, "number", 7),
        ("true", "bool", True),
        (0, "bool", False),
        (1, "bool", True),
        (None, "bool", False),
        (False, "bool", False),
        (["x"], "null", None),
    ],
)
def test_a_value_keeps_what_it_says(value: Any, kind: str, expected: Any) -> None:
    result = retyped(value, kind)
    assert (type(result), result) == (type(expected), expected)


@pytest.mark.parametrize(
    ("value", "kind", "problem"),
    [
        ("twelve", "number", '"twelve" is not a number'),
        ("true", "number", "is not a number"),
        ([1], "number", "[1] is not a number"),
        (2, "bool", "2 is neither true nor false"),
        ("yes", "bool", "neither true nor false"),
        ("[1]", "object", "does not hold an object"),
        ([1, 2], "object", "does not hold an object"),
        ("x" * 99, "object", "..."),
        ("x", "tuple", "there are string, null"),
    ],
)
def test_what_cannot_be_said_in_a_type_is_refused(
    value: Any, kind: str, problem: str
) -> None:
    with pytest.raises(EditError) as caught:
        retyped(value, kind)
    assert problem in str(caught.value)


@given(st.text())
def test_a_text_survives_as_a_list_of_parts(text: str) -> None:
    assert retyped(retyped(text, "list"), "string") == text


TYPES = {"string": str, "list": list, "number": int | float, "object": dict}


@given(
    st.none() | st.booleans() | st.floats() | st.text() | st.lists(st.just(PART)),
    st.sampled_from(JSON_TYPES),
)
def test_the_result_has_the_type_that_was_asked_for(value: Any, kind: str) -> None:
    try:
        result = retyped(value, kind)
    except EditError:
        return
    wanted = TYPES.get(kind, bool if kind == "bool" else type(None))
    assert isinstance(result, wanted)
