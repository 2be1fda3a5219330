"""How much of the model's earlier reasoning a request brings back (Zoo-Code#736)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from sigscope.upstreams.simulator.contents import (
    Content,
    ContentPart,
    call_ids,
    turn_starts,
)
from sigscope.upstreams.simulator.mint.keyring import Keyring, SealOwner
from sigscope.upstreams.simulator.records import Standing


def lost_turns(
    contents: Sequence[Content], keyring: Keyring, origin: SealOwner, *, silence: bool
) -> int:
    """Closed turns whose reasoning did not come back.

    A turn with calls is whole if the first call of each step is signed genuinely; a
    turn without calls if its answer is. With `silence` a turn that carries nothing
    counts as lost; without, only one whose calls carry a bypass does: leaving out the
    signatures of closed turns is what several good clients do
    (docs/wire/copilot-chat.md#policy).
    """
    ids = call_ids(contents)

    def standing(part: ContentPart) -> Standing | None:
        if not part.signature or part.vouched:
            return Standing.GENUINE if part.vouched else None
        return keyring.recognise(part.signature, origin, part.anchor, ids).standing

    lost = 0
    starts = turn_starts(contents)
    for start, end in pairwise(starts):
        model = [c for c in contents[start:end] if c.role == "model" and c.parts]
        firsts = [content.calls[0] for content in model if content.calls]
        found = [standing(part) for part in firsts]
        if not silence:
            lost += Standing.BYPASS in found
        elif firsts:
            lost += any(one is not Standing.GENUINE for one in found)
        elif model:
            signed = [standing(part) for content in model for part in content.parts]
            lost += Standing.GENUINE not in signed
    return lost
