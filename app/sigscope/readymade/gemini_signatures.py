"""Signatures of Gemini's parts, put on other parts than their own."""

from __future__ import annotations

from collections.abc import Callable

from sigscope.conversation import Json, Part
from sigscope.readymade.context import Context
from sigscope.readymade.draft import Draft, put
from sigscope.readymade.held import Bearer, HeldSignature
from sigscope.readymade.rewriter import (
    Change,
    clear,
    counting,
    is_same,
    sightings_in,
    take_off,
)
from sigscope.readymade.values import BYPASS

FIELD = "thoughtSignature"

Target = Callable[[Draft, Context, Bearer, HeldSignature], dict[str, Json] | None]
"""The object of the draft that a signature goes on instead; None: leave it."""


def moved(target: Target, path: str = FIELD) -> Change:
    """Each signature on another object than its own."""

    def change(draft: Draft, context: Context, bearer: Bearer) -> None:
        for held in counting(bearer):
            holder = target(draft, context, bearer, held)
            if holder is not None:
                _lift(draft, context, held)
                put(holder, path, held.value)

    return change


def _lift(draft: Draft, context: Context, held: HeldSignature) -> None:
    """Take one signature off its message, wherever it stands there."""
    here = sightings_in(context, held.message)
    take_off(draft, context, (s for s in here if is_same(s, held)))


def part_object(draft: Draft, index: int, part: Part) -> dict[str, Json]:
    """A part to be changed; where it is no object, one that belongs to nothing."""
    return _maybe_part(draft, index, part) or {}


def _maybe_part(draft: Draft, index: int, part: Part) -> dict[str, Json] | None:
    found = draft.at(index, part.pointer)
    return found if isinstance(found, dict) else None


# --- Targets --------------------------------------------------------------------------


def inside_call(
    draft: Draft, context: Context, bearer: Bearer, held: HeldSignature
) -> dict[str, Json] | None:
    if held.call is None:
        return None
    part = part_object(draft, bearer.index, held.call)
    return _first_object(part, "functionCall", "function_call")


def own_part(
    draft: Draft, context: Context, bearer: Bearer, held: HeldSignature
) -> dict[str, Json] | None:
    part = held.call or held.part
    return _maybe_part(draft, bearer.index, part) if part else None


def response_part(
    draft: Draft, context: Context, bearer: Bearer, held: HeldSignature
) -> dict[str, Json] | None:
    if held.call is None:
        return None
    for index in range(bearer.index + 1, len(context.conversation.messages)):
        for result in context.conversation.messages[index].results:
            if answers(result, held.call):
                return _maybe_part(draft, index, result)
    return None


def answers(result: Part, call: Part) -> bool:
    if result.call_id and call.call_id:
        return result.call_id == call.call_id
    return result.name == call.name


def inside_response(
    draft: Draft, context: Context, bearer: Bearer, held: HeldSignature
) -> dict[str, Json] | None:
    part = response_part(draft, context, bearer, held)
    return _first_object(part or {}, "functionResponse", "function_response")


def _first_object(holder: dict[str, Json], *keys: str) -> dict[str, Json] | None:
    found = next(
        (holder[key] for key in keys if isinstance(holder.get(key), dict)), None
    )
    return found if isinstance(found, dict) else None


def first_part(
    draft: Draft, context: Context, bearer: Bearer, held: HeldSignature
) -> dict[str, Json] | None:
    """Part 0, where the signature's own part is another."""
    parts = bearer.message.parts
    own = held.call or held.part
    if own is None or not parts or parts[0].pointer == own.pointer:
        return None
    return _maybe_part(draft, bearer.index, parts[0])


def next_part(
    draft: Draft, context: Context, bearer: Bearer, held: HeldSignature
) -> dict[str, Json] | None:
    own = held.call or held.part
    parts = [part.pointer for part in bearer.message.parts]
    if own is None or own.pointer not in parts[:-1]:
        return None
    following = bearer.message.parts[parts.index(own.pointer) + 1]
    return _maybe_part(draft, bearer.index, following)


def sibling(
    draft: Draft, context: Context, bearer: Bearer, held: HeldSignature
) -> dict[str, Json] | None:
    """The second call, where the first is signed (GEM-11)."""
    calls = bearer.message.calls
    if held.call is None or len(calls) < 2 or held.call.pointer != calls[0].pointer:
        return None
    return _maybe_part(draft, bearer.index, calls[1])


def next_call(
    draft: Draft, context: Context, bearer: Bearer, held: HeldSignature
) -> dict[str, Json] | None:
    """The next call of a later content, for the signature of a text part."""
    if held.call is not None:
        return None
    for index in range(bearer.index + 1, len(context.conversation.messages)):
        for call in context.conversation.messages[index].calls:
            return _maybe_part(draft, index, call)
    return None


move_to_sibling = moved(sibling)


# --- Copies, and one for all ----------------------------------------------------------


def on_siblings(draft: Draft, context: Context, bearer: Bearer) -> None:
    """The same signature on every parallel call (GEM-12)."""
    for held in counting(bearer):
        for call in bearer.message.calls if held.call else ():
            part_object(draft, bearer.index, call).setdefault(FIELD, held.value)


def last_on_first_call(draft: Draft, context: Context, bearer: Bearer) -> None:
    """One variable for the last signature seen: on the first call, else on part 0."""
    held = bearer.held[-1]
    targets = bearer.message.calls or bearer.message.parts
    clear(draft, context, bearer)
    if targets:
        part_object(draft, bearer.index, targets[0])[FIELD] = held.value


def bypass_on_siblings(draft: Draft, context: Context, bearer: Bearer) -> None:
    """The bypass on every unsigned parallel call."""
    for call in bearer.message.calls:
        part_object(draft, bearer.index, call).setdefault(FIELD, BYPASS)


def in_snake_case(draft: Draft, context: Context, bearer: Bearer) -> None:
    for sighting in sightings_in(context, bearer.index):
        if sighting.pointer.endswith(f"/{FIELD}"):
            part = draft.at(bearer.index, sighting.pointer.rpartition("/")[0])
            part["thought_signature"] = part.pop(FIELD)
