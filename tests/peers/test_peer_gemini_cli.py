"""gemini-cli from npm through `sigscope run`."""

from __future__ import annotations

import json
from pathlib import Path

from tests.peers import peering
from tests.peers.peering import dialects, statuses

SETTINGS = {
    "security": {"auth": {"selectedType": "gemini-api-key"}},
    "privacy": {"usageStatisticsEnabled": False},
    "telemetry": {"enabled": False},
    "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
}
QUESTION = "List the files in this folder, then read notes.md"


def test_a_tool_loop_loses_nothing(tmp_path: Path) -> None:
    program = peering.tool("gemini-cli", "gemini")
    (tmp_path / "home" / ".gemini").mkdir(parents=True)
    settings = tmp_path / "home" / ".gemini" / "settings.json"
    settings.write_text(json.dumps(SETTINGS))
    (tmp_path / "notes.md").write_text("Buy milk.\n")
    file = tmp_path / "a.session.jsonl"
    with peering.simulating(tmp_path, "gemini") as simulator:
        done = peering.sigscope(
            tmp_path,
            *("run", "--upstream", f"gemini={simulator}", "--out", file, "--check"),
            *("--", program, "-m", "gemini-3-pro-preview", "--yolo", "--skip-trust"),
            *("-o", "text", "-p", QUESTION),
            surroundings=True,
        )
    assert done.code == 0, done.err
    assert "Buy milk." in done.out
    document = peering.load(file)
    assert set(statuses(document)) == {200}
    assert set(dialects(document)) == {"gemini"}
    lost = [s for s in document.ledger.signatures for f in s.fates if f.is_lost]
    assert lost == []
    required = [
        f
        for signature in document.ledger.signatures
        for f in signature.fates
        if f.grade == "required"
    ]
    assert len(required) >= 3
    assert {str(fate.fate) for fate in required} == {"exact"}
    assert not peering.errors(document)
