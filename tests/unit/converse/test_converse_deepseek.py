"""Clients of DeepSeek: what they do with the reasoning that they were shown."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rehearsals import BOTH, READ, THANKS, assistants, body, changed, hold, statuses
from tests.unit.rules.cases import bench

from sigscope.converse.loader import load_policy
from sigscope.converse.loop import TalkStep


def rules(held: list[TalkStep]) -> list[str]:
    found = bench([taken.step.exchange for taken in held]).all_findings()
    return [finding.rule for finding in found]


@pytest.mark.parametrize("stream", [True, False])
def test_the_faithful_one_sends_it_in_every_request_to_come(stream: bool) -> None:
    held = hold(changed("faithful-deepseek", stream=stream), [READ, BOTH, THANKS])
    assert set(statuses(held)) == {200}
    assert rules(held) == []
    calling = [m for m in assistants(held[-1]) if m.get("tool_calls")]
    assert all(message["reasoning_content"] for message in calling)


@pytest.mark.parametrize("policy", ["openai-deepseek", "renamed-deepseek"])
@pytest.mark.parametrize(
    ("model", "rule", "words"),
    [
        ("deepseek-v4-flash", "DSK-2", b"must be passed back"),
        ("deepseek-v3.2", "DSK-1", b"at message index 2."),
    ],
)
def test_one_that_loses_it_is_refused(
    policy: str, model: str, rule: str, words: bytes
) -> None:
    held = hold(changed(policy, model=model), [READ])
    assert statuses(held) == [200, 400]
    response = held[1].step.exchange.response
    assert response is not None
    assert words in response.body.raw
    assert rules(held) == [rule]


def test_one_that_turns_thinking_off_is_shown_none_and_owes_none() -> None:
    policy = load_policy("openai-deepseek")
    off = {"thinking": {"type": "disabled"}}
    held = hold(replace(policy, client=replace(policy.client, body=off)), [READ])
    assert set(statuses(held)) == {200}
    assert body(held[0])["thinking"] == {"type": "disabled"}
    assert rules(held) == []
    response = held[0].step.exchange.response
    assert response is not None
    assert b"reasoning_content" not in response.body.raw
