from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigscope.recorder import heads
from sigscope.recorder.heads import (
    HeadError,
    find_end,
    parse_request,
    parse_response,
    passed_on,
)
from sigscope.recorder.transfer import request_decoder

REQUEST = (
    b"POST /v1/x?a=%7e HTTP/1.1\r\nhOsT: a\r\nX-One:  1 \r\nx-one: \xe9\r\n"
    b"Connection: keep-alive, X-Mine\r\nX-Mine: 1\r\nX-Fold: a\r\n b\r\n\r\n"
)


def test_names_keep_their_case_and_order() -> None:
    head = parse_request(REQUEST)
    assert (head.method, head.target, head.version) == (
        "POST",
        "/v1/x?a=%7e",
        "HTTP/1.1",
    )
    assert head.headers[:3] == (("hOsT", "a"), ("X-One", "1"), ("x-one", "é"))
    assert head.headers[-1] == ("X-Fold", "a b")


def test_lines_are_passed_on_byte_for_byte_without_those_of_the_connection() -> None:
    lines = b"".join(passed_on(parse_request(REQUEST)))
    assert lines == (b"hOsT: a\r\nX-One:  1 \r\nx-one: \xe9\r\nX-Fold: a b\r\n")


@pytest.mark.parametrize(
    ("fields", "sent"),
    [
        (
            b"X: y\r\n Transfer-Encoding: chunked\r\n",
            b"X: y Transfer-Encoding: chunked",
        ),
        (b"Content-Length:\r\n\t3\r\n", b"Content-Length: 3"),
        (b"X: a\nContent-Length: 3\r\n", b"X: a\r\nContent-Length: 3"),
    ],
)
def test_a_request_leaves_no_line_that_others_end_elsewhere(
    fields: bytes, sent: bytes
) -> None:
    head = parse_request(b"POST / HTTP/1.1\r\n" + fields + b"\r\n")
    assert b"".join(passed_on(head)) == sent + b"\r\n"
    assert parse_request(b"POST / HTTP/1.1\r\n" + sent + b"\r\n\r\n") == head


@pytest.mark.parametrize("cut", range(len(REQUEST)))
def test_a_torn_head_has_no_end(cut: int) -> None:
    assert find_end(REQUEST[:cut]) == -1


def test_the_end_is_behind_the_empty_line() -> None:
    assert find_end(REQUEST + b"body\r\n\r\n") == len(REQUEST)
    assert find_end(b"GET / HTTP/1.1\na: b\n\nx") == 21


@given(
    data=st.binary().map(lambda data: data.translate(bytes([10, 13, 65] * 85 + [10])))
)
def test_the_end_is_behind_the_first_empty_line(data: bytes) -> None:
    match = re.search(rb"\r?\n\r?\n", data)
    assert find_end(data) == (match.end() if match else -1)


def test_what_is_known_of_lines_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heads, "_MOST_KNOWN", 3)
    monkeypatch.setattr(heads, "_KNOWN", {})
    for number in range(10):
        line = b"X-%d:  %d" % (number, number)
        for _ in range(2):
            head = parse_request(b"GET / HTTP/1.1\r\n" + line + b"\r\n\r\n")
            assert head.headers == ((f"X-{number}", f"{number}"),)
            assert head.fields[0].raw == line + b"\r\n"
    parse_request(b"GET / HTTP/1.1\r\nX: " + b"x" * 10_000 + b"\r\n\r\n")
    assert set(heads._KNOWN) == {b"X-9:  9"}


def test_a_head_without_end_is_given_up() -> None:
    with pytest.raises(HeadError, match="longer than"):
        find_end(b"a" * 300_000)


@pytest.mark.parametrize(
    "data",
    [
        b"\x16\x03\x01\x02\r\n\r\n",
        b"GET /\r\n\r\n",
        b"GET / HTTP/1.1\r\nno colon\r\n\r\n",
        b"GET / HTTP/1.1\r\nbad name: x\r\n\r\n",
        b"GET /a b HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\n: x\r\n\r\n",
        b"GET / HTTP/1.1\r\n Host: x\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\n",
    ],
)
def test_what_is_no_http_is_an_error(data: bytes) -> None:
    with pytest.raises(HeadError):
        parse_request(data)


def test_a_status_line_needs_no_reason() -> None:
    head = parse_response(b"HTTP/1.1 204\r\n\r\n")
    assert (head.status, head.reason, head.line) == (204, "", b"HTTP/1.1 204\r\n")
    assert parse_response(b"HTTP/1.0 200 All is well\r\n\r\n").reason == "All is well"


@pytest.mark.parametrize(
    "fields",
    [
        b"Content-Length: 3\r\nContent-Length: 4",
        b"Content-Length: x",
        b"Content-Length: +3",
        b"Content-Length: \xa03",
        b"Content-Length: 1_0",
        b"Content-Length: 18446744073709551619",
        b"Content-Length: " + b"9" * 5000,
    ],
)
def test_a_length_that_is_none_is_an_error(fields: bytes) -> None:
    head = parse_request(b"POST / HTTP/1.1\r\n" + fields + b"\r\n\r\n")
    with pytest.raises(HeadError, match="Content-Length"):
        _ = head.length


@pytest.mark.parametrize(
    "fields",
    [
        b"X: a\rTransfer-Encoding: chunked",
        b"X: a\0b",
        b"X: a\x0bContent-Length: 5",
        b"X: a\x0cContent-Length: 5",
        b"X: a\x1c\x1d\x1eContent-Length: 5",
        b"X\r: a",
        b"Content-Length:",
        b"Content-Length: , ",
        b"Transfer-Encoding: \r\nContent-Length: 3",
    ],
)
def test_what_others_could_read_as_another_frame_is_an_error(fields: bytes) -> None:
    with pytest.raises(HeadError, match=r"others|elsewhere"):
        parse_request(b"POST / HTTP/1.1\n" + fields + b"\n\n")
    with pytest.raises(HeadError, match=r"others|elsewhere"):
        parse_request(b"POST / HTTP/1.1\r\n" + fields + b"\r\n\r\n")


def test_a_request_is_for_one_host() -> None:
    for other in (b"Host: a", b"hOST: b", b"Host:"):
        with pytest.raises(HeadError, match="more than one line"):
            parse_request(b"GET / HTTP/1.1\r\nHost: a\r\n" + other + b"\r\n\r\n")
    head = parse_response(b"HTTP/1.1 200 OK\r\nHost: a\r\nHost: b\r\n\r\n")
    assert head.values["host"] == ["a", "b"]


def test_an_answer_with_such_a_line_passes() -> None:
    head = parse_response(b"HTTP/1.1 200 OK\r\nX: a\rb\0\r\nContent-Length:\r\n\r\n")
    assert head.length is None
    assert head.fields[0].raw == b"X: a\rb\0\r\n"


def test_the_same_length_twice_is_taken() -> None:
    head = parse_request(b"POST / HTTP/1.1\r\nContent-Length: 3, 3\r\n\r\n")
    assert head.length == 3


@pytest.mark.parametrize(
    "codings",
    [
        b"x, chunked", b"identity\r\nTransfer-Encoding: chunked", b"identity",
        b"chunked, chunked", b"\x1fchunked", b"chunked\xa0", b"\x85chunked",
        b",chunked", b"chunked,", b"chunked , ",
    ],
)  # fmt: skip
def test_a_request_comes_in_chunks_as_everybody_reads_it(codings: bytes) -> None:
    fields = b"Transfer-Encoding: " + codings
    head = parse_request(b"POST / HTTP/1.1\r\n" + fields + b"\r\n\r\n")
    with pytest.raises(HeadError, match="not understood"):
        request_decoder(head)


def test_an_answer_may_say_that_nothing_is_coded() -> None:
    head = parse_response(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\n\r\n")
    assert not head.is_chunked


def test_an_unknown_transfer_coding_is_an_error() -> None:
    head = parse_request(b"POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n")
    with pytest.raises(HeadError, match="gzip"):
        _ = head.is_chunked


LINES = st.lists(
    st.sampled_from(
        b"A: b|a:|H: i: j|X-Fold: a| b|\tc|no colon|B : c|: x|C:\t\xe9 d \t|"
        b"D: e\rf|E: f\ng|F\x00: g|I:\r".split(b"|")
    ),
    max_size=5,
)


@given(lines=LINES, is_answer=st.booleans(), end=st.sampled_from([b"\r\n", b"\n"]))
def test_a_plain_head_is_read_as_any_other(
    lines: list[bytes], is_answer: bool, end: bytes
) -> None:
    data = end.join([b"HTTP/1.1 200 OK", *lines, b"", b""])
    plain = heads._maybe_plain(data)
    if plain is None:
        assert end == b"\n" or set(lines) - {b"A: b", b"a:", b"H: i: j"}
        return
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(heads, "_maybe_plain", lambda _: None)
        assert plain == heads._parse(data, is_answer=is_answer)
