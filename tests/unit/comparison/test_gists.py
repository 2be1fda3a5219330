"""What a request says, by which a conversation is found again."""

from __future__ import annotations

from typing import Any

import pytest
from tests.builders import (
    GREP,
    LS,
    READ,
    SIG_B,
    copilot,
    gemini,
    read,
    record,
    request_body,
    result,
    system,
    user,
)
from tests.builders import exchange as made
from tests.builders import response_body as answered

from sigscope.comparison.gists import Gist, Likeness, gist_of, gists_of
from sigscope.reader import Reading

HISTORY = [user(), copilot(LS), result(LS)]


def reading_of(history: list[Any], dialect: str = "copilot-chat") -> Reading:
    return record(dialect, history)[-1]


def gist(history: list[Any]) -> Gist:
    found = gist_of(reading_of(history).conversation.messages)
    assert found is not None
    return found


def test_ids_signatures_and_system_messages_do_not_count() -> None:
    other = ("call_other", LS[1], LS[2])
    again = [system("Anew."), user(), copilot(other, opaque=SIG_B), result(other)]
    assert gist(again) == gist(HISTORY)


def test_parallel_calls_say_the_same_however_they_are_split() -> None:
    split = [user(), copilot(LS), result(LS), copilot(READ), result(READ)]
    whole = [user(), copilot(LS, READ), result(LS), result(READ)]
    assert gist(split).words == gist(whole).words


def test_a_result_that_is_sent_twice_counts_once() -> None:
    assert gist([*HISTORY, result(LS)]) == gist(HISTORY)


@pytest.mark.parametrize(
    ("other", "equal"),
    [
        ([user(), copilot(LS), result(LS, "b.md")], {"outline", "place"}),
        ([user(), copilot(GREP), result(GREP)], {"place"}),
        ([user("Another question?"), copilot(LS), result(LS)], set()),
        ([user()], set()),
    ],
    ids=["another result", "another call", "another question", "before the answer"],
)
def test_what_differs_shows_in_how_alike_they_are(
    other: list[Any], equal: set[str]
) -> None:
    one, two = gist(HISTORY), gist(other)
    same = {each.name.lower() for each in Likeness if one.key(each) == two.key(each)}
    assert same == equal


def test_the_time_of_day_in_a_question_does_not_count() -> None:
    assert gist([user("12:41 Look.")]) == gist([user("13:07 Look.")])


def test_another_grammar_says_the_same() -> None:
    chat = gist([user("What is in a.md?"), copilot(LS)])
    native = reading_of(
        [{"role": "user", "parts": [{"text": "What is in a.md?"}]}, gemini(LS)],
        "gemini",
    )
    found = gist_of(native.conversation.messages)
    assert found is not None
    assert found.words == chat.words


def test_what_is_no_conversation_has_no_gist() -> None:
    assert gist_of(()) is None
    body = request_body("copilot-chat", [user()])
    (reading,) = read(
        [made("copilot-chat", body, answered("copilot-chat", copilot(LS)))]
    )
    assert list(gists_of([reading])) == [1]
