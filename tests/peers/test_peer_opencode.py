"""opencode from npm through `sigscope run`: three of its providers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.peers import peering
from tests.peers.peering import NOTHING_LOST, calls, rows, statuses

QUIET = dict.fromkeys(
    (
        "OPENCODE_DISABLE_AUTOUPDATE",
        "OPENCODE_DISABLE_LSP_DOWNLOAD",
        "OPENCODE_DISABLE_MODELS_FETCH",
    ),
    "1",
)
SIGNED_IN = {
    "type": "oauth",
    "access": "gho_0123456789abcdefghijklmn",
    "refresh": "gho_0123456789abcdefghijklmn",
    "expires": 0,
}
KEYS = {
    "GOOGLE_GENERATIVE_AI_API_KEY": peering.KEYS["GEMINI_API_KEY"],
    "OPENROUTER_API_KEY": peering.KEYS["OPENAI_API_KEY"],
    "OPENCODE_AUTH_CONTENT": json.dumps({"github-copilot": SIGNED_IN}),
}


@pytest.mark.parametrize(
    ("dialect", "service", "model"),
    [
        ("gemini", "gemini", "google/gemini-3.1-pro-preview"),
        ("openrouter", "openrouter", "openrouter/google/gemini-3.1-pro-preview"),
        ("copilot-chat", "copilot", "github-copilot/gemini-3.5-flash"),
    ],
)
def test_a_tool_loop_loses_nothing(
    tmp_path: Path, dialect: str, service: str, model: str
) -> None:
    program = peering.tool("opencode", "opencode")
    for name, text in (("notes", "Buy milk."), ("todo", "Bake."), ("list", "Eggs.")):
        (tmp_path / f"{name}.md").write_text(f"{text}\n")
    done, document = peering.run_client(
        tmp_path,
        dialect,
        service,
        # A title of its own, or it asks the model for one.
        (
            program,
            "run",
            "--auto",
            "--title",
            "Files",
            "-m",
            model,
            "Read notes.md, then read todo.md and list.md",
        ),
        **QUIET,
        **KEYS,
    )
    assert done.code == 0, done.told
    assert statuses(document) == [200, 200, 200], done.told
    assert calls(document) == [1, 2, 0]
    assert {reading.is_streamed for reading in document.readings} == {True}
    assert rows(document) == NOTHING_LOST
    # Copies of what Copilot sent stand beside it, with each call and each result.
    copies = [(2, "CPC-2", "info"), (3, "CPC-2", "info")]
    found = [(f.step, f.rule, str(f.severity)) for f in document.findings]
    assert found == (copies if dialect == "copilot-chat" else [])
