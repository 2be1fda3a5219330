"""The official openrouter SDK through `sigscope run`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.peers import peering
from tests.peers.peering import DROPPED, NOTHING_LOST, calls, errors, rows, statuses

from sigscope.engine.sessions.document import Document


def loop(folder: Path, how: str) -> tuple[Any, Document]:
    python = peering.tool("openrouter", "python")
    script = peering.CLIENTS / "openrouter_tools.py"
    done, document = peering.run_client(
        folder,
        "openrouter",
        "openrouter",
        (python, script, "google/gemini-3-pro-preview", how),
        *("--env", "OPENROUTER_BASE_URL=openrouter"),
    )
    assert done.code == 0, done.err
    return json.loads(done.out), document


@pytest.mark.parametrize("how", ["whole", "stream"])
def test_its_messages_keep_every_signature(tmp_path: Path, how: str) -> None:
    said, document = loop(tmp_path, how)
    assert said["status"] == 200
    assert "Buy milk." in said["text"]
    assert {r.is_streamed for r in document.readings} == {how == "stream"}
    assert statuses(document) == [200, 200, 200]
    assert calls(document) == [1, 2, 0]
    assert rows(document) == NOTHING_LOST
    assert document.findings == ()


def test_a_history_of_text_and_calls_is_refused_and_mended(tmp_path: Path) -> None:
    said, document = loop(tmp_path, "forgetful")
    assert said["status"] == 400
    assert statuses(document) == [200, 400]
    assert rows(document) == DROPPED
    assert errors(document) == [(2, "ORT-1")]
    assert peering.mended(tmp_path, 2)
