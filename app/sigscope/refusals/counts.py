"""How a service counts the messages of a request that it gets translated.

Positions in an error count Google's `contents`, or Anthropic's `messages`. A native
request has these itself. A request of the chat completions shape was translated on the
way, and how is nowhere documented: the system message goes elsewhere and does not
count; results of one step become one entry, or one each; neighbouring messages of one
role are joined, or not ([inferred], docs/wire/gemini.md#rules,
docs/wire/gemini-openai.md#rules, docs/wire/litellm.md#placements for LiteLLM). So
there are several ways of counting, the likeliest first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache

from sigscope.conversation import Conversation, Message, Role
from sigscope.dialects.base import Dialect
from sigscope.records import dataclass

RESULTS_ONCE = "results of one step count once"
RESULTS_EACH = "every tool message counts"
EACH = "every message counts"
SYSTEM_LEFT_OUT = "the system message does not count"
SYSTEM_COUNTS = "the system message counts"


@dataclass(frozen=True, slots=True, kw_only=True)
class Counting:
    caption: str
    """What it takes for granted, as a clause: "results of one step count once"."""
    entries: tuple[tuple[int, ...], ...]
    """Indices of the messages in each counted entry."""

    def at(self, position: int) -> tuple[int, ...]:
        """Messages of an entry, counted from 1; empty where there is none."""
        if 1 <= position <= len(self.entries):
            return self.entries[position - 1]
        return ()


def countings(
    conversation: Conversation, dialect: Dialect | None
) -> tuple[Counting, ...]:
    """The ways to count this request's messages, the likeliest first."""
    messages = conversation.messages
    joined = (dialect or Dialect).joined_roles
    if joined is None:
        return (Counting(caption="", entries=likeliest(conversation, dialect)),)
    bare = _bare(messages)
    ways = [
        Counting(caption=caption, entries=tuple(_join(messages, bare, roles)))
        for roles, caption in (
            (joined, RESULTS_ONCE),
            (frozenset({Role.ASSISTANT}), RESULTS_EACH),
            (frozenset[Role](), EACH),
        )
    ]
    if len({way.entries for way in ways}) == 1:
        ways = [Counting(caption="", entries=ways[0].entries)]
    if len(bare) < len(messages):
        ways = [
            Counting(
                caption=", ".join((SYSTEM_LEFT_OUT, way.caption)).rstrip(", "),
                entries=way.entries,
            )
            for way in ways
        ]
        entries = tuple(_join(messages, range(len(messages)), joined))
        ways.append(Counting(caption=SYSTEM_COUNTS, entries=entries))
    return _distinct(ways)


def likeliest(
    conversation: Conversation, dialect: Dialect | None
) -> tuple[tuple[int, ...], ...]:
    """The entries of the likeliest way alone, which costs a quarter of all."""
    messages = conversation.messages
    joined = (dialect or Dialect).joined_roles
    if joined is None:
        return tuple((index,) for index in range(len(messages)))
    return tuple(_join(messages, _bare(messages), joined))


class Numbering:
    """The number of the entry of each message, the likeliest way, as messages are added
    one after the other; 0 for those that are not counted."""

    def __init__(self, joined: frozenset[Role] | None) -> None:
        """`joined`: the roles that a dialect joins; None where it counts all."""
        self.numbers: list[int] = []
        self._joined = joined
        self._count = 0
        self._last: Role | None = None

    def add(self, index: int, message: Message) -> None:
        if self._joined is not None and message.role is Role.SYSTEM:
            self.numbers.append(0)
            return
        role, last = message.role, self._last
        if not (self._joined and role is last and role in self._joined):
            self._count += 1
        self._last = role
        self.numbers.append(self._count)


@cache
def numbering(dialect: Dialect | None) -> Callable[[], Numbering]:
    """Makes countings of a dialect; the same one each time, to be known by."""
    joined = (dialect or Dialect).joined_roles
    return lambda: Numbering(joined)


def _bare(messages: Sequence[Message]) -> list[int]:
    return [i for i, message in enumerate(messages) if message.role is not Role.SYSTEM]


def _distinct(ways: Iterable[Counting]) -> tuple[Counting, ...]:
    found: dict[tuple[tuple[int, ...], ...], Counting] = {}
    for way in ways:
        found.setdefault(way.entries, way)
    return tuple(found.values())


def _join(
    messages: Sequence[Message], indices: Sequence[int], roles: frozenset[Role]
) -> Iterator[tuple[int, ...]]:
    """Neighbours of one of these roles become one entry."""
    entry: list[int] = []
    for index in indices:
        role = messages[index].role
        if entry and messages[entry[-1]].role is role and role in roles:
            entry.append(index)
            continue
        if entry:
            yield tuple(entry)
        entry = [index]
    if entry:
        yield tuple(entry)
