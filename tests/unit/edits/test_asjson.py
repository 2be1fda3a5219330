from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.jsontext.texts import JSON

from sigscope.edits.asjson import from_json, to_json
from sigscope.edits.records import Edit, Op
from sigscope.errors import EditError


@pytest.mark.parametrize(
    ("edit", "data"),
    [
        (
            Edit(op=Op.SET, pointer="/messages/2/content", value="null"),
            {"op": "set", "pointer": "/messages/2/content", "value": None},
        ),
        (Edit(op=Op.DROP, pointer=""), {"op": "drop", "pointer": ""}),
        (
            Edit(op=Op.MOVE, source="/a", pointer="/b", label="l", origin="rule X-1"),
            {
                "op": "move",
                "source": "/a",
                "pointer": "/b",
                "label": "l",
                "origin": "rule X-1",
            },
        ),
        (
            Edit(op=Op.HEADER, name="A", value="1"),
            {"op": "header", "name": "A", "value": "1"},
        ),
        (Edit(op=Op.UNHEADER, name="A"), {"op": "unheader", "name": "A"}),
        (Edit(op=Op.URL, value="http://a"), {"op": "url", "value": "http://a"}),
        (
            Edit(op=Op.INSERT, pointer="/0", value='{"a":[1,"é"]}'),
            {"op": "insert", "pointer": "/0", "value": {"a": [1, "é"]}},
        ),
        # Spelled in a way that the value does not tell.
        (
            Edit(op=Op.SET, pointer="/a", value='{"a": 1.50}'),
            {"op": "set", "pointer": "/a", "value": {"a": 1.5}, "text": '{"a": 1.50}'},
        ),
        (
            Edit(op=Op.SET, pointer="/a", value='{"a":1,"a":2}'),
            {"op": "set", "pointer": "/a", "value": {"a": 2}, "text": '{"a":1,"a":2}'},
        ),
        (
            Edit(op=Op.SET, pointer="/a", value="[1,"),
            {"op": "set", "pointer": "/a", "text": "[1,"},
        ),
        (
            Edit(op=Op.SET, pointer="/a", value="NaN"),
            {"op": "set", "pointer": "/a", "text": "NaN"},
        ),
        (
            Edit(op=Op.SET, pointer="/a", value='"\\ud800"'),
            {"op": "set", "pointer": "/a", "text": '"\\ud800"'},
        ),
        (
            Edit(op=Op.SET, pointer="/a", value='"\udcff"'),
            {"op": "set", "pointer": "/a", "base64": "Iv8i"},
        ),
        (
            Edit(op=Op.SET, pointer="/a", value='"\ud800"'),
            {"op": "set", "pointer": "/a", "text": '"\ud800"'},
        ),
    ],
)
def test_an_edit_is_json_and_back(edit: Edit, data: dict[str, Any]) -> None:
    assert to_json(edit) == data
    assert list(to_json(edit)) == list(data)
    back = from_json(json.loads(json.dumps(data)))
    assert back == edit
    assert (back.label, back.origin) == (edit.label, edit.origin)


VALUES = st.one_of(JSON.map(bytes.decode), st.text(st.characters(), max_size=8))


@given(
    st.sampled_from([Op.SET, Op.INSERT]), VALUES, st.text(max_size=5), st.text("user")
)
def test_any_value_comes_back_as_it_is_spelled(
    op: Op, value: str, label: str, origin: str
) -> None:
    edit = Edit(op=op, pointer="/a", value=value, label=label, origin=origin)
    back = from_json(json.loads(json.dumps(to_json(edit))))
    assert (back, back.label) == (edit, label)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ([], "an edit is a JSON object"),
        ("drop /a", "an edit is a JSON object"),
        ({}, "an empty edit"),
        ({"op": 5}, "no edit is called '5'"),
        ({"op": "remove", "path": "/a"}, "did you mean 'drop'?"),
        ({"op": "drop", "path": "/a"}, "an edit has no 'path'; it may have"),
        ({"op": "drop"}, "a 'drop' edit needs 'pointer'"),
        ({"op": "drop", "pointer": 1}, "the 'pointer' of an edit is a string"),
        ({"op": "drop", "pointer": "a"}, "must start with '/'"),
        ({"op": "set", "pointer": "/a"}, "a 'set' edit needs 'value'"),
        ({"op": "move", "pointer": "/a"}, "a 'move' edit needs 'source'"),
        ({"op": "copy", "pointer": "/a", "source": "#/b"}, "leave out the '#'"),
        ({"op": "header", "name": "A", "value": 1}, "is a string"),
        ({"op": "unheader"}, "needs 'name'"),
        ({"op": "url"}, "needs 'value'"),
        ({"op": "set", "pointer": "/a", "base64": "?"}, "not base64"),
    ],
)
def test_data_that_is_no_edit_is_explained(data: object, problem: str) -> None:
    with pytest.raises(EditError) as caught:
        from_json(data)
    assert problem in str(caught.value)
