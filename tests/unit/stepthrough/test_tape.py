"""The assembled body after any event."""

from __future__ import annotations

import copy
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.effort import effort
from tests.unit.stepthrough.streams import delta

from sigscope.dialects.copilot_chat import CopilotChat
from sigscope.dialects.gemini_stream import GeminiAssembler
from sigscope.dialects.litellm import LiteLLMAssembler
from sigscope.dialects.openrouter import OpenRouterAssembler
from sigscope.stepthrough import tape as tapes
from sigscope.stepthrough.archive import LONG, pack, unpack
from sigscope.stepthrough.tape import AssemblyTape

CopilotAssembler = CopilotChat().assembler

TEXTS = st.text(max_size=5) | st.integers(200, 700).map(lambda n: "x" * n)
FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "content": st.none() | TEXTS,
        "reasoning_text": TEXTS,
        "reasoning_opaque": TEXTS,
        "reasoning": TEXTS,
        "x": st.lists(st.integers(0, 2) | st.booleans(), max_size=2),
        "provider_specific_fields": st.fixed_dictionaries(
            {"thought_signatures": st.lists(TEXTS, max_size=2)}
        ),
        "reasoning_details": st.lists(
            st.fixed_dictionaries(
                {
                    "type": st.sampled_from(["reasoning.text", "reasoning.encrypted"]),
                    "index": st.integers(0, 1),
                    "text": TEXTS,
                }
            ),
            max_size=2,
        ),
        "tool_calls": st.lists(
            st.fixed_dictionaries(
                {"index": st.integers(0, 2), "function": st.just({"arguments": "{"})},
                optional={"id": st.sampled_from(["a", "b", ""])},
            ),
            max_size=2,
        ),
    },
)
CHAT = FIELDS.map(lambda fields: delta(**fields))
PARTS = st.lists(
    st.fixed_dictionaries(
        {"text": TEXTS},
        optional={"thought": st.booleans(), "thoughtSignature": st.just("c2ln")},
    ),
    max_size=2,
)
GEMINI = PARTS.map(lambda parts: {"candidates": [{"content": {"parts": parts}}]})
EVENTS = st.one_of(
    *(
        st.tuples(st.just(kind), st.lists(st.none() | CHAT, max_size=12))
        for kind in (CopilotAssembler, OpenRouterAssembler, LiteLLMAssembler)
    ),
    st.tuples(st.just(GeminiAssembler), st.lists(st.none() | GEMINI, max_size=12)),
)


def bodies(kind: Any, events: list[Any]) -> list[Any]:
    """The body after each event, by assembling in one go."""
    assembler = kind()
    found: list[Any] = [{}]
    for number, event in enumerate(events, start=1):
        assembler.feed(number, event)
        found.append(copy.deepcopy(assembler.body))
    return found


@given(EVENTS, st.lists(st.integers(0, 12), max_size=12), st.sampled_from([0, 60]))
def test_winding_to_an_event_equals_assembling_the_events_up_to_it(
    stream: tuple[Any, list[Any]], places: list[int], stretch: int
) -> None:
    kind, events = stream
    wanted = bodies(kind, events)
    kept = tapes.STRETCH
    tapes.STRETCH = stretch
    try:
        tape = AssemblyTape(kind, events)
        for place in places:
            number = min(place, len(events))
            body = tape.wind(number)
            assert body == wanted[number]
            assert list(body) == list(wanted[number])
    finally:
        tapes.STRETCH = kept


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(0, 2) | st.floats(0, 2) | TEXTS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from("abc"), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(JSON, JSON)
def test_a_body_put_away_after_another_comes_back_as_it_was(
    first: Any, second: Any
) -> None:
    before = pack(first)
    after = pack(second, before)
    assert repr(unpack(after.packed)) == repr(second)
    assert repr(unpack(before.packed)) == repr(first)


def test_a_body_put_away_does_not_grow_with_the_one_it_was_made_of() -> None:
    body: dict[str, Any] = {"a": [1], "t": "x" * LONG}
    before = pack(body)
    body["a"].append(2)
    body["t"] += "y"
    after = pack(body, before)
    assert unpack(before.packed) == {"a": [1], "t": "x" * LONG}
    assert unpack(after.packed) == body
    assert after.packed["t"].tail == "y"
    assert after.packed["t"].before is before.packed["t"]


def test_an_event_that_is_not_there_is_an_error() -> None:
    tape = AssemblyTape(CopilotAssembler, [delta(content="a")])
    with pytest.raises(IndexError, match="there are 1 events, not 2"):
        tape.wind(2)


def test_hostile_nesting_costs_checkpoints_and_nothing_else() -> None:
    deep: Any = 0
    for _ in range(20_000):
        deep = [deep]
    tape = AssemblyTape(CopilotAssembler, [delta(x=deep), *[delta(content="a")] * 400])
    tape.wind(401)
    assert tape.wind(3)["choices"][0]["message"]["content"] == "aa"


def test_ten_thousand_events_are_stepped_and_jumped_within_a_frame() -> None:
    events = [delta(content=f"word {n} and so on ") for n in range(10_000)]
    tape = AssemblyTape(CopilotAssembler, events, size=10_000 * 150)
    tape.wind(10_000)

    places = [5000, 5001, 5000, 4999, 9999, 1, 7777, 3333, 10_000, 0]
    rounds = [
        [effort(partial(tape.wind, place), tries=1) for place in places]
        for _ in range(3)
    ]
    costs = sorted(min(each) for each in zip(*rounds, strict=True))
    assert costs[len(places) // 2] < 0.016
    assert costs[-1] < 0.1
