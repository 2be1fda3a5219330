"""langchain-google-genai through `sigscope run`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.peers import peering
from tests.peers.peering import NOTHING_LOST, calls, rows, statuses


@pytest.mark.parametrize("how", ["whole", "stream"])
def test_its_messages_keep_every_signature(tmp_path: Path, how: str) -> None:
    python = peering.tool("langchain-google-genai", "python")
    script = peering.CLIENTS / "langchain_tools.py"
    done, document = peering.run_client(
        tmp_path, "gemini", "gemini", (python, script, "gemini-3-pro-preview", how)
    )
    assert done.code == 0, done.err
    said = json.loads(done.out)
    assert said["status"] == 200
    assert "`todo.md`: What is in todo.md: Buy milk." in said["text"]
    assert {r.is_streamed for r in document.readings} == {how == "stream"}
    assert statuses(document) == [200, 200, 200]
    assert calls(document) == [1, 2, 0]
    assert rows(document) == NOTHING_LOST
    assert document.findings == ()
