"""Clients of Gemini's compatible endpoint: the right one, and those that lose calls."""

from __future__ import annotations

import json
from typing import Any

import pytest
from rehearsals import BOTH, READ, THANKS, assistants, changed, hold, statuses
from tests.unit.rules.cases import bench

from sigscope.converse.loop import TalkStep
from sigscope.rules.base import Severity


def findings(held: list[TalkStep]) -> list[tuple[str, Severity]]:
    found = bench([taken.step.exchange for taken in held]).all_findings()
    return [(finding.rule, finding.severity) for finding in found]


def answer(taken: TalkStep) -> Any:
    response = taken.step.exchange.response
    assert response is not None
    return json.loads(response.body.raw)


@pytest.mark.parametrize("stream", [True, False])
def test_the_faithful_one_is_answered_and_left_alone(stream: bool) -> None:
    policy = changed("faithful-gemini-openai", stream=stream)
    held = hold(policy, [READ, BOTH, THANKS])
    assert set(statuses(held)) == {200}
    assert findings(held) == []
    both = assistants(held[-1])[2]["tool_calls"]
    assert ["extra_content" in call for call in both] == [True, False]


def test_vertex_signs_under_its_own_word_and_says_it_in_its_own_words() -> None:
    read = {"call_signatures": ("extra_content/vertex/thought_signature",)}
    policy = changed("faithful-gemini-openai", surface="vertex", read=read)
    held = hold(policy, [READ])
    request = held[0].step.exchange.request
    assert request is not None
    assert request.url.endswith("/endpoints/openapi/chat/completions")
    assert ("GOC-3", Severity.INFO) in findings(held)
    forgetful = hold(changed("openai-gemini-openai", surface="vertex"), [READ])
    (refused,) = answer(forgetful[-1])
    assert "in the 2. content block is missing" in refused["error"]["message"]


def test_openais_types_lose_it_and_are_refused_in_a_list_of_one() -> None:
    held = hold("openai-gemini-openai", [READ])
    assert statuses(held) == [200, 400]
    (refused,) = answer(held[1])
    assert "is missing a thought_signature" in refused["error"]["message"]
    assert findings(held) == [("GOC-1", Severity.ERROR)]


def test_calls_counted_in_their_own_chunk_run_together() -> None:
    held = hold("dayu-gemini-openai", [BOTH])
    (call,) = assistants(held[-1])[0]["tool_calls"]
    with pytest.raises(json.JSONDecodeError, match="Extra data"):
        json.loads(call["function"]["arguments"])
    assert ("SES-3", Severity.INFO) in findings(held)


def test_parallel_calls_in_messages_of_their_own_are_refused() -> None:
    policy = changed("faithful-gemini-openai", shape={"parallel": "split"})
    held = hold(policy, [BOTH])
    assert statuses(held) == [200, 400]
    assert ("GOC-4", Severity.ERROR) in findings(held)
