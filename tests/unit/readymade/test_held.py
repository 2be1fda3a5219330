"""Signatures are found with the message, call or part that they belong to."""

from __future__ import annotations

import copy
from typing import Any

from tests import builders as b
from tests.unit.readymade.making import context_of, step

from sigscope.readymade.context import Context


def owners(context: Context) -> list[tuple[int, str | None, str, str]]:
    """Message, call or part, signature, source."""
    return [
        (
            held.message,
            held.call.pointer
            if held.call
            else held.part.pointer
            if held.part
            else None,
            held.value,
            held.source,
        )
        for bearer in context.bearers
        for held in bearer.held
    ]


def test_an_envelope_belongs_to_the_message_with_the_calls() -> None:
    history = [b.user(), b.copilot(b.LS), b.result(b.LS)]
    bare = [b.user(), b.copilot(b.LS, opaque=None), b.result(b.LS)]
    for sent in (None, bare):
        context = step("copilot-chat", history, sent)
        assert owners(context) == [(1, None, b.OPAQUE, "step 1")]
        assert context.sources == {b.OPAQUE: "step 1"}


def test_of_a_split_message_the_half_with_the_calls_owns_it() -> None:
    history = [b.user(), b.copilot(b.LS), b.result(b.LS)]
    sent = [
        b.user(),
        b.copilot(content="I look and I say so at length."),
        b.copilot(b.LS, opaque=None, thought=None),
        b.result(b.LS),
    ]
    ((message, *_),) = owners(step("copilot-chat", history, sent))
    assert message == 2


def test_a_call_is_known_by_its_id_with_or_without_a_suffix() -> None:
    call = (f"call_1__thought__{b.SIG}", "list_files", {})
    message = b.litellm(call, signatures=[b.SIG])
    history = [b.user(), message, b.result(call)]
    sent = copy.deepcopy(history)
    sent[1] = b.litellm(("call_1", "list_files", {}), signatures=())
    ((index, place, value, _),) = owners(step("litellm", history, sent))
    assert (index, place, value) == (1, "/messages/1/tool_calls/0", b.SIG)


def test_calls_with_new_ids_are_known_by_their_place_and_name() -> None:
    def part(call: Any, signature: str | None = None) -> Any:
        made = b.call_part(call, signature)
        del made["functionCall"]["id"]
        return made

    history = [
        b.ask(),
        b.says(part(b.LS, b.SIG), part(b.READ)),
        b.answers(b.LS, b.READ),
    ]
    sent = copy.deepcopy(history)
    sent[1] = b.says(b.text_part("Hm."), part(b.LS), part(b.READ))
    ((index, place, *_),) = owners(step("gemini", history, sent))
    assert (index, place) == (1, "/contents/1/parts/1")


def test_of_two_calls_of_one_name_the_one_in_its_place_is_meant() -> None:
    def part(count: int, signature: str | None = None) -> Any:
        made = b.call_part(("", "list_files", {"n": count}), signature)
        del made["functionCall"]["id"]
        return made

    history = [b.ask(), b.says(part(1), part(2, b.SIG)), b.answers(b.LS, b.LS)]
    sent = [b.ask(), b.says(part(1), part(2)), b.answers(b.LS, b.LS)]
    ((_, place, *_),) = owners(step("gemini", history, sent))
    assert place == "/contents/1/parts/1"


def test_a_text_s_signature_belongs_to_the_same_text() -> None:
    reply = b.says(b.text_part("First."), b.text_part("Found it, at last.", b.SIG))
    history = [b.ask(), reply, b.ask("Thanks!")]
    sent = copy.deepcopy(history)
    sent[1] = b.says(b.text_part("Found it, at last."))
    sent[1]["parts"].insert(0, b.text_part("Hm.", thought=True))
    ((index, place, *_),) = owners(step("gemini", history, sent))
    assert (index, place) == (1, "/contents/1/parts/1")


def test_a_request_alone_owns_what_it_holds_but_no_stand_ins() -> None:
    lost = b.copilot(b.LS, opaque=None)
    lost["tool_calls"][0]["thought_signature"] = b.OPAQUE
    sent = [
        b.user(),
        lost,
        b.result(b.LS),
        b.copilot(b.READ, opaque=b.BYPASS_RAW),
        b.result(b.READ),
    ]
    alone = b.exchange("copilot-chat", b.request_body("copilot-chat", sent), "{}")
    context = context_of(b.read([alone]))
    assert owners(context) == [
        (1, "/messages/1/tool_calls/0", b.OPAQUE, "this request")
    ]


def test_what_the_ledger_knows_comes_before_what_stands_there() -> None:
    history = [b.user(), b.copilot(b.LS), b.result(b.LS)]
    sent = [b.user(), b.copilot(b.LS, opaque=b.OPAQUE[:20]), b.result(b.LS)]
    ((_, _, value, source),) = owners(step("copilot-chat", history, sent))
    assert (value, source) == (b.OPAQUE, "step 1")


def test_a_step_without_a_dialect_has_none() -> None:
    other = b.exchange("copilot-chat", {"a": 1}, "{}", url="https://example.test/x")
    context = context_of(b.read([other]))
    assert context.bearers == ()
    assert context.dialect == ""
