"""Fields that are not there but could be are offered one by one."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests import builders as b
from tests.unit.readymade.making import context_of, step

from sigscope.edits.apply import apply
from sigscope.edits.records import Op
from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.opener import open_file
from sigscope.engine.settings.places import shipped
from sigscope.readymade import Context, OfferRow, switchable

USE = {"type": "tool_use", "id": "toolu_1", "name": "ls", "input": {}}
RESULT = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "a.py"}


def rows(dialect: str, history: list[Any], sent: list[Any]) -> dict[str, OfferRow]:
    return {row.pointer: row for row in switchable(step(dialect, history, sent))}


def bundled(session: str) -> Context:
    """Step 2 of a bundled session, the one with the mistake."""
    document = Document(open_file(shipped("sessions") / f"{session}.session.jsonl"))
    readings = {reading.number: reading for reading in document.readings}
    return Context(reading=readings[2], ledger=document.ledger, readings=readings)


def test_copilot_is_offered_signature_text_and_null() -> None:
    history = [b.user(), b.copilot(b.LS), b.result(b.LS)]
    bare = b.copilot(b.LS, opaque=None, thought=None, content=[])
    found = rows("copilot-chat", history, [b.user(), bare, b.result(b.LS)])
    assert {pointer: json.loads(row.value) for pointer, row in found.items()} == {
        "/messages/1/reasoning_opaque": b.OPAQUE,
        "/messages/1/reasoning_text": history[1]["reasoning_text"],
        "/messages/1/content": None,
    }
    note = found["/messages/1/reasoning_opaque"].note
    assert "signature 216dd5 from step 1" in note
    assert "step 1" in found["/messages/1/reasoning_text"].note
    assert "CPC-2" in found["/messages/1/content"].note


@pytest.mark.parametrize(
    ("session", "pointer"),
    [
        ("deepseek-reasoning-dropped", "/messages/2/reasoning_content"),
        ("responses-ids-without-blobs", "/input/1/encrypted_content"),
        ("gemini-openai-typed-client", "/messages/2/tool_calls/0/extra_content"),
        ("anthropic-thinking-dropped", "/messages/1/content/0"),
        ("anthropic-thinking-shortened", "/messages/1/content/0"),
        ("responses-dropped-reasoning", "/input/1"),
        ("responses-early-blob", "/input/1/encrypted_content"),
    ],
)
def test_what_a_bundled_mistake_left_out_is_offered_once(
    session: str, pointer: str
) -> None:
    assert [row.pointer for row in switchable(bundled(session))] == [pointer]


@pytest.mark.parametrize(
    ("session", "op", "kind"),
    [
        ("anthropic-thinking-dropped", Op.INSERT, "thinking"),
        ("anthropic-thinking-shortened", Op.SET, "thinking"),
        ("responses-dropped-reasoning", Op.INSERT, "reasoning"),
    ],
)
def test_a_whole_block_or_item_is_offered_as_one_and_cures(
    session: str, op: Op, kind: str
) -> None:
    context = bundled(session)
    (row,) = switchable(context)
    assert row.edit.op is op
    assert json.loads(row.value)["type"] == kind
    assert row.note.startswith("signature ")
    assert " from step 1: " in row.note
    mended = json.loads(apply([row.edit], context.reading.request_text))
    # Step 3 is the same request of a client that keeps what it got.
    faithful = context.readings[3].request_json
    key = "messages" if "messages" in mended else "input"
    assert mended[key] == faithful[key][: len(mended[key])]


def test_several_lost_blocks_are_several_boxes_and_a_reply_cut_in_two_is_none() -> None:
    """Where more is dropped than comes back, a box for each would mislead."""
    context = bundled("anthropic-thinking-dropped")
    block = json.loads(switchable(context)[0].value)
    history = [
        {"role": "user", "content": "What is there?"},
        {"role": "assistant", "content": [block, dict(block, signature="RXo="), USE]},
        {"role": "user", "content": [RESULT]},
    ]
    bare = [history[0], {"role": "assistant", "content": [USE]}, history[2]]
    found = switchable(step("anthropic", history, bare))
    assert [row.pointer for row in found] == ["/messages/1/content/0"] * 2
    assert len({row.value for row in found}) == 2
    other = dict(block, thinking="Something else.")
    one = [history[0], {"role": "assistant", "content": [other, USE]}, history[2]]
    assert switchable(step("anthropic", history, one)) == ()


def test_the_rows_switched_on_together_make_the_right_request() -> None:
    history = [b.user(), b.copilot(b.LS), b.result(b.LS)]
    bare = b.copilot(b.LS, opaque=None, thought=None, content=[])
    context = step("copilot-chat", history, [b.user(), bare, b.result(b.LS)])
    edits = [row.edit for row in switchable(context)]
    assert all(edit.label and edit.origin == "row" for edit in edits)
    body = json.loads(apply(edits, context.reading.request_text))
    assert body["messages"] == history


@pytest.mark.parametrize(
    ("dialect", "right", "bare", "pointers"),
    [
        (
            "openrouter",
            b.openrouter(b.LS),
            b.openrouter(b.LS, details=[], reasoning=None),
            {"/messages/1/reasoning_details", "/messages/1/reasoning"},
        ),
        (
            "litellm",
            b.litellm(b.LS),
            b.litellm(b.LS, signatures=(), thought=None),
            {
                "/messages/1/tool_calls/0/provider_specific_fields",
                "/messages/1/reasoning_content",
            },
        ),
    ],
)
def test_other_dialects_are_offered_their_own_fields(
    dialect: str, right: Any, bare: Any, pointers: set[str]
) -> None:
    history = [b.user(), right, b.result(b.LS)]
    context = step(dialect, history, [b.user(), bare, b.result(b.LS)])
    found = switchable(context)
    assert {row.pointer for row in found} == pointers
    body = json.loads(apply([row.edit for row in found], context.reading.request_text))
    assert body["messages"] == history


def test_gemini_is_offered_signatures_on_parts() -> None:
    history = [b.ask(), b.gemini(b.LS, b.READ), b.answers(b.LS, b.READ)]
    sent = [b.ask(), b.gemini(b.LS, b.READ, signature=None), b.answers(b.LS, b.READ)]
    found = rows("gemini", history, sent)
    assert set(found) == {"/contents/1/parts/0/thoughtSignature"}


def test_a_wrong_value_is_offered_the_right_one_and_a_wrong_place_the_right_one() -> (
    None
):
    history = [b.user(), b.copilot(b.LS), b.result(b.LS)]
    cut = [b.user(), b.copilot(b.LS, opaque=b.OPAQUE[:21]), b.result(b.LS)]
    lost = b.copilot(b.LS, opaque=None)
    lost["tool_calls"][0]["function"]["thought_signature"] = b.OPAQUE
    for sent in (cut, [b.user(), lost, b.result(b.LS)]):
        found = rows("copilot-chat", history, sent)
        assert {p: json.loads(row.value) for p, row in found.items()} == {
            "/messages/1/reasoning_opaque": b.OPAQUE
        }


def test_reasoning_that_was_changed_is_offered_as_it_came() -> None:
    history = [b.user(), b.copilot(b.LS), b.result(b.LS)]
    sent = [b.user(), b.copilot(b.LS, thought="..."), b.result(b.LS)]
    found = rows("copilot-chat", history, sent)
    assert {p: json.loads(row.value) for p, row in found.items()} == {
        "/messages/1/reasoning_text": history[1]["reasoning_text"]
    }


def test_a_right_request_is_offered_nothing() -> None:
    history = [b.user(), b.copilot(b.LS), b.result(b.LS)]
    assert switchable(step("copilot-chat", history)) == ()
    other = b.exchange("copilot-chat", b"{", "{}")
    assert switchable(context_of(b.read([other]))) == ()
