"""Gemini's compatible endpoint as it is imitated."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sigscope.upstreams.simulator import Judgement, SimConfig, judge

STUDIO = "/v1beta/openai/chat/completions"
VERTEX = "/v1/projects/p/locations/global/endpoints/openapi/chat/completions"
MODEL = "gemini-3-pro-preview"
BYPASS = "skip_thought_signature_validator"


def call(name: str, extra: Any = None) -> dict[str, Any]:
    function = {"name": name, "arguments": "{}"}
    made = {"id": name, "type": "function", "function": function}
    return made if extra is None else made | {"extra_content": extra}


def judged(*calls: dict[str, Any], path: str = STUDIO, model: str = MODEL) -> Judgement:
    results = [
        {"role": "tool", "tool_call_id": one["id"], "content": "x"} for one in calls
    ]
    system, user = {"role": "system", "content": "x"}, {"role": "user", "content": "x"}
    called = {"role": "assistant", "content": None, "tool_calls": list(calls)}
    body = {"model": model, "messages": [system, user, called, *results]}
    found = judge(SimConfig(), path, json.dumps(body).encode())
    assert found is not None
    assert found.dialect == "gemini-openai"
    return found


@pytest.mark.parametrize("word", ["google", "vertex"])
def test_a_stand_in_is_read_under_either_word(word: str) -> None:
    signed = call("ls", {word: {"thought_signature": BYPASS}})
    found = judged(signed, call("cat"))
    assert found.status == 200
    place = f"/messages/2/tool_calls/0/extra_content/{word}/thought_signature"
    assert [one.pointer for one in found.signatures] == [place]


@pytest.mark.parametrize(
    ("path", "surface", "words"),
    [
        (STUDIO, "ai-studio", "`default_api:ls` , position 2"),
        (VERTEX, "vertex", "`default_api:ls` in the 2. content block"),
    ],
)
def test_each_surface_misses_it_in_its_own_words(
    path: str, surface: str, words: str
) -> None:
    found = judged(call("ls"), path=path)
    assert (found.rule, found.surface) == ("GOC-1", surface)
    assert found.pointer == "/messages/2/tool_calls/0"
    assert found.error is not None
    assert words in found.error
    assert isinstance(found.body, list)
    assert found.body[0]["error"]["status"] == "INVALID_ARGUMENT"


@pytest.mark.parametrize("value", ["EhkK...", "QUJDREVGR0hJSktMTU5PUA=="])
def test_what_it_did_not_issue_is_refused_by_its_value(value: str) -> None:
    found = judged(call("ls", {"google": {"thought_signature": value}}))
    assert found.rule == "GOC-2"


def test_elsewhere_on_the_call_it_is_not_read() -> None:
    found = judged(call("ls") | {"thought_signature": BYPASS * 2})
    assert found.rule == "GOC-1"
    assert [one.read for one in found.signatures] == [False]


def test_an_older_model_insists_on_nothing_and_another_s_is_not_there() -> None:
    assert judged(call("ls"), model="gemini-2.5-pro").status == 200
    assert judged(call("ls"), model="gpt-5.2").status == 404
