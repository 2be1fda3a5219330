"""GitHub Copilot CLI with a key of one's own, through `sigscope run`.

In this mode it takes what it is pointed at for OpenAI: what OpenRouter and LiteLLM say
beyond that it sends back, what Copilot itself says it does not.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.commands import Result
from tests.peers import peering
from tests.peers.peering import DROPPED, NOTHING_LOST, calls, errors, rows, statuses

from sigscope.engine.sessions.document import Document

VARIABLES = {
    "COPILOT_AUTO_UPDATE": "false",
    "COPILOT_MODEL": "gemini-3-pro-preview",
    "COPILOT_OFFLINE": "true",
    "COPILOT_PROVIDER_API_KEY": peering.KEYS["OPENAI_API_KEY"],
    # Where it would go by itself; --upstream names another place.
    "COPILOT_PROVIDER_BASE_URL": f"{peering.NOWHERE}/v1",
}


def loop(folder: Path, dialect: str) -> tuple[Result, Document]:
    program = peering.tool("copilot-cli", "copilot")
    for name, text in (("notes", "Buy milk."), ("todo", "Bake."), ("list", "Eggs.")):
        (folder / f"{name}.md").write_text(f"{text}\n")
    return peering.run_client(
        folder,
        dialect,
        "openai",
        (
            *(program, "--allow-all-tools", "--available-tools", "view", "glob"),
            *("--silent", "--no-color"),
            *("-p", "View notes.md, then view todo.md and list.md"),
        ),
        **VARIABLES,
    )


@pytest.mark.parametrize("dialect", ["openrouter", "litellm"])
def test_a_tool_loop_loses_nothing(tmp_path: Path, dialect: str) -> None:
    done, document = loop(tmp_path, dialect)
    assert done.code == 0, done.told
    assert "Buy milk." in done.out
    assert statuses(document) == [200, 200, 200]
    assert calls(document) == [1, 2, 0]
    fates = [[(n, fate) for n, fate, _ in fates] for _, fates in rows(document)]
    assert fates == [[(n, fate) for n, fate, _ in row] for _, row in NOTHING_LOST]
    assert not errors(document)


def test_the_envelope_of_copilot_is_dropped(tmp_path: Path) -> None:
    done, document = loop(tmp_path, "copilot-chat")
    assert done.code == 1
    assert statuses(document) == [200, 400], done.told
    assert rows(document) == DROPPED
    assert errors(document) == [(2, "CPC-1")]
    assert peering.mended(tmp_path, 2)
