from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigscope.conversation import Json, Message, Part, PartKind, Role
from sigscope.dialects.histories import Beginnings, Growing, Histories, Tallies
from sigscope.dialects.registry import DIALECTS

LETTERS = [chr(97 + number) * 2 for number in range(6)]


@given(st.lists(st.lists(st.sampled_from(LETTERS), max_size=6)), st.booleans())
def test_what_is_made_is_what_would_be_made_anew(
    lists: list[list[str]], by_place: bool
) -> None:
    def make(place: int, item: str) -> str:
        return f"{item}{place}" if by_place else item.upper()

    growing: Growing[str, str] = Growing(by_place=by_place)
    for items in lists:
        made = [make(place, item) for place, item in enumerate(items)]
        assert growing.of(items, make) == made


def test_equal_elements_are_not_taken_for_one_another() -> None:
    growing: Growing[list[int], int] = Growing()
    first, second = [1], [1]
    assert growing.of([first], lambda _, item: id(item)) == [id(first)]
    assert growing.of([second], lambda _, item: id(item)) == [id(second)]


def test_each_element_is_asked_about_once() -> None:
    asked: list[str] = []

    def make(_: int, item: str) -> str:
        asked.append(item)
        return item

    growing: Growing[str, str] = Growing()
    for items in (["a"], ["a", "b"], ["b"], ["a", "b", "c"], ["c", "a"]):
        growing.of(items, make)
    assert asked == ["a", "b", "c"]


def test_what_was_made_is_not_spoiled_by_who_got_it() -> None:
    growing: Growing[str, str] = Growing()
    items = ["a"]
    growing.of(items, lambda _, item: item).append("x")
    assert growing.of(items, lambda _, item: item) == ["a"]


def test_a_message_belongs_to_its_dialect_and_its_place() -> None:
    histories = Histories()
    entry: Json = {"role": "user", "content": "hello", "parts": [{"text": "hello"}]}
    found: set[Message] = set()
    for dialect in DIALECTS:
        for above in ("/messages", "/request/messages"):
            (message,) = histories.messages([entry], above, dialect.message)
            again = histories.messages([entry, entry], above, dialect.message)
            assert again[0] is message
            assert (message.pointer, again[1].pointer) == (f"{above}/0", f"{above}/1")
            found.add(message)
            assert message == dialect.message(entry, f"{above}/0")
    assert len(found) > 2


CALL = {"id": "c", "function": {"name": "f", "arguments": {"a": 1, "b": [True]}}}
SAID = {"role": "assistant", "content": "x", "tool_calls": [CALL]}


@pytest.mark.parametrize(
    ("other", "is_same"),
    [
        (dict(reversed(SAID.items())), True),
        ({**SAID, "tool_calls": [dict(reversed(CALL.items()))]}, True),
        ({**SAID, "refusal": None}, False),
        ({**SAID, "content": "y"}, False),
        ({**SAID, "tool_calls": [{**CALL, "index": 0}]}, False),
    ],
)
def test_a_message_with_its_members_in_another_order_is_the_same(
    other: Json, is_same: bool
) -> None:
    histories, dialect = Histories(), DIALECTS[0]
    first, second, third = (
        histories.messages([entry], "/messages", dialect.message)[0]
        for entry in (SAID, other, {**SAID})
    )
    assert (second is first) is is_same
    assert (third is first) is is_same
    assert histories.new_messages == (1 if is_same else 3)
    assert second == dialect.message(other, "/messages/0")


def test_what_only_python_takes_for_the_same_is_another() -> None:
    histories, dialect = Histories(), DIALECTS[0]
    entries = [{"role": "user", "content": "x", "cached": is_so} for is_so in (1, True)]
    first, second = (
        histories.messages([entry], "/messages", dialect.message)[0]
        for entry in entries
    )
    assert first == second
    assert first is not second


@given(st.lists(st.lists(st.sampled_from([*LETTERS, ""]), max_size=6)))
def test_the_places_of_what_is_anything_are_told(lists: list[list[str]]) -> None:
    growing: Growing[str, str] = Growing()
    for items in lists:
        found = growing.places(items, lambda _, item: item[:1])
        assert found == [place for place, item in enumerate(items) if item]
        found.append(-1)


def test_two_lists_are_compared_once_whoever_asks() -> None:
    class Counted(list[str]):
        looks = 0

        def __iter__(self) -> Iterator[str]:
            self.looks += 1
            return super().__iter__()

    beginnings = Beginnings()
    start, whole = Counted(LETTERS[:2]), LETTERS[:3]
    for _ in range(3):
        assert not beginnings.changes(start, whole)
    assert start.looks == 1
    assert [*beginnings.changes(LETTERS[1:], start)] == [0, 1]
    assert [*beginnings.changes(["", *whole[1:]], start)] == [0]
    assert not beginnings.changes([], whole)


def test_a_count_goes_on_where_only_words_are_others() -> None:
    class Words:
        def __init__(self) -> None:
            self.counted: list[int] = []

        def add(self, index: int, message: Message) -> None:
            self.counted.append(index)

    def said(text: str, role: Role = Role.SYSTEM) -> Message:
        part = Part(kind=PartKind.TEXT, pointer="/messages/0/content", text=text)
        return Message(role=role, pointer="/messages/0", parts=(part,))

    tallies, rest = Tallies(), [said("hello", Role.USER)] * 2
    for at in range(1, 4):
        kept = tallies.of(Words, [said(f"It is {at}."), *rest])
        assert kept.counted == [0, 1, 2]
    anew = tallies.of(Words, [said("It is 5.", Role.USER), *rest])
    assert anew is not kept
    assert tallies.of(Words, [said(""), *rest]) not in (kept, anew)
