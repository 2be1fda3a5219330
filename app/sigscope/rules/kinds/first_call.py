"""The first call of a step lacks the signature that Gemini, behind a service of chat
completions, wants on it: `OnCall.path` says where."""

from __future__ import annotations

from sigscope.dialects.homes import OnCall
from sigscope.rules.base import Subject
from sigscope.rules.gemini.unsigned_calls import unsigned_calls
from sigscope.rules.kinds.missing import Missing, is_unsigned
from sigscope.rules.places import content_number
from sigscope.rules.words import calling


def _opens_unsigned(subject: Subject, index: int) -> bool:
    found = {call.index: call.cause for call in unsigned_calls(subject)}
    return found.get(index) == "alone" and is_unsigned(subject, index)


def _said(subject: Subject, index: int) -> str:
    home = subject.reading.dialect.home if subject.reading.dialect else None
    field = home.path.replace("/", ".") if isinstance(home, OnCall) else "signature"
    message = subject.messages[index]
    return (
        f"{field} is missing on the first call of the message that {calling(message)}"
    )


FIRST_CALL = Missing(
    of=_opens_unsigned,
    words=_said,
    where=lambda subject, index: (
        f" (translated, it is content {content_number(subject, index)})"
    ),
)
