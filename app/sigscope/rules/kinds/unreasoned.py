"""Messages with calls that lack their readable reasoning, in any turn.

Of services whose reasoning is text, and which want it back with every call of the
history: the member is the dialect's `thought_key`. An empty text is there; null is not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from functools import lru_cache

from sigscope.conversation import Json, Message
from sigscope.ledger.dialects import policy_of
from sigscope.rules.base import Subject
from sigscope.rules.edits import Fix, node, put
from sigscope.rules.kinds.missing import Missing
from sigscope.rules.places import reply_of
from sigscope.rules.relocation import found_elsewhere
from sigscope.rules.tallies import Callers
from sigscope.rules.words import calling

PAGE = """An assistant message with tool calls lacks its reasoning ({models}).

Why it matters: 400
"{text}".
It is wanted with every call of the history, those of closed turns as well.{more}
Bad:  {{"role": "assistant", "tool_calls": ["..."]}}
Good: {{"{field}": "I need the list.", "tool_calls": ["..."]}}
False alarms: messages without calls, and requests that turn thinking off, are left
alone. An empty text is there; null is not. An accepted request earns a warning if the
text is known, else a remark.
Fix: the text as received, all pieces of the stream joined; where the answer had none,
or was not recorded, an empty one, which passes.
"""
"""The manual page of such a rule. Slots: whose words `text` are, the member,
and what else is to be said of the words."""


def _calls_in(subject: Subject) -> Sequence[tuple[int, Message]]:
    """Of closed turns as well."""
    return [(i, subject.messages[i]) for i in subject.tally(Callers).answers]


def _place(subject: Subject, index: int) -> str:
    dialect = subject.reading.dialect
    key = dialect.thought_key if dialect else ""
    return f"{subject.messages[index].pointer}/{key}"


def _empty(subject: Subject, index: int) -> tuple[str, Fix | None]:
    """An empty reasoning, where nobody knows of another."""
    blank: Fix = (put(_place(subject, index), "", "set an empty reasoning"),)
    if reply_of(subject, index) is not None:
        return "the recorded answer has none: an empty one has to be sent", blank
    said, fix = found_elsewhere(subject, index)
    return said, fix or blank


def _said(subject: Subject, index: int) -> str:
    field = _place(subject, index).rpartition("/")[2]
    return f"{field} is missing on the message that {calling(subject.messages[index])}"


def _is_wanted(subject: Subject) -> bool:
    """Whether the service insists on reasoning at all: it says so, or is asked for."""
    policy = policy_of(subject.reading.dialect)
    return bool(subject.heard) or bool(policy and policy.thinks(subject.reading))


def unreasoned(*, of: Callable[[Subject], bool] = _is_wanted) -> Missing:
    """The check of a rule; `of`: whether it speaks for this request, of rules for some
    models of the service."""

    def among(subject: Subject) -> Sequence[tuple[int, Message]]:
        is_asked = _is_wanted(subject) and of(subject)
        return _calls_in(subject) if is_asked else ()

    return Missing(among=among, of=_is_bare, words=_said, otherwise=_empty)


def _is_bare(subject: Subject, index: int) -> bool:
    return index in subject.once(_bare)


def _bare(subject: Subject) -> Set[int]:
    """Messages without the member, or with something else than a text in it."""
    dialect = subject.reading.dialect
    return frozenset(subject.odd(_lacks(dialect.thought_key if dialect else "")))


@lru_cache(maxsize=16)
def _lacks(key: str) -> Callable[[Json], bool]:
    """One function for one member: what it says is remembered by it."""
    return lambda entry: not isinstance(node(entry, f"/{key}"), str)
