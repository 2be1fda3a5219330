"""Which steps are the two hops of one call. No widget, no terminal."""

from __future__ import annotations

from collections.abc import Mapping

HopPair = tuple[int, int]
"""The step between client and gateway, and the one between gateway and provider."""


def hop_pairs(hops: Mapping[int, int]) -> tuple[HopPair, ...]:
    """In the order of the client's steps; a gateway may have asked more than once.
    `hops`: the provider's step, and the client's that it was made for."""
    return tuple(sorted((outer, inner) for inner, outer in hops.items()))


def pair_at(pairs: tuple[HopPair, ...], step: int) -> int | None:
    """Index of the first pair that a step is in; None where it has one hop."""
    return next((at for at, pair in enumerate(pairs) if step in pair), None)


def why_one_hop(
    pairs: tuple[HopPair, ...], step: int, *, lacks_body: bool = False
) -> str:
    """What to do where a step has no second hop. `lacks_body`: what it asked was not
    recorded, and hops are told by what both ask."""
    if lacks_body:
        return (
            f"not known: step {step} was recorded without the body of its request, and"
            " two hops of one call are told by what both ask"
        )
    if pairs:
        first = " and ".join(str(number) for number in pairs[0])
        return (
            f"step {step} has one hop: no other step asks and answers the same on its"
            f" way to a provider. Steps {first} are two hops of one call"
        )
    return (
        "this session has one hop: client and service. To see what a gateway changes,"
        " record both into one session: `sigscope record --upstream GATEWAY` with"
        " `--map /provider=PROVIDER`, and give the gateway the recorder's /provider as"
        " its base URL"
    )
