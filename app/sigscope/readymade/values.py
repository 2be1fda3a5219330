"""What happens to a signature's text on its way: cut, recoded, replaced."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable
from dataclasses import replace

from sigscope import opaque
from sigscope.readymade.context import Context
from sigscope.readymade.draft import Draft
from sigscope.readymade.held import Bearer, HeldSignature
from sigscope.readymade.rewriter import (
    Change,
    clear,
    is_right,
    is_same,
    made_up,
    put_right,
    rename_results,
    sightings_in,
)
from sigscope.utf8 import to_bytes

Recode = Callable[[str], str]

BYPASS = opaque.BYPASS_LITERALS[0]
SECOND_BYPASS = opaque.BYPASS_LITERALS[1]
MISTYPED_BYPASS = opaque.BYPASS_LITERALS[2]
_ALPHABETS = str.maketrans("+/-_", "-_+/")
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
HEADER = 12
"""Characters that signatures of one issuer share; a made-up one keeps them."""


def cut(value: str) -> str:
    """Two thirds of it, of a length that no base64 has (1 modulo 4)."""
    return value[: max(1, len(value) * 2 // 3 // 4 * 4 - 3)]


def cut_with_ellipsis(value: str) -> str:
    return cut(value) + "..."


def other_alphabet(value: str) -> str:
    return value.translate(_ALPHABETS)


def without_padding(value: str) -> str:
    return value.rstrip("=")


def double_base64(value: str) -> str:
    return base64.b64encode(to_bytes(value)).decode("ascii")


def raw_bytes(value: str) -> str:
    """Decoded once too often, the bytes written as characters."""
    data = opaque.decode(value)
    return data.decode("latin-1") if data is not None else value


def quoted_twice(value: str) -> str:
    return json.dumps(value)


def altered(value: str) -> str:
    """One character in the middle is another one."""
    middle = len(value) // 2
    other = "A" if value[middle : middle + 1] != "A" else "B"
    return value[:middle] + other + value[middle + 1 :]


def foreign(value: str) -> str:
    """Made up: the same length and beginning, the rest derived from nothing secret."""
    bare = value.rstrip("=")
    digest = hashlib.sha512(to_bytes(value)).digest()
    made = "".join(
        _LETTERS[digest[position % len(digest)] % len(_LETTERS)]
        for position in range(max(0, len(bare) - HEADER))
    )
    return bare[:HEADER] + made + value[len(bare) :]


def bypass_base64(value: str) -> str:
    return base64.b64encode(BYPASS.encode()).decode("ascii")


# --- Applying them --------------------------------------------------------------------


def recoded(recode: Recode) -> Change:
    """Every signature that stands in a message, spelled anew where it stands."""

    def change(draft: Draft, context: Context, bearer: Bearer) -> None:
        for held in bearer.held:
            respell(draft, context, held, recode)

    return change


def respell(
    draft: Draft, context: Context, held: HeldSignature, recode: Recode
) -> bool:
    """Spell one signature anew at every place that has it; whether there was one."""
    found = [s for s in sightings_in(context, held.message) if is_same(s, held)]
    for sighting in found:
        holder = draft.at(held.message, sighting.pointer.rpartition("/")[0])
        last = sighting.pointer.rpartition("/")[2]
        key = int(last) if isinstance(holder, list) else last
        spelled = holder[key]
        new = spelled.replace(sighting.value, recode(sighting.value))
        holder[key] = new
        if new != spelled and opaque.THOUGHT_SEPARATOR in spelled:
            rename_results(draft, context, spelled, _always(new))
    return bool(found)


def _always(text: str) -> Recode:
    return lambda _: text


def replaced(value: str) -> Change:
    """A bypass where the signatures of a message are, or are missing."""

    def change(draft: Draft, context: Context, bearer: Bearer) -> None:
        here = sightings_in(context, bearer.index)
        if all(any(is_right(s, held) for s in here) for held in bearer.held):
            for held in bearer.held:
                respell(draft, context, held, _always(value))
        elif context.home.list_key:
            bypass_entry(value)(draft, context, bearer)
        else:
            stand_ins = tuple(replace(held, value=value) for held in bearer.held)
            put_right(draft, context, replace(bearer, held=stand_ins))

    return change


def bypass_entry(value: str) -> Change:
    """One entry for a message with calls, in place of all others."""

    def change(draft: Draft, context: Context, bearer: Bearer) -> None:
        calls = bearer.message.calls
        if calls:
            clear(draft, context, bearer)
            entries = made_up(context, bearer, value, calls[0])
            draft.message(bearer.index)[context.home.list_key] = entries

    return change
