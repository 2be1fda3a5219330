"""A changed copy gives the fewest edits that lead to it."""

from __future__ import annotations

import copy
import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests import builders as b
from tests.unit.readymade.making import context_of, step

from sigscope.edits.apply import apply
from sigscope.edits.records import Edit, Op
from sigscope.readymade.context import Context
from sigscope.readymade.draft import Draft, put

HISTORY = [
    b.system(),
    b.user(),
    b.copilot(b.LS, b.READ),
    b.result(b.LS),
    b.result(b.READ),
]


def told(edits: tuple[Edit, ...]) -> list[tuple[Op, str, str | None]]:
    return [(edit.op, edit.pointer, edit.value) for edit in edits]


def of_body(body: bytes) -> Context:
    return context_of(b.read([b.exchange("copilot-chat", body, "{}")]))


def test_an_unchanged_draft_has_no_edits() -> None:
    draft = Draft(step("copilot-chat", HISTORY))
    for index in range(len(HISTORY)):
        draft.message(index)
    assert draft.edits() == ()


def test_members_are_set_dropped_and_added() -> None:
    draft = Draft(step("copilot-chat", HISTORY))
    message = draft.message(2)
    message["content"] = ""
    del message["reasoning_text"]
    message["x/y"] = [1]
    draft.body["stream"] = True
    assert told(draft.edits()) == [
        (Op.SET, "/messages/2/content", '""'),
        (Op.DROP, "/messages/2/reasoning_text", None),
        (Op.SET, "/messages/2/x~1y", "[1]"),
        (Op.SET, "/stream", "true"),
    ]


def test_setting_the_value_that_stands_there_is_no_change() -> None:
    draft = Draft(step("copilot-chat", HISTORY))
    draft.message(2)["content"] = None
    draft.message(2)["tool_calls"] = b.chat_calls(b.LS, b.READ)
    assert draft.edits() == ()


def test_true_is_not_one() -> None:
    context = of_body(b'{"messages": [{"role": "user", "content": "a", "n": 1}]}')
    draft = Draft(context)
    draft.message(0)["n"] = True
    assert told(draft.edits()) == [(Op.SET, "/messages/0/n", "true")]


def test_inserts_stand_before_the_next_one_that_stays() -> None:
    draft = Draft(step("copilot-chat", HISTORY))
    draft.items.insert(2, {"role": "user", "content": "one"})
    draft.items.insert(3, {"role": "user", "content": "two"})
    draft.items.append({"role": "user", "content": "end"})
    del draft.items[0]
    assert told(draft.edits()) == [
        (Op.DROP, "/messages/0", None),
        (Op.INSERT, "/messages/2", '{"role": "user", "content": "one"}'),
        (Op.INSERT, "/messages/2", '{"role": "user", "content": "two"}'),
        (Op.INSERT, "/messages/-", '{"role": "user", "content": "end"}'),
    ]


def test_elements_in_another_order_are_one_new_list() -> None:
    draft = Draft(step("copilot-chat", HISTORY))
    draft.items.reverse()
    (edit,) = draft.edits()
    assert (edit.op, edit.pointer) == (Op.SET, "/messages")
    assert json.loads(edit.value or "") == HISTORY[::-1]


def test_a_message_is_found_by_its_recorded_index_wherever_it_stands_now() -> None:
    draft = Draft(step("copilot-chat", HISTORY))
    draft.items.insert(0, {"role": "user", "content": "new"})
    assert draft.message(2)["reasoning_opaque"] == b.OPAQUE
    assert draft.position(2) == 3
    draft.items.pop(3)
    assert draft.message(2) == {}
    assert draft.position(2) == -1


def test_removing_takes_empty_holders_along_but_no_others() -> None:
    message = b.litellm(b.LS, b.READ)
    first, second = message["tool_calls"]
    second["provider_specific_fields"] = {"thought_signature": b.SIG_B, "x": 1}
    second["extra_content"] = {"google": {"thought_signature": b.SIG_B}}
    draft = Draft(step("litellm", [b.user(), message, b.result(b.LS)]))
    at = "/messages/1/tool_calls"
    draft.remove(1, f"{at}/0/provider_specific_fields/thought_signature")
    draft.remove(1, f"{at}/1/provider_specific_fields/thought_signature")
    draft.remove(1, f"{at}/1/extra_content/google/thought_signature")
    draft.remove(1, f"{at}/0/function/name")
    assert told(draft.edits()) == [
        (Op.DROP, f"{at}/0/function/name", None),
        (Op.DROP, f"{at}/0/provider_specific_fields", None),
        (Op.DROP, f"{at}/1/provider_specific_fields/thought_signature", None),
        (Op.DROP, f"{at}/1/extra_content", None),
    ]
    assert first


def test_what_moves_keeps_the_spelling_it_was_recorded_in() -> None:
    spelled = b'{ "x" : 1.50, "big": 12345678901234567890123, "s": "\\u00e9\xff" }'
    body = b'{"messages": [{"role": "user", "content": "a"}, {"role": "assistant",'
    body += b'"tool_calls": [{"id": "c", "args": ' + spelled + b"}]}]}"
    draft = Draft(of_body(body))
    call = draft.message(1)["tool_calls"].pop()
    draft.items.append({"role": "assistant", "moved": call["args"]})
    edits = draft.edits()
    changed = apply(edits, body)
    assert spelled in changed
    assert changed.count(spelled) == 1


def test_odd_characters_survive_being_written() -> None:
    context = of_body(b'{"messages": [{"role": "user", "content": "\\ud800 \xff"}]}')
    draft = Draft(context)
    draft.message(0)["again"] = draft.message(0)["content"] + "é"
    changed = apply(draft.edits(), context.reading.request_text)
    assert changed == (
        b'{"messages": [{"role": "user", "content": "\\ud800 \xff", '
        b'"again": "\\ud800 \xff\xc3\xa9"}]}'
    )


def test_labels_name_signatures_and_where_they_come_from() -> None:
    draft = Draft(step("copilot-chat", HISTORY))
    message = draft.message(2)
    message["copy"] = message.pop("reasoning_opaque")
    message["content"] = "x" * 100
    draft.items.append({"role": "user", "content": b.OPAQUE})
    labels = {edit.pointer: edit.label for edit in draft.edits()}
    known = "signature 216dd5 from step 1"
    assert labels["/messages/2/copy"] == f"put {known} at /messages/2/copy"
    assert labels["/messages/2/reasoning_opaque"] == (
        f"take {known} away from /messages/2/reasoning_opaque"
    )
    assert len(labels["/messages/2/content"]) < 80
    assert labels["/messages/-"] == (
        f"insert a message of the user at /messages/- with {known}"
    )
    draft = Draft(step("copilot-chat", HISTORY))
    draft.message(2)["reasoning_opaque"] = b.BYPASS_RAW
    (edit,) = draft.edits()
    assert edit.label == f"replace {known} at /messages/2/reasoning_opaque by a bypass"


def test_what_lies_too_deep_is_shared_not_copied() -> None:
    deep: Any = "end"
    for _ in range(600):
        deep = {"a": deep}
    context = of_body(
        b.raw({"messages": [{"role": "user", "content": "a", "d": deep}]})
    )
    draft = Draft(context)
    draft.message(0)["content"] = "b"
    assert told(draft.edits()) == [(Op.SET, "/messages/0/content", '"b"')]
    assert context.body["messages"][0]["content"] == "a"


def test_members_on_the_way_are_made_where_there_is_no_object() -> None:
    holder: dict[str, Any] = {"a": 3}
    put(holder, "a/b", 1)
    put(holder, "a/c", 2)
    assert holder == {"a": {"b": 1, "c": 2}}


values = st.recursive(
    st.none() | st.booleans() | st.integers(0, 3) | st.sampled_from(["", "x"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from("abc"), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(
    st.lists(st.dictionaries(st.sampled_from("abcd"), values), max_size=4), st.data()
)
def test_edits_lead_from_the_recording_to_the_draft(
    extras: list[dict[str, Any]], data: st.DataObject
) -> None:
    history = [{"role": "user", "content": "x", **extra} for extra in extras]
    context = of_body(b.raw({"messages": history}))
    draft = Draft(context)
    for index in range(len(history)):
        message = draft.message(index)
        for key in data.draw(st.lists(st.sampled_from("abce"), max_size=3)):
            if key in message and data.draw(st.booleans()):
                del message[key]
            else:
                message[key] = copy.deepcopy(data.draw(values))
    if draft.items:
        for place in data.draw(st.lists(st.integers(0, len(draft.items)), max_size=2)):
            draft.items.insert(place, {"new": place})
        if data.draw(st.booleans()):
            draft.items.pop(data.draw(st.integers(0, len(draft.items) - 1)))
    wanted = json.dumps(draft.body)
    changed = json.loads(apply(draft.edits(), context.reading.request_text))
    assert json.dumps(changed, sort_keys=True) == json.dumps(
        json.loads(wanted), sort_keys=True
    )
