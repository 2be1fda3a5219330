"""Gemini's parts and contents: joined, split, interleaved, left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

from sigscope.conversation import Json, Message, Part, PartKind, Role
from sigscope.edits.records import Edit
from sigscope.readymade.context import Context
from sigscope.readymade.draft import Draft
from sigscope.readymade.gemini_signatures import FIELD, answers, part_object
from sigscope.readymade.held import Bearer
from sigscope.readymade.records import Make

SHORTENED = "..."
"""What compaction leaves of a thought (lbjlaq/Antigravity-Manager#3337)."""


def _parts(draft: Draft, index: int) -> list[Json]:
    found = draft.message(index).get("parts")
    return found if isinstance(found, list) else []


def without_parts(is_unwanted: Callable[[Part], bool]) -> Make:
    """Take parts away from the model's contents, but never all of them."""

    def make(context: Context) -> tuple[Edit, ...] | None:
        draft = Draft(context)
        for bearer in context.bearers:
            gone = [part for part in bearer.message.parts if is_unwanted(part)]
            if len(gone) == len(bearer.message.parts):
                continue
            for part in reversed(gone):
                _parts(draft, bearer.index).pop(int(part.pointer.rpartition("/")[2]))
        return draft.edits() or None

    return make


def shorten_thoughts(draft: Draft, context: Context, bearer: Bearer) -> None:
    for part in bearer.message.parts:
        if part.kind is PartKind.THOUGHT:
            part_object(draft, bearer.index, part)["text"] = SHORTENED


def merge_texts(draft: Draft, context: Context, bearer: Bearer) -> None:
    """Neighbouring text parts joined, signed or not; the last signature stays."""
    pairs = list(_neighbours(bearer.message))
    for before, part in reversed(pairs):
        kept = part_object(draft, bearer.index, before)
        gone = part_object(draft, bearer.index, part)
        kept["text"] = f"{kept.get('text', '')}{gone.get('text', '')}"
        if FIELD in gone:
            kept[FIELD] = gone[FIELD]
        parts = _parts(draft, bearer.index)
        parts[:] = [item for item in parts if item is not gone]


def _neighbours(message: Message) -> Iterator[tuple[Part, Part]]:
    for before, part in pairwise(message.parts):
        if before.kind is part.kind is PartKind.TEXT:
            yield before, part


def split_contents(context: Context) -> tuple[Edit, ...] | None:
    """Parallel calls of one step in contents of their own (GEM-8)."""
    draft = Draft(context)
    for index, message in enumerate(context.conversation.messages):
        for call in reversed(message.calls[1:]):
            part = part_object(draft, index, call)
            parts = _parts(draft, index)
            parts[:] = [item for item in parts if item is not part]
            place = draft.position(index) + 1
            role = draft.message(index).get("role", "model")
            draft.items.insert(place, {"role": role, "parts": [part]})
    return draft.edits() or None


def interleave(context: Context) -> tuple[Edit, ...] | None:
    """Each parallel call followed by its own result (GEM-7)."""
    draft = Draft(context)
    messages = context.conversation.messages
    for index in range(len(messages) - 1):
        calls, results = messages[index].calls, messages[index + 1].results
        pairs = [
            (call, next((r for r in results if answers(r, call)), None))
            for call in calls[1:]
        ]
        for call, result in reversed(pairs):
            if result is not None:
                _move_pair(draft, index, call, result)
    return draft.edits() or None


def _move_pair(draft: Draft, index: int, call: Part, result: Part) -> None:
    """A call and its result become contents of their own, behind the next."""
    place = draft.position(index + 1) + 1
    for offset, (at, part) in enumerate(((index, call), (index + 1, result))):
        item = part_object(draft, at, part)
        parts = _parts(draft, at)
        parts[:] = [other for other in parts if other is not item]
        role = draft.message(at).get("role", "model")
        draft.items.insert(place + offset, {"role": role, "parts": [item]})


def merge_contents(context: Context) -> tuple[Edit, ...] | None:
    """Neighbouring contents of the model become one again
    (docs/wire/gemini.md#policy)."""
    draft = Draft(context)
    messages = context.conversation.messages
    for index in range(len(messages) - 1, 0, -1):
        first, second = messages[index - 1], messages[index]
        if first.role is second.role is Role.ASSISTANT:
            _parts(draft, index - 1).extend(_parts(draft, index))
            draft.items.pop(draft.position(index))
    return draft.edits() or None
