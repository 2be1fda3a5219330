"""What holds for every ready-made edit there is."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests import builders as b
from tests.each import each
from tests.unit.readymade.making import context_of, step

from sigscope.dialects.registry import DIALECTS
from sigscope.edits.apply import apply
from sigscope.edits.records import Op
from sigscope.errors import EditError
from sigscope.readymade import READY, Ready, applicable, by_name, switchable

HISTORIES: dict[str, list[Any]] = {
    "copilot-chat": [
        b.system(),
        b.user(),
        b.copilot(b.LS, b.READ, content="I look."),
        b.result(b.LS),
        b.result(b.READ),
        b.copilot(content="Found it."),
        b.user("More"),
        b.copilot(b.GREP, opaque=b.OPAQUE_B),
        b.result(b.GREP),
    ],
    "openrouter": [
        b.user(),
        b.openrouter(b.LS, b.READ),
        b.result(b.LS),
        b.result(b.READ),
        b.openrouter(content="Found it.", details=[b.summary()]),
        b.user("More"),
        b.openrouter(b.GREP, details=[b.summary(), b.detail(b.GREP, b.SIG_B)]),
        b.result(b.GREP),
    ],
    "litellm": [
        b.user(),
        b.litellm(b.LS, b.READ, signatures=[b.SIG, None]),
        b.result(b.LS),
        b.result(b.READ),
        b.litellm(content="Found it, it is long enough to be known."),
        b.user("More"),
        b.litellm(b.GREP, signatures=[b.SIG_B]),
        b.result(b.GREP),
    ],
    "gemini": [
        b.ask(),
        b.says(b.text_part("Hm.", thought=True), *b.gemini(b.LS, b.READ)["parts"]),
        b.answers(b.LS, b.READ),
        b.says(b.text_part("Found "), b.text_part("it."), b.text_part("", b.SIG_B)),
        b.ask("More"),
        b.gemini(b.GREP, signature=b.SIG_C),
        b.answers(b.GREP),
    ],
}
NAMES = {dialect.name for dialect in DIALECTS}
TESTS = "\n".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py"))


@each(READY, lambda ready: ready.name)
def test_every_entry_tells_what_it_is(ready: Ready) -> None:
    assert re.fullmatch(r"[a-z]+(\.[a-z0-9]+(-[a-z0-9.]+)*|(-[a-z0-9]+)*)", ready.name)
    assert set(ready.dialects) <= NAMES
    assert ready.title
    assert len(ready.title) <= 80
    assert re.search(r"docs/wire/\S+\.md|\w+/[\w.-]+", ready.source)
    assert by_name(ready.name) is ready


@each(READY, lambda ready: ready.name)
def test_every_entry_is_tested_by_name(ready: Ready) -> None:
    assert f'"{ready.name}"' in TESTS or f'"{ready.name.partition(".")[2]}"' in TESTS


def test_names_are_unique_and_unknown_ones_are_none() -> None:
    assert len({ready.name for ready in READY}) == len(READY)
    assert by_name("copilot.no-such-thing") is None


@pytest.mark.parametrize("dialect", sorted(HISTORIES))
def test_whatever_fits_a_step_applies_without_conflict_and_changes_it(
    dialect: str,
) -> None:
    context = step(dialect, HISTORIES[dialect])
    found = applicable(context)
    assert len(found) > 20
    for ready, edits in found:
        assert dialect in ready.dialects
        changed = apply(edits, context.reading.request_text)
        if all(edit.op is not Op.URL for edit in edits):
            assert json.loads(changed) != context.body, ready.name
        for edit in edits:
            assert edit.label
            assert edit.origin == f"ready {ready.name}"


@pytest.mark.parametrize("dialect", sorted(HISTORIES))
def test_edits_can_be_switched_off_one_by_one(dialect: str) -> None:
    context = step(dialect, HISTORIES[dialect])
    for ready, edits in applicable(context):
        for index in range(len(edits)):
            rest = (*edits[:index], *edits[index + 1 :])
            json.loads(apply(rest, context.reading.request_text)), ready.name


@pytest.mark.slow
@pytest.mark.parametrize("dialect", sorted(HISTORIES))
def test_whatever_is_spoiled_the_cure_of_the_dialect_can_be_made_again(
    dialect: str,
) -> None:
    """A cure on a spoiled request applies, and on the cured one nothing is left."""
    prefix = "copilot" if dialect == "copilot-chat" else dialect
    name = "copilot.final-fix" if prefix == "copilot" else f"{prefix}.restore"
    cure = by_name(name)
    assert cure is not None
    history = HISTORIES[dialect]
    key = "contents" if dialect == "gemini" else "messages"
    for ready, edits in applicable(step(dialect, history)):
        spoiled = json.loads(apply(edits, step(dialect, history).reading.request_text))
        context = step(dialect, history, spoiled[key])
        mend = cure.edits(context)
        if mend:
            mended = json.loads(apply(mend, context.reading.request_text))
            again = step(dialect, history, mended[key])
            assert not cure.edits(again), ready.name


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b"null", b'{"messages": 7}', b'{"messages": [1, null, "x"]}'],
)
@pytest.mark.parametrize("dialect", sorted(HISTORIES))
def test_broken_requests_have_no_ready_made_edits_of_the_body(
    dialect: str, body: bytes
) -> None:
    (reading,) = b.read([b.exchange(dialect, body, "{}")])
    for ready, edits in applicable(context_of([reading])):
        assert all(edit.op is Op.URL for edit in edits), ready.name


def test_messages_of_odd_shapes_are_taken_as_they_are() -> None:
    odd = [
        {"role": "assistant"},
        {"role": "assistant", "content": 7, "tool_calls": "x"},
        {"role": "assistant", "tool_calls": [None, {}, {"function": 3}, {"id": 4}]},
        {"role": "assistant", "reasoning_details": [1, None], "reasoning_opaque": {}},
        {"role": "assistant", "reasoning_details": {"a": 1}, "content": [{}]},
        {"role": "tool", "tool_call_id": 4},
        {
            "role": "assistant",
            "provider_specific_fields": [],
            "tool_calls": [{"id": ""}],
        },
    ]
    for dialect in ("copilot-chat", "openrouter", "litellm"):
        history = [*HISTORIES[dialect], *odd]
        context = step(dialect, HISTORIES[dialect], history)
        for _, edits in applicable(context):
            apply(edits, context.reading.request_text)
    contents = [
        {"role": "model"},
        {"role": "model", "parts": [None, 7, {}, {"functionCall": 3}]},
        {"role": "model", "parts": [{"text": "a", "thoughtSignature": b.SIG_C}, 3]},
        {"role": "user", "parts": [{"functionResponse": {}}]},
    ]
    context = step("gemini", HISTORIES["gemini"], [*HISTORIES["gemini"], *contents])
    for _, edits in applicable(context):
        apply(edits, context.reading.request_text)


odd_values = st.sampled_from(
    [None, True, 0, 1.5, "", "x", [], {}, [None], {"x": 1}, [{}], {"id": 7}]
)


@st.composite
def spoiled_histories(draw: st.DrawFn) -> tuple[str, list[Any]]:
    """A history with up to three of its nodes replaced by something odd."""
    dialect = draw(st.sampled_from(sorted(HISTORIES)))
    history = json.loads(json.dumps(HISTORIES[dialect]))
    for _ in range(draw(st.integers(1, 3))):
        holder: Any = history
        for _ in range(draw(st.integers(1, 5))):
            keys = list(holder) if isinstance(holder, dict) else range(len(holder))
            if not keys:
                break
            key = draw(st.sampled_from(list(keys)))
            if not isinstance(holder[key], dict | list) or draw(st.integers(0, 4)) == 0:
                holder[key] = copy.deepcopy(draw(odd_values))
                break
            holder = holder[key]
    return dialect, history


@pytest.mark.slow
@given(spoiled_histories())
@settings(max_examples=50, deadline=None)
def test_no_shape_of_a_request_is_too_odd(case: tuple[str, list[Any]]) -> None:
    dialect, sent = case
    context = step(dialect, HISTORIES[dialect], sent)
    for ready, edits in applicable(context):
        try:
            json.loads(apply(edits, context.reading.request_text))
        except EditError as error:
            raise AssertionError(f"{ready.name}: {error}") from error
    switchable(context)


def test_a_request_nested_too_deep_is_left_alone() -> None:
    deep = b'{"a":' * 3000 + b"1" + b"}" * 3000
    message = json.dumps(b.copilot(b.LS)).encode()[:-1] + b', "x": ' + deep + b"}"
    body = b'{"messages": [{"role": "user", "content": "a"}, ' + message + b"]}"
    (reading,) = b.read([b.exchange("copilot-chat", body, "{}")])
    applicable(context_of([reading]))
