"""Edits of fixes: spelled right, equal where they do the same."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigscope.edits.records import Op
from sigscope.rules.edits import (
    copy_to_end,
    drop,
    joined,
    node,
    put,
    spell,
    url,
    with_bearers,
)


@given(st.text())
def test_spelled_text_is_json_of_the_same_text(text: str) -> None:
    assert json.loads(spell(text)) == text


def test_text_that_is_not_unicode_keeps_its_escapes() -> None:
    assert spell("\ud800") == '"\\ud800"'
    assert spell("für") == '"für"'


def test_edits_of_two_rules_that_do_the_same_are_equal() -> None:
    assert put("/a", None, "one") == put("/a", None, "other")
    assert joined([drop("/a", "x")], [drop("/a", "y")]) == (drop("/a", "x"),)


def test_an_edit_does_what_its_function_says() -> None:
    edits = (
        put("/a", 1, "x"),
        drop("/a", "x"),
        copy_to_end("/a/0", "/b", "x"),
        url("https://example.com", "x"),
    )
    assert [edit.op for edit in edits] == [Op.SET, Op.DROP, Op.COPY, Op.URL]


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        ("", {"a": [{"b~/": 1}]}),
        ("/a/0/b~0~1", 1),
        ("/a/1", None),
        ("/a/x", None),
        ("/b", None),
        ("/a/0/b~0~1/c", None),
    ],
)
def test_a_node_that_is_not_there_is_none(pointer: str, value: object) -> None:
    assert node({"a": [{"b~/": 1}]}, pointer) == value


@pytest.mark.parametrize(
    ("body", "pointer", "whole"),
    [
        ({"thought_signature": "S"}, "/thought_signature", "/thought_signature"),
        (
            {"c": {"extra_content": {"google": {"thought_signature": "S"}}}},
            "/c/extra_content/google/thought_signature",
            "/c/extra_content",
        ),
        (
            {"c": {"extra_content": {"google": {"thought_signature": "S"}, "x": 1}}},
            "/c/extra_content/google/thought_signature",
            "/c/extra_content/google",
        ),
        (
            {"m": {"provider_specific_fields": {"thought_signatures": ["S", "T"]}}},
            "/m/provider_specific_fields/thought_signatures/0",
            "/m/provider_specific_fields/thought_signatures/0",
        ),
        (
            {"m": {"reasoning_details": [{"type": "x", "data": "S"}]}},
            "/m/reasoning_details/0/data",
            "/m/reasoning_details",
        ),
        (
            {"m": {"reasoning_details": [{"type": "x", "data": "S"}, {}]}},
            "/m/reasoning_details/0/data",
            "/m/reasoning_details/0",
        ),
        ({"function": {"thought_signature": "S"}}, "/function/thought_signature", None),
    ],
)
def test_what_only_holds_a_signature_goes_with_it(
    body: object, pointer: str, whole: str | None
) -> None:
    assert with_bearers(body, pointer) == (whole or pointer)
