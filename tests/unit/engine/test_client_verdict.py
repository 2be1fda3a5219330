"""A client under test is fine only if it lost none: also where the service, or a
gateway before it, makes do with something else."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from tests.unit.converse.rehearsals import ONE_BY_ONE, READ, THANKS, hold

from sigscope.cli.clientverdict import print_verdict
from sigscope.cli.console import Console
from sigscope.engine.harness.verdict import ClientVerdict, Measure, judge
from sigscope.engine.sessions.document import Document
from sigscope.session import Session


def verdict(policy: str, *ignored: str) -> ClientVerdict:
    steps = tuple(taken.step for taken in hold(policy, (READ, THANKS)))
    return judge(
        Document(Session(id="s", title="S", steps=steps)), Measure(ignored=ignored)
    )


def printed(told: ClientVerdict) -> str:
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    print_verdict(told, Path("s.session.jsonl"), Console(out))
    out.seek(0)
    return out.read()


@pytest.mark.parametrize(
    ("policy", "rule"),
    [
        ("zoo-litellm-message-echo", "LLM-1"),
        ("gemini-bypass-all", "GEM-14"),
        ("roo-openrouter-bypass", "ORT-6"),
    ],
)
def test_a_bypass_for_one_is_a_loss_though_another_came_back(
    policy: str, rule: str
) -> None:
    told = verdict(policy)
    assert told.brought_back == 1
    assert [finding.rule for finding in told.against] == [rule]
    ignored = verdict(policy, rule)
    assert not ignored.against
    assert [finding.rule for finding in ignored.left_out] == [rule]


@pytest.mark.parametrize(
    ("policy", "optional", "line"),
    [
        ("faithful-copilot-chat", 0, ""),
        ("zed-copilot-final-fix", 1, "  1 more that the service does not insist on"),
        ("vscode-copilot", 2, "  2 more that the service does not insist on"),
    ],
)
def test_what_the_service_does_not_insist_on_is_counted_beside(
    policy: str, optional: int, line: str
) -> None:
    told = verdict(policy)
    assert told.is_fine
    assert told.optional == optional
    _, second, *_ = printed(told).splitlines()
    assert second.startswith(line or "session kept")


def test_an_answer_that_nothing_followed_was_not_put_to_the_test() -> None:
    taken = hold("faithful-gemini", (ONE_BY_ONE,))
    steps = tuple(each.step for each in taken)
    assert [bool(each.heard.calls) for each in taken] == [True, True, False]
    whole, cut = (
        judge(Document(Session(id="s", title="S", steps=steps[:count])), Measure())
        for count in (3, 2)
    )
    assert whole.is_fine
    assert cut.is_fine
    assert (whole.untried, cut.untried) == ((), (2,))
    assert "step 2 called tools, and no request followed" in printed(cut)
