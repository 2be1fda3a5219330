"""The four stories that the project began with, on the command line: matrix, bisect and
its certificate; and where nothing was refused, what cannot be missed and what fades.

Zed's attempts at OpenRouter and Copilot; its plan for Copilot, with CodeCompanion's
merged messages; four requests of VS Code; Zoo Code behind LiteLLM.
"""

from __future__ import annotations

import pytest
from tests.cli.commands import sigscope

REFUSED = {
    "zed-copilot-attempt-1": 2,
    "zed-copilot-attempt-2": 2,
    "zed-copilot-attempt-3": 2,
    "zed-openrouter-never-emitted": 1,
    "zed-copilot-content-empty-list": 1,
    "codecompanion-unmerged": 1,
}
"""How many changes its cure has."""


@pytest.mark.parametrize(("session", "size"), REFUSED.items())
def test_a_refused_story_is_solved_by_matrix_and_bisect(
    session: str, size: int
) -> None:
    cells = sigscope("matrix", session, "--step", "2")
    assert cells.code == 0
    assert "the smallest cure: " in cells.out
    together = "are a cure together: neither alone is enough"
    assert (together in cells.out) is (size == 2), "a double fault is an interaction"
    told = sigscope("bisect", session, "--step", "2")
    assert told.code == 0
    sends = size + 2 - (size == 1)
    assert f"matter{'s' * (size == 1)}, proven with {sends} sends" in told.out
    assert "as recorded" in told.out


def test_of_an_answer_to_a_call_vs_code_s_envelope_cannot_be_missed() -> None:
    line = ("bisect", "vscode-copilot-four-requests", "--needed", "--step")
    told = sigscope(*line, "2")
    assert "9 of 22 fields are needed, proven with 11 sends" in told.out
    assert "   /messages/2/reasoning_opaque" in told.out.splitlines()
    later = sigscope(*line, "4")
    assert later.code == 0
    assert "proven with" in later.out
    assert "   /messages/2/reasoning_opaque" not in later.out.splitlines()


def test_of_what_vs_code_sends_back_the_envelope_alone_matters() -> None:
    told = sigscope(
        *("matrix", "vscode-copilot-four-requests", "--step", "2", "--json"),
        *("--edit", "drop /messages/2/reasoning_opaque"),
        *("--edit", "drop /messages/2/reasoning_text"),
    )
    outcomes = {cell["cell"]: cell["outcome"] for cell in told.json["cells"]}
    assert outcomes == {
        "0": "accepted",
        "1": "refused",
        "2": "accepted",
        "1+2": "refused",
    }


def test_zoo_code_s_stand_in_is_accepted_fades_and_the_real_one_does_not() -> None:
    cells = sigscope("matrix", "zoo-litellm-dummy", "--step", "3")
    assert "2 cells: 2 accepted" in cells.out
    needed = sigscope("bisect", "zoo-litellm-dummy", "--step", "2", "--needed")
    assert "5 of 20 fields are needed, proven with 7 sends" in needed.out
    assert sigscope("fading", "zoo-litellm-dummy").code == 1
    assert sigscope("fading", "zoo-litellm-per-call-echo").code == 0
    fixed = sigscope("verify", "zoo-litellm-dummy", "zoo-litellm-per-call-echo")
    assert fixed.code == 0
    assert "gone warning[SES-1]" in fixed.out
