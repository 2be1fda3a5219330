"""HAR files as browsers, proxies and clients write them."""

from __future__ import annotations

import base64
import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.capture.trees import TREES

from sigscope.capture import har
from sigscope.capture.base import Imported
from sigscope.capture.source import Source
from sigscope.errors import InputError
from sigscope.exchange import Exchange
from sigscope.wire.bodies import decode


def entry(**more: Any) -> dict[str, Any]:
    made: dict[str, Any] = {
        "startedDateTime": "2026-08-20T12:00:00.000+02:00",
        "time": 900,
        "request": {
            "method": "POST",
            "url": "https://h/v1",
            "httpVersion": "HTTP/2",
            "headers": [{"name": "Content-Type", "value": "application/json"}],
            "queryString": [],
            "cookies": [],
            "headersSize": -1,
            "bodySize": -1,
            "postData": {"mimeType": "application/json", "text": '{"a":1}'},
        },
        "response": {
            "status": 200,
            "statusText": "OK",
            "httpVersion": "HTTP/2",
            "headers": [{"name": "content-type", "value": "application/json"}],
            "content": {"size": 2, "mimeType": "application/json", "text": "{}"},
            "redirectURL": "",
            "bodySize": 2,
        },
        "cache": {},
        "timings": {
            "blocked": 10,
            "dns": -1,
            "connect": 30,
            "ssl": 20,
            "send": 1,
            "wait": 400,
            "receive": 459,
        },
    }
    for path, value in more.items():
        *parents, last = path.split("__")
        target = made
        for parent in parents:
            target = target[parent]
        target[last] = value
    return made


def imported(tmp_path: Path, document: Any) -> Imported:
    path = tmp_path / "traffic.har"
    content = document if isinstance(document, str) else json.dumps(document)
    path.write_text(content, encoding="utf-8")
    source = Source(path)
    assert har.recognise(source)
    return har.read(source)


def only(tmp_path: Path, made: dict[str, Any]) -> Exchange:
    (exchange,) = imported(tmp_path, {"log": {"entries": [made]}}).exchanges
    return exchange


def answer(exchange: Exchange) -> bytes:
    assert exchange.response is not None
    return exchange.response.body.raw


def question(exchange: Exchange) -> bytes:
    assert exchange.request is not None
    return exchange.request.body.raw


def test_an_entry_is_an_exchange(tmp_path: Path) -> None:
    exchange = only(tmp_path, entry())
    assert exchange.request is not None
    assert exchange.response is not None
    assert (exchange.request.method, exchange.request.url) == ("POST", "https://h/v1")
    assert exchange.request.headers == (("Content-Type", "application/json"),)
    assert exchange.request.http_version == "HTTP/2"
    assert (question(exchange), answer(exchange)) == (b'{"a":1}', b"{}")
    assert (exchange.response.status, exchange.response.reason) == (200, "OK")
    assert exchange.started_at == "2026-08-20T10:00:00Z"
    assert (exchange.first_byte_ms, exchange.duration_ms) == (441.0, 900.0)
    assert exchange.remarks == ()


def test_a_duration_is_summed_where_it_is_missing(tmp_path: Path) -> None:
    assert only(tmp_path, entry(time=None)).duration_ms == 900.0
    assert only(tmp_path, entry(time=-1, timings__wait=-1)).duration_ms is None
    assert only(tmp_path, entry(timings=None)).first_byte_ms is None


@pytest.mark.parametrize(
    "made",
    [
        entry(response__content={"encoding": "base64", "text": "e30="}),
        entry(response__content={"encoding": "BASE64", "text": "e3\n0"}),
        entry(response__content={"size": 40, "text": "{}", "compression": 38}),
    ],
)
def test_base64_and_compressed_contents_are_given(
    tmp_path: Path, made: dict[str, Any]
) -> None:
    assert answer(only(tmp_path, made)) == b"{}"


def test_text_that_was_decoded_already_is_not_decoded_again(tmp_path: Path) -> None:
    coded = [{"name": "content-encoding", "value": "gzip"}]
    exchange = only(tmp_path, entry(response__headers=coded))
    assert exchange.response is not None
    decoded = decode(answer(exchange), exchange.response.headers)
    assert decoded.data == b"{}"
    packed = base64.b64encode(gzip.compress(b"{}")).decode()
    raw = {"encoding": "base64", "text": packed}
    exchange = only(tmp_path, entry(response__headers=coded, response__content=raw))
    assert exchange.response is not None
    assert decode(answer(exchange), exchange.response.headers).data == b"{}"


@pytest.mark.parametrize("is_base64", [True, False])
def test_pieces_of_polly_are_joined(tmp_path: Path, is_base64: bool) -> None:
    packed = gzip.compress(b'{"a":1}')
    halves = [packed[:9], packed[9:]]
    if is_base64:
        pieces = [base64.b64encode(half).decode() for half in halves]
        content: dict[str, Any] = {"encoding": "base64", "text": json.dumps(pieces)}
    else:
        content = {"_isBinary": True, "text": json.dumps([h.hex() for h in halves])}
    assert answer(only(tmp_path, entry(response__content=content))) == packed


def test_bytes_of_mitmproxy_come_back(tmp_path: Path) -> None:
    made = entry(request__postData={"text": '{"a":"\udcff\udcfe"}'})
    assert question(only(tmp_path, made)) == b'{"a":"\xff\xfe"}'


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (entry(response__content={"size": 99}), "leaves out the body of 99 bytes"),
        (entry(response__content={"size": 0}), "holds no body"),
        (entry(response__content=None), "holds no body"),
        (entry(response__content={"size": 9, "text": "{}"}), "2 bytes of a body of 9"),
        (entry(response__content={"text": {"a": 1}}), "rebuilt"),
        (
            entry(response__content={"encoding": "base64", "text": "*"}),
            "no base64",
        ),
        (entry(response__content={"_file": "../x.json"}), "another folder"),
        (entry(response__content={"_file": "gone.json"}), "another file"),
        (entry(request__postData=None, request__bodySize=7), "leaves out the body"),
        (entry(request__postData={"params": [{"name": "a"}]}), "form fields"),
        (entry(request__postData={"textJSON": {"a": 1}}), "rebuilt"),
    ],
)
def test_what_is_not_as_on_the_wire_is_remarked(
    tmp_path: Path, made: dict[str, Any], words: str
) -> None:
    (remark,) = only(tmp_path, made).remarks
    assert words in remark


STREAM = "data: {“ä”}\n\n".encode()


@pytest.mark.parametrize(
    ("content", "lines", "expected", "remarks"),
    [
        ({"size": len(STREAM)}, {}, STREAM, 0),
        ({"size": 9}, {"content-encoding": "gzip"}, STREAM, 1),
        ({"size": len(STREAM.decode("latin-1").encode())}, {}, None, 0),
        ({"size": len(STREAM)}, {"content-type": "text/x; charset=latin-1"}, None, 0),
    ],
    ids=["size proves it", "coded", "another size", "charset"],
)
def test_utf8_that_was_read_as_latin1_is_utf8_again(
    tmp_path: Path,
    content: dict[str, Any],
    lines: dict[str, str],
    expected: bytes | None,
    remarks: int,
) -> None:
    """mitmproxy reads event streams so."""
    lines = {"content-type": "text/event-stream", **lines}
    made = entry(
        response__headers=[{"name": n, "value": v} for n, v in lines.items()],
        response__content={"text": STREAM.decode("latin-1"), **content},
    )
    found = only(tmp_path, made)
    assert found.response is not None
    as_it_stands = STREAM.decode("latin-1").encode()
    assert found.response.body.raw == (expected or as_it_stands)
    assert len(found.remarks) == remarks


def as_chrome_reads(data: bytes) -> str:
    """windows-1252 as browsers know it: no byte is undefined."""
    spelled = (bytes([byte]).decode("cp1252", "replace") for byte in data)
    pairs = zip(spelled, data, strict=True)
    return "".join(chr(byte) if char == "\ufffd" else char for char, byte in pairs)


def test_utf8_that_was_read_as_windows_1252_is_utf8_again(tmp_path: Path) -> None:
    """Chrome reads event streams so. All bytes from 0x80 are in it."""
    stream = "data: … 🙂 大きさ \U0010fffd\n\n".encode()
    stream += b"".join(b"\xc3" + bytes([byte]) for byte in range(0x80, 0xC0))
    made = entry(
        response__headers=[{"name": "Content-Type", "value": "text/event-stream"}],
        response__content={"size": len(stream), "text": as_chrome_reads(stream)},
    )
    exchange = only(tmp_path, made)
    assert answer(exchange) == stream
    assert exchange.remarks == ()


def test_text_whose_size_is_right_is_left_alone(tmp_path: Path) -> None:
    """It may look misread, and be meant so: "Ã¤" in a text about charsets."""
    made = entry(
        response__headers=[{"name": "Content-Encoding", "value": "gzip"}],
        response__content={"size": 4, "text": "Ã¤"},
    )
    exchange = only(tmp_path, made)
    assert answer(exchange) == "Ã¤".encode()
    assert exchange.remarks == ()


def test_a_request_of_another_length_than_was_sent_is_remarked(tmp_path: Path) -> None:
    def made(length: str, **more: str) -> dict[str, Any]:
        lines = {"Content-Length": length, **more}
        headers = [{"name": name, "value": value} for name, value in lines.items()]
        asked = {"request__headers": headers, "request__postData": {"text": '{"a":1}'}}
        return entry(**asked)

    (remark,) = only(tmp_path, made("6")).remarks
    assert remark == "request: 6 bytes were sent; the text in the recording has 7"
    assert only(tmp_path, made("7")).remarks == ()
    assert only(tmp_path, made("20", **{"content-encoding": "gzip"})).remarks == ()


def test_the_size_before_decoding_is_no_sign_of_a_cut(tmp_path: Path) -> None:
    coded = [{"name": "Content-Encoding", "value": "br"}]
    made = entry(response__headers=coded, response__content__size=50)
    assert only(tmp_path, made).remarks == ()


def test_no_body_is_no_remark_where_none_is_due(tmp_path: Path) -> None:
    made = entry(
        request__postData=None,
        response__status=204,
        response__content={"size": 0, "mimeType": "x-unknown"},
    )
    assert only(tmp_path, made).remarks == ()


def test_form_fields_are_encoded(tmp_path: Path) -> None:
    params = [{"name": "grant", "value": "a b&c"}, {"name": "f", "fileName": "x"}]
    exchange = only(tmp_path, entry(request__postData={"params": params, "text": ""}))
    assert question(exchange) == b"grant=a+b%26c&f="
    assert "attached files" in exchange.remarks[0]


def test_other_places_of_a_request_body_are_read(tmp_path: Path) -> None:
    made = entry(request__postData=None)
    made["request"]["_content"] = {"text": "e30=", "encoding": "base64"}
    assert question(only(tmp_path, made)) == b"{}"
    coded = {"text": "e30=", "encoding": "base64"}
    assert question(only(tmp_path, entry(request__postData=coded))) == b"{}"


def test_a_body_beside_the_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "body.json").write_bytes(b'{"beside":1}')
    made = entry(response__content={"_file": "body.json"})
    assert answer(only(tmp_path, made)) == b'{"beside":1}'


def test_headers_as_a_mapping_are_read(tmp_path: Path) -> None:
    exchange = only(tmp_path, entry(request__headers={"A": "1"}))
    assert exchange.request is not None
    assert exchange.request.headers == (("A", "1"),)


@pytest.mark.parametrize(
    ("error", "ending"),
    [
        ("net::ERR_ABORTED", "client-aborted"),
        ("net::ERR_HTTP2_PROTOCOL_ERROR", "upstream-aborted"),
        (None, "unknown"),
    ],
)
def test_errors_of_the_browser_tell_how_it_ended(
    tmp_path: Path, error: str | None, ending: str
) -> None:
    exchange = only(tmp_path, entry(response___error=error))
    assert exchange.response is not None
    assert exchange.response.ending == ending
    assert bool(exchange.remarks) == bool(error)


def test_a_request_that_got_no_answer_has_none(tmp_path: Path) -> None:
    made = entry(
        response={"status": 0, "content": {}, "_error": "net::ERR_CONNECTION_REFUSED"}
    )
    exchange = only(tmp_path, made)
    assert exchange.response is None
    assert "ERR_CONNECTION_REFUSED" in exchange.remarks[0]


def test_events_of_the_browser_give_times_to_the_stream(tmp_path: Path) -> None:
    started = 1787220000.0
    messages = [
        {"time": started + 0.25, "eventName": "message", "eventId": "", "data": "1"},
        {"time": started + 0.75, "eventName": "message", "eventId": "", "data": "2"},
    ]
    made = entry(
        startedDateTime="2026-08-20T10:00:00Z",
        response__content={"text": "data: 1\n\ndata: 2\n\n"},
        timings={"wait": 100},
        _eventSourceMessages=messages,
    )
    exchange = only(tmp_path, made)
    assert exchange.response is not None
    assert [(c.end, c.at_ms) for c in exchange.response.chunks] == [
        (9, 250.0),
        (18, 750.0),
    ]


def test_an_event_before_the_head_came_with_it(tmp_path: Path) -> None:
    started = 1787220000.0
    made = entry(
        startedDateTime="2026-08-20T10:00:00Z",
        response__content={"text": "data: 1\n\ndata: 2\n\n"},
        timings={"send": 1, "wait": 49, "receive": 100},
        _eventSourceMessages=[{"time": started + 0.001}, {"time": started + 0.08}],
    )
    exchange = only(tmp_path, made)
    assert exchange.response is not None
    assert [c.at_ms for c in exchange.response.chunks] == [50.0, 80.0]
    assert exchange.remarks == (
        "response: when the first event came is not known; with the head is assumed",
    )


def test_events_without_data_are_no_body(tmp_path: Path) -> None:
    messages = [{"time": 1787220000.5, "eventName": "message", "eventId": "7"}]
    made = entry(response__content={"size": 80}, _eventSourceMessages=messages)
    exchange = only(tmp_path, made)
    assert answer(exchange) == b""
    (remark,) = exchange.remarks
    assert "with sensitive data" in remark


def test_an_id_is_rebuilt_where_it_changes(tmp_path: Path) -> None:
    """The recorder repeats the last one with each event."""
    named = [("1", "a"), ("1", "b"), ("2", "c"), ("", "d")]
    made = entry(response__content={"size": 0})
    made["_eventSourceMessages"] = [{"eventId": i, "data": d} for i, d in named]
    assert answer(only(tmp_path, made)) == (
        b"id: 1\ndata: a\n\ndata: b\n\nid: 2\ndata: c\n\nid: \ndata: d\n\n"
    )


@pytest.mark.parametrize("missing", ["null", "gone"])
def test_entries_as_proxyman_leaves_them_are_read(tmp_path: Path, missing: str) -> None:
    """No pages; no answer, or null; a time with an offset and without fractions.

    Source: issue 560 of ProxymanApp/proxyman-windows-linux, read 2026-11.
    """
    waiting = entry(startedDateTime="2025-11-27T11:56:26+01:00")
    waiting |= {"response": None}
    if missing == "gone":
        del waiting["response"]
    creator = {"name": "Proxyman", "version": "3.5.0"}
    log = {"version": "1.2", "creator": creator, "entries": [waiting, entry()]}
    first, second = imported(tmp_path, {"log": log}).exchanges
    assert first.response is None
    assert first.started_at == "2025-11-27T10:56:26Z"
    assert question(first) == b'{"a":1}'
    assert answer(second) == b"{}"


def test_events_of_the_browser_stand_in_for_a_missing_body(tmp_path: Path) -> None:
    made = entry(response__content={"size": 0})
    made["_eventStreamMessages"] = [
        {"eventName": "delta", "eventId": "7", "data": "a\nb"},
        {"event": "message", "data": "c"},
    ]
    exchange = only(tmp_path, made)
    assert answer(exchange) == (b"event: delta\nid: 7\ndata: a\ndata: b\n\ndata: c\n\n")
    assert "rebuilt" in exchange.remarks[0]
    assert exchange.response is not None
    assert exchange.response.chunks == ()


def test_a_websocket_is_divided_by_the_messages_of_the_client(tmp_path: Path) -> None:
    made = entry(response__status=101)
    made["_webSocketMessages"] = [
        {"type": "send", "time": 100.0, "opcode": 1, "data": '{"q":1}'},
        {"type": "receive", "time": 100.5, "opcode": 1, "data": '{"r":1}'},
        {"type": "send", "time": 101.0, "opcode": 1, "data": '{"q":2}'},
    ]
    found = imported(tmp_path, {"log": {"entries": [made]}}).exchanges
    assert [question(exchange) for exchange in found] == [b'{"q":1}', b'{"q":2}']
    assert found[0].response is not None
    assert found[0].response.chunks[0].at_ms == 500.0


def test_a_har_in_yaml_is_read(tmp_path: Path) -> None:
    yaml = pytest.importorskip("yaml")
    document = {"log": {"creator": {"name": "Polly.JS"}, "entries": [entry()]}}
    found = imported(tmp_path, yaml.safe_dump(document))
    assert answer(found.exchanges[0]) == b"{}"


def test_the_title_is_that_of_the_page(tmp_path: Path) -> None:
    pages = [{"title": ""}, {"title": "https://chat.example/"}]
    found = imported(tmp_path, {"log": {"pages": pages, "entries": [entry()]}})
    assert found.title == "https://chat.example/"


def test_a_torn_har_gives_its_whole_entries(tmp_path: Path) -> None:
    content = json.dumps({"log": {"entries": [entry(), entry(), entry()]}})
    found = imported(tmp_path, content[: len(content) - 100])
    assert [each.response is None for each in found.exchanges] == [False, False, True]
    assert any("breaks off" in problem.message for problem in found.problems)


def test_an_entry_that_is_none_is_a_problem(tmp_path: Path) -> None:
    found = imported(tmp_path, {"log": {"entries": [7, entry(), {"request": 1}]}})
    assert len(found.exchanges) == 1
    assert [problem.where for problem in found.problems] == ["entry 1", "entry 3"]
    assert "a number" in found.problems[0].message


@pytest.mark.parametrize("entries", [[], [1], [{}]])
def test_a_har_without_entries_is_an_input_error(
    tmp_path: Path, entries: list[Any]
) -> None:
    with pytest.raises(InputError, match="without entries"):
        imported(tmp_path, {"log": {"entries": entries}})


@pytest.mark.parametrize(
    "content",
    ["", "{}", "[]", '{"log": {}}', '{"log": 1}', '{"entries": [{"id": 1}]}'],
)
def test_other_files_are_no_har(tmp_path: Path, content: str) -> None:
    path = tmp_path / "x.har"
    path.write_text(content)
    assert not har.recognise(Source(path))


PATHS = [
    "request",
    "response",
    "timings",
    "startedDateTime",
    "time",
    "_error",
    "request__postData",
    "request__headers",
    "request__url",
    "request__postData__text",
    "request__postData__params",
    "response__content",
    "response__content__text",
    "response__content__size",
    "response__content__encoding",
    "response__status",
    "response__headers",
    "timings__wait",
    "_webSocketMessages",
    "_eventSourceMessages",
]


@settings(max_examples=150)
@given(st.sampled_from(PATHS), TREES)
def test_wrong_types_anywhere_are_no_crash(
    tmp_path_factory: pytest.TempPathFactory, path: str, tree: Any
) -> None:
    file = tmp_path_factory.mktemp("har") / "x.har"
    source = Source(file)
    # The tree goes in as parsed: JSON itself could not hold its bytes.
    source.__dict__["_json"] = ({"log": {"entries": [entry(**{path: tree})]}}, "")
    source.__dict__["first"] = "{"
    found = har.read(source)
    assert len(found.exchanges) + len(found.problems) >= 1


@pytest.mark.parametrize(
    ("pieces", "count"),
    [
        ([{"end": 1, "atMs": 1}, {"end": 2, "atMs": 2.5}], 2),
        ([{"end": 2, "atMs": 1}, {"end": 1, "atMs": 2}], 0),
        ([{"end": 1, "atMs": 2}, {"end": 2, "atMs": 1}], 0),
        ([{"end": 99, "atMs": 1}], 0),
        ([{"end": "x", "atMs": None}], 0),
        ("no list", 0),
    ],
)
def test_arrivals_of_our_own_exports_are_read_where_they_fit(
    tmp_path: Path, pieces: Any, count: int
) -> None:
    response = {"status": 200, "content": {"text": "{}"}, "_chunks": pieces}
    exchange = only(tmp_path, entry(response=response))
    assert exchange.response is not None
    assert len(exchange.response.chunks) == count
