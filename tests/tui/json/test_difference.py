"""Two documents as one tree."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from sigscope.jsontext import JsonText
from sigscope.tui.json.difference import (
    Difference,
    DifferenceRow,
    SameRows,
    TextLine,
    text_lines,
)
from sigscope.tui.json.source import JsonSource


def difference(old: Any, new: Any, **more: Any) -> Difference:
    return Difference(source(old), source(new), **more)


def source(value: Any) -> JsonSource:
    raw = value if isinstance(value, bytes) else json.dumps(value).encode()
    return JsonSource(JsonText(raw))


def listed(found: Difference) -> list[str]:
    """Each row as "sign old new" with pointers."""
    outline = found.outline()
    rows = []
    for spot in outline.window(0, len(outline)):
        item = spot.item
        if isinstance(item, DifferenceRow):
            old = found.old.pointer(item.old) if item.old is not None else "."
            new = found.new.pointer(item.new) if item.new is not None else "."
            rows.append(f"{item.op} {old or '/'} {new or '/'}")
        else:
            assert isinstance(item, SameRows)
            rows.append(f"gap {item.count}")
    return rows


def test_equal_documents_are_the_same() -> None:
    assert listed(difference({"a": [1, 2]}, {"a": [1, 2]})) == ["same / /"]


def test_white_space_and_order_are_another_spelling() -> None:
    assert listed(difference(b'{"a":1}', b'{"a": 1}')) == ["spelled / /"]
    assert listed(difference(b'{"a":1,"b":2}', b'{"b":2,"a":1}')) == ["spelled / /"]


def test_a_change_a_removal_and_an_addition() -> None:
    old = {"keep": 1, "gone": 2, "other": [1, 2, 3], "last": 0}
    new = {"keep": 1, "fresh": 9, "other": [1, 5, 3], "last": 0}
    assert listed(difference(old, new)) == [
        "inside / /",
        "gap 1",
        "added . /fresh",
        "removed /gone .",
        "inside /other /other",
        "gap 1",
        "changed /other/1 /other/1",
        "gap 1",
        "gap 1",
    ]


def test_with_everything_shown_there_are_no_gaps() -> None:
    found = difference({"a": 1, "b": 2}, {"a": 1, "b": 3}, only_differing=False)
    assert listed(found) == ["inside / /", "same /a /a", "changed /b /b"]


def test_an_inserted_message_shifts_the_others_without_changing_them() -> None:
    messages = [{"role": "user", "content": str(n)} for n in range(5)]
    extra = {"role": "assistant", "content": "new"}
    old, new = (
        {"messages": messages},
        {"messages": [*messages[:2], extra, *messages[2:]]},
    )
    assert listed(difference(old, new)) == [
        "inside / /",
        "inside /messages /messages",
        "gap 2",
        "added . /messages/2",
        "gap 3",
    ]


def test_a_message_is_recognised_by_the_calls_in_it() -> None:
    call = {"role": "assistant", "tool_calls": [{"id": "c1"}], "content": []}
    other = {"role": "assistant", "tool_calls": [{"id": "c2"}], "content": []}
    old = [{"role": "user"}, call, other]
    new = [call | {"content": None}, other]
    assert "inside /1 /0" in listed(difference(old, new))


def test_a_signature_on_another_anchor_is_a_move() -> None:
    signature = "XLn4be0oRXKa" * 4
    found = difference(
        {"message": {"opaque": signature}, "call": {}},
        {"message": {}, "call": {"opaque": signature}},
    )
    outline = found.outline()
    found.note_moves(outline)
    assert set(found.moves.values()) == {
        "moved to /call/opaque",
        "moved from /message/opaque",
    }


def test_figures_count_each_difference_once() -> None:
    old = {"a": {"x": 1, "y": [1, 2]}, "b": 1, "c": 1}
    new = {"b": 2, "d": {"z": [1]}, "c": 1.0}
    found = difference(old, new)
    outline = found.outline()
    assert found.figures(outline) == {
        "removed": 1,
        "added": 1,
        "changed": 2,
        "spelled": 0,
    }


def test_repeated_keys_are_paired_in_their_order() -> None:
    found = difference(b'{"a": 1, "a": 2}', b'{"a": 1, "a": 3}')
    assert "changed /a /a" in listed(found)


def test_a_changed_text_is_shown_line_by_line() -> None:
    old = "\n".join(f"line {n}" for n in range(20))
    new = old.replace("line 10\n", "line ten\n")
    assert list(text_lines(old, new)) == [
        SameRows(8),
        TextLine(" ", "line 8"),
        TextLine(" ", "line 9"),
        TextLine("-", "line 10", 5),
        TextLine("+", "line ten", 5),
        TextLine(" ", "line 11"),
        TextLine(" ", "line 12"),
        SameRows(7),
    ]


values: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.integers(0, 3), st.text("ab", max_size=2)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.text("abc", max_size=1), inner, max_size=3),
    ),
    max_leaves=12,
)


def rebuilt(found: Difference, item: DifferenceRow, side: str) -> list[Any]:
    """All leaves of one side, by walking the differences."""
    node = item.old if side == "old" else item.new
    if node is None:
        return []
    source = found.old if side == "old" else found.new
    if item.op == "inside":
        leaves = [rebuilt(found, child, side) for child in found.children(item)]
        return [leaf for group in leaves for leaf in group]
    return [source.text(node)]


@given(values, values)
def test_nothing_of_either_document_is_lost(old: Any, new: Any) -> None:
    found = difference(old, new)
    root = found.compare(found.old.root, found.new.root)
    for side, raw in (("old", json.dumps(old)), ("new", json.dumps(new))):
        pieces = rebuilt(found, root, side)
        assert all(piece.decode() in raw for piece in pieces)
        digits = sorted(c for piece in pieces for c in piece.decode() if c.isdigit())
        assert digits == sorted(c for c in raw if c.isdigit())
