"""Claude Code, through `sigscope run`: a tool loop that thinks with a budget."""

from __future__ import annotations

from pathlib import Path

from tests.cli.commands import Result
from tests.peers import peering
from tests.peers.peering import only

from sigscope.engine.sessions.document import Document

VARIABLES = {
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_AUTOUPDATER": "1",
    "MAX_THINKING_TOKENS": "2048",
}


def loop(folder: Path, question: str) -> tuple[Result, Document]:
    """What was recorded of one question, as far as it asked the model."""
    program = peering.tool("claude-code", "claude")
    (folder / "notes.md").write_text("Buy milk.\n")
    (folder / "todo.md").write_text("Bake.\n")
    with peering.simulating(folder, "anthropic") as simulator:
        done = peering.sigscope(
            folder,
            *("run", "--upstream", f"anthropic={simulator}"),
            *("--out", peering.RECORDED, "--", program, "-p", question),
            *("--model", "claude-sonnet-4-5", "--allowedTools", "Read"),
            surroundings=True,
            **VARIABLES,
        )
    document = peering.load(folder / peering.RECORDED)
    asked = [s for s, r in zip(document.steps, document.readings, strict=True)
             if r.dialect is not None and r.is_model_call]  # fmt: skip
    return done, only(document, asked)


def test_its_thinking_goes_back_as_it_came_round_after_round(tmp_path: Path) -> None:
    done, document = loop(tmp_path, "Read notes.md, then read todo.md.")
    assert done.code == 0, done.told
    assert "Bake." in done.out
    assert {reading.status for reading in document.readings} == {200}
    assert len(document.readings) == 3
    first, second, _ = document.ledger.signatures
    assert [str(fate.fate) for fate in first.fates] == ["exact", "exact"]
    assert [str(fate.fate) for fate in second.fates] == ["exact"]
    assert not document.findings
