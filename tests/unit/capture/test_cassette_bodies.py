"""Every way in which a cassette keeps a body."""

from __future__ import annotations

import base64
import gzip
import hashlib
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from tests.unit.capture.trees import TREES

from sigscope.capture.bodies import REBUILT
from sigscope.capture.cassette_bodies import body_of

JSON = b'{"a":"\xc3\xa9"}'
PACKED = gzip.compress(JSON)


def b64(data: bytes) -> str:
    return base64.b64encode(data).decode()


@pytest.mark.parametrize(
    "part",
    [
        {"body": '{"a":"é"}'},
        {"body": JSON},
        {"body": ['{"a":', b'"\xc3\xa9"}']},
        {"body": {"string": '{"a":"é"}'}},
        {"body": {"string": JSON}},
        {"body": {"encoding": "UTF-8", "string": '{"a":"é"}'}},
        {"body": {"encoding": "ASCII-8BIT", "string": '{"a":"é"}'}},
        {"body": {"encoding": "", "file": "no", "string": '{"a":"é"}'}},
        {"body": {"encoding": "UTF-8", "base64_string": b64(JSON) + "\n"}},
        {"body": {"raw_gzip": b64(zlib.compress(JSON))}},
        {"body": {"raw_gzip": b64(PACKED)}},
        {"body": b64(JSON), "bodyEncoding": "base64"},
        {"body": '{"a":"é"}', "bodyEncoding": "text"},
        {"body": "base64:" + b64(JSON)},
        {"body": ['{"a":', "b64:" + b64(b'"\xc3\xa9"}')]},
        {"body": {"kind": "text", "value": '{"a":"é"}'}},
        {"body": {"type": "text", "value": '{"a":"é"}'}},
        {"body": {"kind": "base64", "value": b64(JSON), "contentType": "a/b"}},
        {"content": {"data": b64(JSON), "encoding": "base64", "size": 9}},
        {"content": '{"a":"é"}', "status_code": 200},
        {"body": {"type": "text", "content": '{"a":"é"}'}},
        {"body": {"type": "base64", "content": b64(JSON)}},
        {"body": {"json": '{"a":"é"}'}},
        {"body": "", "request_body": '{"a":"é"}'},
        {"status": 200, "body_chunks": ['{"a":', '"é"}']},
    ],
)
def test_recorded_bytes_are_given_as_they_are(part: dict[str, object]) -> None:
    assert body_of(part) == (JSON, "")


@pytest.mark.parametrize(
    "part",
    [
        {"parsed_body": {"a": "é"}},
        {"parsed_body": {"a": "é"}, "body": {"string": "older"}},
        {"body": {"type": "json", "content": {"a": "é"}}},
        {"body": {"json": {"a": "é"}}},
        {"body": {"kind": "json", "value": {"a": "é"}}},
        {"body": {"type": "json", "value": {"a": "é"}}},
        {"body": {"__type__": "sdk.Answer", "__data__": {"a": "é"}}},
        {"body": {"a": "é"}},
    ],
)
def test_parsed_bodies_are_rebuilt_and_said_to_be(part: dict[str, object]) -> None:
    assert body_of(part) == (JSON, REBUILT)


@pytest.mark.parametrize(
    "part",
    [
        {},
        {"body": None},
        {"body": ""},
        {"body": {}},
        {"body": {"string": None}},
        {"body": {"string": False}},
        {"body": {"string": ""}},
        {"body": {"encoding": "US-ASCII", "string": ""}},
        {"body": {"encoding": "UTF-8"}},
        {"parsed_body": None},
        {"body": []},
        {"body": {"kind": "empty"}},
        {"body": {"kind": "sse", "chunks": []}},
    ],
)
def test_no_body_is_no_remark(part: dict[str, object]) -> None:
    assert body_of(part) == (b"", "")


def test_coded_bytes_stay_coded() -> None:
    assert body_of({"body": {"string": PACKED}}) == (PACKED, "")


def test_a_text_that_only_begins_like_base64_stays_text() -> None:
    assert body_of({"body": "base64: é"}) == ("base64: é".encode(), "")


def test_another_encoding_is_undone() -> None:
    kept = {"encoding": "ISO-8859-1", "string": "é"}
    assert body_of({"body": kept}) == (b"\xe9", "")
    data, remark = body_of({"body": {"encoding": "US-ASCII-9", "string": "é"}})
    assert data == "é".encode()
    assert "us-ascii-9" in remark


@pytest.mark.parametrize(
    ("part", "data", "words"),
    [
        ({"body": {"file": True, "string": "a.json"}}, b"", "another file"),
        ({"body": {"on_disk": "a.json"}}, b"", "another file"),
        ({"body": {"base64_string": "*"}}, b"*", "no base64"),
        ({"body": {"raw_gzip": b64(b"plain")}}, b"plain", "cannot be undone"),
        ({"body": {"fields": {"a": 1}}}, b'{"a":1}', "fields of the form"),
        ({"body": 17}, b"17", "a number"),
        ({"body": {"messages": [], "content": "x"}}, None, "rebuilt"),
        ({"body": [1, {"a": 2}]}, b'[1,{"a":2}]', "rebuilt"),
    ],
)
def test_doubtful_bodies_carry_a_remark(
    part: dict[str, object], data: bytes | None, words: str
) -> None:
    found, remark = body_of(part)
    assert words in remark
    assert data is None or found == data


@pytest.mark.parametrize(
    ("part", "data"),
    [
        ({"status": 200, "rawPayload": '{"a":"é"}'}, JSON),
        ({"status": 200, "payload_pieces": ['{"a":', '"é"}']}, JSON),
        ({"status": 200, "body_base64": b64(JSON)}, JSON),
        ({"status": 200, "json_data": {"a": "é"}}, JSON),
        (
            {
                "headers": {"content-type": "text/event-stream"},
                "stream_events": [{"a": 1}, {"a": 2}],
            },
            b'data: {"a":1}\n\ndata: {"a":2}\n\n',
        ),
    ],
)
def test_a_body_under_a_name_that_nobody_knows_is_read_and_told(
    part: dict[str, object], data: bytes
) -> None:
    found, remark = body_of(part)
    assert found == data
    assert list(part)[-1] in remark


@pytest.mark.parametrize(
    "part",
    [
        {"body_file": "a.json"},
        {"bodyUrl": "https://host.example/a"},
        {"raw_body": "a", "other_body": "b"},
    ],
)
def test_where_a_body_may_be_is_told(part: dict[str, object]) -> None:
    assert body_of(part)[0] == b""
    assert "is not read" in body_of(part)[1]


def test_a_mapping_with_other_keys_is_the_body_itself() -> None:
    message = {"type": "message", "content": [{"type": "text"}], "role": "assistant"}
    data, _ = body_of({"body": message})
    assert data == (
        b'{"type":"message","content":[{"type":"text"}],"role":"assistant"}'
    )


def test_an_endless_body_is_told() -> None:
    loop: list[object] = [1]
    loop.append(loop)
    assert body_of({"parsed_body": loop}) == (
        b"",
        "the body cannot be rebuilt from parsed JSON: "
        "it is nested too deeply, or contains itself",
    )


@given(TREES)
def test_no_tree_makes_it_raise(tree: object) -> None:
    for key in ("body", "content", "parsed_body"):
        data, remark = body_of({key: tree})
        assert isinstance(data, bytes)
        assert isinstance(remark, str)
    body_of({"body": {"string": tree, "encoding": tree, "file": tree}})
    body_of({"body": {"raw_gzip": tree}})
    body_of({"body": {"type": tree, "content": tree}})


STREAMED = {"headers": {"Content-Type": "text/event-stream; charset=utf-8"}}


@pytest.mark.parametrize("key", ["bodySegments", "body_segments"])
def test_the_segments_of_a_stream_are_its_events_again(key: str) -> None:
    lines = b'data: {"a":1}\n\ndata: {"b":2}\n\n'
    assert body_of({key: [{"a": 1}, {"b": 2}]}) == (lines, REBUILT)
    one = b'data: {"a":1}\n\n'
    assert body_of({key: [{"a": 1}]} | STREAMED) == (one, REBUILT)


def test_lines_of_a_stream_get_their_ends_again() -> None:
    data, remark = body_of({"body": ["event: x", 'data: {"a":1}', "", "data: 2", ""]})
    assert data == b'event: x\ndata: {"a":1}\n\ndata: 2\n\n'
    assert "ends of the lines" in remark
    pieces = ["data: 1\n", "\nda", "ta: 2\n\n"]
    assert body_of({"body": pieces}) == (b"data: 1\n\ndata: 2\n\n", "")


@pytest.mark.parametrize("count", [1, 2])
def test_typed_chunks_are_the_events_of_a_stream(count: int) -> None:
    chunk = {"__type__": "sdk.Chunk", "__data__": {"a": 1}}
    told = b'data: {"a":1}\n\n' * count
    assert body_of({"body": [chunk] * count, "is_streaming": True}) == (told, REBUILT)


@pytest.mark.parametrize("key", ["bodySegments", "body_segments"])
def test_the_one_segment_of_another_answer_is_its_body(key: str) -> None:
    assert body_of({key: [{"a": "é"}]}) == (JSON, REBUILT)
    assert body_of({key: [None]}) == (b"", "")
    assert body_of({key: []} | STREAMED) == (b"", "")


@pytest.mark.parametrize(
    "part",
    [
        {"status": 200, "content_length": 12, "headers": {"content-type": ["a"]}},
        {"responseChunks": []},
        {"body": "", "bodyEncoding": "base64", "uncompressed": False},
    ],
)
def test_an_answer_without_a_body_hides_none(part: dict[str, object]) -> None:
    assert body_of(part) == (b"", "")


def test_events_that_were_kept_one_by_one_are_a_stream_again() -> None:
    kept = {"kind": "sse", "chunks": ["event: a\ndata: é", "data: [DONE]"]}
    body, remark = body_of({"body": kept})
    assert body == "event: a\ndata: é\n\ndata: [DONE]\n\n".encode()
    assert "blank lines between are rebuilt" in remark


def test_a_json_body_that_has_a_kind_is_no_description_of_a_body() -> None:
    for body in ({"kind": "json", "value": 1, "more": 2}, {"kind": "fruit"}):
        assert body_of({"body": body})[1] == REBUILT


def kept_apart(name: str, data: bytes) -> dict[str, object]:
    digest = hashlib.sha256(data).hexdigest()
    return {"body": {"kind": "binary", "path": name, "sha256": digest}}


def test_a_body_in_a_file_beside_its_recording_is_read(tmp_path: Path) -> None:
    (tmp_path / "x.blobs").mkdir()
    (tmp_path / "x.blobs" / "1.bin").write_bytes(JSON)
    assert body_of(kept_apart("x.blobs/1.bin", JSON), tmp_path) == (JSON, "")


@pytest.mark.parametrize(
    ("name", "data", "told"),
    [
        ("none.bin", JSON, "cannot be read"),
        ("other.bin", b"no", "is not the one that was recorded"),
        ("../secret", b"secret", "is not beside the recording"),
        ("link", b"secret", "is not beside the recording"),
        ("\0", b"", "cannot be read"),
    ],
)
def test_another_file_is_not_taken_for_the_body(
    tmp_path: Path, name: str, data: bytes, told: str
) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (tmp_path / "secret").write_bytes(b"secret")
    (folder / "other.bin").write_bytes(JSON)
    (folder / "link").symlink_to(tmp_path / "secret")
    body, remark = body_of(kept_apart(name, data), folder)
    assert (body, told in remark) == (b"", True)
