from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.edits.bodies import UNIQUE, some_edits
from tests.unit.jsontext.texts import ANYTHING, JSON, VALUES

from sigscope.edits.apply import apply, conflicts
from sigscope.edits.diff import diff
from sigscope.edits.words import describe
from sigscope.jsontext import JsonText


def rows(old: Any, new: Any) -> list[str]:
    before, after = (
        item.encode() if isinstance(item, str) else json.dumps(item).encode()
        for item in (old, new)
    )
    edits = diff(before, after)
    result = apply(edits, before)
    assert json.loads(result) == json.loads(after)
    return [describe(edit) for edit in edits]


def call(name: str, **more: Any) -> dict[str, Any]:
    return {"role": "assistant", "tool_calls": [{"id": name}], **more}


def result(name: str, text: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": name, "content": text}


USER = {"role": "user", "content": "hi"}


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ({"a": 1}, {"a": 1}, []),
        ('{"a": 1, "b": "\\u00e9"}', '{"b":"é","a":1}', []),
        ("1", "1.0", ["set the whole body to 1.0"]),
        ("true", "1", ["set the whole body to 1"]),
        ({"a": 1, "b": 2}, {"a": 1, "b": 3}, ["set /b to 3"]),
        ({"a": 1, "b": 2}, {"a": 1}, ["drop /b"]),
        ({"a": 1}, {"a": 1, "b": {"c": 2}}, ['set /b to {"c": 2}']),
        ({"a": {"b": {"c": 1}}}, {"a": {"b": {"c": 2}}}, ["set /a/b/c to 2"]),
        ({"a": "x"}, {"a": ["x"]}, ['set /a to ["x"]']),
        ({"a": {"x": 1}}, {"a": {"y": 1}}, ['set /a to {"y": 1}']),
        ({"a": {}}, {"a": {"y": 1}}, ["set /a/y to 1"]),
        ([1, 2, 3], [1, 3], ["drop /1"]),
        ([1, 3], [1, 2, 3], ["insert 2 at /1"]),
        ([1], [1, 2, 3], ["append 2 to the whole body", "append 3 to the whole body"]),
        ([1, 2], [1, 9], ["set /1 to 9"]),
        (["a", "b", "c"], ["c", "a", "b"], ['insert "c" at /0', "drop /2"]),
        ([[1], [2]], [[1], [2, 3]], ["append 3 to /1"]),
        ('{"a":1,"a":2}', '{"a":3,"a":2}', ["set /a~#1 to 3"]),
        ('{"a":1,"a":2}', '{"a":2}', ['set the whole body to {"a":2}']),
        ('{"a":1,"a":2}', '{"b":2}', ['set the whole body to {"b":2}']),
        ('{"b":1,"a":1,"a":2}', '{"b":2}', None),
    ],
)
def test_differences_are_few_and_readable(
    old: Any, new: Any, expected: list[str] | None
) -> None:
    found = rows(old, new)
    if expected is not None:
        assert found == expected


def test_messages_are_paired_by_their_calls_not_by_their_place() -> None:
    old = {"messages": [USER, call("c1"), result("c1", "A"), call("c2")]}
    new = {
        "messages": [
            {"role": "system", "content": "be brief"},
            USER,
            call("c1", reasoning_opaque="sig"),
            result("c1", "B"),
            call("c2"),
            result("c2", "C"),
        ]
    }
    assert rows(old, new) == [
        'insert {"role": "system", "content": "be brief"} at /messages/0',
        'set /messages/1/reasoning_opaque to "sig"',
        'set /messages/2/content to "B"',
        'append {"role": "tool", "tool_call_id": "c2", "content": "C"} to /messages',
    ]


def test_a_changed_message_is_paired_with_one_of_its_role() -> None:
    old = {"messages": [USER, {"role": "assistant", "content": "one"}]}
    new = {
        "messages": [
            USER,
            {"role": "user", "content": "more"},
            {"role": "assistant", "content": "two"},
        ]
    }
    assert rows(old, new) == [
        'insert {"role": "user", "content": "more"} at /messages/1',
        'set /messages/1/content to "two"',
    ]


def test_objects_of_different_types_are_replaced_not_mended() -> None:
    old = {"part": {"type": "text", "text": "a", "n": 1}}
    new = {"part": {"type": "image", "url": "b", "n": 1}}
    assert rows(old, new) == [
        'set /part to {"type": "image", "url": "b", "n": 1}',
    ]


def test_values_are_spelled_as_in_the_new_body() -> None:
    edits = diff(b'{"a":1}', b'{"a":1,"b":[1.50,  "\\u00e9\xff"]}')
    assert apply(edits, b'{"a":1}') == b'{"a":1,"b":[1.50,  "\\u00e9\xff"]}'


BODIES = UNIQUE | JSON | VALUES.map(str.encode)


@given(BODIES, BODIES)
def test_the_edits_make_one_body_mean_the_other(old: bytes, new: bytes) -> None:
    edits = diff(old, new)
    assert json.loads(apply(edits, old)) == json.loads(new)
    assert conflicts(edits, old) == ()
    for edit in edits:
        apply([edit], old)
    assert diff(apply(edits, old), new) == []


@given(BODIES)
def test_a_body_does_not_differ_from_itself(body: bytes) -> None:
    assert diff(body, body) == []


@given(UNIQUE, st.data())
def test_what_edits_did_is_found_again(body: bytes, data: st.DataObject) -> None:
    changed = apply(data.draw(some_edits(body)), body)
    again = apply(diff(body, changed), body)
    assert diff(again, changed) == []


@given(ANYTHING, ANYTHING)
def test_broken_bodies_are_compared_without_raising(old: bytes, new: bytes) -> None:
    before, after = JsonText(old), JsonText(new)
    edits = diff(before, after)
    assert conflicts(edits, before) == ()
    if before.encoding.is_utf8 and not before.is_broken and not after.is_broken:
        assert JsonText(apply(edits, before)).parsed == after.parsed


@pytest.mark.slow
def test_very_deep_bodies_are_compared() -> None:
    # Deeper than `json` and the stack of the interpreter go.
    old = b"[" * 1200 + b"1" + b"]" * 1200
    new = b"[" * 1200 + b"2" + b"]" * 1200
    (edit,) = diff(old, new)
    assert edit.pointer == "/0" * 1200
    assert apply([edit], old) == new


def test_long_arrays_without_anything_in_common_are_compared_quickly() -> None:
    old = json.dumps(list(range(5000))).encode()
    new = json.dumps([-n for n in range(1, 5001)]).encode()
    assert json.loads(apply(diff(old, new), old)) == json.loads(new)
