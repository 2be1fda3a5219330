"""Every row of Gemini's compatible endpoint can be made, and mended."""

from __future__ import annotations

from typing import Any

import pytest
from tests import builders as b
from tests.unit.readymade.making import (
    Change,
    check,
    check_mended,
    edits_of,
    put_at,
    step,
)

from sigscope.readymade import by_name

DIALECT = "gemini-openai"


HISTORY = [
    b.user(),
    b.gemini_openai(b.LS, b.READ),
    b.result(b.LS),
    b.result(b.READ),
    b.gemini_openai(b.GREP, signature=b.SIG_B),
    b.result(b.GREP),
]
OWN = {1: b.SIG, 4: b.SIG_B}


def bare(history: list[Any]) -> None:
    for index in OWN:
        history[index]["tool_calls"][0].pop("extra_content")


def moved(*path: str) -> Change:
    """The signature below its call, somewhere else."""

    def change(history: list[Any]) -> None:
        bare(history)
        for index, value in OWN.items():
            put_at(history[index]["tool_calls"][0], path, value)

    return change


def to_second(history: list[Any]) -> None:
    first, second = history[1]["tool_calls"]
    second["extra_content"] = first.pop("extra_content")


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("compatible.drop", bare),
        ("compatible.attempt-1-signature-on-tool-call", moved("thought_signature")),
        ("compatible.attempt-2-signature-in-function",
         moved("function", "thought_signature")),
        ("compatible.attempt-3-camel-case", moved("function", "thoughtSignature")),
        ("compatible.attempt-3-camel-case-on-tool-call", moved("thoughtSignature")),
        ("compatible.extra-content-in-function",
         moved("function", "extra_content", "google", "thought_signature")),
        ("compatible.under-vertex",
         moved("extra_content", "vertex", "thought_signature")),
        ("move-to-sibling", to_second),
    ],
)  # fmt: skip
def test_a_mistake_makes_of_a_right_history_what_it_says(
    name: str, change: Change
) -> None:
    check(DIALECT, HISTORY, name, change)


@pytest.mark.parametrize(
    "spoil",
    [bare, moved("thought_signature"), moved("function", "thoughtSignature")],
)
def test_the_cure_brings_every_signature_home(spoil: Change) -> None:
    check_mended(DIALECT, HISTORY, "compatible.restore", spoil)


def test_a_right_history_needs_no_cure() -> None:
    assert edits_of(step(DIALECT, HISTORY), "compatible.restore") is None


def test_what_others_get_wrong_is_right_here() -> None:
    assert by_name("compatible.extra-content") is None


@pytest.mark.parametrize("name", ["compatible.split-message", "split"])
def test_a_reply_of_calls_alone_is_not_split(name: str) -> None:
    assert edits_of(step(DIALECT, HISTORY), name) is None


def test_a_split_reply_is_merged_again() -> None:
    def split(history: list[Any]) -> None:
        history.insert(4, {"role": "assistant", "content": "I look."})

    def merged(history: list[Any]) -> None:
        history[4]["content"] = "I look."

    check_mended(DIALECT, HISTORY, "compatible.merge-messages", split, merged)
