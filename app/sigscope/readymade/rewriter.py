"""Moves that mistakes and cures are made of: take signatures off, put them on."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from typing import Any

from sigscope import opaque
from sigscope.conversation import Json, Part, Sighting
from sigscope.dialects.base import Dialect
from sigscope.dialects.homes import Delivery
from sigscope.dialects.registry import DIALECTS
from sigscope.edits.records import Edit
from sigscope.pointer import parse
from sigscope.readymade.context import Context
from sigscope.readymade.draft import Draft, put
from sigscope.readymade.held import Bearer, HeldSignature
from sigscope.readymade.records import Make

Change = Callable[[Draft, Context, Bearer], None]

DETAILS = "reasoning_details"
"""A list of entries of which none counts without the others."""
_SINGLE = frozenset(
    carrier.name
    for dialect in DIALECTS
    if dialect.home.is_single
    for carrier in dialect.carriers
)
"""Carriers that hold one value of a reply."""


def on_each(change: Change) -> Make:
    """Make edits by changing every message that has signatures or should."""

    def make(context: Context) -> tuple[Edit, ...] | None:
        draft = Draft(context)
        for bearer in context.bearers:
            change(draft, context, bearer)
        return draft.edits() or None

    return make


# --- Where signatures stand -----------------------------------------------------------


def sightings_in(context: Context, index: int) -> tuple[Sighting, ...]:
    """Every signature in a message, whether it is read there or not."""
    return context.sent.get(index, ())


def is_same(sighting: Sighting, held: HeldSignature) -> bool:
    """Whether a place has this very signature, in whatever alphabet."""
    ours, theirs = opaque.comparison_key(sighting.value), held.value
    return ours == opaque.comparison_key(theirs)


def is_right(sighting: Sighting, held: HeldSignature) -> bool:
    """Whether a place has this signature where the service reads it for its anchor."""
    return (
        sighting.is_read
        and sighting.anchor.message == held.message
        and is_same(sighting, held)
        and _is_anchor(sighting, held)
    )


def _is_anchor(sighting: Sighting, held: HeldSignature) -> bool:
    anchor = sighting.anchor
    if held.call is not None:
        own = held.call.call_id
        if own and anchor.call_id:
            return _plain(own) == _plain(anchor.call_id)
        return anchor.part in (None, held.call.pointer)
    if held.part is not None:
        return anchor.part in (None, held.part.pointer)
    return True


def _plain(call_id: str) -> str:
    return opaque.split_call_id(call_id).plain


def counting(bearer: Bearer) -> tuple[HeldSignature, ...]:
    """Those that go back: of several for one place the last, else all."""
    last = {held.carrier: held for held in bearer.held}
    return tuple(
        held
        for held in bearer.held
        if held.carrier not in _SINGLE or last[held.carrier] is held
    )


# --- Taking off -----------------------------------------------------------------------


def clear(draft: Draft, context: Context, bearer: Bearer) -> None:
    """Take every signature off a message."""
    take_off(draft, context, sightings_in(context, bearer.index))


def take_off(draft: Draft, context: Context, sightings: Iterable[Sighting]) -> None:
    """Take signatures off where they stand; from the back, since indices shift."""
    hidden = _in_call_ids(context.reading.dialect)
    for sighting in sorted(sightings, key=_order, reverse=True):
        index = sighting.anchor.message
        if sighting.carrier in hidden:
            rename_call(draft, sighting.pointer, index, _plain)
            _rename_answers(draft, context, sighting, _plain)
        elif f"/{DETAILS}/" in sighting.pointer:
            draft.message(index).pop(DETAILS, None)
        else:
            draft.remove(index, sighting.pointer)


def _order(sighting: Sighting) -> tuple[tuple[int, str], ...]:
    return tuple(
        (int(part), "") if part.isdecimal() else (-1, part)
        for part in parse(sighting.pointer)
    )


def _in_call_ids(dialect: Dialect | None) -> frozenset[str]:
    carriers = dialect.carriers if dialect else ()
    return frozenset(carrier.name for carrier in carriers if carrier.in_call_id)


def rename_call(
    draft: Draft, pointer: str, index: int, rename: Callable[[str], str]
) -> None:
    """Change the id at `pointer`, of a call or of a result."""
    holder = draft.at(index, pointer.rpartition("/")[0])
    key = pointer.rpartition("/")[2]
    if isinstance(holder.get(key), str):
        holder[key] = rename(holder[key])


def _rename_answers(
    draft: Draft, context: Context, sighting: Sighting, rename: Callable[[str], str]
) -> None:
    """The results of a call whose id carries a signature."""
    for call in context.conversation.messages[sighting.anchor.message].calls:
        if call.call_id and sighting.pointer.startswith(f"{call.pointer}/"):
            rename_results(draft, context, call.call_id, rename)


def rename_results(
    draft: Draft, context: Context, call_id: str, rename: Callable[[str], str]
) -> None:
    """Change the id in every tool message that answers this call, with or without
    what a middleman appended to it."""
    for index, message in enumerate(context.conversation.messages):
        for result in message.results:
            if result.call_id and _plain(result.call_id) == _plain(call_id):
                rename_call(draft, f"{result.pointer}/tool_call_id", index, rename)


# --- Putting on -----------------------------------------------------------------------


def put_right(draft: Draft, context: Context, bearer: Bearer) -> None:
    """Every signature of a message where it belongs, and nowhere else in it."""
    here = sightings_in(context, bearer.index)
    wanted = counting(bearer)
    stays = [s for s in here if any(is_right(s, held) for held in wanted)]
    missing = [h for h in wanted if not any(is_right(s, h) for s in stays)]
    if context.home.list_key:
        _put_list(draft, context, bearer, here, missing)
        return
    take_off(draft, context, (s for s in here if s not in stays))
    for held in missing:
        _put_one(draft, context, bearer, held)


def _put_one(
    draft: Draft, context: Context, bearer: Bearer, held: HeldSignature
) -> None:
    part = held.call or held.part
    if context.home.signs == "call":
        part = held.call or next(iter(bearer.message.calls), None)
    elif context.home.signs == "message":
        part = None
    message = draft.message(held.message)
    holder = draft.at(held.message, part.pointer) if part else message
    home = context.home.of(
        Delivery(
            value=held.value,
            message=bearer.message,
            part=part,
            holder=holder,
            carrier=held.carrier,
            others=[other.value for other in counting(bearer)],
        )
    )
    if home is None:
        return
    target = message if home.at == bearer.message.pointer else holder
    path, is_last, _ = home.path.partition("/-")
    if not is_last:
        put(target, path, home.value)
    elif isinstance(target.get(path), list):
        target[path].append(home.value)


def _put_list(
    draft: Draft,
    context: Context,
    bearer: Bearer,
    here: tuple[Sighting, ...],
    missing: list[HeldSignature],
) -> None:
    """The whole sequence of entries, signed or not; made up where none was received."""
    key = context.home.list_key
    take_off(draft, context, [s for s in here if f"/{key}/" not in s.pointer])
    entries = reply_entries(bearer, key)
    if not entries:
        first = next(iter(bearer.message.calls), None)
        for held in missing:
            entries += made_up(context, bearer, held.value, held.call or first)
    if entries:
        blend(draft.message(bearer.index), key, entries)


def made_up(
    context: Context, bearer: Bearer, value: str, call: Part | None
) -> list[Json]:
    """Entries of a list that no response had."""
    home = context.home.of(Delivery(value=value, message=bearer.message, part=call))
    return home.value if home and isinstance(home.value, list) else []


def reply_entries(bearer: Bearer, key: str) -> list[Json]:
    """The entries of the reply, as a client that joins deltas well has them."""
    reply = bearer.reply.reply.message if bearer.reply else None
    if bearer.reply is None or reply is None:
        return []
    body: Any = bearer.reply.response_json
    for segment in parse(reply.pointer):
        body = body[int(segment)] if isinstance(body, list) else body[segment]
    entries = body.get(key)
    return copy.deepcopy(entries) if isinstance(entries, list) else []


def blend(holder: Any, key: Any, wanted: Json) -> None:
    """Make a member equal to what is wanted, changing as little as needed."""
    here: Json = holder[key] if isinstance(holder, list) else holder.get(key)
    if isinstance(here, dict) and isinstance(wanted, dict):
        for name in [name for name in here if name not in wanted]:
            del here[name]
        for name, value in wanted.items():
            blend(here, name, value)
    elif (
        isinstance(here, list) and isinstance(wanted, list) and len(here) == len(wanted)
    ):
        for index, value in enumerate(wanted):
            blend(here, index, value)
    else:
        holder[key] = wanted


# --- Misplacing -----------------------------------------------------------------------


def on_calls(path: str) -> Change:
    """Take the signatures off a message and put them on its calls at a path. One that
    signs no single call goes on all of them, as in the attempts of Zed."""

    def change(draft: Draft, context: Context, bearer: Bearer) -> None:
        if not bearer.message.calls:
            return
        clear(draft, context, bearer)
        for held in counting(bearer):
            for call in (held.call,) if held.call else bearer.message.calls:
                put(draft.at(bearer.index, call.pointer), path, held.value)

    return change
