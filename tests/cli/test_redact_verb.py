"""`sigscope redact`: a copy to share, with the same ledger."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sigscope.cli.main import run
from sigscope.engine.engine import Engine
from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.opener import open_file
from sigscope.engine.settings.places import shipped

NAME = "zed-copilot-attempt-1"
pytestmark = pytest.mark.usefixtures("folder")


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
    assert (told["proven"], told["differences"]) == (True, [])
    session = open_file(folder / "x.session.jsonl")
    assert session.redaction == ("secrets", "signatures")


def test_level_content_masks_words_and_proves_the_rest(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    code, out, _ = said(capsys, NAME, "--level", "content", "--out", "x.session.jsonl")
    assert code == 0
    assert "masked text" in out
    assert "proven: the ledger (1 signature, every fate) and 3 findings are" in out
    assert "files are in this" not in (folder / "x.session.jsonl").read_text()
    session = open_file(folder / "x.session.jsonl")
    assert session.redaction == ("secrets", "signatures", "content")


def test_a_copy_that_tells_something_else_is_no_success(
    capsys: pytest.CaptureFixture[str],
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    other = open_file(folder / _bundled("zed-copilot-final-fix"))
    monkeypatch.setattr(Engine, "open", lambda self, path, wanted=None: Document(other))
    code, _, err = said(capsys, NAME, "--out", "x.session.jsonl")
    assert code == 1
    assert "the copy does not tell the same" in err
    assert "step 2: copilot-chat 400" in err


def _bundled(name: str) -> Path:
    return shipped("sessions") / f"{name}.session.jsonl"


def test_an_existing_file_stays(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    (folder / "x").write_text("mine")
    code, _, err = said(capsys, NAME, "--out", "x")
    assert code == 2
    assert "give --force" in err
    assert (folder / "x").read_text() == "mine"


@pytest.mark.parametrize(
    "line",
    [
        ["redact", NAME],
        ["sessions", "keep", NAME, "--steps", "1"],
        ["new", "--dialect", "gemini"],
        ["import", NAME],
    ],
    ids=lambda line: line[0],
)
def test_a_session_does_not_go_to_standard_output(
    capsys: pytest.CaptureFixture[str], folder: Path, line: list[str]
) -> None:
    assert run([*line, "--out", "-"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "a session file cannot go to standard output; name a file" in err
    assert not (folder / "-").exists()
