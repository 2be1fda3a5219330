"""`sigscope redact`: a copy to share, with the same ledger."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sigscope.cli.main import run
from sigscope.engine.opening import open_file

NAME = "zed-copilot-attempt-1"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SIGSCOPE_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def said(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    code = run(["redact", *argv])
    out, err = capsys.readouterr()
    return code, out, err


def test_secrets_are_taken_out_of_a_recording(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    key = "sk-or-v1-0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
    request = {
        "method": "POST",
        "url": "https://openrouter.ai/api/v1/chat/completions",
        "headers": [{"name": "Authorization", "value": f"Bearer {key}"}],
        "postData": {"mimeType": "application/json", "text": '{"messages":[]}'},
    }
    response = {"status": 200, "content": {"text": "{}", "mimeType": "a/b"}}
    har = {"log": {"entries": [{"request": request, "response": response}]}}
    (folder / "it.har").write_text(json.dumps(har))
    code, out, _ = said(capsys, "it.har")
    assert code == 0
    assert "it.redacted.session.jsonl: " in out
    assert "1 × authorization header" in out
    text = (folder / "it.redacted.session.jsonl").read_text()
    assert key not in text
    assert "Bearer [removed]" in text


def test_level_signatures_puts_stand_ins(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    code, out, _ = said(
        capsys, NAME, "--level", "signatures", "--out", "x.session.jsonl", "--json"
    )
    assert code == 0
    told = json.loads(out)
    assert (told["level"], told["removed"]) == ("signatures", {"signature": 1})
    session = open_file(folder / "x.session.jsonl")
    assert session.redaction == ("secrets", "signatures")


def test_an_existing_file_stays(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    (folder / "x").write_text("mine")
    code, _, err = said(capsys, NAME, "--out", "x")
    assert code == 2
    assert "give --force" in err
    assert (folder / "x").read_text() == "mine"
