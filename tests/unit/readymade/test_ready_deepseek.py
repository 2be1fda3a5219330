"""Every row of DeepSeek's table can be made, and mended; its text is no signature."""

from __future__ import annotations

from typing import Any

import pytest
from tests import builders as b
from tests.unit.readymade.making import Change, check, check_mended, edits_of, step

from sigscope.readymade.generic import GENERIC

DIALECT, FIELD = "deepseek", "reasoning_content"


HISTORY = [
    b.user(),
    b.deepseek(b.LS, content="Wait."),
    b.result(b.LS),
    b.deepseek(b.READ, thought="Now I read one.", content="Wait."),
    b.result(b.READ),
]
OWN = (1, 3)


def each(change: Any) -> Change:
    """Take the field off and do something with the text."""

    def made(history: list[Any]) -> None:
        for index in OWN:
            change(history[index], history[index].pop(FIELD))

    return made


bare = each(lambda message, text: None)
renamed = each(lambda message, text: message.update(reasoning=text))
emptied = each(lambda message, text: message.update({FIELD: ""}))
tagged = each(
    lambda message, text: message.update(content=f"<think>{text}</think>Wait.")
)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("deepseek.drop", bare),
        ("deepseek.renamed", renamed),
        ("deepseek.think-tags", tagged),
        ("deepseek.emptied", emptied),
    ],
)
def test_a_mistake_makes_of_a_right_history_what_it_says(
    name: str, change: Change
) -> None:
    check(DIALECT, HISTORY, name, change)


@pytest.mark.parametrize("spoil", [bare, renamed, emptied])
def test_the_text_comes_back_as_received(spoil: Change) -> None:
    check_mended(DIALECT, HISTORY, "deepseek.restore", spoil)


def test_where_none_is_sent_an_empty_one_passes() -> None:
    check_mended(DIALECT, HISTORY, "deepseek.fill", bare, emptied)
    assert edits_of(step(DIALECT, HISTORY), "deepseek.fill") is None


def test_no_edit_of_signatures_is_offered_for_readable_text() -> None:
    assert all(DIALECT not in ready.dialects for ready in GENERIC)
