"""A document as rows; no terminal."""

from __future__ import annotations

import json
from typing import Any

from tests.effort import effort
from tests.tui.json.harness import (
    NULLED,
    OFFERED,
    REQUEST,
    RESTORE,
    SIGNATURE,
)

from sigscope.edits.records import Edit, Op
from sigscope.jsontext import JsonText
from sigscope.search.text import Hit, make_query
from sigscope.tui.json import NodeMark, OfferedField
from sigscope.tui.json.difference import Difference
from sigscope.tui.json.diffmodel import DiffModel
from sigscope.tui.json.documentmodel import DocumentModel, TreePage
from sigscope.tui.json.rowroom import RowRoom
from sigscope.tui.json.source import LARGE, JsonSource
from sigscope.tui.lines import plain

RAW = json.dumps(REQUEST).encode()
ROOM = RowRoom(70, 30)


def model(body: Any = None, **page: Any) -> DocumentModel:
    """A request in 70 by 30 cells."""
    raw = RAW if body is None else json.dumps(body).encode()
    found = DocumentModel(lambda: ROOM)
    found.show(TreePage(source=JsonSource(JsonText(raw)), can_switch=True, **page))
    return found


def pointer(found: DocumentModel) -> str:
    leaf = found.leaf()
    assert leaf is not None
    return leaf.pointer


def line(found: DocumentModel) -> str:
    return plain(found.line(found.row, ROOM)).rstrip()


def test_going_to_a_folded_node_unfolds_what_is_around_it() -> None:
    found = model()
    assert found.go_to("/messages/2/tool_calls/0/function/name")
    assert pointer(found).endswith("/function/name")
    assert "read_file" in line(found)
    assert not found.go_to("/messages/9")


def test_what_is_nested_without_end_is_gone_to_and_switched_at_once() -> None:
    """Unfolded from the outermost, each level would cost its depth: minutes."""
    depth = 10_000
    raw = b'{"messages":' + b"[" * depth + b'"needle"' + b"]" * depth + b"}"
    source = JsonSource(JsonText(raw))
    edits = (Edit(op=Op.SET, pointer="/user", value='"me"'),)

    def look() -> None:
        found = DocumentModel(lambda: ROOM)
        found.show(TreePage(source=source, can_switch=True))
        assert found.go_to("/messages" + "/0" * depth)
        assert "needle" in line(found)
        found.switch(edits)
        assert "needle" in line(found)

    assert effort(look, tries=1) < 2


def test_an_edit_that_adds_a_row_above_leaves_the_cursor_on_its_field() -> None:
    found = model(offered=(OFFERED,))
    found.go_to("/messages/3/role")
    before = found.row
    found.switch((RESTORE, NULLED, Edit(op=Op.SET, pointer="/user", value='"me"')))
    assert pointer(found) == "/messages/3/role"
    assert found.row >= before


def test_another_document_of_the_kind_keeps_folds_and_cursor() -> None:
    found = model()
    found.go_to("/messages/2/tool_calls/0/id")
    longer = {**REQUEST, "messages": [*REQUEST["messages"], {"role": "user"}]}
    found.show(TreePage(source=JsonSource(JsonText(json.dumps(longer).encode()))))
    assert pointer(found) == "/messages/2/tool_calls/0/id"


def test_a_large_document_goes_where_it_was_asked_to_once_it_is_read() -> None:
    source = JsonSource(
        JsonText(json.dumps({"big": "x" * LARGE, "model": "m"}).encode())
    )
    found = DocumentModel(lambda: ROOM)
    assert found.show(TreePage(source=source))
    assert found.note.startswith("reading ")
    assert found.row_count == 0
    assert found.go_to("/model")
    assert not found.take_progress(JsonSource(JsonText(b"{}")), is_done=True)
    assert found.take_progress(source, is_done=True)
    assert pointer(found) == "/model"


def test_hits_are_found_in_rows_that_are_only_offered() -> None:
    found = model(offered=(OFFERED,))
    hits = [hit for _, some in found.hits(make_query("from step 1")) for hit in some]
    assert [isinstance(what, Hit) for _, what in hits] == [False]
    assert found.reveal_hit(hits[0][1])
    assert pointer(found) == RESTORE.pointer


def test_a_badge_of_a_field_that_is_not_there_stands_in_its_offer() -> None:
    found = model(offered=(OFFERED,))
    assert "/messages/2/reasoning_opaque" in found.candidates("opaque", most=3)
    assert found.go_to(RESTORE.pointer)
    assert "☐" in line(found)


CHIP = NodeMark(
    glyph="◆", text="9f3a21", ink="sig-1", note="from step 1", target="signature:9f"
)


def test_a_signature_is_named_first_and_its_text_comes_last() -> None:
    found = model({"signature": SIGNATURE, "text": "plain"}, chips={SIGNATURE: CHIP})
    found.go_to("/signature")
    said = line(found)
    assert said.index("◆ 9f3a21 from step 1") < said.index('"XLn4')
    found.go_to("/text")
    assert "◆" not in line(found)


def test_where_there_is_little_room_a_signature_is_only_named() -> None:
    found = DocumentModel(lambda: RowRoom(34, 30))
    source = JsonSource(JsonText(json.dumps({"signature": SIGNATURE}).encode()))
    found.show(TreePage(source=source, chips={SIGNATURE: CHIP}))
    found.go_to("/signature")
    assert "◆ 9f3a21" in line(found)
    assert "XLn4" not in line(found)


def test_what_a_badge_says_of_the_same_signature_stands_in_its_chip() -> None:
    badge = NodeMark(
        glyph="◆", text="9f3a21", ink="sig-1", note="altered", target="signature:9f"
    )
    found = model(
        {"signature": SIGNATURE},
        chips={SIGNATURE: CHIP},
        marks={"/signature": (badge,)},
    )
    found.go_to("/signature")
    assert "◆ 9f3a21 altered from step 1" in line(found)
    assert line(found).count("9f3a21") == 1


def test_an_offered_signature_is_named_before_what_it_is_for() -> None:
    noted = OfferedField(
        pointer=RESTORE.pointer,
        value=RESTORE.value or "",
        note="signature 9f3a21 from step 1: it belongs here, and is missing",
        edit=RESTORE,
    )
    found = model(offered=(noted,), chips={SIGNATURE: CHIP})
    found.go_to(RESTORE.pointer)
    assert line(found).endswith("◆ 9f3a21 from step 1  it belongs here")


def test_a_signature_is_named_in_a_comparison_too() -> None:
    old, new = b'{"a": 1}', json.dumps({"a": 1, "signature": SIGNATURE}).encode()
    difference = Difference(JsonSource(JsonText(old)), JsonSource(JsonText(new)))
    compared = DiffModel()
    compared.begin("", {SIGNATURE: CHIP})
    assert compared.take(difference, difference.outline())
    assert compared.folds is not None
    said = plain(compared.line(compared.folds.row, RowRoom(80)))
    assert said.startswith("+")
    assert said.index("◆ 9f3a21 from step 1") < said.index('"XLn4')


def test_a_comparison_says_where_two_long_values_that_look_alike_differ() -> None:
    old, new = (json.dumps({"a": f"{'x' * 300}{end}"}).encode() for end in "yz")
    difference = Difference(JsonSource(JsonText(old)), JsonSource(JsonText(new)))
    compared = DiffModel()
    compared.begin("", {})
    assert compared.take(difference, difference.outline())
    assert compared.folds is not None
    said = plain(compared.line(compared.folds.row, RowRoom(80)))
    assert said.rstrip().endswith("→ differs from character 301 on")


def test_badges_are_placed_again_only_where_an_edit_makes_a_row_for_one() -> None:
    """A conversation of a thousand steps has a thousand of them."""
    badge = NodeMark(glyph="✗", text="CPC-1", ink="bad")
    marks = {"/new": (badge,), OFFERED.edit.pointer: (badge,)}
    found = model(offered=(OFFERED,), marks=marks)
    before = found.look.marks
    assert set(before.offered) == {OFFERED.edit.pointer}
    found.switch((Edit(op=Op.DROP, pointer="/messages/2/role"), RESTORE))
    assert found.look.marks is before
    found.switch((Edit(op=Op.SET, pointer="/new", value="1"),))
    assert set(found.look.marks.offered) == {"/new", OFFERED.edit.pointer}
    found.switch(())
    assert found.look.marks == before
