"""A reply that a client stored as two messages: text and envelope, then the calls.

docs/wire/copilot-chat.md#policy: join them into one, else the calls are left without
their envelope.
"""

from __future__ import annotations

from sigscope.conversation import Json, Role
from sigscope.edits.records import Edit
from sigscope.pointer import is_within
from sigscope.rules.base import Subject
from sigscope.rules.edits import Fix, drop, joined, node, put
from sigscope.rules.fixes import clearing, maybe_home
from sigscope.rules.subject import Loss

EMPTY: tuple[Json, ...] = (None, "", [])
"""What `content` may be where a message only calls tools; `[]` is refused (CPC-2)."""


def other_half(subject: Subject, index: int) -> int | None:
    """The message before this one, if it holds the rest of the same reply and the two
    can be joined; else None."""
    link = subject.held.get(index)
    if link is None or index - 1 not in link.messages:
        return None
    half, calls = subject.messages[index - 1], subject.messages[index]
    if half.role is not Role.ASSISTANT or half.calls or not calls.calls:
        return None
    return index - 1 if content_of(subject, index) in EMPTY else None


def content_of(subject: Subject, index: int) -> Json:
    """`content` as it stands; None if it is not there."""
    return node(
        subject.reading.request_json, f"{subject.messages[index].pointer}/content"
    )


def merging(subject: Subject, loss: Loss) -> Fix | None:
    """Edits that join both halves in the message with the calls; None where there is
    no other half."""
    index = loss.index
    half = other_half(subject, index)
    home = maybe_home(subject, loss.signature, index)
    if half is None or home is None:
        return None
    label = "one message for one reply"
    source, target = subject.messages[half].pointer, subject.messages[index].pointer
    strays = clearing(subject, loss.signature, home.pointer)
    return joined(
        [drop(source, label), put(home.pointer, home.value, label)],
        (edit for edit in strays if not is_within(edit.pointer, source)),
        content_fix(subject, index),
        _reasoning_text(subject, source, target, label),
    )


def content_fix(subject: Subject, index: int) -> Fix:
    """What `content` should be beside calls: the other half's text, else null."""
    half = other_half(subject, index)
    text = content_of(subject, half) if half is not None else None
    pointer = f"{subject.messages[index].pointer}/content"
    if text in EMPTY:
        is_fine = content_of(subject, index) != []
        return () if is_fine else (put(pointer, None, "set content to null"),)
    return (put(pointer, text, "the text of the same reply"),)


def _reasoning_text(
    subject: Subject, source: str, target: str, label: str
) -> list[Edit]:
    body = subject.reading.request_json
    text = node(body, f"{source}/reasoning_text")
    if not isinstance(text, str) or node(body, f"{target}/reasoning_text"):
        return []
    return [put(f"{target}/reasoning_text", text, label)]
