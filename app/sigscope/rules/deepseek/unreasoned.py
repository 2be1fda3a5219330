"""Messages with calls that lack their reasoning, in any turn: what DSK-1 and DSK-2 say
in the words of their models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from sigscope.conversation import Json, Message
from sigscope.dialects.deepseek import FIELD
from sigscope.ledger.dialects.deepseek import thinks
from sigscope.rules.base import Subject
from sigscope.rules.edits import Fix, node, put
from sigscope.rules.kinds.missing import Missing
from sigscope.rules.places import reply_of
from sigscope.rules.relocation import found_elsewhere
from sigscope.rules.tallies import Callers
from sigscope.rules.words import calling

Words = Literal["DSK-1", "DSK-2"]


def _calls_in(subject: Subject) -> Sequence[tuple[int, Message]]:
    """Of closed turns as well."""
    return [(i, subject.messages[i]) for i in subject.tally(Callers).answers]


def _lacks(message: Json) -> bool:
    return isinstance(message, dict) and not isinstance(message.get(FIELD), str)


def _words(subject: Subject) -> Words:
    """Those of the refusal, else of the model that is asked."""
    if "DSK-1" in subject.heard:
        return "DSK-1"
    is_older = "-v3" in subject.reading.model.lower() and "DSK-2" not in subject.heard
    return "DSK-1" if is_older else "DSK-2"


def _empty(subject: Subject, index: int) -> tuple[str, Fix | None]:
    """An empty reasoning, where nobody knows of another (docs/wire/deepseek.md#po-2,
    docs/wire/deepseek.md#by-1)."""
    message = subject.messages[index]
    blank: Fix = (put(f"{message.pointer}/{FIELD}", "", "an empty reasoning"),)
    if reply_of(subject, index) is not None:
        return "the recorded answer has none: an empty one has to be sent", blank
    said, fix = found_elsewhere(subject, index)
    return said, fix or blank


def unreasoned(words: Words) -> Missing:
    """The check of one of both."""

    def is_meant(subject: Subject, index: int) -> bool:
        raw = node(subject.reading.request_json, subject.messages[index].pointer)
        is_asked = bool(subject.heard) or thinks(subject.reading)
        return _lacks(raw) and is_asked and _words(subject) == words

    return Missing(
        among=_calls_in,
        of=is_meant,
        words=lambda subject, index: (
            f"{FIELD} is missing on the message that {calling(subject.messages[index])}"
        ),
        otherwise=_empty,
    )
