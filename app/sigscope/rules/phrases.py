"""What rules say of a loss: templates, and what can be filled in.

"{signature} was left out on {message}; {goes_on} without the reasoning behind it"
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sigscope.ledger import Fate
from sigscope.rules.base import Subject
from sigscope.rules.outcome import all_the_same, goes_on
from sigscope.rules.subject import Loss, happened
from sigscope.rules.words import HAPPENED, calling, told

Words = str | Callable[[Subject, Loss], str]


def _damaged(subject: Subject, loss: Loss) -> str:
    said = f"{HAPPENED[loss.fate]} on the way"
    fate = loss.signature.fate_in(subject.step)
    if fate is None or loss.fate is Fate.BYPASS:
        return said
    return f"{said}: {fate.note.partition('; ')[0]}"


def _message(subject: Subject, loss: Loss) -> str:
    message = subject.messages[loss.index]
    return f"the message that {calling(message)}" if message.calls else "an answer"


FIELDS: Mapping[str, Callable[[Subject, Loss], str]] = {
    "signature": lambda _, loss: told(loss.signature),
    "fate": lambda _, loss: HAPPENED[loss.fate],
    "happened": lambda _, loss: happened(loss),
    "message": _message,
    "damaged": _damaged,
    "goes_on": lambda subject, _: goes_on(subject),
    "all_the_same": lambda subject, _: all_the_same(subject),
}
"""`damaged`: "was altered on the way: differs from character 41 on". `fate` says what
became of it, `happened` also what stands there instead. `goes_on`: "the model
continues", or would; `all_the_same`: that the request was accepted, where it was."""


def said(words: Words, subject: Subject, loss: Loss) -> str:
    """The words about this loss."""
    return (
        words.format_map(_Filled(subject, loss))
        if isinstance(words, str)
        else words(subject, loss)
    )


class _Filled(dict[str, str]):
    """Fields, found when a template asks for them."""

    def __init__(self, subject: Subject, loss: Loss) -> None:
        super().__init__()
        self._about = subject, loss

    def __missing__(self, name: str) -> str:
        return FIELDS[name](*self._about)
