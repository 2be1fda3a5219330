"""Two requests as one tree of rows."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import (
    GREP,
    LS,
    OPAQUE_B,
    READ,
    Call,
    copilot,
    result,
    system,
    user,
)
from tests.unit.comparison.halves import CHAT, NATIVE, OF, half, plain
from tests.unit.edits.bodies import UNIQUE
from tests.unit.jsontext.texts import ANYTHING, JSON

from sigscope.comparison import (
    EVERYTHING,
    ComparedRow,
    Comparison,
    Half,
    Mask,
    RowChange,
    compare,
)
from sigscope.edits.apply import apply, diff

IDS_AND_TEXT = frozenset({Mask.TEXT, Mask.IDS})


def told(comparison: Comparison) -> list[tuple[str, str, str]]:
    return [(r.op, r.left_place, r.right_place) for r in comparison.differences]


def chat(*messages: Any) -> Half:
    return half("copilot-chat", list(messages))


def named(call: Call, call_id: str) -> Call:
    return (call_id, *call[1:])


# --- Without masks --------------------------------------------------------------------


@given(UNIQUE, UNIQUE)
def test_all_differences_as_edits_make_the_requests_equal(
    one: bytes, other: bytes
) -> None:
    found = compare(plain(one), plain(other))
    assert json.loads(apply(found.all_edits("left"), one)) == json.loads(other)
    assert json.loads(apply(found.all_edits("right"), other)) == json.loads(one)
    assert (not found.differences) == (not diff(one, other))


@given(JSON, JSON)
def test_repeated_keys_and_odd_spellings_are_carried_over(
    one: bytes, other: bytes
) -> None:
    found = compare(plain(one), plain(other))
    assert not diff(apply(found.all_edits("left"), one), other)


@given(ANYTHING, ANYTHING)
def test_any_two_texts_can_be_compared_and_edited(one: bytes, other: bytes) -> None:
    found = compare(plain(one), plain(other))
    apply(found.all_edits("left"), one)
    assert (not found.differences) == (not diff(one, other))


@given(UNIQUE)
def test_a_request_differs_in_nothing_from_itself(body: bytes) -> None:
    found = compare(plain(body), plain(body))
    assert (found.root.op, found.differences) == (RowChange.SAME, ())


@given(st.data())
def test_every_subset_of_differences_can_be_carried_over(data: st.DataObject) -> None:
    one, other = data.draw(UNIQUE), data.draw(UNIQUE)
    found = compare(plain(one), plain(other))
    some = [row for row in found.differences if data.draw(st.booleans())]
    apply([edit for row in some for edit in found.edits(row, "left")], one)


def test_messages_are_aligned_by_role_and_call_not_by_place() -> None:
    late = [system(), user(), copilot(LS), result(LS), copilot(READ), result(READ)]
    cut = [user(), copilot(LS, opaque=None), result(LS), copilot(READ), result(READ)]
    assert told(compare(chat(*late), chat(*cut))) == [
        ("left only", "/messages/0", "/messages/0"),
        ("left only", "/messages/2/reasoning_opaque", "/messages/1/reasoning_opaque"),
    ]


def test_a_call_of_another_session_is_aligned_by_its_function() -> None:
    mine = chat(user(), copilot(LS), result(LS), copilot(GREP), result(GREP))
    grep = named(GREP, "call_x")
    theirs = chat(user("Other"), copilot(grep, thought="Why?"), result(grep))
    rows = {(r.op, r.left_place) for r in compare(mine, theirs).differences}
    assert (RowChange.LEFT, "/messages/1") in rows
    assert (RowChange.CHANGED, "/messages/3/tool_calls/0/id") in rows


def test_pointers_of_what_is_missing_say_where_it_would_stand() -> None:
    found = compare(chat(user()), chat(user(), copilot(LS), result(LS)))
    assert told(found) == [
        ("right only", "/messages/-", "/messages/1"),
        ("right only", "/messages/-", "/messages/2"),
    ]
    changed = apply(found.all_edits("left"), found.left.text)
    assert json.loads(changed) == json.loads(found.right.text.raw)


def test_a_difference_alone_becomes_the_edit_that_mends_it() -> None:
    found = compare(chat(user(), copilot(LS, opaque=None)), chat(user(), copilot(LS)))
    (row,) = found.differences
    (edit,) = found.edits(row, "left")
    assert (edit.op, edit.pointer) == ("set", "/messages/1/reasoning_opaque")
    assert edit.value == json.dumps(copilot(LS)["reasoning_opaque"])
    (back,) = found.edits(row, "right")
    assert (back.op, back.pointer) == ("drop", "/messages/1/reasoning_opaque")


def test_next_difference_goes_round() -> None:
    found = compare(plain(b'{"a":1,"b":2,"c":3}'), plain(b'{"a":1,"b":3,"c":4}'))
    first, second = found.differences
    assert found.following(None, 1) is first
    assert found.following(None, -1) is second
    assert found.following(second, 1) is first
    assert found.following(first, -1) is second
    assert compare(plain(b"1"), plain(b"1")).following(None, 1) is None


def test_what_is_the_same_can_be_looked_into() -> None:
    found = compare(chat(user(), copilot(LS)), chat(user(), copilot(LS, opaque=None)))
    (messages,) = [r for r in found.root.below if r.left_place == "/messages"]
    same = messages.below[0]
    assert same.op is RowChange.SAME
    assert found.has_below(same)
    assert [r.left_place for r in found.below(same)] == [
        "/messages/0/role",
        "/messages/0/content",
    ]
    assert found.below(same) is found.below(same)


@pytest.mark.slow
def test_depth_without_end_is_one_value() -> None:
    deep = b"[" * 5000 + b"1" + b"]" * 5000
    other = b"[" * 5000 + b"2" + b"]" * 5000
    found = compare(plain(deep), plain(other))
    (row,) = found.differences
    assert apply(found.edits(row, "left"), deep) == other


# --- Masks ----------------------------------------------------------------------------


def other_session() -> list[Any]:
    """CHAT, had by other people: other words, ids and signatures; the same shape."""
    ls, read = named(LS, "call_8"), named(READ, "call_9")
    return [
        system("Be brief."),
        user("List it."),
        copilot(ls, opaque=OPAQUE_B, thought="Hm."),
        result(ls, "b.md"),
        copilot(read, opaque=OPAQUE_B[::-1], thought="Hm, hm."),
        result(read, "Nothing in it."),
    ]


def test_only_shape_and_carriers_are_left_when_all_is_masked() -> None:
    found = compare(chat(*CHAT), chat(*other_session()), EVERYTHING)
    assert found.differences == ()
    assert found.root.op is RowChange.MASKED


def test_signatures_still_differ_when_text_and_ids_are_masked() -> None:
    found = compare(chat(*CHAT), chat(*other_session()), IDS_AND_TEXT)
    assert [r.left_place for r in found.differences] == [
        "/messages/2/reasoning_opaque",
        "/messages/4/reasoning_opaque",
    ]


def test_a_missing_carrier_is_no_matter_of_masks() -> None:
    theirs = other_session()
    del theirs[2]["reasoning_opaque"]
    (row,) = compare(chat(*CHAT), chat(*theirs), EVERYTHING).differences
    assert (row.op, row.left_place) == (RowChange.LEFT, "/messages/2/reasoning_opaque")


@pytest.mark.parametrize("content", [[], None, "", ["x"]])
def test_types_and_emptiness_are_shape(content: Any) -> None:
    theirs = other_session()
    theirs[1]["content"] = content
    (row,) = compare(chat(*CHAT), chat(*theirs), EVERYTHING).differences
    assert (row.op, row.left_place) == (RowChange.CHANGED, "/messages/1/content")


def test_ids_are_equal_only_up_to_one_renaming() -> None:
    theirs = other_session()
    theirs[5]["tool_call_id"] = "call_8"
    found = compare(chat(*CHAT), chat(*theirs), EVERYTHING)
    (row,) = found.differences
    assert row.left_place == "/messages/5/tool_call_id"
    (edit,) = found.edits(row, "left")
    assert edit.value == '"call_1"'  # what call_8 is called on this side


def test_a_message_carried_over_names_the_calls_of_its_new_home() -> None:
    mine = CHAT[:-1]
    found = compare(chat(*mine), chat(*other_session()), EVERYTHING)
    (row,) = found.differences
    (edit,) = found.edits(row, "left")
    assert json.loads(edit.value or "")["tool_call_id"] == READ[0]
    (back,) = found.edits(row, "right")
    assert (back.op, back.pointer) == ("drop", "/messages/5")


def test_a_stand_in_is_not_masked_as_a_signature() -> None:
    theirs = other_session()
    theirs[2]["reasoning_opaque"] = "skip_thought_signature_validator"
    (row,) = compare(chat(*CHAT), chat(*theirs), EVERYTHING).differences
    assert row.left_place == "/messages/2/reasoning_opaque"


@st.composite
def histories(draw: st.DrawFn) -> list[Any]:
    """Conversations with calls, signatures that come and go, and damage."""
    found = [system(draw(st.sampled_from(["A.", "B."])))] * draw(st.integers(0, 1))
    for turn in range(draw(st.integers(1, 3))):
        found.append(user(draw(st.sampled_from(["Hi", "Go on", "Stop"]))))
        base = draw(st.sampled_from([LS, READ, GREP]))
        call = named(base, f"{draw(st.sampled_from('xyz'))}{turn}")
        opaque = draw(st.sampled_from([None, OPAQUE_B, "AAAA"]))
        content = draw(st.sampled_from([None, [], "", "Well."]))
        found.append(copilot(call, opaque=opaque, content=content, thought=None))
        if draw(st.booleans()):
            found.append(result(call, draw(st.sampled_from(["r", "s"]))))
    return found


@given(histories(), histories(), st.sets(st.sampled_from(Mask)).map(frozenset))
def test_carried_over_differences_leave_none_under_the_same_masks(
    one: list[Any], other: list[Any], masks: frozenset[Mask]
) -> None:
    mine, theirs = chat(*one), chat(*other)
    found = compare(mine, theirs, masks)
    changed = json.loads(apply(found.all_edits("left"), mine.text))
    after = compare(chat(*changed["messages"]), theirs, masks)
    assert told(after) == []


# --- Dialects -------------------------------------------------------------------------


@pytest.mark.parametrize("mine", OF)
@pytest.mark.parametrize("theirs", OF)
def test_any_two_dialects_can_be_made_equal(mine: str, theirs: str) -> None:
    left, right = half(mine, OF[mine]), half(theirs, OF[theirs])
    found = compare(left, right)
    changed = apply(found.all_edits("left"), left.text)
    assert json.loads(changed) == json.loads(right.text.raw)
    back = apply(found.all_edits("right"), right.text)
    assert json.loads(back) == json.loads(left.text.raw)


def history_row(found: Comparison) -> ComparedRow:
    (row,) = [r for r in found.root.below if r.what == "history"]
    return row


def test_histories_of_two_dialects_are_aligned_by_what_they_say() -> None:
    found = compare(half("copilot-chat", CHAT), half("gemini", NATIVE), EVERYTHING)
    row = history_row(found)
    assert [(r.op, r.left_place, r.right_place) for r in row.below] == [
        (RowChange.LEFT, "/messages/0", "/contents/0"),
        (RowChange.SAME, "/messages/1", "/contents/0"),
        (RowChange.INSIDE, "/messages/2", "/contents/1"),
        (RowChange.MASKED, "/messages/3", "/contents/2"),
        (RowChange.INSIDE, "/messages/4", "/contents/3"),
        (RowChange.MASKED, "/messages/5", "/contents/4"),
    ]
    call = row.below[2]
    assert [(r.op, r.name, r.left_place, r.right_place) for r in call.below] == [
        (RowChange.LEFT, "thought", "/messages/2/reasoning_text", "/contents/1"),
        (
            RowChange.SAME,
            "arguments",
            "/messages/2/tool_calls/0",
            "/contents/1/parts/0",
        ),
        (
            RowChange.MASKED,
            "signature",
            "/messages/2/reasoning_opaque",
            "/contents/1/parts/0/thoughtSignature",
        ),
    ]


def test_a_signature_of_another_dialect_is_carried_over_into_its_carrier() -> None:
    found = compare(half("copilot-chat", CHAT), half("gemini", NATIVE))
    (row,) = [
        r
        for r in found.differences
        if r.what == "signature" and r.left_place == "/messages/2/reasoning_opaque"
    ]
    (edit,) = found.edits(row, "left")
    assert (edit.op, edit.pointer) == ("set", "/messages/2/reasoning_opaque")
    assert edit.value == json.dumps(NATIVE[1]["parts"][0]["thoughtSignature"])


def test_arguments_of_another_dialect_are_written_as_this_one_writes_them() -> None:
    other = [*NATIVE]
    ls = ("call_1", "list_files", {"path": "docs"})
    other[1] = {"role": "model", "parts": [{"functionCall": {
        "id": ls[0], "name": ls[1], "args": ls[2]}}]}  # fmt: skip
    found = compare(half("copilot-chat", CHAT), half("gemini", other))
    (row,) = [r for r in found.differences if r.name == "arguments"]
    (mine,) = found.edits(row, "left")
    assert mine.pointer == "/messages/2/tool_calls/0/function/arguments"
    assert json.loads(json.loads(mine.value or "")) == {"path": "docs"}
    (theirs,) = found.edits(row, "right")
    assert theirs.pointer == "/contents/1/parts/0/functionCall/args"
    assert json.loads(theirs.value or "") == {"path": "."}
