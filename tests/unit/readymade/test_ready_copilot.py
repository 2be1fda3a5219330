"""Copilot's known mistakes and cures make exactly the shapes they are named after."""

from __future__ import annotations

from typing import Any

import pytest
from tests import builders as b
from tests.unit.readymade.making import (
    Change,
    check,
    check_mended,
    context_of,
    edited,
    edits_of,
    put_at,
    step,
)

HISTORY = [
    b.system(),
    b.user(),
    b.copilot(b.LS, b.READ),
    b.result(b.LS),
    b.result(b.READ),
    b.copilot(b.GREP, opaque=b.OPAQUE_B),
    b.result(b.GREP),
]
OWN = {2: b.OPAQUE, 5: b.OPAQUE_B}
"""Which message has which signature."""


def on_calls(*path: str) -> Change:
    """The signature off the message and at a path below each of its calls."""

    def change(history: list[Any]) -> None:
        for index, value in OWN.items():
            del history[index]["reasoning_opaque"]
            for call in history[index]["tool_calls"]:
                put_at(call, path, value)

    return change


def for_each(**members: Any) -> Change:
    """Members set on both messages."""

    def change(history: list[Any]) -> None:
        for index in OWN:
            history[index].update(members)

    return change


def without(*keys: str) -> Change:
    def change(history: list[Any]) -> None:
        for index in OWN:
            for key in keys:
                del history[index][key]

    return change


def renamed(history: list[Any]) -> None:
    for index in OWN:
        history[index]["reasoningOpaque"] = history[index].pop("reasoning_opaque")


def split(history: list[Any]) -> None:
    for index in (5, 2):
        message = history[index]
        first = {"role": "assistant", "content": ""}
        for key in ("reasoning_text", "reasoning_opaque"):
            first[key] = message.pop(key)
        history.insert(index, first)


def unsigned(index: int) -> Change:
    def change(history: list[Any]) -> None:
        del history[index]["reasoning_opaque"]

    return change


SHAPES: dict[str, Change] = {
    "attempt-1-signature-on-tool-call": on_calls("thought_signature"),
    "attempt-2-signature-in-function": on_calls("function", "thought_signature"),
    "attempt-3-camel-case": on_calls("function", "thoughtSignature"),
    "attempt-3-camel-case-on-tool-call": on_calls("thoughtSignature"),
    "extra-content": on_calls("extra_content", "google", "thought_signature"),
    "opaque-on-tool-call": on_calls("reasoning_opaque"),
    "camel-case-field": renamed,
    "drop": without("reasoning_opaque"),
    "drop-text": without("reasoning_text"),
    "split-message": split,
    "content-empty-list": for_each(content=[]),
    "content-empty-string": for_each(content=""),
    "content-absent": without("content"),
    "field-name-as-value": for_each(reasoning_opaque="reasoning_opaque"),
    "keep-latest-only": unsigned(2),
}


@pytest.mark.parametrize("name", SHAPES)
def test_a_right_history_takes_the_shape_of_the_mistake(name: str) -> None:
    check("copilot-chat", HISTORY, f"copilot.{name}", SHAPES[name])


@pytest.mark.parametrize(
    "name",
    [
        "attempt-1-signature-on-tool-call",
        "attempt-2-signature-in-function",
        "attempt-3-camel-case",
        "attempt-3-camel-case-on-tool-call",
        "extra-content",
        "opaque-on-tool-call",
        "camel-case-field",
        "drop",
        "content-empty-list",
        "field-name-as-value",
    ],
)
def test_the_final_fix_mends_every_such_mistake(name: str) -> None:
    check_mended("copilot-chat", HISTORY, "copilot.final-fix", SHAPES[name])


def test_the_final_fix_mends_both_halves_of_the_seed_s_request_at_once() -> None:
    def as_in_the_seed(history: list[Any]) -> None:
        SHAPES["attempt-2-signature-in-function"](history)
        SHAPES["content-empty-list"](history)

    check_mended("copilot-chat", HISTORY, "copilot.final-fix", as_in_the_seed)


def test_one_mistake_is_made_from_another_as_from_a_right_request() -> None:
    for start in ("drop", "attempt-1-signature-on-tool-call", "camel-case-field"):
        check_mended(
            "copilot-chat",
            HISTORY,
            "copilot.attempt-2-signature-in-function",
            SHAPES[start],
            SHAPES["attempt-2-signature-in-function"],
        )


def test_a_right_request_needs_no_cure() -> None:
    context = step("copilot-chat", HISTORY)
    for name in ("copilot.final-fix", "copilot.content-null", "copilot.merge-messages"):
        assert edits_of(context, name) is None, name


def test_null_is_set_for_lists_strings_and_absent_content() -> None:
    for name in ("content-empty-list", "content-empty-string", "content-absent"):
        check_mended("copilot-chat", HISTORY, "copilot.content-null", SHAPES[name])


def test_content_with_words_is_left_alone() -> None:
    history = [b.user(), b.copilot(b.LS, content="I look."), b.result(b.LS)]
    context = step("copilot-chat", history)
    for name in ("content-null", "content-empty-list", "content-absent"):
        assert edits_of(context, f"copilot.{name}") is None


def test_a_split_message_keeps_its_words_with_its_reasoning() -> None:
    history = [b.user(), b.copilot(b.LS, content="I look."), b.result(b.LS)]

    def wanted(messages: list[Any]) -> None:
        first = {"role": "assistant", "content": "I look."}
        for key in ("reasoning_text", "reasoning_opaque"):
            first[key] = messages[1].pop(key)
        messages[1]["content"] = None
        messages.insert(1, first)

    check("copilot-chat", history, "copilot.split-message", wanted)
    check_mended("copilot-chat", history, "copilot.merge-messages", wanted)


def test_merging_joins_words_of_both_and_keeps_other_messages() -> None:
    history = [
        b.user(),
        b.copilot(content="One."),
        b.user("More"),
        b.copilot(b.LS, content="Two."),
    ]
    sent = [
        history[0],
        history[1],
        history[2],
        b.copilot(content="First."),
        b.copilot(b.LS, opaque=None, thought=None, content="Two."),
        b.result(b.LS),
    ]
    merged = edited(step("copilot-chat", history, sent), "copilot.merge-messages")
    assert [m["role"] for m in merged["messages"]] == [
        "user",
        "assistant",
        "user",
        "assistant",
        "tool",
    ]
    assert merged["messages"][3]["content"] == "First.\n\nTwo."
    assert merged["messages"][3]["reasoning_opaque"] == b.OPAQUE


def test_messages_that_are_two_replies_are_not_merged() -> None:
    history = [
        b.user(),
        b.copilot(content="One."),
        b.copilot(content="Two."),
        b.copilot(b.LS, opaque=b.OPAQUE_B),
        b.copilot(b.READ, opaque=b.SIG),
        b.result(b.LS),
    ]
    merged = edited(step("copilot-chat", history), "copilot.merge-messages")
    contents = [message.get("content") for message in merged["messages"]]
    assert contents == ["What is in a.md?", "One.", "Two.", None, "a.md"]
    assert merged["messages"][3]["tool_calls"][0]["id"] == b.READ[0]


def test_of_several_signatures_of_one_reply_any_can_be_kept() -> None:
    chunks = [
        {"choices": [{"index": 0, "delta": {"role": "assistant", **delta}}]}
        for delta in (
            {"reasoning_text": "a"},
            {"reasoning_opaque": "Zmlyc3QtZmlyc3QtZmlyc3Q="},
            {
                "tool_calls": [{"index": 0, **b.chat_calls(b.LS)[0]}],
                "reasoning_opaque": b.OPAQUE,
            },
        )
    ]
    first = b.exchange(
        "copilot-chat",
        b.request_body("copilot-chat", [b.user()]),
        b.sse(*chunks, "[DONE]"),
        content_type="text/event-stream",
    )
    sent = [b.user(), b.copilot(b.LS), b.result(b.LS)]
    last = b.exchange("copilot-chat", b.request_body("copilot-chat", sent), "")
    context = context_of(b.read([first, last]))
    assert edits_of(context, "copilot.keep-last") is None
    for name, value in (
        ("keep-first", "Zmlyc3QtZmlyc3QtZmlyc3Q="),
        ("keep-joined", "Zmlyc3QtZmlyc3QtZmlyc3Q=" + b.OPAQUE),
    ):
        body = edited(context, f"copilot.{name}")
        assert body["messages"][1]["reasoning_opaque"] == value
    single = step("copilot-chat", HISTORY)
    assert edits_of(single, "copilot.keep-first") is None


def test_an_id_is_made_up_where_only_text_came() -> None:
    history = [b.user(), b.copilot(opaque=None, content="Hi"), b.user("More")]
    body = edited(step("copilot-chat", history), "copilot.made-up-id")
    made = body["messages"][1].pop("reasoning_opaque")
    assert len(made) == 36
    assert body["messages"] == history
    assert edits_of(step("copilot-chat", HISTORY), "copilot.made-up-id") is None


def test_signatures_of_closed_turns_can_be_left_out() -> None:
    history = [*HISTORY, b.copilot(content="Done.", opaque=b.SIG), b.user("Thanks!")]
    sent = [*history, b.copilot(b.LS, opaque=b.SIG_B), b.result(b.LS)]

    def wanted(messages: list[Any]) -> None:
        for index in (2, 5, 7):
            del messages[index]["reasoning_opaque"]

    check("copilot-chat", sent, "copilot.drop-closed-turns", wanted)


def test_the_other_api_is_another_url() -> None:
    edits = edits_of(step("copilot-chat", HISTORY), "copilot.responses-api")
    assert edits is not None
    assert [edit.value for edit in edits] == ["https://api.githubcopilot.com/responses"]


def test_a_request_without_its_past_is_mended_from_what_it_holds_itself() -> None:
    sent = [b.user(), b.copilot(b.LS, content=[], opaque=None), b.result(b.LS)]
    sent[1]["tool_calls"][0]["function"]["thought_signature"] = b.OPAQUE
    alone = b.exchange("copilot-chat", b.request_body("copilot-chat", sent), "{}")
    body = edited(context_of(b.read([alone])), "copilot.final-fix")
    assert body["messages"][1] == b.copilot(b.LS)


def test_the_azure_pair_goes_back_in_its_own_field() -> None:
    message = b.copilot(b.LS, opaque=None)
    message["cot_id"] = b.OPAQUE
    history = [b.user(), message, b.result(b.LS)]
    check_mended(
        "copilot-chat",
        history,
        "copilot.final-fix",
        lambda messages: messages[1].pop("cot_id"),
    )
