"""Traces of Go's httprr."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.importer import read_as

from sigscope.capture.base import Imported
from sigscope.errors import InputError

HEAD = b"httprr trace v1\n"
ASKED = (
    b"POST https://h.example/v1/x HTTP/1.1\r\nHost: h.example\r\n"
    b"Content-Length: 7\r\n\r\n"
    b'{"a":1}'
)
ANSWERED = b"HTTP/2.0 200 OK\r\nConnection: close\r\n\r\ndata: 1\n\n"


def record(asked: bytes = ASKED, answered: bytes = ANSWERED, missize: int = 0) -> bytes:
    sizes = f"{len(asked) + missize} {len(answered)}\n".encode()
    return sizes + asked + answered


def imported(tmp_path: Path, *records: bytes) -> Imported:
    return read_as("httprr", tmp_path / "x", HEAD + b"".join(records))


def bodies(found: Imported) -> list[tuple[bytes | None, bytes | None]]:
    return [
        (
            each.request.body.raw if each.request else None,
            each.response.body.raw if each.response else None,
        )
        for each in found.exchanges
    ]


BOTH = (b'{"a":1}', b"data: 1\n\n")


def test_each_record_is_an_exchange(tmp_path: Path) -> None:
    found = imported(tmp_path, record(), record())
    assert bodies(found) == [BOTH, BOTH]
    assert found.problems == ()
    request, response = found.exchanges[0].request, found.exchanges[0].response
    assert request is not None
    assert response is not None
    assert (request.method, request.url) == ("POST", "https://h.example/v1/x")
    assert (response.status, response.http_version) == (200, "HTTP/2.0")
    assert found.exchanges[0].remarks == ()


@pytest.mark.parametrize("before", [b"\n\n", b"\r\n", b"\xef\xbb\xbf\n"])
def test_blank_lines_before_it_are_no_harm(tmp_path: Path, before: bytes) -> None:
    found = read_as("httprr", tmp_path / "x", before + HEAD + record())
    assert bodies(found) == [BOTH]


def test_a_body_may_look_like_messages_and_records(tmp_path: Path) -> None:
    told = b"data: 1\nPOST /y HTTP/1.1\nHTTP/1.1 400 Bad Request\n5 6\nGET / HTTP/1.1\n"
    answered = b"HTTP/1.1 200 OK\r\n\r\n" + told
    found = imported(tmp_path, record(answered=answered), record())
    assert bodies(found) == [(b'{"a":1}', told), BOTH]
    assert found.problems == ()


def test_chunks_are_joined(tmp_path: Path) -> None:
    answered = (
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        b"4\r\ndata\r\n5\r\n: 1\n\n\r\n0\r\n\r\n"
    )
    assert bodies(imported(tmp_path, record(answered=answered))) == [BOTH]


@pytest.mark.parametrize("missize", [1, -1, 40, -40])
def test_sizes_that_do_not_fit_are_told_and_lose_nothing(
    tmp_path: Path, missize: int
) -> None:
    found = imported(tmp_path, record(), record(missize=missize), record())
    assert bodies(found) == [BOTH, BOTH, BOTH]
    (problem,) = found.problems
    assert problem.where == "record 2"
    assert "sizes do not fit" in problem.message


def test_line_ends_that_git_turned_are_read(tmp_path: Path) -> None:
    turned = (record() + record()).replace(b"\r\n", b"\n")
    found = imported(tmp_path, turned)
    assert bodies(found) == [BOTH, BOTH]
    assert len(found.problems) == 2


def test_a_torn_record_is_told_and_shown_as_far_as_it_goes(tmp_path: Path) -> None:
    found = imported(tmp_path, record(), record()[:-4])
    assert bodies(found) == [BOTH, (b'{"a":1}', b"data:")]
    (problem,) = found.problems
    assert problem.message == "it breaks off, 4 bytes early"


def test_a_record_without_its_answer_has_none(tmp_path: Path) -> None:
    found = imported(tmp_path, record()[: -len(ANSWERED)])
    assert bodies(found) == [(b'{"a":1}', None)]


def test_what_is_no_record_is_left_out_and_told(tmp_path: Path) -> None:
    found = imported(tmp_path, b"some words\n", record(), b"\n")
    assert bodies(found) == [BOTH]
    (problem,) = found.problems
    assert problem.message == "11 bytes that are no record; left out"


def test_a_trace_without_records_is_refused(tmp_path: Path) -> None:
    for rest in (b"", b"\n", b"1 1\nab"):
        with pytest.raises(InputError, match="holds no exchange"):
            imported(tmp_path, rest)
