"""Finding the block of the chat that shows a node."""

from __future__ import annotations

from collections.abc import Sequence

import hypothesis.strategies as st
from hypothesis import given

from sigscope.tui.place import NodePlace
from sigscope.tui.views.blockplaces import BlockPlaces
from sigscope.tui.views.chat import Badge, Block

POINTERS = ("", "/a", "/a/0", "/a/0/b", "/a/01", "/a/1", "/b")
PLACES = st.one_of(
    st.builds(NodePlace, side=st.sampled_from(["request", "response"]),
              pointer=st.sampled_from(POINTERS)),
    st.builds(NodePlace, side=st.just("event"), event=st.integers(1, 2),
              pointer=st.sampled_from(POINTERS)),
)  # fmt: skip
SIGNATURES = st.sampled_from(["aa", "bb"])


@st.composite
def some_blocks(draw: st.DrawFn) -> list[Block]:
    drawn = st.tuples(
        st.sampled_from(["text", "call", "finding"]), PLACES, st.sets(SIGNATURES)
    )
    return [
        Block(
            key=str(number),
            kind=kind,
            place=place,
            badges=tuple(Badge(sha256=s) for s in sorted(worn)),
        )
        for number, (kind, place, worn) in enumerate(draw(st.lists(drawn)))
    ]


def asked_one_by_one(
    blocks: Sequence[Block], place: NodePlace, signature: str | None
) -> Block | None:
    """The same by looking at every block."""
    wearing = [b for b in blocks if any(x.sha256 == signature for x in b.badges)]
    if place.side == "event":
        answer = [b for b in blocks if b.place.side != "request"]
        return next((b for b in answer if b in wearing), next(iter(answer), None))
    spoken = [b for b in blocks if b.kind != "finding"]
    around = [b for b in spoken if b.place.holds(place)]
    inside = [b for b in spoken if place.holds(b.place) and b in wearing]
    best = [b for b in around if b in wearing] or inside
    if signature is not None and best:
        return best[-1]
    return max(around, key=lambda b: len(b.place.pointer), default=None)


@given(some_blocks(), PLACES, st.none() | SIGNATURES)
def test_the_index_answers_as_if_every_block_were_asked(
    blocks: list[Block], place: NodePlace, signature: str | None
) -> None:
    found = BlockPlaces(blocks).find(place, signature)
    assert found == asked_one_by_one(blocks, place, signature)


def test_the_smallest_block_around_a_node_shows_it() -> None:
    blocks = [
        Block(key="m", kind="speaker", place=NodePlace(pointer="/messages/1")),
        Block(
            key="c", kind="call", place=NodePlace(pointer="/messages/1/tool_calls/0")
        ),
    ]
    places = BlockPlaces(blocks)
    inside = NodePlace(pointer="/messages/1/tool_calls/0/function/name")
    beside = NodePlace(pointer="/messages/1/tool_calls/01")
    assert places.find(inside, None) is blocks[1]
    assert places.find(beside, None) is blocks[0]
    assert places.find(NodePlace(pointer="/messages/10"), None) is None
    assert [places.number(block) for block in blocks] == [0, 1]
