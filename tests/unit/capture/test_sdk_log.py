"""Debug logs of SDKs; the files in tests/real are their own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.importer import import_path
from tests.real.ask_sdk import CONTENT, QUESTION

from sigscope.capture.base import Imported
from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.opener import open_file
from sigscope.errors import InputError

REAL = Path(__file__).parents[2] / "real"
OPENAI = REAL / "openai-python-1.log"
ANTHROPIC = REAL / "anthropic-python-2.log"


def imported(path: Path) -> Imported:
    name, made = import_path(path)
    assert name == "sdk-log"
    return made


def test_requests_of_openai_are_json_again() -> None:
    made = imported(OPENAI)
    assert made.problems == ()
    assert [e.response and e.response.status for e in made.exchanges] == [
        *(200, 200, 200, 400)
    ]
    for exchange in made.exchanges:
        assert exchange.request is not None
        assert exchange.request.url == "http://127.0.0.1:8917/chat/completions"
        body = json.loads(exchange.request.body.raw)
        assert body["model"] == "gemini-3-pro-preview"
        assert body["messages"][0] == {"role": "user", "content": QUESTION}
        assert "bytes are not in the log" in exchange.remarks[0]
    started = [exchange.started_at for exchange in made.exchanges]
    assert all(started)
    response = made.exchanges[0].response
    assert response is not None
    assert ("content-type", "application/json; charset=utf-8") in response.headers


def test_the_words_of_an_exception_are_the_answer_and_explain_it() -> None:
    made = imported(OPENAI)
    response = made.exchanges[-1].response
    assert response is not None
    assert (
        "is missing a `thought_signature`"
        in json.loads(response.body.raw)["error"]["message"]
    )
    assert "words of the exception" in made.exchanges[-1].remarks[-1]
    document = Document(open_file(OPENAI))
    assert len(document.ledger.signatures) == 2
    (error,) = [f for f in document.findings if f.severity == "error"]
    assert (error.step, error.rule) == (4, "CPC-1")


def test_requests_of_anthropic_are_json_again() -> None:
    first, second = imported(ANTHROPIC).exchanges
    assert first.request is not None
    assert second.request is not None
    assert second.request.url == "http://127.0.0.1:8918/v1/messages"
    messages = json.loads(second.request.body.raw)["messages"]
    assert messages[1] == {"role": "assistant", "content": CONTENT}


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("openai-python-3.log", "openai 3 or later, which prints no bodies"),
        ("openai-node.log", "SDK for Node.js"),
    ],
)
def test_logs_without_bodies_say_so_and_what_to_do(name: str, says: str) -> None:
    with pytest.raises(InputError, match=says) as caught:
        import_path(REAL / name)
    assert "sigscope run -- YOUR PROGRAM" in str(caught.value)


def test_lines_of_the_plain_logger_are_read(tmp_path: Path) -> None:
    text = OPENAI.read_text(encoding="utf-8")
    lines = [line.partition("] ")[2] for line in text.splitlines() if "DEBUG" in line]
    path = tmp_path / "plain.log"
    path.write_text("\n".join(f"DEBUG:openai._base_client:{each}" for each in lines))
    assert len(imported(path).exchanges) == 4


@pytest.mark.parametrize("path", [OPENAI, ANTHROPIC])
def test_every_cut_is_read_or_refused_with_a_message(
    path: Path, tmp_path: Path
) -> None:
    whole = path.read_bytes()
    cut = tmp_path / "cut.log"
    for end in range(1, len(whole), 151):
        cut.write_bytes(whole[:end])
        try:
            _, made = import_path(cut, "sdk-log")
        except InputError:
            assert end < 300
            continue
        last = whole[:end].rpartition(b"\n")[2]
        is_torn = b"Request options: {" in last and whole[end : end + 1] != b"\n"
        assert bool(made.problems) == is_torn
