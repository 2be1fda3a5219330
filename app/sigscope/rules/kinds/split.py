"""A reply that a client stored as two messages: the signature, then the calls.

Nothing was said to the model between two messages of its own in a row, so both are one
reply (docs/wire/copilot-chat.md#policy): they are joined into one, else the calls are
left without their signature. Of a reply that was recorded the link tells that they are
two halves; in a capture that begins in the middle, that the first alone has a signature
from before the recording.
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.conversation import Json, Role
from sigscope.edits.records import Edit
from sigscope.ledger.links import plain
from sigscope.pointer import is_within
from sigscope.rules.base import Subject
from sigscope.rules.edits import Fix, copy, drop, joined, node, put
from sigscope.rules.fixes import clearing, maybe_home
from sigscope.rules.places import covering, is_earlier
from sigscope.rules.subject import Loss

LABEL = "make it one message for one reply"
EMPTY: tuple[Json, ...] = (None, "", [])
"""What `content` may be where a message says nothing; `[]` is refused by some."""


def other_half(subject: Subject, index: int) -> int | None:
    """The message before this one, if it holds the rest of the same recorded reply and
    the two can be joined; else None."""
    link = subject.held.get(index)
    if link is None or index - 1 not in link.messages or not _is_half(subject, index):
        return None
    return index - 1 if content_of(subject, index) in EMPTY else None


def first_half(subject: Subject, index: int) -> int | None:
    """The message before, if it holds the signature, from before the recording, of
    this one's calls; else None."""
    dialect = subject.reading.dialect
    if dialect is None or dialect.home.signs != "message":
        return None  # each call has its own
    if index < 1 or covering(subject, index) or not _is_half(subject, index):
        return None
    if index in subject.held or index - 1 in subject.held:
        return None
    if all(content_of(subject, each) not in EMPTY for each in (index, index - 1)):
        return None
    brought = covering(subject, index - 1)
    own = {plain(c.call_id) for c in subject.messages[index].calls if c.call_id}
    ids = (sighting.anchor.call_id for sighting in brought)
    named = {plain(call_id) for call_id in ids if call_id}
    if not brought or (named and own and not named & own):
        return None
    return index - 1 if all(is_earlier(subject, each) for each in brought) else None


def _is_half(subject: Subject, index: int) -> bool:
    """Whether a message calls, and the model's message before it does not."""
    half, calls = subject.messages[index - 1], subject.messages[index]
    return half.role is Role.ASSISTANT and not half.calls and bool(calls.calls)


def content_of(subject: Subject, index: int) -> Json:
    """`content` as it stands; None if it is not there."""
    at = subject.messages[index].pointer
    return node(subject.reading.request_json, f"{at}/content")


def merging(subject: Subject, loss: Loss) -> Fix | None:
    """Edits that join both halves of a recorded reply in the message with the calls,
    and send its signature back; None where there is no other half."""
    index = loss.index
    half = other_half(subject, index)
    home = maybe_home(subject, loss.signature, index)
    if half is None or home is None:
        return None
    source = subject.messages[half].pointer
    strays = clearing(subject, loss.signature, home.pointer)
    return joined(
        [drop(source, LABEL), put(home.pointer, home.value, LABEL)],
        (edit for edit in strays if not is_within(edit.pointer, source)),
        content_fix(subject, index),
        _reasoning(subject, source, subject.messages[index].pointer),
    )


def content_fix(subject: Subject, index: int) -> Fix:
    """What `content` should be beside calls: the other half's text, else null."""
    half = other_half(subject, index)
    text = content_of(subject, half) if half is not None else None
    pointer = f"{subject.messages[index].pointer}/content"
    if text in EMPTY:
        is_fine = content_of(subject, index) != []
        return () if is_fine else (put(pointer, None, "set content to null"),)
    return (put(pointer, text, "set the text of the same reply"),)


def _reasoning(subject: Subject, source: str, target: str) -> Iterator[Edit]:
    """The readable reasoning, where the half with the calls has none."""
    dialect, body = subject.reading.dialect, subject.reading.request_json
    key = dialect.thought_key if dialect else ""
    text = node(body, f"{source}/{key}")
    if key and isinstance(text, str) and not node(body, f"{target}/{key}"):
        yield put(f"{target}/{key}", text, LABEL)


def rejoined(subject: Subject, index: int) -> Fix | None:
    """Edits that leave one message of two from before the recording; None where there
    is no first half."""
    half = first_half(subject, index)
    if half is None:
        return None
    source = subject.messages[half].pointer
    return joined(_moved(subject, half, index), [drop(source, LABEL)])


def _moved(subject: Subject, half: int, index: int) -> Iterator[Edit]:
    """What the first half has, and the second has not."""
    body = subject.reading.request_json
    source, target = subject.messages[half].pointer, subject.messages[index].pointer
    for key, value in node(body, source).items():
        has_own = node(body, target).get(key) not in EMPTY
        if value in EMPTY or has_own or "/" in key or "~" in key:
            continue
        if key in node(body, target):
            yield put(f"{target}/{key}", value, LABEL)
        else:
            yield copy(f"{source}/{key}", f"{target}/{key}", LABEL)
    is_bare = content_of(subject, half) in EMPTY
    if is_bare and content_of(subject, index) == []:
        yield put(f"{target}/content", None, "set content to null")
