"""HTTP messages as text."""

from __future__ import annotations

from pathlib import Path

import pytest

from sigscope.capture.base import Imported
from sigscope.capture.detect import import_path
from sigscope.capture.rawhttp import response_in
from sigscope.errors import InputError


def imported(tmp_path: Path, data: bytes) -> Imported:
    path = tmp_path / "x"
    path.write_bytes(data)
    name, found = import_path(path)
    assert name == "http"
    return found


ASKED = b"POST /v1/x HTTP/1.1\r\nHost: api.example\r\ncontent-length: 2\r\n\r\n{}"
ANSWERED = b"HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\n\r\n"


def test_a_request_and_its_answer_are_one_exchange(tmp_path: Path) -> None:
    found = imported(tmp_path, ASKED + b"\r\n\r\n" + ANSWERED + b'{"error":1}\n')
    (exchange,) = found.exchanges
    assert exchange.request is not None
    assert exchange.response is not None
    assert exchange.request.method == "POST"
    assert exchange.request.url == "https://api.example/v1/x"
    assert exchange.request.body.raw == b"{}"
    assert (exchange.response.status, exchange.response.reason) == (400, "Bad Request")
    assert exchange.response.body.raw == b'{"error":1}\n'


def test_an_answer_alone_and_provisional_ones(tmp_path: Path) -> None:
    early = b"HTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\n"
    data = early + b"HTTP/2 200\r\na: b\r\n\r\ndata: 1\n\n"
    (exchange,) = imported(tmp_path, data).exchanges
    assert exchange.request is None
    assert exchange.response is not None
    assert exchange.response.status == 200
    assert exchange.response.body.raw == b"data: 1\n\n"


def test_chunks_of_the_transfer_coding_are_joined_and_said_so(tmp_path: Path) -> None:
    data = (
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        b"5\r\ndata:\r\n4;x=y\r\n 1\n\n\r\n0\r\n\r\n"
    )
    (exchange,) = imported(tmp_path, data).exchanges
    assert exchange.response is not None
    assert exchange.response.body.raw == b"data: 1\n\n"
    assert "chunks" in exchange.remarks[0]


def test_a_file_of_requests_is_parted_by_hashes(tmp_path: Path) -> None:
    data = (
        b"### first\nPOST https://h/1\nContent-Type: application/json\n\n{}\n\n"
        b"### second\nGET https://h/2\nA: b\n"
    )
    first, second = imported(tmp_path, data).exchanges
    assert first.request is not None
    assert second.request is not None
    assert first.request.body.raw.strip() == b"{}"
    assert (second.request.method, second.request.url) == ("GET", "https://h/2")


def test_a_wrong_content_length_does_not_swallow_the_answer(tmp_path: Path) -> None:
    wrong = ASKED.replace(b"length: 2", b"length: 20")
    (exchange,) = imported(tmp_path, wrong + b"\n" + ANSWERED + b"{}").exchanges
    assert exchange.response is not None
    assert exchange.response.status == 400


def test_junk_between_messages_is_listed(tmp_path: Path) -> None:
    data = ASKED + b"\n" + b"\nHTTP/1.1 200 OK\r\na: b\r\ncontent-length: 2\r\n\r\n{}"
    found = imported(tmp_path, data + b"\n\njunk\n\nHTTP/1.1 200 OK\r\n\r\n")
    assert len(found.exchanges) == 2
    assert found.problems == ()


def test_thousands_of_messages_are_read_in_one_pass(tmp_path: Path) -> None:
    # Minutes, where each has the rest searched for messages of other kinds.
    data = b"HTTP/1.1 200 OK\r\na: b\r\n\r\n{}\n\n" * 10_000
    assert len(imported(tmp_path, data).exchanges) == 10_000


def test_a_length_of_thousands_of_digits_is_no_length(tmp_path: Path) -> None:
    data = b"HTTP/1.1 200 OK\r\nContent-Length: " + b"9" * 5000 + b"\r\n\r\n{}"
    (exchange,) = imported(tmp_path, data).exchanges
    assert exchange.response is not None
    assert exchange.response.body.raw == b"{}"


def test_an_answer_is_found_in_text() -> None:
    bare = response_in('\n{"choices": []}\n```\n')
    assert bare is not None
    assert bare.body.raw == b'{"choices": []}\n'
    assert response_in("all done\n") is None
    assert response_in("") is None


def test_no_message_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("hello\n")
    with pytest.raises(InputError, match="no HTTP message"):
        import_path(path, "http")
