"""Gemini's known mistakes and cures make exactly the shapes they are named after."""

from __future__ import annotations

import copy
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

FIELD = "thoughtSignature"
HISTORY = [
    b.ask(),
    b.gemini(b.LS, b.READ),
    b.answers(b.LS, b.READ),
    b.says(
        b.text_part("Let me", thought=True),
        b.text_part("Searching."),
        b.call_part(b.GREP, b.SIG_B),
    ),
    b.answers(b.GREP),
]
TALK = [
    b.ask(),
    b.says(
        b.text_part("Thinking.", b.SIG, thought=True),
        b.text_part("One."),
        b.text_part("Two.", b.SIG_B),
        b.text_part("", b.SIG_C),
    ),
    b.ask("Now list."),
    b.gemini(b.LS, signature=b.SIG + "AAAA"),
    b.answers(b.LS),
]
SIGNED = ((1, 0), (3, 2))
"""Content and part of each signature of HISTORY."""


def parts(history: list[Any], content: int) -> list[Any]:
    found: list[Any] = history[content]["parts"]
    return found


def bare(history: list[Any]) -> None:
    for content, part in SIGNED:
        del parts(history, content)[part][FIELD]


def beside(*path: str) -> Change:
    """The signature at a path below its part instead of beside the call."""

    def change(history: list[Any]) -> None:
        for content, part in SIGNED:
            holder = parts(history, content)[part]
            put_at(holder, path, holder.pop(FIELD))

    return change


def on_response(*path: str) -> Change:
    def change(history: list[Any]) -> None:
        for content, part in SIGNED:
            holder = parts(history, content + 1)[0]
            for key in path:
                holder = holder[key]
            holder[FIELD] = parts(history, content)[part].pop(FIELD)

    return change


def move(content: int, part: int, to: tuple[int, int]) -> Change:
    def change(history: list[Any]) -> None:
        value = parts(history, content)[part].pop(FIELD)
        parts(history, to[0])[to[1]][FIELD] = value

    return change


def copied(history: list[Any]) -> None:
    parts(history, 1)[1][FIELD] = b.SIG


def stamped(history: list[Any]) -> None:
    parts(history, 1)[1][FIELD] = b.BYPASS_RAW


def interleaved(history: list[Any]) -> None:
    call, result = parts(history, 1).pop(), parts(history, 2).pop()
    history[3:3] = [b.says(call), {"role": "user", "parts": [result]}]


def split(history: list[Any]) -> None:
    history.insert(2, b.says(parts(history, 1).pop()))


def without_thoughts(history: list[Any]) -> None:
    del parts(history, 3)[0]


def shortened(history: list[Any]) -> None:
    parts(history, 3)[0]["text"] = "..."


SHAPES: dict[str, Change] = {
    "drop": bare,
    "in-function-call": beside("functionCall", FIELD),
    "extra-content": beside("extra_content", "google", "thought_signature"),
    "snake-case": beside("thought_signature"),
    "in-function-response": on_response("functionResponse"),
    "on-response-part": on_response(),
    "on-first-part": move(3, 2, to=(3, 0)),
    "on-next-part": move(1, 0, to=(1, 1)),
    "on-second-call": move(1, 0, to=(1, 1)),
    "copied-on-siblings": copied,
    "bypass-on-siblings": stamped,
    "interleaved-results": interleaved,
    "split-contents": split,
    "thoughts-dropped": without_thoughts,
    "thoughts-shortened": shortened,
}


@pytest.mark.parametrize("name", SHAPES)
def test_a_right_history_takes_the_shape_of_the_mistake(name: str) -> None:
    check("gemini", HISTORY, f"gemini.{name}", SHAPES[name])


@pytest.mark.parametrize(
    "name",
    [
        "drop",
        "in-function-call",
        "extra-content",
        "on-first-part",
        "on-next-part",
        "on-second-call",
        "copied-on-siblings",
        "bypass-on-siblings",
    ],
)
def test_signatures_come_back_on_the_very_parts_they_came_on(name: str) -> None:
    check_mended("gemini", HISTORY, "gemini.restore", SHAPES[name])


def test_a_right_request_needs_no_cure() -> None:
    for history in (HISTORY, TALK):
        context = step("gemini", history)
        assert edits_of(context, "gemini.restore") is None
        assert edits_of(context, "gemini.merge-contents") is None


def test_snake_case_is_right_already() -> None:
    sent = copy.deepcopy(HISTORY)
    SHAPES["snake-case"](sent)
    assert edits_of(step("gemini", HISTORY, sent), "gemini.restore") is None


def test_split_contents_become_one_again() -> None:
    check_mended("gemini", HISTORY, "gemini.merge-contents", split)


# --- Texts ----------------------------------------------------------------------------


def merged(history: list[Any]) -> None:
    history[1]["parts"][1:] = [b.text_part("One.Two.", b.SIG_C)]


def without_empty(history: list[Any]) -> None:
    del parts(history, 1)[3]


def without_signed_thought(history: list[Any]) -> None:
    del parts(history, 1)[0]


def last_wins(history: list[Any]) -> None:
    for part in parts(history, 1):
        part.pop(FIELD, None)
    parts(history, 1)[0][FIELD] = b.SIG_C


TALK_SHAPES: dict[str, Change] = {
    "merged-parts": merged,
    "empty-part-dropped": without_empty,
    "thoughts-dropped": without_signed_thought,
    "last-on-first-call": last_wins,
}


@pytest.mark.parametrize("name", TALK_SHAPES)
def test_an_answer_takes_the_shape_of_the_mistake(name: str) -> None:
    check("gemini", TALK, f"gemini.{name}", TALK_SHAPES[name])


def test_a_signature_that_waits_lands_on_the_next_call() -> None:
    history = [b.ask(), b.says(b.text_part("Hi.", b.SIG_C)), *TALK[2:]]

    def wanted(contents: list[Any]) -> None:
        parts(contents, 3)[0][FIELD] = parts(contents, 1)[0].pop(FIELD)

    check("gemini", history, "gemini.pending-on-next-call", wanted)
    assert edits_of(step("gemini", HISTORY), "gemini.pending-on-next-call") is None


def test_an_empty_part_that_was_left_out_comes_back_with_its_signature() -> None:
    check_mended("gemini", TALK, "gemini.restore", without_empty)


def test_all_parts_of_a_content_are_never_left_out() -> None:
    history = [b.ask(), b.says(b.text_part("", b.SIG)), b.ask("More")]
    assert edits_of(step("gemini", history), "gemini.empty-part-dropped") is None


# --- Several calls --------------------------------------------------------------------


def test_three_parallel_calls_keep_their_order_when_interleaved_or_split() -> None:
    calls = (b.LS, b.READ, b.GREP)
    history = [b.ask(), b.gemini(*calls), b.answers(*calls)]

    def pairs(contents: list[Any]) -> None:
        contents[1:] = [
            content
            for index, call in enumerate(calls)
            for content in (
                b.gemini(call, signature=None if index else b.SIG),
                b.answers(call),
            )
        ]

    def alone(contents: list[Any]) -> None:
        contents[1:2] = [
            b.gemini(call, signature=None if index else b.SIG)
            for index, call in enumerate(calls)
        ]

    check("gemini", history, "gemini.interleaved-results", pairs)
    check("gemini", history, "gemini.split-contents", alone)
    check_mended("gemini", history, "gemini.merge-contents", alone)


def test_a_second_call_that_is_signed_already_stays_as_it_is() -> None:
    parts = [b.call_part(b.LS), b.call_part(b.READ, b.SIG)]
    history = [b.ask(), b.says(*parts), b.answers(b.LS, b.READ)]
    assert edits_of(step("gemini", history), "gemini.on-second-call") is None
    parts = [b.call_part(b.LS), b.call_part(b.READ), b.call_part(b.GREP, b.SIG)]
    history = [b.ask(), b.says(*parts), b.answers(b.LS, b.READ, b.GREP)]
    assert edits_of(step("gemini", history), "gemini.on-second-call") is None


def test_calls_without_ids_are_told_apart_by_name_and_order() -> None:
    def nameless(content: Any) -> Any:
        for part in content["parts"]:
            for key in ("functionCall", "functionResponse"):
                part.get(key, {}).pop("id", None)
        return content

    calls = (b.LS, b.READ)
    history = [b.ask(), nameless(b.gemini(*calls)), nameless(b.answers(*calls))]
    sent = copy.deepcopy(history)
    del sent[1]["parts"][0][FIELD]
    assert (
        edited(step("gemini", history, sent), "gemini.restore")["contents"] == history
    )


def test_a_wrapped_body_is_edited_where_it_is_wrapped() -> None:
    url = "https://cloudcode-pa.googleapis.com/v1internal:generateContent"
    steps = [
        b.exchange(
            "gemini",
            {"project": "p", "request": b.request_body("gemini", HISTORY[:count])},
            {"response": b.response_body("gemini", reply)},
            url=url,
        )
        for count, reply in ((1, HISTORY[1]), (3, HISTORY[3]), (5, b.says()))
    ]
    context = context_of(b.read(steps))
    for name, change in SHAPES.items():
        wanted = copy.deepcopy(HISTORY)
        change(wanted)
        body = edited(context, f"gemini.{name}")
        assert body["request"]["contents"] == wanted, name


def test_arguments_that_move_keep_their_spelling() -> None:
    args = b'{"x": 1.50, "y": 1E2, "z": 12345678901234567890123}'
    context = step("gemini", HISTORY)
    raw = context.reading.request_body.data
    second = b'"args": {"path": "a.md"}'
    assert second in raw
    spelled = raw.replace(second, b'"args": ' + args)
    steps = [
        b.exchange(
            "gemini",
            b.request_body("gemini", HISTORY[:1]),
            b.response_body("gemini", HISTORY[1]),
        ),
        b.exchange("gemini", spelled, "{}"),
    ]
    edits = edits_of(context_of(b.read(steps)), "gemini.split-contents")
    assert edits is not None
    assert any(args.decode() in (edit.value or "") for edit in edits)
