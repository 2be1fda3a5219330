"""Every row of LiteLLM's table can be made, and mended."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from tests import builders as b
from tests.unit.readymade.making import (
    Change,
    check,
    check_mended,
    edited,
    edits_of,
    put_at,
    step,
)

LONG = b.SIG + "Ab+/" * 12
HISTORY = [
    b.user(),
    b.litellm(b.LS, b.READ, signatures=[LONG]),
    b.result(b.LS),
    b.result(b.READ),
    b.litellm(b.GREP, signatures=[b.SIG_B]),
    b.result(b.GREP),
]
OWN = {1: LONG, 4: b.SIG_B}
TALK = [b.user(), b.litellm(content="All done, see a.md."), b.user("Thanks!")]
FIELDS = "provider_specific_fields"


def bare(history: list[Any]) -> None:
    for index in OWN:
        for call in history[index]["tool_calls"]:
            call.pop(FIELDS, None)


def on_call(*path: str) -> Change:
    def change(history: list[Any]) -> None:
        bare(history)
        for index, value in OWN.items():
            put_at(history[index]["tool_calls"][0], path, value)

    return change


def in_ids(respell: Any = str, *, results: bool = True) -> Change:
    def change(history: list[Any]) -> None:
        bare(history)
        for index, value in OWN.items():
            call = history[index]["tool_calls"][0]
            call["id"] = respell(f"{call['id']}__thought__{value}")
            if results:
                history[index + 1]["tool_call_id"] = call["id"]

    return change


def on_message(key: str, content: Any = None) -> Change:
    def change(history: list[Any]) -> None:
        bare(history)
        for index, value in OWN.items():
            listed = [value] if key.endswith("s") else value
            history[index][FIELDS] = {key: listed}
            history[index]["content"] = content

    return change


def cleaned(call_id: str) -> str:
    return "".join(c if c.isalnum() or c in "_-" else "_" for c in call_id)


def only_first(change: Change) -> Change:
    """The second message's id is clean and short enough already."""

    def changed(history: list[Any]) -> None:
        kept = copy.deepcopy(history[4:])
        change(history)
        history[4:] = kept

    return changed


def both_levels(history: list[Any]) -> None:
    for index, value in OWN.items():
        history[index]["content"] = "Let me look."
        history[index][FIELDS] = {"thought_signatures": [value]}


def thinking_blocks(history: list[Any]) -> None:
    bare(history)
    for index, value in OWN.items():
        text = history[index].pop("reasoning_content")
        history[index]["thinking_blocks"] = [
            {"type": "thinking", "thinking": text, "signature": value}
        ]


def second_only(history: list[Any]) -> None:
    first, second = history[1]["tool_calls"]
    second[FIELDS] = first.pop(FIELDS)


def dummy(history: list[Any]) -> None:
    for index in OWN:
        for call in history[index]["tool_calls"]:
            call[FIELDS] = {"thought_signature": b.BYPASS_B64}


def identical(history: list[Any]) -> None:
    first, second = history[1]["tool_calls"]
    second["function"] = first["function"]


def split(history: list[Any]) -> None:
    for index in (4, 1):
        text = history[index].pop("reasoning_content")
        first = {"role": "assistant", "content": "", "reasoning_content": text}
        history.insert(index, first)


def without_summary(history: list[Any]) -> None:
    for index in OWN:
        del history[index]["reasoning_content"]


SHAPES: dict[str, Change] = {
    "attempt-1-signature-on-tool-call": on_call("thought_signature"),
    "attempt-2-signature-in-function": on_call("function", "thought_signature"),
    "attempt-3-camel-case": on_call("function", "thoughtSignature"),
    "attempt-3-camel-case-on-tool-call": on_call("thoughtSignature"),
    "extra-content": on_call("extra_content", "google", "thought_signature"),
    "in-function-fields": on_call("function", FIELDS, "thought_signature"),
    "drop": bare,
    "id-suffix": in_ids(),
    "id-suffix-on-call-only": in_ids(results=False),
    "ids-cleaned": only_first(in_ids(cleaned)),
    "ids-cut": only_first(in_ids(lambda call_id: call_id[:64])),
    "message-list-with-calls": on_message("thought_signatures"),
    "message-list-with-calls-empty-string": on_message("thought_signatures", ""),
    "message-singular": on_message("thought_signature"),
    "both-levels": both_levels,
    "thinking-blocks": thinking_blocks,
    "second-call-only": second_only,
    "dummy-on-every-call": dummy,
    "identical-parallel-calls": identical,
    "split-message": split,
}


def talk_parts(history: list[Any]) -> None:
    text = history[1]["content"]
    history[1]["content"] = [{"type": "text", "text": text}]


def talk_singular(history: list[Any]) -> None:
    history[1][FIELDS] = {"thought_signature": b.SIG}


TALK_SHAPES: dict[str, Change] = {
    "message-list-content-parts": talk_parts,
    "message-singular-on-text": talk_singular,
    "drop": lambda history: history[1].pop(FIELDS),
}


@pytest.mark.parametrize("name", SHAPES)
def test_a_right_history_takes_the_shape_of_the_row(name: str) -> None:
    check("litellm", HISTORY, f"litellm.{name}", SHAPES[name])


@pytest.mark.parametrize("name", TALK_SHAPES)
def test_a_text_answer_takes_the_shape_of_the_row(name: str) -> None:
    check("litellm", TALK, f"litellm.{name}", TALK_SHAPES[name])


@pytest.mark.parametrize(
    "name",
    sorted(
        SHAPES.keys()
        - {"in-function-fields", "id-suffix", "id-suffix-on-call-only", "both-levels"}
        - {"message-list-with-calls-empty-string", "thinking-blocks"}
        - {"identical-parallel-calls", "split-message"}
    ),
)
def test_signatures_come_back_on_their_calls(name: str) -> None:
    check_mended("litellm", HISTORY, "litellm.restore", SHAPES[name])


def test_signatures_in_another_place_that_is_read_are_left_there() -> None:
    for name in ("in-function-fields", "id-suffix"):
        context = step("litellm", HISTORY, spoiled(SHAPES[name]))
        assert edits_of(context, "litellm.restore") is None, name


def spoiled(change: Change) -> list[Any]:
    history = copy.deepcopy(HISTORY)
    change(history)
    return history


def test_results_get_the_ids_of_their_calls_back() -> None:
    check_mended(
        "litellm",
        HISTORY,
        "litellm.restore",
        SHAPES["id-suffix-on-call-only"],
        SHAPES["id-suffix"],
    )


def test_a_list_on_a_message_with_calls_goes_where_it_is_read() -> None:
    def keeps_content(history: list[Any]) -> None:
        for index in OWN:
            history[index]["content"] = ""

    check_mended(
        "litellm",
        HISTORY,
        "litellm.restore",
        SHAPES["message-list-with-calls-empty-string"],
        keeps_content,
    )


def test_a_text_answer_gets_its_list_back() -> None:
    for name in ("message-singular-on-text", "drop"):
        check_mended("litellm", TALK, "litellm.restore", TALK_SHAPES[name])
        check_mended("litellm", TALK, "litellm.message-list", TALK_SHAPES[name])
    assert edits_of(step("litellm", TALK), "litellm.message-list") is None


def test_a_summary_that_was_left_out_is_sent_back() -> None:
    check_mended("litellm", HISTORY, "litellm.reasoning-content", without_summary)
    assert edits_of(step("litellm", HISTORY), "litellm.reasoning-content") is None


def test_the_way_back_from_ids_takes_the_suffix_off_results_too() -> None:
    context = step("litellm", HISTORY, spoiled(SHAPES["id-suffix"]))
    body = edited(context, "litellm.drop")
    wanted = spoiled(bare)
    assert body["messages"] == wanted


def test_clean_and_short_ids_are_left_alone() -> None:
    history = [b.user(), b.litellm(b.LS), b.result(b.LS)]
    context = step("litellm", history)
    assert edits_of(context, "litellm.ids-cut") is None
    assert edits_of(context, "litellm.ids-cleaned") is None
    assert edits_of(context, "litellm.second-call-only") is None
    assert edits_of(context, "litellm.identical-parallel-calls") is None


def test_a_split_message_becomes_one_again() -> None:
    check_mended("litellm", HISTORY, "litellm.merge-messages", split)


def test_a_list_of_several_signatures_goes_and_comes_back_whole() -> None:
    talk = copy.deepcopy(TALK)
    talk[1][FIELDS]["thought_signatures"] = [b.SIG, b.SIG_B, b.SIG_C]
    assert edits_of(step("litellm", talk), "litellm.restore") is None
    check("litellm", talk, "litellm.drop", TALK_SHAPES["drop"])
    check_mended("litellm", talk, "litellm.restore", TALK_SHAPES["drop"])
    check_mended(
        "litellm", talk, "litellm.restore", TALK_SHAPES["message-singular-on-text"]
    )


def test_strangers_in_a_list_are_taken_out_of_it() -> None:
    def crowded(history: list[Any]) -> None:
        own = history[1][FIELDS]["thought_signatures"]
        own[:0] = [b.SIG_B, b.SIG_C]

    check_mended("litellm", TALK, "litellm.restore", crowded)


@pytest.mark.parametrize(
    ("name", "model"),
    [("drop-under-alias", "my-model"), ("drop-under-2.5", "gemini-2.5-pro")],
)
def test_what_is_stamped_depends_on_the_name_of_the_model(
    name: str, model: str
) -> None:
    body = edited(step("litellm", HISTORY), f"litellm.{name}")
    assert body["model"] == model
    assert body["messages"] == spoiled(bare)
    plain = step("litellm", [b.user()])
    assert edits_of(plain, f"litellm.{name}") is None
