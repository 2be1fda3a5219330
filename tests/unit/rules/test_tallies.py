"""Counts over histories go on where those of a shorter history ended."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigscope.conversation import Message, Part, PartKind, Role
from sigscope.dialects.histories import Tallies, Tally
from sigscope.rules.tallies import Callers, Doubles, Pairs

IDS = st.sampled_from([None, "a", "b", "c"])


def part(kind: PartKind, call_id: str | None) -> Part:
    return Part(kind=kind, pointer="/p", call_id=call_id)


MESSAGES = st.lists(
    st.builds(
        lambda role, calls, results: Message(
            role=role,
            pointer="/m",
            parts=(
                *(part(PartKind.CALL, call_id) for call_id in calls),
                *(part(PartKind.RESULT, call_id) for call_id in results),
            ),
        ),
        st.sampled_from([Role.ASSISTANT, Role.TOOL]),
        st.lists(IDS, max_size=2),
        st.lists(IDS, max_size=2),
    ),
    max_size=8,
)


def fresh(kind: Callable[[], Tally], messages: list[Message]) -> object:
    tally = kind()
    for index, message in enumerate(messages):
        tally.add(index, message)
    return vars(tally)


@pytest.mark.parametrize("kind", [Callers, Pairs, Doubles])
@given(messages=MESSAGES, others=MESSAGES, cuts=st.lists(st.integers(0, 8)))
def test_a_count_that_goes_on_is_that_of_the_whole(
    kind: Callable[[], Tally],
    messages: list[Message],
    others: list[Message],
    cuts: list[int],
) -> None:
    tallies = Tallies()
    for cut in cuts:
        for history in (messages[:cut], others[:cut], messages[: cut // 2]):
            assert vars(tallies.of(kind, history)) == fresh(kind, history)


def test_a_result_before_its_call_is_an_orphan_and_answers_it_all_the_same() -> None:
    pairs = Pairs()
    for index, kind in enumerate([PartKind.RESULT, PartKind.CALL]):
        pairs.add(index, Message(role=Role.TOOL, pointer="", parts=(part(kind, "a"),)))
    assert pairs.orphans == 1
    assert not pairs.pending


def test_a_history_that_parts_with_the_one_before_is_not_counted_anew() -> None:
    class Counting(Callers):
        def add(self, index: int, message: Message) -> None:
            added.append(index)
            super().add(index, message)

    def messages(kind: PartKind, size: int) -> list[Message]:
        made = Message(role=Role.ASSISTANT, pointer="/m", parts=(part(kind, "a"),))
        return [made] * size

    added: list[int] = []
    tallies = Tallies()
    for size in range(10, 110):
        # What is more than ten messages back loses something.
        history = messages(PartKind.TEXT, size - 10) + messages(PartKind.CALL, 10)
        assert tallies.of(Counting, history).answers == [*range(size - 10, size)]
    assert len(added) < 100 * 13
