"""Messages are counted as a service may count them after translation."""

from hypothesis import given
from hypothesis import strategies as st

from sigscope.conversation import Conversation, Message, Part, PartKind, Role
from sigscope.dialects.registry import named
from sigscope.refusals.counts import countings, likeliest, numbering

ROLES = {
    "s": Role.SYSTEM,
    "u": Role.USER,
    "a": Role.ASSISTANT,
    "t": Role.TOOL,
}


def talk(roles: str) -> Conversation:
    return Conversation(
        messages=tuple(
            Message(
                role=ROLES[role],
                pointer=f"/messages/{index}",
                parts=(Part(kind=PartKind.TEXT, pointer=f"/messages/{index}/content"),),
            )
            for index, role in enumerate(roles)
        )
    )


def ways(roles: str, dialect: str = "copilot-chat") -> dict[str, list[tuple[int, ...]]]:
    return {
        way.caption: list(way.entries) for way in countings(talk(roles), named(dialect))
    }


def test_native_requests_are_counted_as_they_are() -> None:
    assert ways("uauau", "gemini") == {"": [(0,), (1,), (2,), (3,), (4,)]}


def test_one_way_is_enough_where_all_agree() -> None:
    assert ways("uatu") == {"": [(0,), (1,), (2,), (3,)]}


def test_the_system_message_is_left_out_first_and_counted_last() -> None:
    assert ways("suat") == {
        "the system message does not count": [(1,), (2,), (3,)],
        "the system message counts": [(0,), (1,), (2,), (3,)],
    }


def test_results_of_one_step_count_once_or_each() -> None:
    assert ways("uatta") == {
        "results of one step count once": [(0,), (1,), (2, 3), (4,)],
        "every tool message counts": [(0,), (1,), (2,), (3,), (4,)],
    }


def test_split_assistant_messages_are_one_or_two() -> None:
    assert ways("uaat") == {
        "results of one step count once": [(0,), (1, 2), (3,)],
        "every message counts": [(0,), (1,), (2,), (3,)],
    }


def test_litellm_joins_users_too() -> None:
    assert next(iter(ways("uuat", "litellm").values())) == [(0, 1), (2,), (3,)]
    assert next(iter(ways("uuat").values())) == [(0,), (1,), (2,), (3,)]


def test_entries_are_counted_from_one() -> None:
    (way,) = countings(talk("uat"), named("copilot-chat"))
    assert [way.at(n) for n in (-1, 0, 1, 3, 4)] == [(), (), (0,), (2,), ()]


def test_an_empty_history_has_no_entries() -> None:
    assert [way.entries for way in countings(Conversation(), named("openrouter"))] == [
        ()
    ]


@given(
    st.text("suat", max_size=20),
    st.sampled_from(["copilot-chat", "gemini", "anthropic", "openrouter"]),
)
def test_counting_as_messages_come_is_the_likeliest_way(
    roles: str, dialect: str
) -> None:
    conversation = talk(roles)
    counted = numbering(named(dialect))()
    for index, message in enumerate(conversation.messages):
        counted.add(index, message)
    entries = likeliest(conversation, named(dialect))
    numbers = {i: n for n, entry in enumerate(entries, start=1) for i in entry}
    assert counted.numbers == [numbers.get(i, 0) for i in range(len(roles))]
    assert numbering(named(dialect)) is numbering(named(dialect))
