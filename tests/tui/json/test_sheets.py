"""Values as files: what is offered, and what comes back."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigscope.errors import EditError
from sigscope.jsontext import JsonText
from sigscope.tui.json.sheets import ValueFile, read_back, sheet_of

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


def sheet(raw: bytes, pointer: str = "/a", now: str | None = None) -> ValueFile:
    document = JsonText(raw)
    node = document.locate(pointer)
    spelled = document.text(node).decode("utf-8", "surrogateescape")
    return sheet_of(document, node, spelled if now is None else now)


def test_a_string_is_offered_as_its_text() -> None:
    page = sheet(b'{"a": "one\\ntwo \\u00e9"}')
    assert (page.form, page.suffix) == ("text", ".txt")
    assert page.data.decode() == "one\ntwo é\n"
    assert read_back(page, "one\n2 é\n".encode()) == '"one\\n2 é"'


def test_the_last_line_feed_belongs_to_the_file() -> None:
    page = sheet(b'{"a": "one\\n"}')
    assert page.data == b"one\n\n"
    assert read_back(page, b"one\n") == '"one"'
    assert read_back(page, b"") == '""'
    assert read_back(page, b"two\r\nthree\r\n") == '"two\\nthree"'


@pytest.mark.parametrize(
    "raw", [b'"a\\u0000b"', b'"\\ud83d"', b'"a\\r\\nb"', b'"\xff"']
)
def test_a_string_no_text_file_can_carry_is_offered_as_it_is_spelled(
    raw: bytes,
) -> None:
    page = sheet(b'{"a": ' + raw + b"}")
    assert page.form == "json"
    assert page.data == raw + b"\n"
    assert read_back(page, raw) is None


def test_json_in_a_string_is_laid_out_and_folded_again() -> None:
    inner = '{"path": "README.md", "n": 1.10}'
    page = sheet(json.dumps({"a": inner}).encode())
    assert page.form == "json in a string"
    assert page.data == b'{\n  "path": "README.md",\n  "n": 1.10\n}\n'
    found = read_back(page, page.data.replace(b"README", b"NOTES"))
    assert json.loads(found or "") == inner.replace("README", "NOTES")


def test_json_in_a_string_that_is_laid_out_keeps_its_lines() -> None:
    inner = '{\n    "a": 1\n}'
    page = sheet(json.dumps({"a": inner}).encode())
    assert page.data.decode() == inner + "\n"
    found = read_back(page, page.data.replace(b"1", b"2"))
    assert json.loads(found or "") == inner.replace("1", "2")


def test_an_object_comes_back_spaced_like_the_body() -> None:
    page = sheet(b'{"m":1,"a":{"b":[1,2.0],"b":{}}}')
    assert page.data == b'{\n  "b": [\n    1,\n    2.0\n  ],\n  "b": {}\n}\n'
    assert read_back(page, page.data.replace(b"1", b"3")) == '{"b":[3,2.0],"b":{}}'
    wide = sheet(b'{\n    "a": {\n        "b": 1\n    }\n}')
    assert read_back(wide, b'{"b": 2, "c": []}') == (
        '{\n        "b": 2,\n        "c": []\n    }'
    )


def test_white_space_alone_is_no_change() -> None:
    page = sheet(b'{"a":{"b":[1,2]}}')
    assert read_back(page, b'{"b":\n\n[1,\t2]}') is None


def test_the_recorded_value_comes_back_in_its_spelling() -> None:
    page = sheet(b'{"a": "caf\\u00e9"}', now='"tea"')
    assert page.data == b"tea\n"
    assert read_back(page, "café\n".encode()) == '"caf\\u00e9"'
    assert read_back(page, b"tea\n") is None


def test_what_is_wrong_is_said_with_line_and_column() -> None:
    page = sheet(b'{"a": {"b": 1}}')
    with pytest.raises(EditError, match=r"^line 2, column 7: "):
        read_back(page, b'{\n  "b":\n}')
    with pytest.raises(EditError, match="line 1, column 1: the file is empty"):
        read_back(page, b"\n")
    text = sheet(b'{"a": "b"}')
    with pytest.raises(EditError, match="line 2, column 3: not UTF-8"):
        read_back(text, b"ab\ncd\xff")


@given(JSON)
def test_what_is_not_touched_is_no_edit(value: Any) -> None:
    for indent in (None, 3):
        raw = json.dumps({"a": value}, indent=indent).encode()
        page = sheet(raw)
        assert read_back(page, page.data) is None
        if not page.data.endswith(b"\n\n"):
            assert read_back(page, page.data.removesuffix(b"\n")) is None


@given(JSON, JSON)
def test_what_was_written_is_what_is_meant(old: Any, new: Any) -> None:
    """An editor that writes another value gives that value to the edit."""
    page = sheet(json.dumps({"a": old}).encode())
    if page.form == "text":
        if not isinstance(new, str) or "\r" in new or new[:1] == "\ufeff":
            return
        written, meant = new.encode() + b"\n", new
    elif page.form == "json":
        written, meant = json.dumps(new, indent=1).encode(), new
    else:
        return
    found = read_back(page, written)
    if found is None:
        assert meant == old
    else:
        assert json.loads(found) == meant
