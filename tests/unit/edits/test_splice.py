from __future__ import annotations

import pytest

from sigscope.edits.plan import Add, Take
from sigscope.edits.splice import encode, splice
from sigscope.errors import EditError
from sigscope.jsontext import JsonText


def added(body: str, container: str, index: int, text: str, key: str | None) -> str:
    document = JsonText(body.encode())
    effect = Add(document.locate(container), index, key, text, False)
    return splice(document, [effect]).decode()


@pytest.mark.parametrize(
    ("body", "container", "index", "expected"),
    [
        ("[1 ,  2]", "", 0, "[9 ,  1 ,  2]"),
        ("[1,2,  3]", "", 2, "[1,2,  9,  3]"),
        ("[1,2,  3]", "", 1, "[1,9,2,  3]"),
        ("[1,\n2]", "", 2, "[1,\n2,\n9]"),
        ("[ 1]", "", 1, "[ 1,9]"),
        ('{"a": [1], "b": 2}', "/a", 1, '{"a": [1, 9], "b": 2}'),
        ("[\n\t1]", "", 0, "[\n\t9,\n\t1]"),
        ("[1 2]", "", 1, "[1,9,2]"),
        ("[1,]", "", 1, "[1,9,]"),
        ("[ ]", "", 0, "[9]"),
        ("[[ ],\n [1]]", "/0", 0, "[[9],\n [1]]"),
    ],
)
def test_a_new_element_has_the_commas_of_its_neighbours(
    body: str, container: str, index: int, expected: str
) -> None:
    assert added(body, container, index, "9", None) == expected


@pytest.mark.parametrize(
    ("body", "container", "expected"),
    [
        ('{"a" : 1}', "", '{"a" : 1, "k" : 9}'),
        ('{"a": {}}', "/a", '{"a": {"k": 9}}'),
        ('[{"x":1}, {}]', "/1", '[{"x":1}, {"k":9}]'),
        ('{"a"\n: 1}', "", '{"a"\n: 1,"k"\n: 9}'),
        ("{}", "", '{"k":9}'),
        ("{a 1}", "", '{a 1,"k":9}'),
        ('{\r\n  "a": {}\r\n}', "/a", '{\r\n  "a": {\r\n    "k": 9\r\n  }\r\n}'),
    ],
)
def test_a_new_member_has_the_colon_of_its_neighbours(
    body: str, container: str, expected: str
) -> None:
    document = JsonText(body.encode())
    index = len(document.children(document.locate(container)))
    assert added(body, container, index, "9", "k") == expected


def test_a_value_in_place_of_a_missing_one_comes_before_what_follows() -> None:
    document = JsonText(b'{"a":}')
    missing = document.locate("/a")
    effects = [Add(document.root, 1, "b", "2", False), Take(missing, "1")]
    assert splice(document, effects) == b'{"a":1,"b":2}'


def test_text_is_encoded_back_to_the_bytes_it_came_from() -> None:
    assert encode("é\udcff") == b"\xc3\xa9\xff"
    with pytest.raises(EditError, match="half of a surrogate pair"):
        encode("\ud800")


def test_keys_are_quoted_whatever_is_in_them() -> None:
    document = JsonText(b"{}")
    keys = ['a"\n', "b\udcff", "c\ud800"]
    effects = [Add(document.root, 0, key, "1", False) for key in keys]
    assert splice(document, effects) == (b'{"a\\"\\n":1,"b\xff":1,"c\\ud800":1}')
