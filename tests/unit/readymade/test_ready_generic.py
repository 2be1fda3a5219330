"""What can happen to a signature in every dialect, and how each form looks."""

from __future__ import annotations

import base64
import copy
import json
from typing import Any

import pytest
from tests import builders as b
from tests.unit.readymade.making import edited, edits_of, step

from sigscope import opaque
from sigscope.readymade import applicable, values

ROUND = "EhkKFwHeWwZgVZrq0IJk1+XldO/QlxjN0Fq9SVabcdefgQ=="
"""A signature with both special characters and padding."""
OTHER = "EhkKFwHeWwZgyDYfm0aOaMht+oCQnDgl/JzhOcabcdefgg=="

HISTORIES: dict[str, list[Any]] = {
    "copilot-chat": [
        b.user(),
        b.copilot(b.LS, b.READ, opaque=ROUND),
        b.result(b.LS),
        b.result(b.READ),
        b.copilot(b.GREP, opaque=OTHER),
        b.result(b.GREP),
    ],
    "openrouter": [
        b.user(),
        b.openrouter(b.LS, b.READ, details=[b.summary(), b.detail(b.LS, ROUND)]),
        b.result(b.LS),
        b.result(b.READ),
        b.openrouter(b.GREP, details=[b.detail(b.GREP, OTHER)]),
        b.result(b.GREP),
    ],
    "litellm": [
        b.user(),
        b.litellm(b.LS, b.READ, signatures=[ROUND]),
        b.result(b.LS),
        b.result(b.READ),
        b.litellm(b.GREP, signatures=[OTHER]),
        b.result(b.GREP),
    ],
    "gemini": [
        b.ask(),
        b.gemini(b.LS, b.READ, signature=ROUND),
        b.answers(b.LS, b.READ),
        b.gemini(b.GREP, signature=OTHER),
        b.answers(b.GREP),
    ],
}
DIALECTS = sorted(HISTORIES)
BYPASSES = {
    "bypass-raw": b.BYPASS_RAW,
    "bypass-base64": b.BYPASS_B64,
    "bypass-second": "context_engineering_is_the_way_to_go",
    "bypass-mistyped": "context_engineering_is_the_way to_go",
}
RECODED = {
    "cut": values.cut,
    "cut-with-ellipsis": values.cut_with_ellipsis,
    "other-alphabet": values.other_alphabet,
    "no-padding": values.without_padding,
    "double-base64": values.double_base64,
    "raw-bytes": values.raw_bytes,
    "quoted-twice": values.quoted_twice,
    "altered": values.altered,
    "foreign": values.foreign,
}


def body_of(dialect: str) -> Any:
    return copy.deepcopy(b.request_body(dialect, HISTORIES[dialect]))


def with_values(dialect: str, change: dict[str, str]) -> Any:
    """The right body with signatures replaced wherever they stand."""

    def walk(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: walk(item) for key, item in value.items()}
        if isinstance(value, list):
            return [walk(item) for item in value]
        return change.get(value, value) if isinstance(value, str) else value

    return walk(body_of(dialect))


# --- The text -------------------------------------------------------------------------


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", RECODED)
def test_every_signature_is_spelled_anew_and_nothing_else(
    dialect: str, name: str
) -> None:
    change = {value: RECODED[name](value) for value in (ROUND, OTHER)}
    wanted = with_values(dialect, change)
    assert edited(step(dialect, HISTORIES[dialect]), name) == wanted


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", BYPASSES)
def test_a_stand_in_takes_the_place_of_every_signature(dialect: str, name: str) -> None:
    change = dict.fromkeys((ROUND, OTHER), BYPASSES[name])
    wanted = with_values(dialect, change)
    assert edited(step(dialect, HISTORIES[dialect]), name) == wanted


def test_the_forms_are_what_they_are_called() -> None:
    assert len(values.cut(ROUND)) % 4 == 1
    assert opaque.is_cut_of(values.cut(ROUND), ROUND)
    assert opaque.is_cut_of(values.cut_with_ellipsis(ROUND), ROUND)
    key = opaque.comparison_key(ROUND)
    for harmless in (values.other_alphabet, values.without_padding):
        assert harmless(ROUND) != ROUND
        assert opaque.comparison_key(harmless(ROUND)) == key
    for value in (values.double_base64(ROUND), values.altered(ROUND)):
        assert opaque.is_altered_from(value, ROUND)
    assert base64.b64decode(values.double_base64(ROUND)).decode() == ROUND
    raw = values.raw_bytes(ROUND)
    assert raw.encode("latin-1") == base64.b64decode(ROUND)
    assert opaque.decode(values.quoted_twice(ROUND)) is None
    strange = values.foreign(ROUND)
    assert len(strange) == len(ROUND)
    assert strange[:12] == ROUND[:12]
    assert opaque.decode(strange) is not None
    assert values.foreign(ROUND) == strange
    assert values.foreign(OTHER)[12:] != strange[12:]


def test_the_shortest_signatures_are_taken_too() -> None:
    for recode in RECODED.values():
        for value in ("A", "AA==", "AAAA"):
            assert isinstance(recode(value), str)


def test_what_a_form_does_not_change_is_no_edit() -> None:
    plain = [b.ask(), b.gemini(b.LS), b.answers(b.LS)]
    for name in ("other-alphabet", "no-padding"):
        assert edits_of(step("gemini", plain), name) is None


def test_a_signature_inside_ids_is_cut_in_call_and_result_alike() -> None:
    call = (f"call_1__thought__{ROUND}", "list_files", {})
    history = [b.user(), b.litellm(call, signatures=()), b.result(call)]
    body = edited(step("litellm", history), "cut")
    new = f"call_1__thought__{values.cut(ROUND)}"
    assert body["messages"][1]["tool_calls"][0]["id"] == new
    assert body["messages"][2]["tool_call_id"] == new


# --- Missing signatures ---------------------------------------------------------------


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_stand_in_is_put_where_a_signature_is_missing(dialect: str) -> None:
    prefix = "copilot" if dialect == "copilot-chat" else dialect
    history = HISTORIES[dialect]
    bare = edited(step(dialect, history), f"{prefix}.drop")
    sent = bare["contents" if dialect == "gemini" else "messages"]
    body = edited(step(dialect, history, sent), "bypass-raw")
    change = dict.fromkeys((ROUND, OTHER), b.BYPASS_RAW)
    wanted = with_values(dialect, change)
    if dialect == "openrouter":
        wanted["messages"][1]["reasoning_details"].pop(0)
    assert body == wanted


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_missing_signature_cannot_be_cut(dialect: str) -> None:
    prefix = "copilot" if dialect == "copilot-chat" else dialect
    history = HISTORIES[dialect]
    bare = edited(step(dialect, history), f"{prefix}.drop")
    sent = bare["contents" if dialect == "gemini" else "messages"]
    for name in RECODED:
        assert edits_of(step(dialect, history, sent), name) is None


# --- Anchors --------------------------------------------------------------------------


@pytest.mark.parametrize("dialect", DIALECTS)
def test_two_messages_exchange_their_signatures(dialect: str) -> None:
    wanted = with_values(dialect, {ROUND: OTHER, OTHER: ROUND})
    assert edited(step(dialect, HISTORIES[dialect]), "swap") == wanted
    single = HISTORIES[dialect][: 3 if dialect == "gemini" else 4]
    assert edits_of(step(dialect, single), "swap") is None


def test_the_sibling_gets_the_signature_of_the_first_call() -> None:
    wanted = body_of("gemini")
    first, second = wanted["contents"][1]["parts"]
    second["thoughtSignature"] = first.pop("thoughtSignature")
    assert edited(step("gemini", HISTORIES["gemini"]), "move-to-sibling") == wanted

    wanted = body_of("litellm")
    one, two = wanted["messages"][1]["tool_calls"]
    two["provider_specific_fields"] = one.pop("provider_specific_fields")
    assert edited(step("litellm", HISTORIES["litellm"]), "move-to-sibling") == wanted

    wanted = body_of("openrouter")
    wanted["messages"][1]["reasoning_details"][1]["id"] = b.READ[0]
    context = step("openrouter", HISTORIES["openrouter"])
    assert edited(context, "move-to-sibling") == wanted

    context = step("copilot-chat", HISTORIES["copilot-chat"])
    assert edits_of(context, "move-to-sibling") is None


@pytest.mark.parametrize("dialect", DIALECTS)
def test_split_and_merge_are_there_and_back(dialect: str) -> None:
    history = HISTORIES[dialect]
    apart = edited(step(dialect, history), "split")
    sent = apart["contents" if dialect == "gemini" else "messages"]
    assert len(sent) > len(history)
    body = edited(step(dialect, history, sent), "merge")
    wanted = body_of(dialect)
    if dialect != "gemini":
        for message in wanted["messages"]:
            message.setdefault("content", None)
    assert body == wanted


# --- Every one of them ----------------------------------------------------------------


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_recorded_body_is_not_touched(dialect: str) -> None:
    context = step(dialect, HISTORIES[dialect])
    before = copy.deepcopy(context.body)
    assert applicable(context)
    assert context.body == before
    assert json.loads(context.reading.request_body.data) == before
