"""Names in findings."""

from __future__ import annotations

import pytest
from tests.unit.rules import copilot_chat_cases, litellm_cases, openrouter_cases
from tests.unit.rules.cases import BYPASS, BYPASS_64, Exchange, bench

from sigscope.conversation import Message, Part, PartKind, Role
from sigscope.opaque import maybe_bypass
from sigscope.rules.words import (
    called,
    calling,
    kind_of,
    names_of,
    short,
    stand_in,
    told,
)


def a_message(*names: str) -> Message:
    parts = tuple(
        Part(kind=PartKind.CALL, pointer=f"/{i}", name=name, call_id=f"call_{i}")
        for i, name in enumerate(names)
    )
    return Message(role=Role.ASSISTANT, pointer="/messages/1", parts=parts)


def first_told(*exchanges: Exchange) -> str:
    return told(bench(exchanges).ledger.signatures[0])


def test_a_signature_is_told_by_field_fingerprint_step_and_event() -> None:
    text = first_told(*copilot_chat_cases.vscode())
    name = bench(copilot_chat_cases.vscode()).ledger.signatures[0].id
    assert text == f"reasoning_opaque {name} (received in step 1, event 4)"


def test_an_entry_is_told_by_its_list_and_a_whole_response_without_event() -> None:
    text = first_told(*openrouter_cases.two_steps(openrouter_cases.OURS, None))
    assert text.startswith("reasoning_details data ")
    assert text.endswith("(received in step 1)")


def test_a_signature_in_an_id_is_no_id() -> None:
    made = litellm_cases.a_call("ls", None, litellm_cases.LONG)
    text = first_told(
        litellm_cases.ask([], litellm_cases.answer(litellm_cases.calls(made)))
    )
    assert text.startswith("signature ")


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (("a",), "a"),
        (("a", "b"), "a and b"),
        (("a", "a"), "a"),
        (("a", "b", "c"), "a, b and c"),
        (("a", "b", "c", "d", "e"), "a, b, c and 2 more"),
    ],
)
def test_functions_are_named_each_once(names: tuple[str, ...], text: str) -> None:
    assert names_of(a_message(*names)) == text
    assert calling(a_message(*names)) == f"calls {text}"


def test_a_long_id_is_cut_and_marked() -> None:
    part = Part(kind=PartKind.CALL, pointer="", name="ls", call_id="c" * 400)
    assert called(part) == f"ls ({'c' * 39}…)"
    assert short("abc", 3) == "abc"


def test_a_stand_in_says_its_form() -> None:
    raw, encoded = maybe_bypass(BYPASS), maybe_bypass(BYPASS_64)
    assert raw is not None
    assert encoded is not None
    assert stand_in(raw) == BYPASS
    assert stand_in(encoded) == f"{BYPASS} in base64"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({}, "an object"),
        ([], "a list"),
        (True, "a boolean"),
        (1.5, "a number"),
        (None, "missing"),
        ("", "a string"),
    ],
)
def test_kinds_of_values_have_names(value: object, text: str) -> None:
    assert kind_of(value) == text
