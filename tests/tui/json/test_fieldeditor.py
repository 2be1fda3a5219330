"""What is done to a field of the request becomes edits, a question, or words."""

from __future__ import annotations

import json
from pathlib import Path

from tests.tui.json.test_documentmodel import RAW, ROOM, line, model, pointer

from sigscope.edits.apply import apply
from sigscope.edits.records import Edit, Op
from sigscope.jsontext import JsonText
from sigscope.tui.editor import EditedFile
from sigscope.tui.json.documentmodel import DocumentModel, TreePage
from sigscope.tui.json.fieldeditor import (
    Carried,
    EditRemark,
    FieldEditor,
    FieldQuestion,
)
from sigscope.tui.json.sheets import ValueFile
from sigscope.tui.json.source import JsonSource
from sigscope.tui.json.toggles import NoToggle, Toggled
from sigscope.tui.symbols import UNICODE


def test_a_toggle_drops_a_field_and_takes_it_back() -> None:
    found = model()
    editor = FieldEditor(found)
    found.go_to("/stream")
    dropped = editor.toggle()
    assert isinstance(dropped, Toggled)
    assert b'"stream"' not in apply(dropped.edits, RAW)
    found.switch(dropped.edits)
    again = editor.toggle()
    assert isinstance(again, Toggled)
    assert again.edits == ()


def test_an_edit_that_nobody_offers_stays_in_sight_when_it_is_off() -> None:
    edit = Edit(op=Op.SET, pointer="/user", value='"me"')
    found = model(edits=(edit,))
    found.go_to("/user")
    outcome = FieldEditor(found).toggle()
    assert isinstance(outcome, Toggled)
    found.switch(outcome.edits)
    assert pointer(found) == "/user"
    assert line(found).startswith("☐")


def test_what_is_no_request_cannot_be_switched_and_says_so() -> None:
    found = DocumentModel(lambda: ROOM)
    found.show(TreePage(source=JsonSource(JsonText(RAW))))
    editor = FieldEditor(found)
    assert isinstance(editor.toggle(), NoToggle)
    assert isinstance(editor.value(), EditRemark)
    assert isinstance(editor.sheet(), EditRemark)


def test_a_marked_field_goes_where_the_cursor_is() -> None:
    found = model({"a": {"x": 1}, "b": {"y": 2}})
    editor = FieldEditor(found)
    found.go_to("/a/x")
    assert editor.carry(Op.MOVE) is None
    assert editor.marks(UNICODE).keys() == {"/a/x"}
    found.go_to("/b/y")
    said = editor.doing(UNICODE, forget="f9", put="enter")
    assert said == "f9 forgets · enter: move as /b/x"
    outcome = editor.put()
    assert isinstance(outcome, Toggled)
    sent = apply(outcome.edits, b'{"a": {"x": 1}, "b": {"y": 2}}')
    assert json.loads(sent) == {"a": {}, "b": {"y": 2, "x": 1}}
    assert editor.carried is None


def test_an_element_that_becomes_a_member_asks_for_a_name() -> None:
    found = model({"a": [1], "b": {}})
    editor = FieldEditor(found)
    found.go_to("/a/0")
    editor.carry(Op.COPY)
    found.go_to("/b")
    asked = editor.put()
    assert asked == FieldQuestion("name")
    named = editor.answer("name", "one")
    assert isinstance(named, Toggled)
    sent = json.loads(apply(named.edits, b'{"a": [1], "b": {}}'))
    assert sent == {"a": [1], "b": {"one": 1}}


def test_the_whole_body_cannot_be_moved() -> None:
    said = FieldEditor(model()).carry(Op.MOVE)
    assert said == EditRemark("the whole body cannot be moved", "warning", seconds=6)


def test_the_same_again_on_a_marked_field_forgets_it() -> None:
    found = model({"a": 1, "b": 2})
    editor = FieldEditor(found)
    found.go_to("/a")
    editor.carry(Op.MOVE)
    editor.carry(Op.COPY)
    assert editor.carried == Carried(Op.COPY, "/a")
    editor.carry(Op.COPY)
    assert editor.carried is None
    assert editor.put() == EditRemark(
        "point at a field of the recorded request", "warning", seconds=6
    )


def test_a_value_is_asked_for_as_it_would_be_sent_and_the_answer_is_an_edit() -> None:
    found = model({"a": 1})
    editor = FieldEditor(found)
    found.go_to("/a")
    assert editor.value() == FieldQuestion("value", "1")
    outcome = editor.answer("value", '{"b": 2}')
    assert isinstance(outcome, Toggled)
    assert json.loads(apply(outcome.edits, b'{"a": 1}')) == {"a": {"b": 2}}
    found.switch(outcome.edits)
    assert editor.value() == FieldQuestion("value", '{"b": 2}')


def test_what_stands_in_a_field_that_is_off_is_not_edited() -> None:
    off = Edit(op=Op.DROP, pointer="/a")
    found = model({"a": {"x": 1}}, edits=(off,))
    found.go_to("/a/x")
    editor = FieldEditor(found)
    for said in (editor.sheet(), editor.answer("value", "2")):
        assert isinstance(said, EditRemark)
        assert said.severity == "warning"
        assert "inside something that is off" in said.text


def test_a_text_that_is_no_json_is_kept_to_go_on_with(tmp_path: Path) -> None:
    found = model({"a": [1]})
    editor = FieldEditor(found)
    found.go_to("/a")
    sheet = editor.sheet()
    assert isinstance(sheet, ValueFile)
    path = tmp_path / "value.json"
    path.write_bytes(b"[1, ")
    said = editor.take_back(sheet, EditedFile(data=b"[1, ", path=path))
    assert isinstance(said, EditRemark)
    assert said.severity == "error"
    assert editor.kept_file(sheet) == path
    came = editor.take_back(sheet, EditedFile(data=b"[1, 2]", path=path))
    assert isinstance(came, Toggled)
    assert json.loads(apply(came.edits, b'{"a": [1]}')) == {"a": [1, 2]}
    assert not path.exists()
    assert editor.kept_file(sheet) is None
