"""What a request says, by which a conversation is found again."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
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

from sigscope.comparison import gists
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


SAID = [
    system("It is 12."),
    user("At 9."),
    user("Go on."),
    copilot(LS),
    copilot(READ, GREP),
    {"role": "assistant", "content": "Seen."},
    result(LS),
    result(READ),
]


def sent(history: list[Any]) -> Any:
    reply = answered("copilot-chat", copilot(LS))
    return made("copilot-chat", request_body("copilot-chat", history), reply)


@given(st.lists(st.lists(st.sampled_from(SAID), min_size=1), max_size=4))
def test_what_a_history_says_does_not_depend_on_those_before(
    histories: list[list[Any]],
) -> None:
    readings = read(sent(history) for history in histories)
    alone = {
        reading.number: gist_of(reading.conversation.messages) for reading in readings
    }
    found = gists_of(readings)
    assert {number: found.get(number) for number in alone} == alone


@pytest.mark.parametrize("latest", [0, 4])
def test_a_history_that_goes_on_is_not_heard_anew(
    monkeypatch: pytest.MonkeyPatch, latest: int
) -> None:
    heard: list[int] = []
    add = gists._Turns.add

    def counted(turns: Any, index: int, message: Any) -> None:
        heard.append(index)
        add(turns, index, message)

    monkeypatch.setattr(gists._Turns, "add", counted)
    told = [user(), *[copilot(LS), result(LS)] * 30]
    whole = [{**each, "content": "Later."} for each in told]
    histories = [
        [*told[: size - latest], *whole[size - latest : size]]
        for size in range(5, len(told))
    ]
    assert len(gists_of(read(map(sent, histories)))) == len(histories)
    assert len(heard) <= len(histories) * (latest + 2) + 5
