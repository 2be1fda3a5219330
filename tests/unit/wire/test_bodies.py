"""Content codings: each of them, stacked, torn, damaged, or only claimed."""

from __future__ import annotations

import gzip
import random
import sys
import tracemalloc
import zlib
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigscope.wire import bodies
from sigscope.wire.arrivals import Chunk
from sigscope.wire.bodies import decode, decode_chunks
from sigscope.wire.headers import Headers

TEXT = b"".join(b'data: {"n":%d,"text":"caf\xc3\xa9"}\n\n' % n for n in range(300))


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


def brotli_of(data: bytes) -> bytes:
    return bytes(pytest.importorskip("brotli").compress(data))


def zstd_of(data: bytes) -> bytes:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        zstd = pytest.importorskip("backports.zstd")
    return bytes(zstd.compress(data))


Pack = Callable[[bytes], bytes]
PACKERS: list[tuple[str, Pack]] = [
    ("gzip", gzip.compress),
    ("x-gzip", gzip.compress),
    ("deflate", zlib.compress),
    ("deflate", raw_deflate),
    ("br", brotli_of),
    ("zstd", zstd_of),
]
IDS = ["gzip", "x-gzip", "zlib", "raw-deflate", "br", "zstd"]
each_coding = pytest.mark.parametrize(("name", "pack"), PACKERS, ids=IDS)


def coded(name: str) -> Headers:
    return (("Content-Type", "text/event-stream"), ("Content-Encoding", name))


@each_coding
def test_a_whole_body_is_decoded(name: str, pack: Pack) -> None:
    result = decode(pack(TEXT), coded(name))
    assert (result.data, result.codings, result.remarks) == (TEXT, (name,), ())


@pytest.mark.slow
@each_coding
def test_a_torn_body_gives_nearly_all_that_its_bytes_hold(
    name: str, pack: Pack
) -> None:
    text = random.Random(3).randbytes(200_000).hex().encode()
    packed = pack(text)
    result = decode(packed[: len(packed) // 2], coded(name))
    assert text.startswith(result.data)
    assert len(result.data) > len(text) * 0.3


@each_coding
def test_a_torn_body_gives_what_came_out(name: str, pack: Pack) -> None:
    packed = pack(TEXT)
    result = decode(packed[: len(packed) * 2 // 3], coded(name))
    assert TEXT.startswith(result.data)
    assert result.codings == (name,)
    assert "breaks off" in result.remarks[0]


@each_coding
def test_a_body_that_was_decoded_already_is_taken_as_it_is(
    name: str, pack: Pack
) -> None:
    for plain in (TEXT, b'{"error":"no"}', "größer".encode() * 2000):
        result = decode(plain, coded(name))
        assert (result.data, result.codings) == (plain, ())
        assert "taken as they are" in result.remarks[0]


@each_coding
def test_a_damaged_body_gives_what_came_before_the_damage(
    name: str, pack: Pack
) -> None:
    text = random.Random(7).randbytes(200_000).hex().encode()
    packed = bytearray(pack(text))
    packed[-6:] = b"\xff" * 6
    result = decode(bytes(packed), coded(name))
    assert result.codings == (name,)
    assert result.data[:200_000] == text[:200_000]
    assert result.remarks != ()


def test_output_of_the_damaged_piece_is_saved() -> None:
    packed = bytearray(gzip.compress(TEXT))
    packed[-8] ^= 0xFF
    result = decode(bytes(packed), coded("gzip"))
    assert result.data == TEXT
    assert "damaged" in result.remarks[0]


@each_coding
def test_arrivals_are_mapped_to_decoded_offsets(name: str, pack: Pack) -> None:
    packed = pack(TEXT)
    third = len(packed) // 3
    chunks = (
        Chunk(end=third, at_ms=1.0),
        Chunk(end=2 * third, at_ms=2.0),
        Chunk(end=len(packed), at_ms=3.0),
    )
    mapped = decode_chunks(packed, coded(name), chunks)
    assert [chunk.at_ms for chunk in mapped] == [1.0, 2.0, 3.0]
    ends = [chunk.end for chunk in mapped]
    assert ends == sorted(ends)
    assert ends[-1] == len(TEXT)


def test_a_flushed_event_arrives_with_the_chunk_that_carried_it() -> None:
    packer = zlib.compressobj(wbits=31)
    first = packer.compress(b"data: 1\n\n") + packer.flush(zlib.Z_SYNC_FLUSH)
    second = packer.compress(b"data: 2\n\n") + packer.flush()
    chunks = (
        Chunk(end=len(first), at_ms=1.0),
        Chunk(end=len(first + second), at_ms=9.0),
    )
    ends = [c.end for c in decode_chunks(first + second, coded("gzip"), chunks)]
    assert ends == [9, 18]


def test_arrivals_of_a_plain_body_stay() -> None:
    chunks = (Chunk(end=4, at_ms=1.0),)
    assert decode_chunks(b"1234", (), chunks) == chunks
    assert decode_chunks(b"1234", coded("gzip"), chunks) == chunks


def test_stacked_codings_come_off_in_reverse_order() -> None:
    result = decode(gzip.compress(zlib.compress(TEXT)), coded("deflate, gzip"))
    assert (result.data, result.codings) == (TEXT, ("gzip", "deflate"))


def test_codings_may_stand_in_several_header_lines() -> None:
    headers = (("content-encoding", "deflate"), ("Content-Encoding", "GZIP"))
    assert decode(gzip.compress(zlib.compress(TEXT)), headers).data == TEXT


def test_arrivals_pass_through_stacked_codings() -> None:
    packed = gzip.compress(zlib.compress(TEXT))
    chunks = (Chunk(end=len(packed), at_ms=4.0),)
    assert decode_chunks(packed, coded("deflate,gzip"), chunks) == (
        Chunk(end=len(TEXT), at_ms=4.0),
    )


def test_an_unknown_coding_leaves_the_body_alone() -> None:
    result = decode(b"\x01\x02", coded("snappy"))
    assert (result.data, result.codings) == (b"\x01\x02", ())
    assert "'snappy' is unknown" in result.remarks[0]


@pytest.mark.parametrize("name", ["identity", "", "none"])
def test_no_coding_is_no_remark(name: str) -> None:
    assert decode(TEXT, coded(name)).remarks == ()


def test_gzip_that_no_header_announces_is_recognised() -> None:
    result = decode(gzip.compress(TEXT), ())
    assert (result.data, result.codings) == (TEXT, ("gzip",))
    assert "no content-encoding" in result.remarks[0]


@pytest.mark.parametrize("named", ["gzip", "br", "zstd", "deflate", "x-odd", ""])
@each_coding
def test_what_nobody_named_is_taken_off(name: str, pack: Pack, named: str) -> None:
    """What stays on is not searched for keys, and written as it is."""
    result = decode(pack(TEXT), coded(named) if named else ())
    if pack in (raw_deflate, brotli_of) and named in ("x-odd", ""):
        assert (result.data, result.has_unread) == (pack(TEXT), named == "x-odd")
        return
    assert (result.data, result.has_unread) == (TEXT, False)
    assert ("but the bytes are" in "".join(result.remarks)) == (
        named.strip("x-") != name.strip("x-")
    )


@pytest.mark.parametrize("outer", ["gzip", "br", "zstd"])
def test_a_coding_that_was_put_on_twice_and_named_once_comes_off(outer: str) -> None:
    packed = dict(PACKERS)[outer](gzip.compress(TEXT))
    result = decode(packed, coded(outer), (Chunk(end=len(packed), at_ms=1.0),))
    assert (result.data, result.codings) == (TEXT, (outer, "gzip"))
    assert result.chunks == (Chunk(end=len(TEXT), at_ms=1.0),)
    assert result.remarks == (
        f"content-encoding says no more than {outer}, but the bytes are gzip",
    )


@pytest.mark.parametrize("kind", [0x50, 0x5F])
@pytest.mark.parametrize("named", ["zstd", ""])
def test_frames_of_zstd_that_hold_nothing_may_stand_anywhere(
    kind: int, named: str
) -> None:
    skipped = bytes((kind,)) + b"\x2a\x4d\x18\5\0\0\0hello"
    packed = skipped + zstd_of(TEXT) + skipped + zstd_of(b"end") + skipped
    headers = coded(named) if named else ()
    result = decode(packed, headers)
    assert (result.data, result.has_unread) == (TEXT + b"end", False)
    chunks = (Chunk(end=16, at_ms=1.0),)
    assert decode_chunks(packed, headers, chunks) == (Chunk(end=0, at_ms=1.0),)


@pytest.mark.parametrize("named", ["gzip", "br", "deflate", "zstd", ""])
def test_other_bytes_are_not_taken_for_coded_ones(named: str) -> None:
    """Frames of Amazon, pictures, a text that begins like zlib."""
    plain = random.Random(7)
    bodies = [b"\0\0\0\x85\0\0\0\x4b" + plain.randbytes(300), b"x^2 + y^2 = z^2 " * 9]
    bodies += [b"\x89PNG\r\n\x1a\n" + plain.randbytes(300), b"\x78\x9c" + bytes(64)]
    for raw in bodies:
        result = decode(raw, coded(named) if named else ())
        assert result.data == raw or result.has_unread


def test_an_empty_body_needs_no_decoding() -> None:
    assert decode(b"", coded("gzip")) == bodies.Decoded(data=b"")


def test_gzip_members_in_a_row_are_one_body() -> None:
    packed = gzip.compress(TEXT[:100]) + gzip.compress(TEXT[100:])
    result = decode(packed, coded("gzip"))
    assert (result.data, result.remarks) == (TEXT, ())


@pytest.mark.parametrize(
    ("name", "pack"), [PACKERS[0], PACKERS[2], PACKERS[5]], ids=["gzip", "zlib", "zstd"]
)
def test_bytes_after_the_end_are_counted(name: str, pack: Pack) -> None:
    result = decode(pack(TEXT) + b"rest", coded(name))
    assert result.data == TEXT
    assert result.remarks[-1].startswith("4 bytes follow")


@pytest.mark.parametrize(("name", "module"), [("br", "brotli"), ("zstd", "backports")])
def test_a_missing_library_leaves_the_body_raw_and_is_named(
    name: str, module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed = dict(PACKERS)[name](TEXT)
    monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setitem(sys.modules, "compression", None)
    result = decode(packed, coded(name))
    assert (result.data, result.codings) == (packed, ())
    assert f"pip install {bodies.LIBRARIES[name]}" in result.remarks[0]


@pytest.mark.parametrize("name", ["br", "deflate", "base64", "aws-chunked"])
@pytest.mark.parametrize("pack", [PACKERS[0][1], PACKERS[5][1]], ids=["gzip", "zstd"])
def test_bytes_that_tell_their_coding_are_believed_more_than_the_header(
    name: str, pack: Pack
) -> None:
    result = decode(pack(TEXT), coded(name))
    assert (result.data, result.has_unread) == (TEXT, False)
    assert result.remarks[0].startswith(f"content-encoding says {name}, but the bytes")


@each_coding
def test_a_small_body_cannot_decode_to_more_than_the_limit(
    name: str, pack: Pack, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed = pack(b"\0" * 3_000_000)
    monkeypatch.setattr(bodies, "_bounds", bodies.Bounds(most=100_000))
    result = decode(packed, coded(name), (Chunk(end=len(packed), at_ms=1.0),))
    assert (len(result.data), result.is_cut) == (100_000, True)
    assert "more than 100,000 bytes" in result.remarks[0]
    assert result.chunks == (Chunk(end=100_000, at_ms=1.0),)


@each_coding
def test_the_limit_is_a_multiple_of_what_came(
    name: str, pack: Pack, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed = pack(b"\0" * 3_000_000)
    monkeypatch.setattr(bodies, "_bounds", bodies.Bounds(free=2_000_000, ratio=3))
    assert decode(packed, coded(name)).is_cut
    monkeypatch.setattr(bodies, "_bounds", bodies.Bounds(free=3_000_000, ratio=3))
    whole = decode(packed, coded(name))
    assert (len(whole.data), whole.is_cut, whole.remarks) == (3_000_000, False, ())


def test_a_coding_inside_another_is_measured_by_the_outer_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    inner = gzip.compress(b"\0" * 3_000_000)
    packed = gzip.compress(inner)
    monkeypatch.setattr(bodies, "_bounds", bodies.Bounds(free=10_000, ratio=100))
    assert len(packed) * 100 < 3_000_000
    result = decode(packed, coded("gzip, gzip"))
    assert (result.is_cut, result.codings) == (True, ("gzip", "gzip"))


def test_codings_inside_one_another_share_what_may_come_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    packed = b"\0" * 3_000_000
    for _ in range(4):
        packer = zlib.compressobj(0, wbits=31)
        packed = packer.compress(packed) + packer.flush()
    packed = gzip.compress(packed)
    monkeypatch.setattr(bodies, "_bounds", bodies.Bounds(free=10_000_000))
    result = decode(packed, coded(", ".join(["gzip"] * 5)))
    assert (result.is_cut, len(result.codings)) == (True, 4)
    assert "more than 10,000,000 bytes" in result.remarks[0]


@pytest.mark.parametrize(("name", "pack"), [("gzip", gzip.compress), ("zstd", zstd_of)])
def test_streams_in_a_row_that_hold_nothing_are_given_up(name: str, pack: Pack) -> None:
    """Each takes a decoder of its own: 2.5 s for a megabyte of them."""
    empty = pack(b"")
    packed = pack(TEXT) + empty * (1_000_000 // len(empty))
    result = decode(packed, coded(name))
    assert (result.data, result.is_cut) == (TEXT, True)
    assert f"more than {64 + len(packed) // 32:,} streams in a row" in result.remarks[0]


@pytest.mark.parametrize(("name", "pack"), [("gzip", gzip.compress), ("zstd", zstd_of)])
def test_an_event_in_a_stream_of_its_own_is_read(name: str, pack: Pack) -> None:
    events = [b'data: {"n":%d,"delta":"it is so"}\n\n' % n for n in range(2000)]
    result = decode(b"".join(map(pack, events)), coded(name))
    assert (result.data, result.remarks) == (b"".join(events), ())


def test_many_bodies_do_not_each_decode_to_as_much_as_one_may(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bodies.BodyAllowance, "MOST", 5_000_000)
    packed = gzip.compress(b"\0" * 2_000_000)
    allowance = bodies.BodyAllowance()

    def is_cut(raw: bytes) -> bool:
        room = allowance.room(len(raw))
        result = decode(raw, coded("gzip"), room=room)
        allowance.note(len(raw), room)
        return result.is_cut

    assert [is_cut(packed) for _ in range(4)] == [False, False, True, True]
    # What others leave of their ratio makes up for it.
    usual = gzip.compress(random.Random(1).randbytes(50_000))
    assert [is_cut(usual), is_cut(packed)] == [False, False]


def test_more_codings_than_anybody_uses_stay_on() -> None:
    packed = TEXT
    for _ in range(10):
        packed = gzip.compress(packed)
    result = decode(packed, coded(", ".join(["gzip"] * 10)))
    assert result.codings == ("gzip",) * 8
    assert "more than 8 codings" in result.remarks[-1]
    assert gzip.decompress(gzip.decompress(result.data)) == TEXT


@each_coding
def test_of_a_bomb_is_held_what_is_shown(
    name: str, pack: Pack, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until it is known to be one; 31 MB of it held 512 MB."""
    monkeypatch.setattr(bodies, "HELD", 1_000_000)
    monkeypatch.setattr(bodies, "_bounds", bodies.Bounds(free=9_000_000, ratio=3))
    packed = pack(bytes(10_000_000))
    tracemalloc.start()
    result = decode(packed, coded(name))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (len(result.data), result.is_cut) == (bodies.SHOWN, True)
    assert "more than 9,000,000 bytes" in result.remarks[0]
    assert peak < 5_000_000


@each_coding
@pytest.mark.parametrize("end", [None, -9])
def test_what_is_counted_first_is_decoded_as_any_other(
    name: str, pack: Pack, end: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = random.Random(3).randbytes(100_000).hex().encode()
    packed = pack(text)[:end]
    arrivals = tuple(Chunk(end=n * 900, at_ms=n) for n in range(120))
    for raw in (packed, packed[:-400] + b"\xff" + packed[-399:], packed + b"more"):
        whole = decode(raw, coded(name), arrivals)
        with monkeypatch.context() as patch:
            patch.setattr(bodies, "HELD", 40_000)
            assert decode(raw, coded(name), arrivals) == whole


def test_a_damaged_bomb_is_not_unpacked_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    packed = bytearray(gzip.compress(b"\0" * 3_000_000))
    packed[-8] ^= 0xFF
    monkeypatch.setattr(bodies, "_bounds", bodies.Bounds(most=2_900_000))
    result = decode(bytes(packed), coded("gzip"))
    assert (len(result.data), result.is_cut) == (bodies.SHOWN, True)


@given(
    st.binary(max_size=400),
    st.sampled_from(["gzip", "deflate", "br", "zstd", "gzip, br", "x"]),
    st.lists(st.integers(0, 400), max_size=4),
)
def test_no_bytes_make_it_raise(raw: bytes, name: str, cuts: list[int]) -> None:
    chunks = [Chunk(end=cut, at_ms=float(cut)) for cut in sorted(cuts)]
    result = decode(raw, coded(name), chunks)
    assert len(result.chunks) == len(chunks)
    if not result.codings:
        assert result.data == raw


@given(st.binary(max_size=3000), st.integers(0, 3000))
def test_a_torn_gzip_body_is_a_prefix(data: bytes, cut: int) -> None:
    result = decode(gzip.compress(data)[:cut], coded("gzip"))
    assert not result.codings or data.startswith(result.data)
