from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigscope.recorder.transfer import (
    Chunked,
    Decoder,
    Sized,
    TransferError,
    UntilClose,
)

WHOLE = b'4;name="v"\r\nWiki\r\n6\r\npedia \r\nE\r\nin \r\n\r\nchunks.\r\n0\r\n\r\n'
"""The example of RFC 7230 4.1 as it goes around, with an extension."""
PLAIN = b"Wikipedia in \r\n\r\nchunks."


def feed(decoder: Decoder, *pieces: bytes) -> tuple[bytes, bytes]:
    payload = rest = b""
    for piece in pieces:
        if decoder.done:
            rest += piece
            continue
        data, behind = decoder.feed(piece)
        payload, rest = payload + data, rest + behind
    return payload, rest


def test_chunks_are_joined_and_what_follows_is_given_back() -> None:
    decoder = Chunked()
    assert feed(decoder, WHOLE + b"GET /") == (PLAIN, b"GET /")
    assert decoder.done
    assert decoder.missing() == ""


def test_chunks_arrive_byte_by_byte() -> None:
    decoder = Chunked()
    pieces = [bytes([byte]) for byte in WHOLE + b"next"]
    assert feed(decoder, *pieces) == (PLAIN, b"next")


@pytest.mark.parametrize("cut", range(len(WHOLE) - 1))
def test_a_torn_body_is_not_done_and_gives_what_came(cut: int) -> None:
    decoder = Chunked()
    payload, rest = feed(decoder, WHOLE[:cut])
    assert PLAIN.startswith(payload)
    assert rest == b""
    assert not decoder.done
    assert decoder.missing() == "the last chunk"


@given(
    st.lists(st.binary(min_size=1, max_size=40), max_size=8),
    st.lists(st.integers(0, 400), max_size=6),
)
def test_cuts_never_matter(bodies: list[bytes], cuts: list[int]) -> None:
    wire = b"".join(b"%x\r\n%b\r\n" % (len(b), b) for b in bodies) + b"0\r\n\r\n"
    data = wire + b"tail"
    places = sorted({0, len(data), *(cut % len(data) for cut in cuts)})
    pieces = [data[a:b] for a, b in itertools.pairwise(places)]
    assert feed(Chunked(), *pieces) == (b"".join(bodies), b"tail")


def test_a_trailer_is_kept_as_it_came() -> None:
    decoder = Chunked()
    feed(decoder, b"1\r\na\r\n0\r\nX-Sum: 1\r\n", b"Y: 2\r\n\r\n")
    assert decoder.done
    assert decoder.trailer == b"X-Sum: 1\r\nY: 2\r\n"


@pytest.mark.parametrize(
    "wire",
    [
        b"xyz\r\n",
        b"-1\r\n",
        b"3\r\nabcd\r\n",
        b"3\r\nabcX\n",
        b"0x3\r\nabc\r\n",
        b"\r\n",
        b"1" * 20_000,
        b"0\r\n" + b"a" * 20_000,
    ],
)
def test_broken_chunks_are_an_error(wire: bytes) -> None:
    with pytest.raises(TransferError):
        feed(Chunked(), wire)
    with pytest.raises(TransferError):
        feed(Chunked(), *[wire[n : n + 1] for n in range(len(wire))])


def test_a_sized_body_ends_where_it_said() -> None:
    decoder = Sized(5)
    assert feed(decoder, b"ab", b"cdefg") == (b"abcde", b"fg")
    assert Sized(0).done


def test_a_sized_body_tells_what_is_missing() -> None:
    decoder = Sized(5)
    decoder.feed(b"ab")
    assert "3 of the 5 bytes" in decoder.missing()


def test_a_body_until_the_close_takes_all() -> None:
    decoder = UntilClose()
    assert feed(decoder, b"ab", b"c") == (b"abc", b"")
    assert not decoder.done
