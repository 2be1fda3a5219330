from __future__ import annotations

import pytest

from sigscope.recorder.arrival import IncomingAnswer
from sigscope.recorder.heads import MAX_HEAD, HeadError, parse_request

INTERIM = b"HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n"
FINAL = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"


def answer_to(version: bytes) -> IncomingAnswer:
    return IncomingAnswer(parse_request(b"GET / " + version + b"\r\n\r\n"))


def test_an_old_client_gets_no_interim_answer() -> None:
    # RFC 9110, 15.2: it would take it for the answer.
    assert answer_to(b"HTTP/1.0").take_head(INTERIM + FINAL) == ([], b"")
    assert answer_to(b"HTTP/1.1").take_head(INTERIM + FINAL) == ([INTERIM], b"")


@pytest.mark.parametrize("version", [b"HTTP/1.0", b"HTTP/1.1"])
def test_interim_answers_without_end_are_given_up(version: bytes) -> None:
    answer = answer_to(version)
    many = INTERIM * 100
    passed = 0
    while passed + len(many) <= MAX_HEAD:
        answer.take_head(many)
        passed += len(many)
    with pytest.raises(HeadError, match="interim"):
        answer.take_head(many)


@pytest.mark.parametrize("status", [b"000", b"099"])
def test_what_is_no_status_is_no_answer(status: bytes) -> None:
    with pytest.raises(HeadError, match=status.decode()):
        answer_to(b"HTTP/1.1").take_head(FINAL.replace(b"200", status))


@pytest.mark.parametrize(
    ("fields", "data", "is_underway"),
    [
        (b"Transfer-Encoding: chunked", b"", True),
        (b"Transfer-Encoding: chunked", b"3\r\nabc\r\n", True),
        (b"Transfer-Encoding: chunked", b"3\r\nabc\r\n0\r\n\r\n", False),
        (b"Transfer-Encoding: chunked", b"3\r\nab", False),
        (b"Transfer-Encoding: chunked", b"d\r\ndata: [DONE]\n\r\n", False),
        (b"Content-Length: 3", b"", True),
        (b"Content-Length: 3", b"ab", False),
        (b"Content-Length: 3", b"abc", False),
        (b"Content-Length: 0", b"", False),
        (b"X: y", b"abc", True),
        (b"X: y", b"data: [DONE]\n\n", False),
    ],
)
def test_what_goes_on_with_its_head_ends_nothing(
    fields: bytes, data: bytes, is_underway: bool
) -> None:
    incoming = IncomingAnswer(parse_request(b"GET / HTTP/1.1\r\n\r\n"))
    _, rest = incoming.take_head(b"HTTP/1.1 200 OK\r\n" + fields + b"\r\n\r\n" + data)
    assert rest == data
    assert incoming.is_underway(data) is is_underway
