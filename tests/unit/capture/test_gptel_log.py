"""The log of gptel."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.importer import asked, import_path, read_as

from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.opener import open_file
from sigscope.errors import InputError
from sigscope.ledger.records import Fate

SIGNED = "EhkKFwHeWwZgVZrq0IJk1XldOQlxjN0Fq9SV"
URL = (
    "https://h.example/v1beta/models/gemini-3-flash:streamGenerateContent?key=K&alt=sse"
)
CALL = {
    "functionCall": {"name": "look", "args": {}, "id": "c1"},
    "thoughtSignature": SIGNED,
}
FIRST: list[Any] = [{"role": "user", "parts": [{"text": "look"}]}]
RESULT = {"functionResponse": {"name": "look", "id": "c1", "response": {"r": 1}}}
NEXT = [
    *FIRST,
    {"role": "model", "parts": [CALL]},
    {"role": "user", "parts": [RESULT]},
]
STREAM = "data: " + json.dumps(
    {"candidates": [{"content": {"role": "model", "parts": [CALL]}}]}
)
REFUSAL = {"error": {"code": 400, "message": "no", "status": "INVALID_ARGUMENT"}}


def part(name: str, content: Any, second: int = 0) -> str:
    told = content if isinstance(content, str) else json.dumps(content, indent=2)
    head = f'{{"gptel": "{name}", "timestamp": "2026-01-31 10:00:0{second}"}}'
    return f"{head}\n{told}\n"


def bodies() -> list[str]:
    return [
        part("request body", {"contents": FIRST}, 1),
        part("response body", STREAM + "\r\n\r\n", 2),
        part("request body", {"contents": NEXT}, 3),
        part("response body", REFUSAL, 4),
    ]


CONFIG = f'header = "Content-Type: application/json"\nurl = "{URL}"\n'
HEADERS = {"Content-Type": "application/json"}
COMMAND = f"(curl --disable -XPOST -w(ab . %{{size_header}}) -d{{}} {URL})"


@pytest.mark.parametrize(
    ("name", "told", "is_addressed"),
    [
        ("request config", CONFIG, True),
        ("request headers", HEADERS, False),
        ("request command", COMMAND, True),
        (None, "", False),
    ],
    ids=str,
)
def test_bodies_are_calls_with_what_is_told_of_them(
    tmp_path: Path, name: str | None, told: Any, is_addressed: bool
) -> None:
    first, stream, second, refusal = bodies()
    before = part(name, told) if name else ""
    found, refused = (
        part("response headers", json.dumps(f"HTTP/2 {status} \r\nserver: x\r\n"))
        if name
        else ""
        for status in (200, 400)
    )
    path = tmp_path / "gptel.log"

    log = before + first + found + stream + before + second + refused + refusal
    imported = read_as("gptel", path, log)

    assert [asked(each)["contents"] for each in imported.exchanges] == [FIRST, NEXT]
    statuses = [each.response and each.response.status for each in imported.exchanges]
    assert statuses == ([200, 400] if name else [None, None])
    request = imported.exchanges[0].request
    assert request is not None
    assert (request.url == URL) == is_addressed
    assert imported.exchanges[0].started_at == "2026-01-31T10:00:01Z"
    assert imported.problems == ()
    signature = Document(open_file(path)).ledger.signatures[0]
    assert (signature.value, signature.fates[0].fate) == (SIGNED, Fate.EXACT)


def test_a_log_without_bodies_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no body"):
        read_as("gptel", tmp_path / "x", part("request headers", HEADERS))


def test_words_about_such_a_log_are_none(tmp_path: Path) -> None:
    path = tmp_path / "notes.md"
    path.write_text("# What gptel writes\n\n" + part("request body", "and so on"))

    with pytest.raises(InputError, match="it is text that begins"):
        import_path(path)


@pytest.mark.parametrize(
    "told", ["HTTP/1.1 200 \n" * 100_000 + "x\n\nx", "https://" * 100_000 + " x"]
)
def test_what_is_told_of_a_call_costs_its_length(tmp_path: Path, told: str) -> None:
    """Patterns that begin anew at each place took minutes of a megabyte."""
    asks = part("request body", {"contents": FIRST})
    log = asks + part("request command", told)
    assert len(read_as("gptel", tmp_path / "x", log).exchanges) == 1


def test_an_answer_on_the_way_is_not_the_status(tmp_path: Path) -> None:
    heads = "HTTP/1.1 100 Continue\r\n\r\nHTTP/2 200 \r\nserver: x\r\n"
    log = "".join(
        [bodies()[0], part("response headers", json.dumps(heads)), bodies()[1]]
    )

    (exchange,) = read_as("gptel", tmp_path / "x", log).exchanges

    assert exchange.response is not None
    assert exchange.response.status == 200
    assert exchange.response.headers == (("server", "x"),)
