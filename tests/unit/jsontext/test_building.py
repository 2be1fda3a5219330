from __future__ import annotations

import json

from hypothesis import given
from tests.unit.jsontext.texts import JSON, nodes

from sigscope.jsontext import JsonText
from sigscope.jsontext.building import build, build_text


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
