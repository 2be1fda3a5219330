"""New sessions in the data folder: from templates and from pasted text."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest

from sigscope.engine.engine import Engine
from sigscope.engine.sessions.composition import RequestDraft
from sigscope.engine.sessions.creation import has_request, start, start_pasted
from sigscope.errors import InputError, UsageError

BODY = (
    '{"model": "gemini-3-pro-preview", "contents":'
    ' [{"role": "user", "parts": [{"text": "Hi"}]}]}'
)


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder and a temporary folder of the test's own."""
    monkeypatch.setenv("SIGSCOPE_DATA_DIR", str(tmp_path / "data"))
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    return tmp_path / "data"


def test_a_template_becomes_a_session_named_after_what_is_said(data: Path) -> None:
    path = start(Engine(), RequestDraft(dialect="gemini", say="List the files!"))
    assert path == data / "sessions" / "list-the-files.session.jsonl"
    document = Engine().open(path)
    (step,) = document.steps
    assert step.exchange.response is None
    assert step.source == "composed"


def test_the_same_words_again_make_another_file() -> None:
    draft = RequestDraft(dialect="gemini", say="Hi")
    names = [start(Engine(), draft).name for _ in range(3)]
    assert names == [
        "hi.session.jsonl", "hi-2.session.jsonl", "hi-3.session.jsonl"
    ]  # fmt: skip


def test_a_title_without_letters_is_no_problem() -> None:
    path = start(Engine(), RequestDraft(dialect="gemini", say="¿…?"))
    assert path.name == "session.session.jsonl"


def test_a_pasted_body_is_kept_byte_for_byte() -> None:
    document = Engine().open(start_pasted(Engine(), f"\n {BODY} \n"))
    request = document.request(1)
    assert request.body.raw == BODY.encode()
    assert document.reading(1).dialect is not None


def test_keys_in_what_is_pasted_reach_no_file_that_stays(data: Path) -> None:
    key = "ghu_0123456789abcdefghijklmnopqrstuvwxyz"
    body = json.dumps({"model": "m", "messages": [{"role": "user", "content": "x"}]})
    text = (
        "curl https://api.githubcopilot.com/chat/completions"
        f" -H 'Authorization: Bearer {key}' -d '{body}'"
    )
    start_pasted(Engine(), text)
    assert not list((data.parent / "temporary").iterdir())
    kept = [path for path in data.rglob("*") if path.is_file()]
    assert kept
    assert not any(key in path.read_text() for path in kept)


def test_a_key_in_a_title_reaches_no_file_name(data: Path) -> None:
    key = "ghu_0123456789abcdefghijklmnopqrstuvwxyz"
    path = start(Engine(), RequestDraft(dialect="gemini", say=f"Use {key}"))
    assert path.name == "use-ghu.session.jsonl"


@pytest.mark.parametrize("text", ["", "  \n", "hello", "{", '{"a": 1}'])
def test_what_is_no_request_is_a_sentence(text: str, data: Path) -> None:
    with pytest.raises(UsageError, match="past"):
        start_pasted(Engine(), text)
    assert not data.exists()
    assert not list((data.parent / "temporary").iterdir())


def test_a_data_folder_that_cannot_be_made_is_an_input_error(data: Path) -> None:
    data.write_text("")
    with pytest.raises(InputError):
        start(Engine(), RequestDraft(dialect="gemini", say="Hi"))


@pytest.mark.parametrize(
    "text",
    [
        "curl https://host.example/v1 -d '{}'",
        "$ curl -i https://host.example/v1",
        "fetch('https://host.example')",
        "POST /v1/chat/completions HTTP/1.1\nHost: x\n\n{}",
        BODY,
        '{"log": {"version": "1.2", "entries": []}}',
        '[{"role": "user", "content": "x"}]',
    ],
)
def test_a_text_with_a_request_is_known_as_one(text: str) -> None:
    assert has_request(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        '{"error": {"message": "Corrupted thought signature.", "code": 400}}',
        "HTTP/1.1 400 Bad Request\n\n{}",
        "API Error: 400 messages.1.content.0: Invalid `signature` in `thinking` block",
        "my curl fails with 400",
        '[{"error": {"code": 400}}]',
    ],
)
def test_an_error_alone_is_no_request(text: str) -> None:
    assert not has_request(text)
