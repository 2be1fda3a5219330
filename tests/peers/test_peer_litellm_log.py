"""The debug log of the real LiteLLM SDK tells what the recorder saw.

LiteLLM SDK → recorder → simulator
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from tests.peers import peering
from tests.peers.peering import rows

from sigscope.engine.sessions.document import Document

MODEL = "gemini/gemini-3-pro-preview"


def logged(folder: Path, how: str) -> tuple[Document, Document]:
    """What its log says, and what was on the wire."""
    with (
        peering.simulating(folder, "gemini") as simulator,
        peering.recording(folder, "--upstream", simulator) as recorder,
    ):
        done = subprocess.run(
            [
                peering.tool("litellm", "python"),
                str(peering.CLIENTS / "litellm_tools.py"),
                *(MODEL, recorder.url.rstrip("/"), how),
            ],
            env=peering.peer_variables(folder, LITELLM_LOCAL_MODEL_COST_MAP="True"),
            cwd=folder,
            capture_output=True,
            timeout=100,
            check=False,
        )
        assert done.returncode == 0, done.stderr.decode()
        seen = recorder.document()
    log, file = folder / "litellm.log", folder / "log.session.jsonl"
    log.write_bytes(done.stdout)
    told = peering.sigscope(folder, "import", log, "--out", file, "--json")
    assert told.code == 0
    return peering.load(file), seen


def test_bodies_and_ledger_are_the_same(tmp_path: Path) -> None:
    log, seen = logged(tmp_path, "whole")
    for told, wire in zip(log.readings, seen.readings, strict=True):
        assert told.request_json == wire.request_json
        assert json.loads(told.response_body.data) == wire.response_json
    assert rows(log) == rows(seen)
    assert rows(log)[0] == (1, ((2, "exact", "required"), (3, "exact", "required")))


@pytest.mark.parametrize("how", ["stream"])
def test_what_it_does_not_log_is_said(tmp_path: Path, how: str) -> None:
    log, seen = logged(tmp_path, how)
    for told, wire in zip(log.readings, seen.readings, strict=True):
        assert told.request_json == wire.request_json
        assert told.exchange.response is None
        assert "the log has none" in told.exchange.remarks[-1]
    # Nothing is held against a client whose answers are not there.
    assert log.findings == ()
