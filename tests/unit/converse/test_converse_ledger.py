"""What the ledger says of clients: each policy's fates, by reply and request."""

from __future__ import annotations

from typing import Any

import pytest
from rehearsals import BOTH, ONE_BY_ONE, READ, THANKS, changed, hold

from sigscope.converse.policy import Policy
from sigscope.ledger import Ledger, build_ledger
from sigscope.reader import read_steps


def ledger(policy: Policy | str, *turns: str, **config: Any) -> Ledger:
    held = hold(policy, turns, **config)
    return build_ledger(read_steps([taken.step for taken in held]))


def fates(policy: Policy | str, *turns: str, **config: Any) -> list[str]:
    """Fates of the first reply's first signature, request by request."""
    first = ledger(policy, *turns, **config).received_in(1)[0]
    return [str(fate.fate) for fate in first.fates]


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ("faithful-copilot-chat", ["exact", "exact"]),
        ("zed-copilot-final-fix", ["exact", "exact"]),
        ("zed-copilot-content-empty-list", ["exact"]),
        ("zed-copilot-attempt-1", ["moved"]),
        ("zed-copilot-attempt-2", ["moved"]),
        ("zed-copilot-attempt-3", ["moved"]),
        ("copilot-missing-signature", ["dropped"]),
        ("vscode-copilot", ["exact", "dropped"]),
        ("codecompanion-copilot-merged", ["exact", "exact"]),
        ("codecompanion-copilot-unmerged", ["moved"]),
        ("faithful-openrouter", ["exact", "exact"]),
        ("zed-openrouter-option-b", ["exact", "exact"]),
        ("zed-openrouter-never-emitted", ["dropped"]),
        ("jan-openrouter", ["dropped"]),
        ("cline-openrouter", ["dropped"]),
        ("openrouter-details-on-tool-message", ["moved"]),
        ("roo-openrouter-bypass", ["bypass", "bypass"]),
        ("faithful-litellm", ["exact", "exact"]),
        ("openai-litellm", ["exact", "exact"]),
        ("zoo-litellm-per-call-echo", ["exact", "exact"]),
        ("zoo-litellm-message-echo", ["moved", "moved"]),
        ("zoo-litellm-dummy", ["bypass", "bypass"]),
        ("faithful-gemini", ["exact", "exact"]),
        ("gemini-url-safe", ["exact", "exact"]),
        ("gemini-cut", ["cut"]),
        ("gemini-bypass-all", ["bypass", "bypass"]),
        ("gemini-signature-on-result", ["moved"]),
        ("gemini-signature-in-call", ["moved"]),
        ("obsidian-gemini", ["dropped"]),
        ("faithful-anthropic", ["exact", "exact"]),
        ("claude-code", ["exact", "exact"]),
        ("anthropic-sdk-loop", ["exact", "exact"]),
        ("anthropic-sdk-calls-only", ["dropped"]),
        ("anthropic-split-reply", ["exact"]),
        ("anthropic-no-signature-delta", ["dropped"]),
    ],
)
def test_the_first_signature_of_a_client_fares_as_its_policy_says(
    policy: str, expected: list[str]
) -> None:
    assert fates(policy, READ, THANKS) == expected


def test_a_stand_in_counts_though_the_genuine_one_is_left_in_the_call_s_id() -> None:
    """The proxy looks at the call's own field first."""
    assert fates("roo-litellm-dummy", READ, THANKS) == ["bypass", "bypass"]


def test_a_stand_in_in_a_later_field_does_not_beat_a_genuine_one_in_the_first() -> None:
    path = "function/provider_specific_fields/thought_signature"
    policy = changed("faithful-litellm", bypass={"calls": "all", "path": path})
    assert fates(policy, READ) == ["exact"]


def test_a_stand_in_on_a_sibling_says_nothing_about_a_signature_in_an_id() -> None:
    policy = changed(
        "openai-litellm",
        bypass={
            "calls": "first-unsigned",
            "path": "provider_specific_fields/thought_signature",
            "scope": "current-turn",
        },
    )
    assert fates(policy, READ)[:1] == ["bypass"]
    assert fates("openai-litellm", BOTH)[:1] == ["exact"]


def test_split_calls_are_exact_and_refused_all_the_same() -> None:
    assert fates("gemini-split-calls", BOTH) == ["exact"]


@pytest.mark.parametrize(
    "policy",
    [
        "faithful-copilot-chat",
        "faithful-openrouter",
        "faithful-litellm",
        "faithful-gemini",
        "faithful-vertex",
        "vscode-copilot",
        "zed-copilot-final-fix",
        "zed-openrouter-option-c",
    ],
)
def test_nothing_a_service_insists_on_is_lost_by_a_client_that_is_accepted(
    policy: str,
) -> None:
    told = ledger(policy, READ, BOTH, ONE_BY_ONE, THANKS)
    assert not [f for s in told.signatures for f in s.fates if f.is_lost]
    assert {thread.kind for thread in told.threads} <= {"main", "side"}
