"""Reasoning fades when genuine signatures stay away (Zoo-Code#736;
docs/wire/litellm.md#silent).

With every closed turn whose signatures did not come back genuine, a smaller share of
the reasoning arrives as a summary, and a larger one raw, inside the answer. The curve
is made up to fit the story (first turns look right, gone after a few); the direction
is what was observed.
"""

from __future__ import annotations

from dataclasses import replace

from sigscope.upstreams.simulator.speech.prose import pieces
from sigscope.upstreams.simulator.speech.script import ScriptedReply

SHARES = (1.0, 0.92, 0.78, 0.58, 0.38, 0.2, 0.08, 0.0)
"""Share of the reasoning that is still summarised, by number of lost turns."""


def share_left(lost: int) -> float:
    """Share of reasoning that still comes as a summary, 1 to 0."""
    return SHARES[min(lost, len(SHARES) - 1)]


def fade(reply: ScriptedReply, lost: int) -> ScriptedReply:
    """The reply as it comes out after that many lost turns."""
    share = share_left(lost)
    if share == 1.0 or not reply.signed:
        return reply
    summary = _first(" ".join(reply.thoughts), share) if share else ""
    raw = _first(reply.raw, 1.0 - share)
    text = f"{raw}\n\n{reply.text}" if reply.text else raw
    return replace(reply, thoughts=tuple(pieces(summary, 120)), text=text)


def _first(text: str, share: float) -> str:
    """That share of a text, cut at a space."""
    words = pieces(text, 1)
    wanted = round(len(text) * share)
    kept: list[str] = []
    length = 0
    for word in words:
        if length + len(word) > wanted:
            break
        kept.append(word)
        length += len(word)
    return "".join(kept).rstrip()
