"""A reply in two messages, in a capture that begins in the middle: the signature, then
the calls.

Which response made the calls nobody recorded. But nothing was said to the model between
two messages of its own in a row, so both are one reply
(docs/wire/copilot-chat.md#policy), and where
the first alone has a signature from before the recording, it is that of the calls.
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.conversation import Json, Role
from sigscope.edits.records import Edit
from sigscope.ledger.links import plain
from sigscope.rules.base import Subject
from sigscope.rules.edits import Fix, copy, drop, joined, node, put
from sigscope.rules.places import covering, is_earlier

LABEL = "one message for one reply"
EMPTY: tuple[Json, ...] = (None, "", [])
"""What `content` may be where a message says nothing."""


def first_half(subject: Subject, index: int) -> int | None:
    """The message before, if it holds the signature of this one's calls; else None."""
    dialect = subject.reading.dialect
    if dialect is None or dialect.home.signs != "message":
        return None  # each call has its own
    if index < 1 or covering(subject, index):
        return None
    half, calls = subject.messages[index - 1], subject.messages[index]
    if half.role is not Role.ASSISTANT or half.calls or not calls.calls:
        return None
    if index in subject.held or index - 1 in subject.held:
        return None
    if _said(subject, index) not in EMPTY and _said(subject, index - 1) not in EMPTY:
        return None
    brought = covering(subject, index - 1)
    own = {plain(call.call_id) for call in calls.calls if call.call_id}
    ids = (sighting.anchor.call_id for sighting in brought)
    named = {plain(call_id) for call_id in ids if call_id}
    if not brought or (named and own and not named & own):
        return None
    return index - 1 if all(is_earlier(subject, each) for each in brought) else None


def rejoined(subject: Subject, index: int) -> Fix | None:
    """Edits that leave one message; None where there is no first half."""
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
    is_bare = _said(subject, half) in EMPTY
    if is_bare and _said(subject, index) == []:
        yield put(f"{target}/content", None, "set content to null")


def _said(subject: Subject, index: int) -> Json:
    return node(
        subject.reading.request_json, f"{subject.messages[index].pointer}/content"
    )
