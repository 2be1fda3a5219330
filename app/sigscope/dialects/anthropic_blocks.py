"""Blocks of an assistant's message, and how its thinking stands between them."""

from __future__ import annotations

from collections.abc import Sequence

from sigscope.conversation import Json

SECRETS = {"thinking": "signature", "redacted_thinking": "data"}
"""Type of a block → the member that the service verifies."""


def kind_of(block: Json) -> Json:
    """The type of a block; None where it names none."""
    return block.get("type") if isinstance(block, dict) else None


def is_thought(block: Json) -> bool:
    """Whether it is a thinking block, readable or sealed."""
    kind = kind_of(block)
    return isinstance(kind, str) and kind in SECRETS


def secret(block: Json) -> Json:
    """What the service verifies of a thinking block; None where it is not there."""
    return block.get(SECRETS[block["type"]]) if is_thought(block) else None


def with_thinking(sent: Sequence[Json], brought: Sequence[Json]) -> list[Json]:
    """The thinking as received, between what is sent of the other blocks. What the
    reply did not have stands before the calls."""
    rest = [block for block in sent if not is_thought(block)]
    made: list[Json] = []
    for block in brought:
        if is_thought(block):
            made.append(block)
            continue
        found = next((n for n, other in enumerate(rest) if _are_one(other, block)), -1)
        if found >= 0:
            made.append(rest.pop(found))
    calls = [n for n, block in enumerate(made) if kind_of(block) == "tool_use"]
    place = calls[0] if calls else len(made)
    calling = [block for block in rest if kind_of(block) == "tool_use"]
    saying = [block for block in rest if kind_of(block) != "tool_use"]
    return [*made[:place], *saying, *made[place:], *calling]


def _are_one(sent: Json, brought: Json) -> bool:
    kind = kind_of(sent)
    if kind is None or kind != kind_of(brought):
        return False
    key = {"tool_use": "id", "text": "text"}.get(kind)
    return bool(sent.get(key) == brought.get(key)) if key else bool(sent == brought)
