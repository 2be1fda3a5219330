"""Bodies of which most was changed before."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.store.samples import make_step

from sigscope.store import ContentMask, Redactor, StandIns
from sigscope.store.changedbodies import ChangedBodies

LONG = "x" * 5000
"""Smaller bodies are changed as they are."""
CHANGED = re.compile(rb"[ab]|\d+")
TEXTS = st.text(alphabet='ab"\\]}[{,é', max_size=6)
MESSAGES = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant"]), "content": TEXTS}
) | st.fixed_dictionaries({"tools": st.lists(TEXTS | st.integers(), max_size=2)})
LISTS = st.lists(MESSAGES | st.integers(0, 111), max_size=5)
BODIES = st.fixed_dictionaries(
    {},
    optional={
        "system": TEXTS,
        "messages": LISTS,
        "input": LISTS,
        "tools": st.lists(TEXTS, max_size=3),
    },
)


def starred(data: bytes) -> tuple[bytes, Sequence[int]]:
    """A change of letters and numbers, counted by where."""
    places = [found.start() for found in CHANGED.finditer(data)]
    return CHANGED.sub(lambda found: b"*" * len(found[0]), data), places


@given(st.lists(BODIES, max_size=4), st.booleans(), st.integers(0, 60))
def test_what_was_changed_before_comes_out_as_if_it_were_changed_anew(
    bodies: list[dict[str, Any]], is_grown: bool, cut: int
) -> None:
    changed = ChangedBodies()
    for number, body in enumerate(bodies):
        if is_grown and number:  # goes on from the one before, as an agent does
            for name, known in bodies[number - 1].items():
                if isinstance(known, list) and isinstance(body.get(name), list):
                    body[name] = [*known, *body[name]]
        data = json.dumps({**body, "z": LONG}).encode()
        for text in (data, data[: len(data) - cut], data.replace(b", ", b" ,\n")):
            after, places = starred(text)
            assert changed.change(text, starred) == (after, len(places))


def test_a_number_that_goes_on_is_another_one() -> None:
    changed = ChangedBodies()
    for spelled in ('["b", 1]', '["b", 12]', '["b", 1, 2]', '["b" "c"]'):
        data = f'{{"messages": {spelled}, "z": "{LONG}"}}'.encode()
        after, places = starred(data)
        assert changed.change(data, starred) == (after, len(places))


def test_only_what_is_new_is_changed() -> None:
    given_to: list[int] = []

    def change(data: bytes) -> tuple[bytes, Sequence[int]]:
        given_to.append(len(data))
        return starred(data)

    changed = ChangedBodies()
    tools = ["tool " * 1000]
    for number in range(20):
        said = [{"content": f"{n} a" * 1000} for n in range(number + 1)]
        body = {"system": f"at {number}", "messages": said, "tools": tools}
        changed.change(json.dumps(body).encode(), change)
    assert max(given_to[1:]) < 2 * given_to[0]
    assert sum(given_to[1:]) < 20 * 5000


@pytest.mark.parametrize("content", [False, True])
def test_a_redactor_changes_what_requests_repeat_once(
    content: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched: list[int] = []
    replace = StandIns.replace

    def counted(self: StandIns, data: bytes) -> bytes:
        searched.append(len(data))
        return replace(self, data)

    monkeypatch.setattr(StandIns, "replace", counted)
    redactor = Redactor(StandIns(b"k", []), ContentMask([]) if content else None)
    for number in range(1, 21):
        said = [{"role": "user", "content": f"{n} a\n" * 500} for n in range(number)]
        body = json.dumps({"messages": said}).encode()
        step, removed = redactor.step(make_step(number, body, b"{}"))
        assert step.exchange.request is not None
        alone = replace(StandIns(b"k", []), body)
        expected = ContentMask([]).body(alone)[0] if content else alone
        assert step.exchange.request.body.raw == expected
        assert removed["masked text"] == (number if content else 0)
    assert sum(length for length in searched if length > 1000) < 20 * 8000
