"""What mends a loss is worked out once for all requests that repeat it."""

from __future__ import annotations

from itertools import pairwise

import pytest
from tests import builders

from sigscope.conversation import Json
from sigscope.ledger import build_ledger
from sigscope.reader import Reading
from sigscope.rules import fixes
from sigscope.rules.groups import group_findings
from sigscope.rules.runner import check_session

STEPS = 8


def lossy(dialect: str) -> tuple[Reading, ...]:
    """A loop whose client gives nothing back of what its replies are signed with."""
    history: list[Json] = [builders.user()]
    made = []
    for number in range(1, STEPS + 1):
        call: builders.Call = (f"call_{number}", "read_file", {"path": f"{number}.md"})
        if dialect == "deepseek":
            reply = builders.deepseek(call, thought=f"I list the files of {number}.")
        else:
            reply = builders.gemini_openai(call, signature=f"{number}{builders.SIG}")
        request = builders.request_body(dialect, history)
        made.append(
            builders.exchange(dialect, request, builders.response_body(dialect, reply))
        )
        bare = {k: v for k, v in reply.items() if k != "reasoning_content"}
        bare["tool_calls"] = builders.chat_calls(call)
        history = [*history, bare, builders.result(call)]
    return builders.read(made)


@pytest.mark.parametrize("dialect", ["gemini-openai", "deepseek"])
def test_each_loss_is_mended_by_the_same_edits_in_every_step(
    dialect: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    way_back = fixes._way_back

    def counted(*args: object) -> object:
        asked.append(1)
        return way_back(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(fixes, "_way_back", counted)
    readings = lossy(dialect)
    found = check_session(readings, build_ledger(readings), {})
    lost = [finding for finding in found if finding.fix and len(finding.fix) > 1]
    assert [len(finding.fix or ()) for finding in lost] == [*range(2, STEPS)]
    assert len(asked) == STEPS - 1
    for before, after in pairwise(lost):
        assert before.fix
        assert after.fix
        ours = after.fix[: len(before.fix)]
        assert all(one is other for one, other in zip(before.fix, ours, strict=True))
    assert len({edit.pointer for edit in lost[-1].fix or ()}) == STEPS - 1


def test_thinking_that_never_comes_back_is_told_once_in_a_step() -> None:
    history: list[Json] = [builders.user()]
    made = []
    for number in range(1, STEPS + 1):
        call: builders.Call = (f"toolu_{number}", "read_file", {"path": f"{number}.md"})
        reply = builders.claude(call, signature=f"{number}{builders.SIG_CL}")
        request = builders.request_body("anthropic", history)
        response = builders.response_body("anthropic", reply)
        made.append(builders.exchange("anthropic", request, response))
        bare = builders.claude(call, signature=None)
        history = [*history, bare, builders.tool_results(call)]
    readings = builders.read(made)
    findings = check_session(readings, build_ledger(readings), {})
    found = [finding for finding in findings if finding.rule == "ANT-2"]
    assert [finding.step for finding in found] == [*range(2, STEPS + 1)]
    assert [len(finding.fix or ()) for finding in found] == [*range(1, STEPS)]
    assert found[-1].message.endswith(
        "likewise at /messages/11, /messages/9 and 4 more"
    )
    (group,) = group_findings(found)
    assert len(group.others) == STEPS - 2
