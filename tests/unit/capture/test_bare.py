"""Bodies alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from sigscope.capture import bare
from sigscope.capture.base import Imported
from sigscope.capture.source import Source
from sigscope.errors import InputError
from sigscope.exchange import Framing

A = b'{"choices":[]}'


def source(tmp_path: Path, content: bytes) -> Source:
    path = tmp_path / "body"
    path.write_bytes(content)
    return Source(path)


def imported(tmp_path: Path, content: bytes) -> Imported:
    made = source(tmp_path, content)
    assert bare.recognise(made)
    return bare.read(made)


@pytest.mark.parametrize(
    ("content", "framing"),
    [
        (b"data: " + A + b"\n\ndata: [DONE]\n\n", None),
        (b"data: " + A + b"\ndata: " + A + b"\n", "data-lines"),
        (b"[" + A + b",\n" + A + b"]", "json-list"),
        (b"[" + A + b",\n" + A, "json-list"),
        (A + b"\n" + A + b"\n", "json-lines"),
        (A, None),
        (b'{"type":"message_start"}\n{"type":"ping"}\n', "json-lines"),
        (b'{"event_type":"step.start"}\n{"event_type":"x"}', "json-lines"),
        (b'{"type":"error","error":{}}', None),
        (b'{"output":[],"input":[]}', None),
        (b'[{"error":{"code":400}}]', None),
    ],
)
def test_an_answer_is_a_response(
    tmp_path: Path, content: bytes, framing: Framing | None
) -> None:
    found = imported(tmp_path, content)
    (exchange,) = found.exchanges
    assert exchange.request is None
    assert exchange.response is not None
    assert exchange.response.body.raw == content
    assert exchange.response.framing == framing
    assert exchange.response.status is None
    assert found.problems == ()


@pytest.mark.parametrize(
    "content",
    [
        b'{"model":"m","messages":[]}',
        b'{"contents":[{"parts":[]}]}',
        b'{"project":"p","request":{"contents":[]}}',
        b'{"input":"hi"}',
    ],
)
def test_a_question_is_a_request(tmp_path: Path, content: bytes) -> None:
    (exchange,) = imported(tmp_path, content).exchanges
    assert exchange.response is None
    assert exchange.request is not None
    assert (exchange.request.url, exchange.request.body.raw) == ("", content)


@pytest.mark.parametrize(
    "content", [b'{"choices":[{"x":', b'{"model":"m","messages":[']
)
def test_a_torn_body_is_shown_with_a_problem(tmp_path: Path, content: bytes) -> None:
    found = imported(tmp_path, content)
    (exchange,) = found.exchanges
    assert (exchange.request is None) == content.startswith(b'{"choices')
    assert "not whole JSON" in found.problems[0].message


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b" \n",
        b"text",
        b'{"name":"x","type":"module"}',
        b"[1,2]",
        b"[]",
        b"{}",
        b'{"a":1}\n{"a":2}',
        b"\0\1",
        b'"messages"',
        b"<html>",
        b'{"x',
    ],
)
def test_other_files_are_no_bodies(tmp_path: Path, content: bytes) -> None:
    assert not bare.recognise(source(tmp_path, content))


def test_by_force_any_body_is_taken(tmp_path: Path) -> None:
    (exchange,) = bare.read(source(tmp_path, b"upstream error")).exchanges
    assert exchange.response is not None
    assert exchange.response.body.raw == b"upstream error"
    with pytest.raises(InputError, match="empty"):
        bare.read(source(tmp_path, b"\n"))


def test_a_folder_is_no_body(tmp_path: Path) -> None:
    assert not bare.recognise(Source(tmp_path))
