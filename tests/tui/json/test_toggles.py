"""What toggles change: checked against what edits do to the bytes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigscope.edits.apply import apply
from sigscope.edits.records import Edit, Op
from sigscope.jsontext import JsonText, Node
from sigscope.tui.json.overlay import Overlay, PlacedOffers
from sigscope.tui.json.source import JsonSource
from sigscope.tui.json.subject import OfferedField
from sigscope.tui.json.toggles import (
    NoToggle,
    Toggled,
    set_value,
    toggle_envelope,
    toggle_node,
    toggle_offer,
)

BODY = {"model": "m", "messages": [{"role": "user", "content": []}, {"role": "tool"}]}
RAW = json.dumps(BODY).encode()


def overlay(
    *edits: Edit,
    offered: tuple[OfferedField, ...] = (),
    parked: tuple[Edit, ...] = (),
    raw: bytes = RAW,
) -> Overlay:
    source = JsonSource(JsonText(raw))
    return Overlay(source, edits, PlacedOffers(source, offered), parked)


def node(over: Overlay, pointer: str) -> Node:
    found = over.source.maybe_locate(pointer)
    assert found is not None
    return found


def done(outcome: Toggled | NoToggle) -> Toggled:
    assert isinstance(outcome, Toggled)
    return outcome


def offer(pointer: str, value: str, op: Op = Op.SET) -> OfferedField:
    edit = Edit(op=op, pointer=pointer, value=value)
    return OfferedField(pointer=pointer, value=value, note="from step 1", edit=edit)


def test_a_field_is_dropped_and_comes_back() -> None:
    over = overlay()
    off = done(toggle_node(over, node(over, "/messages/0/content")))
    assert off.edits == (Edit(op=Op.DROP, pointer="/messages/0/content"),)
    assert off.label == "drop /messages/0/content"
    over = overlay(*off.edits)
    on = done(toggle_node(over, node(over, "/messages/0/content")))
    assert on.edits == ()
    assert on.parked is None


json_values: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.integers(0, 9), st.text(max_size=3)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.text(max_size=3), inner, max_size=3),
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.text(max_size=3), json_values, min_size=1), st.data())
def test_toggling_any_field_twice_gives_the_recorded_bytes(
    body: dict[str, Any], data: st.DataObject
) -> None:
    raw = json.dumps(body, ensure_ascii=False).encode()
    source = JsonSource(JsonText(raw))
    nodes = [n for level in source.document.levels() for n in level if n.parent]
    chosen = data.draw(st.sampled_from(nodes))
    pointer = source.pointer(chosen)
    over = Overlay(source)
    off = done(toggle_node(over, chosen))
    shorter = apply(off.edits, raw)
    assert len(shorter) < len(raw)
    over = Overlay(JsonSource(JsonText(raw)), off.edits)
    on = done(toggle_node(over, node(over, pointer)))
    assert apply(on.edits, raw) == raw


def test_a_changed_field_goes_back_and_its_value_stays_in_sight() -> None:
    edit = Edit(op=Op.SET, pointer="/messages/0/content", value="null")
    over = overlay(edit)
    taken = over.taken(node(over, "/messages/0/content"))
    assert taken is not None
    assert taken.text == "null"
    outcome = done(toggle_node(over, node(over, "/messages/0/content")))
    assert outcome.edits == ()
    assert outcome.parked == edit
    again = overlay(parked=(edit,))
    ((before, row),) = again.added(node(again, "/messages/0"))
    assert (before, row.is_on, row.text) == (2, False, "null")
    assert done(toggle_offer(again, row)).edits == (edit,)


def test_dropping_a_field_takes_the_edits_inside_it_along() -> None:
    inside = Edit(op=Op.SET, pointer="/messages/0/content", value="null")
    added = Edit(op=Op.SET, pointer="/messages/0/name", value='"x"')
    beside = Edit(op=Op.DROP, pointer="/model")
    over = overlay(inside, beside, added)
    outcome = done(toggle_node(over, node(over, "/messages/0")))
    assert outcome.edits == (beside, Edit(op=Op.DROP, pointer="/messages/0"))
    assert outcome.label == "drop /messages/0 and 2 edits inside it"
    assert json.loads(apply(outcome.edits, RAW)) == {"messages": [{"role": "tool"}]}


def test_what_stands_in_a_dropped_field_is_off_with_it() -> None:
    over = overlay(Edit(op=Op.DROP, pointer="/messages/0"))
    inner = node(over, "/messages/0/role")
    assert over.taken_above(inner) is not None
    outcome = toggle_node(over, inner)
    assert isinstance(outcome, NoToggle)
    assert outcome.reason == "/messages/0 is off; toggle that first"


def test_the_whole_body_cannot_be_switched_off() -> None:
    over = overlay()
    assert isinstance(toggle_node(over, over.source.root), NoToggle)


def test_an_offered_field_is_set_and_taken_back() -> None:
    row = offer("/messages/1/content", '"hi"')
    over = overlay(offered=(row,))
    ((before, shown),) = over.added(node(over, "/messages/1"))
    assert (before, shown.key, shown.note) == (1, "content", "from step 1")
    outcome = done(toggle_offer(over, shown))
    assert outcome.edits == (row.edit,)
    over = overlay(*outcome.edits, offered=(row,))
    ((_, shown),) = over.added(node(over, "/messages/1"))
    assert shown.is_on
    assert done(toggle_offer(over, shown)).edits == ()


def test_an_offer_for_another_value_replaces_the_one_that_was_on() -> None:
    one, other = offer("/model", '"a"'), offer("/model", '"b"')
    over = overlay(one.edit, offered=(one, other))
    ((_, shown),) = over.added(over.source.root)
    assert shown.edit == other.edit
    assert done(toggle_offer(over, shown)).edits == (other.edit,)


def test_an_offer_inside_a_dropped_field_brings_the_field_back() -> None:
    row = offer("/messages/1/content", '"hi"')
    over = overlay(Edit(op=Op.DROP, pointer="/messages/1"), offered=(row,))
    ((_, shown),) = over.added(node(over, "/messages/1"))
    assert done(toggle_offer(over, shown)).edits == (row.edit,)


def test_an_offer_that_fits_nowhere_is_no_row() -> None:
    over = overlay(offered=(offer("/nowhere/at/all", "1"),))
    assert over.containers() == ()


def test_rows_of_one_place_keep_their_order_when_one_is_switched_on() -> None:
    rows = tuple(offer(f"/messages/1/{key}", "1") for key in "abc")
    for on in range(3):
        over = overlay(rows[on].edit, offered=rows)
        shown = over.added(node(over, "/messages/1"))
        assert [row.key for _, row in shown] == ["a", "b", "c"]


def test_an_insert_stands_where_it_goes() -> None:
    edit = Edit(op=Op.INSERT, pointer="/messages/1", value='{"role":"x"}')
    over = overlay(edit)
    ((before, shown),) = over.added(node(over, "/messages"))
    assert (before, shown.key, shown.is_on) == (1, None, True)


def test_whole_items_go_in_as_they_are_offered_whichever_comes_first() -> None:
    rows = tuple(offer("/messages/1", f'"{name}"', Op.INSERT) for name in "abc")
    over = overlay(rows[2].edit, rows[1].edit, offered=rows)
    shown = [row for _, row in over.added(node(over, "/messages"))]
    assert [row.text for row in shown] == ['"a"', '"b"', '"c"']
    over = overlay(rows[1].edit, offered=rows)
    for row, wanted in ((rows[0], (0, 1)), (rows[2], (1, 2))):
        (again,) = [
            s for _, s in over.added(node(over, "/messages")) if s.edit == row.edit
        ]
        outcome = done(toggle_offer(over, again))
        assert outcome.edits == tuple(rows[n].edit for n in wanted)


def test_a_moved_field_is_off_and_says_where_it_went() -> None:
    edit = Edit(op=Op.MOVE, source="/model", pointer="/messages/0/model")
    over = overlay(edit)
    taken = over.taken(node(over, "/model"))
    assert taken is not None
    assert (taken.text, taken.goes_to) == (None, "/messages/0/model")
    ((_, shown),) = over.added(node(over, "/messages/0"))
    assert (shown.key, shown.text, shown.note) == ("model", '"m"', "moved from /model")
    assert done(toggle_node(over, node(over, "/model"))).edits == ()


def test_edits_of_headers_and_misfits_are_kept_apart_and_can_go() -> None:
    header = Edit(op=Op.HEADER, name="x-a", value="1")
    misfit = Edit(op=Op.DROP, pointer="/not/there")
    over = overlay(header, misfit)
    assert over.envelope == (header,)
    ((edit, why),) = over.misfits
    assert edit == misfit
    assert "/not/there" in why
    assert toggle_envelope(over, misfit).edits == (header,)
    row = offer("/messages/1/content", "1")
    over = overlay(misfit, offered=(row,))
    ((_, shown),) = over.added(node(over, "/messages/1"))
    assert done(toggle_offer(over, shown)).edits == (misfit, row.edit)


@pytest.mark.parametrize("text", ["null", '"other"', "{}"])
def test_setting_a_value_replaces_what_was_set_before(text: str) -> None:
    before = Edit(op=Op.SET, pointer="/messages", value="1")
    over = overlay(before)
    outcome = done(set_value(over, node(over, "/messages"), text))
    assert outcome.edits == (Edit(op=Op.SET, pointer="/messages", value=text),)


def test_setting_the_recorded_value_is_no_edit() -> None:
    before = Edit(op=Op.SET, pointer="/model", value="1")
    over = overlay(before)
    assert done(set_value(over, node(over, "/model"), '"m"')).edits == ()
