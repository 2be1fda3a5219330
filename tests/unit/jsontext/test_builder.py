from __future__ import annotations

import json

import pytest
from hypothesis import given
from tests.unit.jsontext.texts import JSON, nodes

from sigscope.jsontext import JsonText
from sigscope.jsontext.builder import build, build_text
from sigscope.jsontext.values import DEEPEST


@given(JSON)
def test_the_tolerant_way_gives_what_json_gives(text: bytes) -> None:
    # A fault at the end keeps `json` from reading the whole for us.
    document = JsonText(b"[" + text + b", 1")
    assert build(document, document.root) == ([json.loads(text), 1], False)


@given(JSON)
def test_every_container_has_the_value_json_gives(text: bytes) -> None:
    document = JsonText(text)
    for node in nodes(document):
        if node.is_container:
            assert build_text(document, node) == json.loads(document.text(node))


def test_what_is_nested_too_deep_is_left_empty() -> None:
    document = JsonText(b'{"a":' * 3000 + b"1" + b"}" * 3000)
    value, cut = build(document, document.root)
    assert cut
    depth = 0
    while value:
        value = value["a"]
        depth += 1
    assert 100 < depth < 400


def test_parts_that_are_not_deep_are_whole_beside_those_that_are() -> None:
    deep = b"[" * 3000 + b"]" * 3000
    document = JsonText(b'{"deep":' + deep + b',"flat":[1,{"a":2}]}')
    assert document.parsed["flat"] == [1, {"a": 2}]
    assert document.is_cut
    assert not document.is_broken


@pytest.mark.parametrize("levels", [600, 1500, 5000])
def test_the_same_depth_is_read_by_every_python(levels: int) -> None:
    document = JsonText(b"[" * levels + b"]" * levels)
    assert document.is_cut is (levels > DEEPEST)


def test_many_brackets_side_by_side_are_not_deep() -> None:
    assert not JsonText(b"[" + b"[{}]," * 5000 + b'"[[[["]').is_cut
