from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.jsontext.texts import ANYTHING

from sigscope.edits.apply import apply
from sigscope.edits.notation import parse, swap_type
from sigscope.edits.records import Edit, Op
from sigscope.errors import EditError
from sigscope.jsontext import JsonText


@pytest.mark.parametrize(
    ("text", "edit"),
    [
        (
            "set /messages/2/content null",
            Edit(op=Op.SET, pointer="/messages/2/content", value="null"),
        ),
        (
            '  SET   /a   {"b" :  1.0}  ',
            Edit(op=Op.SET, pointer="/a", value='{"b" :  1.0}'),
        ),
        ("drop /a~1b/0", Edit(op=Op.DROP, pointer="/a~1b/0")),
        ('drop "/a b/\\"c"', Edit(op=Op.DROP, pointer='/a b/"c')),
        ('set "" []', Edit(op=Op.SET, pointer="", value="[]")),
        ('set "/x y" "z w"', Edit(op=Op.SET, pointer="/x y", value='"z w"')),
        ('insert /- "a"', Edit(op=Op.INSERT, pointer="/-", value='"a"')),
        ("move /a /b/-", Edit(op=Op.MOVE, source="/a", pointer="/b/-")),
        ("copy /a~#1 /b", Edit(op=Op.COPY, source="/a~#1", pointer="/b")),
        (
            "header Content-Type: text/plain; a=b",
            Edit(op=Op.HEADER, name="Content-Type", value="text/plain; a=b"),
        ),
        ("header X-Empty:", Edit(op=Op.HEADER, name="X-Empty", value="")),
        ("header :authority: a", Edit(op=Op.HEADER, name=":authority", value="a")),
        ("unheader X-Test", Edit(op=Op.UNHEADER, name="X-Test")),
        ("url https://a.example/b?c", Edit(op=Op.URL, value="https://a.example/b?c")),
        ('{"op": "drop", "pointer": "/a"}', Edit(op=Op.DROP, pointer="/a")),
    ],
)
def test_a_line_of_text_is_an_edit(text: str, edit: Edit) -> None:
    assert parse(text) == edit


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "an empty edit"),
        ("   ", "an empty edit"),
        ("remove /a", "did you mean 'drop'?"),
        ("Replace /a 1", "did you mean 'set'?"),
        ("inser /a 1", "did you mean 'insert'?"),
        ("frobnicate /a", "no edit is called 'frobnicate'; there are drop, set"),
        ("drop", "drop needs a pointer"),
        ("drop a", "must start with '/'"),
        ("drop /a /b", "'/b' is too much; write: drop POINTER"),
        ("drop /a~2", "~0 (for '~')"),
        ('drop "/a', "the quoted pointer never ends"),
        ("set /a", "set /a: to what? Write: set /a null"),
        ("move /a", "move /a: where to? Write: move FROM TO"),
        ("move /a /b /c", "'/c' is too much"),
        ("header X", "header Name: value"),
        ("header : x", "header Name: value"),
        ("unheader", "write: unheader Name"),
        ("unheader a b", "write: unheader Name"),
        ("url", "write: url"),
        ("url a b", "no blanks"),
        ("type /a", "to which type? One of string, null"),
        ("type /a strin", "to which type?"),
        ("type /a string", "where the body is known"),
        ("{", "is JSON"),
        ('{"op": "delete"}', "did you mean 'drop'?"),
    ],
)
def test_what_cannot_be_understood_is_explained(text: str, problem: str) -> None:
    with pytest.raises(EditError) as caught:
        parse(text)
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    ("text", "understood", "proposed"),
    [
        ("set /a hello", "the value hello is not JSON", 'set /a "hello"'),
        ("set /a it's", "the value it's is not JSON", 'set /a "it\'s"'),
        ("set /a 'x'", "the value 'x' is not JSON", 'set /a "x"'),
        ('insert /0 say "hi"', 'the value say "hi"', r'insert /0 "say \"hi\""'),
        ("set /a [1, 2", "this array is never closed, column 1", "single quotes"),
        ("set /a NaN", "'NaN' is not a JSON value, column 1", "single quotes"),
        ("set /a {'b': 1}", "a key in single quotes", "single quotes"),
    ],
)
def test_a_value_that_is_not_json_is_shown_with_the_way_to_quote_it(
    text: str, understood: str, proposed: str
) -> None:
    with pytest.raises(EditError) as caught:
        parse(text)
    assert understood in str(caught.value)
    assert proposed in str(caught.value)


def test_a_proposed_quoting_is_understood() -> None:
    with pytest.raises(EditError) as caught:
        parse("set /a hello world")
    line = str(caught.value).partition("Then write ")[2].partition(", in a shell")[0]
    assert parse(line).value == '"hello world"'


def test_a_type_is_swapped_in_the_style_of_the_body() -> None:
    body = b'{"messages": [{"content": "hi", "n": 1}]}'
    edit = parse("type /messages/0/content list", body)
    assert apply([edit], body) == (
        b'{"messages": [{"content": [{"type": "text", "text": "hi"}], "n": 1}]}'
    )
    compact = b'{"c":"hi"}'
    there = apply([parse("type /c list", compact)], compact)
    assert there == b'{"c":[{"type":"text","text":"hi"}]}'
    assert apply([parse("type /c string", JsonText(there))], there) == compact
    assert apply([parse("type /c null", compact)], compact) == b'{"c":null}'


def test_a_swapped_value_in_an_indented_body_is_indented() -> None:
    body = b'{\n  "a": {\n    "c": "hi"\n  }\n}'
    changed = apply([parse("type /a/c list", body)], body)
    value = {"a": {"c": [{"type": "text", "text": "hi"}]}}
    assert changed.decode() == json.dumps(value, indent=2)


def test_a_type_that_cannot_be_swapped_says_why() -> None:
    document = JsonText(b'{"a": "x"}')
    with pytest.raises(EditError, match='type /a number: "x" is not a number'):
        swap_type(document, "/a", "number")
    with pytest.raises(EditError, match="has no key 'b'"):
        swap_type(document, "/b", "null")


@given(st.text() | st.text("abc/ ~{}[]:\"'-", max_size=20), ANYTHING)
def test_any_text_is_an_edit_or_an_explanation(text: str, body: bytes) -> None:
    for line in (text, f"set /a {text}", f"type {text}", f"{{{text}", f"move {text}"):
        try:
            edit = parse(line, body)
        except EditError as error:
            message = str(error)
        else:
            message = repr(edit)
        assert message
