"""Cassettes of every family, each by hand in the form its library writes."""

from __future__ import annotations

import base64
import contextlib
import gzip
import json
import textwrap
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from sigscope.capture import cassette
from sigscope.capture.base import Imported
from sigscope.capture.detect import detect
from sigscope.capture.source import Source
from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.opener import open_file
from sigscope.errors import InputError
from sigscope.exchange import Exchange, Request, Response

pytest.importorskip("yaml")

ANSWER = '{"choices":[]}'


def imported(tmp_path: Path, content: str | bytes) -> Imported:
    path = tmp_path / "cassette"
    data = content if isinstance(content, bytes) else textwrap.dedent(content).encode()
    path.write_bytes(data)
    source = Source(path)
    assert cassette.recognise(source)
    return cassette.read(source)


def only(tmp_path: Path, content: str | bytes) -> tuple[Exchange, Request, Response]:
    (exchange,) = imported(tmp_path, content).exchanges
    assert exchange.request is not None
    assert exchange.response is not None
    return exchange, exchange.request, exchange.response


def test_vcrpy(tmp_path: Path) -> None:
    exchange, request, response = only(
        tmp_path,
        r"""
        interactions:
        - request:
            body: '{"model":"m"}'
            headers:
              Accept: ['*/*']
              Content-Type:
              - !!binary |
                YXBwbGljYXRpb24vanNvbg==
            method: POST
            uri: https://api.example.com/v1/chat?x=1
          response:
            body:
              string: "data: {\"a\": 1}\r\n\r\ndata:
                [DONE]\r\n\r\n"
            headers:
              Content-Type: [text/event-stream]
              Set-Cookie: [a=1, b=2]
            status: {code: 200, message: OK}
        version: 1
        """,
    )
    assert request == Request(
        method="POST",
        url="https://api.example.com/v1/chat?x=1",
        headers=(("Accept", "*/*"), ("Content-Type", "application/json")),
        body=request.body,
    )
    assert request.body.raw == b'{"model":"m"}'
    assert (response.status, response.reason) == (200, "OK")
    assert response.headers[1:] == (("Set-Cookie", "a=1"), ("Set-Cookie", "b=2"))
    assert response.body.raw == b'data: {"a": 1}\r\n\r\ndata: [DONE]\r\n\r\n'
    assert exchange.remarks == ()


def test_vcrpy_with_binary_gzip(tmp_path: Path) -> None:
    packed = base64.b64encode(gzip.compress(ANSWER.encode())).decode()
    _, _, response = only(
        tmp_path,
        f"""
        interactions:
        - request: {{body: null, headers: {{}}, method: GET, uri: 'http://h/'}}
          response:
            body:
              string: !!binary |
                {packed}
            headers: {{content-encoding: [gzip]}}
            status: {{code: 200, message: null}}
        version: 1
        """,
    )
    assert gzip.decompress(response.body.raw).decode() == ANSWER


def test_vcrpy_with_parsed_bodies(tmp_path: Path) -> None:
    exchange, request, response = only(
        tmp_path,
        """
        interactions:
        - request:
            headers: {content-type: [application/json]}
            method: POST
            parsed_body:
              n: 1.0
              when: '2026-01-01'
              text: |
                two
                lines
            uri: https://h/v1
          response:
            headers: {}
            parsed_body: {error: {code: 400, message: 'é'}}
            status: {code: 400, message: Bad Request}
        version: 1
        """,
    )
    assert request.body.raw == b'{"n":1.0,"when":"2026-01-01","text":"two\\nlines\\n"}'
    assert response.body.raw == '{"error":{"code":400,"message":"é"}}'.encode()
    assert [remark.split(":")[0] for remark in exchange.remarks] == [
        "request",
        "response",
    ]
    assert "not in the recording" in exchange.remarks[0]


def test_a_layout_with_typed_bodies_and_plain_status(tmp_path: Path) -> None:
    exchange, request, response = only(
        tmp_path,
        """
        version: 1
        interactions:
        - request:
            method: POST
            uri: https://h/v1
            headers: {host: [h]}
            body: {type: json, content: {a: []}}
          response:
            status: 200
            headers: {}
            body: {type: text, content: 'data: {}'}
          recorded_at: 2026-03-06T19:22:51.217000+00:00
        """,
    )
    assert (request.body.raw, response.body.raw) == (b'{"a":[]}', b"data: {}")
    assert response.status == 200
    assert exchange.started_at == "2026-03-06T19:22:51.217Z"


def test_vcrpy_of_httpx_before_5(tmp_path: Path) -> None:
    _, _, response = only(
        tmp_path,
        """
        interactions:
        - request: {body: '', headers: {}, method: GET, uri: 'https://h/'}
          response:
            content: '{"choices":[]}'
            headers: {Date: ['x']}
            http_version: HTTP/1.1
            status_code: 200
        version: 1
        """,
    )
    assert (response.status, response.body.raw.decode()) == (200, ANSWER)
    assert response.http_version == "HTTP/1.1"


def test_vcrpy_before_1(tmp_path: Path) -> None:
    _, request, response = only(
        tmp_path,
        """
        - request: !!python/object:vcr.request.Request
            body: null
            headers: !!python/object/apply:__builtin__.frozenset
            - - !!python/tuple [Accept, '*/*']
            host: h.example
            method: GET
            path: /ip
            port: 8080
            protocol: http
          response:
            body: {string: !!python/unicode "ok"}
            headers: ["Server: s\\r\\n", "Date: 10:00"]
            status: {code: 200, message: OK}
        """,
    )
    assert request.url == "http://h.example:8080/ip"
    assert request.headers == (("Accept", "*/*"),)
    assert response.headers == (("Server", "s"), ("Date", "10:00"))
    assert response.body.raw == b"ok"


def test_vcrpy_in_json(tmp_path: Path) -> None:
    document = {
        "version": 1,
        "interactions": [
            {
                "request": {
                    "method": "POST",
                    "uri": "https://h/",
                    "body": "{}",
                    "headers": {"A": ["1"]},
                },
                "response": {
                    "status": {"code": 200, "message": "OK"},
                    "headers": {},
                    "body": {"string": ANSWER},
                },
            }
        ],
    }
    _, request, response = only(tmp_path, json.dumps(document, indent=4))
    assert (request.body.raw, response.body.raw) == (b"{}", ANSWER.encode())


def test_requests_and_responses_in_two_lists_and_gzip(tmp_path: Path) -> None:
    content = textwrap.dedent(
        """
        requests:
        - {method: POST, uri: 'https://h/1', body: !!binary e30=, headers: {}}
        - {method: POST, uri: 'https://h/2', body: !!binary e30=, headers: {}}
        responses:
        - {status: {code: 200, message: OK}, headers: {}, body: {string: one}}
        """
    )
    first, second = imported(tmp_path, gzip.compress(content.encode())).exchanges
    assert first.request is not None
    assert first.request.body.raw == b"{}"
    assert first.response is not None
    assert first.response.body.raw == b"one"
    assert second.response is None


def test_go_vcr_1(tmp_path: Path) -> None:
    exchange, request, response = only(
        tmp_path,
        """
        ---
        version: 1
        interactions:
        - request:
            body: |
              {"model":"m"}
            form: {}
            headers:
              Content-Type:
              - application/json
            url: https://h/v1
            method: POST
          response:
            body: '{"choices":[]}'
            headers:
              Content-Length:
              - "14"
            status: 429 Too Many Requests
            code: 429
            duration: ""
        """,
    )
    assert request.body.raw == b'{"model":"m"}\n'
    assert (response.status, response.reason) == (429, "Too Many Requests")
    assert exchange.duration_ms is None


def test_go_vcr_3(tmp_path: Path) -> None:
    exchange, request, response = only(
        tmp_path,
        """
        ---
        version: 2
        interactions:
            - id: 0
              request:
                proto: HTTP/1.1
                proto_major: 1
                content_length: 13
                transfer_encoding: []
                trailer: {}
                host: h
                remote_addr: ""
                request_uri: ""
                body: '{"model":"m"}'
                form: {alt: [sse]}
                headers: {Content-Type: [application/json]}
                url: https://h/v1?alt=sse
                method: POST
              response:
                proto: HTTP/2.0
                content_length: -1
                uncompressed: true
                body: !!binary /w==
                headers: {Content-Type: [text/event-stream]}
                status: 200 OK
                code: 200
                duration: 1.5s
        """,
    )
    assert (request.http_version, response.http_version) == ("HTTP/1.1", "HTTP/2.0")
    assert (response.status, response.reason) == (200, "OK")
    assert (response.body.raw, exchange.duration_ms) == (b"\xff", 1500.0)


def test_ruby_vcr(tmp_path: Path) -> None:
    exchange, request, response = only(
        tmp_path,
        """
        ---
        http_interactions:
        - request:
            method: post
            uri: https://b.<REGION>.example.com/m
            body:
              encoding: UTF-8
              string: '{"text":"it''s"}'
            headers:
              User-Agent:
              - Faraday v2.14.3
              !binary "QWNjZXB0":
              - !binary "Ki8q"
          response:
            status:
              code: 200
              message: OK
            headers:
              Content-Type:
              - application/json
            body:
              encoding: ASCII-8BIT
              string: !binary |-
                eyJjaG9pY2VzIjpbXX0=
            http_version: '1.1'
            adapter_metadata:
              vcr_decompressed: gzip
          recorded_at: Wed, 19 Aug 2026 14:38:46 GMT
        recorded_with: VCR 6.4.0
        """,
    )
    assert (request.method, request.url) == (
        "POST",
        "https://b.<REGION>.example.com/m",
    )
    assert request.headers[1] == ("Accept", "*/*")
    assert request.body.raw == b'{"text":"it\'s"}'
    assert response.body.raw.decode() == ANSWER
    assert response.http_version == "HTTP/1.1"
    assert exchange.started_at == "2026-08-19T14:38:46Z"


def test_ruby_vcr_1_with_structs(tmp_path: Path) -> None:
    _, request, response = only(
        tmp_path,
        """
        ---
        - !ruby/struct:VCR::HTTPInteraction
          request: !ruby/struct:VCR::Request
            method: :post
            uri: http://h:80/
            body:
            headers:
          response: !ruby/struct:VCR::Response
            status: !ruby/struct:VCR::ResponseStatus
              code: 200
              message: OK
            headers:
              content-type:
              - text/html
            body: hi
            http_version: "1.1"
        """,
    )
    assert (request.method, response.body.raw) == ("POST", b"hi")


def test_r_vcr_1(tmp_path: Path) -> None:
    _, request, response = only(
        tmp_path,
        """
        http_interactions:
        - request:
            method: post
            uri: https://h/v1
            body:
              encoding: ''
              string: '{}'
            headers:
              Accept: application/json
          response:
            status:
              status_code: 200
              category: Success
              reason: OK
              message: 'Success: (200) OK'
            headers:
              status: HTTP/1.1 200 OK
            body:
              encoding: UTF-8
              file: no
              string: '{"choices":[]}'
          recorded_at: 2020-11-27 10:44:33 GMT
          recorded_with: vcr/0.5.8, webmockr/0.7.4
        """,
    )
    assert request.headers == (("Accept", "application/json"),)
    assert (response.status, response.reason) == (200, "OK")
    assert response.body.raw.decode() == ANSWER


def test_r_vcr_2(tmp_path: Path) -> None:
    zlib_of_answer = "eJyrVkrOyM9MTi1WsoqOrQUAJgwFDQ=="
    exchange, request, response = only(
        tmp_path,
        f"""
        http_interactions:
        - request:
            method: POST
            uri: https://h/v1
            body:
              string: '{{}}'
          response:
            status: 200
            headers:
              content-encoding: gzip
              vary:
              - Origin
              - Referer
            body:
              raw_gzip: |-
                {zlib_of_answer}
          recorded_at: 2026-07-09 10:31:39
        recorded_with: VCR-vcr/2.1.0
        """,
    )
    assert (response.status, request.body.raw) == (200, b"{}")
    assert response.body.raw.decode() == ANSWER
    assert exchange.started_at == "2026-07-09T10:31:39Z"


def test_betamax_php_and_elixir(tmp_path: Path) -> None:
    betamax = {
        "http_interactions": [
            {
                "request": {
                    "method": "GET",
                    "uri": "https://h/",
                    "headers": {"A": "1"},
                    "body": {"encoding": "utf-8", "string": ""},
                },
                "response": {
                    "url": "https://h/",
                    "status": {"code": 200, "message": "OK"},
                    "headers": {},
                    "body": {"encoding": "utf-8", "base64_string": "aGk="},
                },
                "recorded_at": "2026-01-01T00:00:00",
            }
        ],
        "recorded_with": "betamax/0.9.0",
    }
    php = """
    -
        request:
            method: POST
            url: 'https://h/'
            headers: {Host: h}
            body: '{}'
        response:
            status: {http_version: '1.1', code: '200', message: OK}
            headers: {Server: s}
            body: hi
    """
    elixir = [
        {
            "request": {
                "body": "",
                "headers": [],
                "method": "post",
                "options": [],
                "request_body": "{}",
                "url": "https://h/",
            },
            "response": {
                "binary": False,
                "body": "hi",
                "headers": {"A": "1"},
                "status_code": 200,
                "type": "ok",
            },
        }
    ]
    for content in (json.dumps(betamax), php, json.dumps(elixir)):
        _, request, response = only(tmp_path, content)
        assert request.url == "https://h/"
        assert (response.status, response.body.raw) == (200, b"hi")


@pytest.mark.parametrize("opened", ["open", "connection"])
def test_http_recorder_with_a_websocket(tmp_path: Path, opened: str) -> None:
    document = {
        "version": 1,
        "metadata": {"name": "a story"},
        "interactions": [
            {
                "transport": "http",
                "request": {"method": "POST", "url": "https://h/", "body": "{}"},
                "response": {"status": 200, "body": "aGk=", "bodyEncoding": "base64"},
            },
            {
                "transport": "websocket",
                opened: {"url": "wss://h/", "headers": {"a": "1"}},
                "events": [
                    {"direction": "client", "kind": "text", "body": '{"q":1}'},
                    {"direction": "server", "kind": "text", "body": '{"r":1}'},
                    {"direction": "server", "kind": "text", "body": '{"r":2}'},
                    {"direction": "client", "kind": "text", "body": '{"q":2}'},
                ],
            },
        ],
    }
    found = imported(tmp_path, json.dumps(document))
    plain, first, second = found.exchanges
    assert found.title == "a story"
    assert plain.response is not None
    assert plain.response.body.raw == b"hi"
    assert first.request is not None
    assert first.response is not None
    assert (first.request.url, first.request.body.raw) == ("wss://h/", b'{"q":1}')
    assert first.response.body.raw == b'{"r":1}\n{"r":2}\n'
    assert second.request is not None
    assert second.request.body.raw == b'{"q":2}'


def test_test_server_of_google(tmp_path: Path) -> None:
    document = {
        "recordID": "A test",
        "interactions": [
            {
                "request": {
                    "method": "POST",
                    "url": "/v1beta/models/m:streamGenerateContent?alt=sse",
                    "request": "POST /v1beta/models/m:streamGenerateContent HTTP/1.1",
                    "headers": {"Content-Type": "application/json"},
                    "bodySegments": [{"contents": []}],
                    "previousRequest": "00",
                    "serverAddress": "h.example",
                    "port": 443,
                    "protocol": "https",
                },
                "shaSum": "ab",
                "response": {
                    "statusCode": 200,
                    "headers": {"Content-Type": "text/event-stream"},
                    "bodySegments": [{"candidates": []}, {"candidates": [1]}],
                },
            }
        ],
    }
    exchange, request, response = only(tmp_path, json.dumps(document))
    path = "/v1beta/models/m:streamGenerateContent?alt=sse"
    assert request.url == f"https://h.example{path}"
    assert request.body.raw == b'{"contents":[]}'
    assert response.status == 200
    assert response.body.raw == (
        b'data: {"candidates":[]}\n\ndata: {"candidates":[1]}\n\n'
    )
    assert any("rebuilt" in remark for remark in exchange.remarks)


def test_reqllm_keeps_the_pieces_of_a_stream_beside_its_answer(tmp_path: Path) -> None:
    pieces = [b"data: 1\n\nda", b"ta: \xc3", b"\xa9\n\n"]
    document = {
        "captured_at": "2026-01-02T03:04:05.5Z",
        "chunks": [
            {"b64": base64.b64encode(piece).decode(), "decoded": "?"}
            for piece in pieces
        ],
        "request": {
            "body": {"b64": base64.b64encode(b'{"a":1}').decode()},
            "canonical_json": {"a": 1},
            "method": "post",
            "url": "https://h/",
        },
        "response": {"status": 200, "headers": {}, "body": None},
    }
    exchange, request, response = only(tmp_path, json.dumps(document))
    assert request.body.raw == b'{"a":1}'
    assert (response.status, response.body.raw) == (200, b"".join(pieces))
    assert exchange.started_at == "2026-01-02T03:04:05.500Z"
    assert exchange.remarks == ()


def test_seinfeld(tmp_path: Path) -> None:
    document = {
        "entries": [
            {
                "callIndex": 0,
                "id": "a1",
                "matchKey": "POST h.example/v1/messages",
                "recordedAt": "2026-01-02T03:04:05.678Z",
                "request": {
                    "method": "POST",
                    "url": "https://h.example/v1/messages",
                    "headers": {},
                    "body": {"kind": "json", "value": {"model": "m"}},
                },
                "response": {
                    "status": 200,
                    "statusText": "OK",
                    "headers": {"content-type": "text/event-stream"},
                    "body": {"kind": "sse", "chunks": ["data: 1", "data: 2"]},
                },
            }
        ],
        "meta": {"createdAt": "2026-01-02T03:04:05.678Z"},
    }
    (tmp_path / "x").write_text(json.dumps(document))
    assert detect(Source(tmp_path / "x")) == "vcr"  # and no HAR
    exchange, request, response = only(tmp_path, json.dumps(document))
    assert request.url == "https://h.example/v1/messages"
    assert request.body.raw == b'{"model":"m"}'
    assert (response.status, response.body.raw) == (200, b"data: 1\n\ndata: 2\n\n")
    assert exchange.started_at == "2026-01-02T03:04:05.678Z"


@pytest.mark.parametrize("name", ["exchanges", "a name that nobody knows"])
def test_interactions_under_any_name(tmp_path: Path, name: str) -> None:
    sent = {"method": "POST", "url": "https://h/v1/messages", "body": ANSWER}
    kept = {"type": "text", "value": "data: 1\n\n"}
    told = {"request": sent, "response": {"status": 200, "body": kept}}
    content = json.dumps({"version": 1, "recordedAt": "2026", name: [told, told]})
    (tmp_path / "x").write_text(content)
    assert detect(Source(tmp_path / "x")) == "vcr"
    bodies = [each.response for each in imported(tmp_path, content).exchanges]
    assert [each.body.raw for each in bodies if each] == [b"data: 1\n\n"] * 2
    if name == "exchanges":
        assert len(imported(tmp_path, content[:-9]).exchanges) == 2


def test_xais_grpc(tmp_path: Path) -> None:
    """As pydantic-ai's recorder keeps it: the JSON of messages, beside their bytes."""
    sealed = "c2VhbGVk" * 5
    said = {"role": "ROLE_ASSISTANT", "encrypted_content": sealed}
    asked = {"model": "m", "messages": [{"role": "ROLE_USER"}, said]}
    answer = {"outputs": [{"message": said}]}
    chunk = {"chunk": {"outputs": [{"delta": said}]}}
    calls = [
        {
            "request_sample": {"json": asked, "raw": b"\n"},
            "response_sample": {"json": answer, "raw": b"\n"},
        },
        {
            "request_stream": {"json": {"args": [], "kwargs": asked}, "raw": b"\n"},
            "response_stream": {"chunks_json": [chunk, chunk], "chunks_raw": []},
        },
    ]
    path = tmp_path / "x.yaml"
    path.write_text(yaml.safe_dump({"version": 1, "interactions": calls}))
    whole, stream = cassette.read(Source(path)).exchanges
    for exchange in (whole, stream):
        assert exchange.request is not None
        assert json.loads(exchange.request.body.raw) == asked
        assert any("rebuilt" in remark for remark in exchange.remarks)
    assert whole.response is not None
    assert json.loads(whole.response.body.raw) == answer
    assert stream.response is not None
    assert stream.response.body.raw.count(b"data: ") == 2
    (field,) = Document(open_file(path)).opaque_fields
    assert [spot.pointer for spot in field.sent_again] == [
        "/messages/1/encrypted_content"
    ]


def proxied(**more: object) -> dict[str, object]:
    """An entry of Azure's test proxy."""
    return {
        "RequestUri": "https://h.example/v1/responses",
        "RequestMethod": "POST",
        "RequestHeaders": {"Content-Type": "application/json"},
        "RequestBody": {"model": "m"},
        "StatusCode": 400,
        "ResponseHeaders": {"Content-Type": "application/json", "X-A": ["1", "2"]},
        "ResponseBody": {"error": {"message": "no"}},
    } | more


def test_azures_test_proxy(tmp_path: Path) -> None:
    text = json.dumps({"Entries": [proxied()], "Variables": {}})
    (tmp_path / "x").write_text(text)
    assert detect(Source(tmp_path / "x")) == "vcr"
    exchange, request, response = only(tmp_path, text)
    assert (request.method, request.url) == ("POST", "https://h.example/v1/responses")
    assert request.body.raw == b'{"model":"m"}'
    assert (response.status, response.headers[1:]) == (
        400,
        (("X-A", "1"), ("X-A", "2")),
    )
    assert response.body.raw == b'{"error":{"message":"no"}}'
    assert len(exchange.remarks) == 2


@pytest.mark.parametrize(
    ("kind", "kept", "body"),
    [
        (
            "text/event-stream",
            ["data: 1\n", "\n", "data: 2\n\n"],
            b"data: 1\n\ndata: 2\n\n",
        ),
        ("text/plain", "AAAA", b"AAAA"),
        ("application/json", "AAAA", b"AAAA"),
        ("application/octet-stream", "AAAA", b"\0\0\0"),
        ("multipart/form-data; boundary=b", ["--b\r\n", "b64:AAAA"], b"--b\r\n\0\0\0"),
        ("application/json", None, b""),
    ],
)
def test_bodies_of_azures_test_proxy(
    tmp_path: Path, kind: str, kept: object, body: bytes
) -> None:
    entry = proxied(ResponseHeaders={"Content-Type": kind}, ResponseBody=kept)
    _, _, response = only(tmp_path, json.dumps({"Entries": [entry]}))
    assert response.body.raw == body


@pytest.mark.parametrize("whole", [proxied(), proxied(ResponseBody=["data: 1\n\n"])])
def test_a_torn_file_of_azures_test_proxy_gives_what_is_whole(
    tmp_path: Path, whole: dict[str, object]
) -> None:
    torn = json.dumps({"Entries": [whole, proxied()]})[:-40]
    assert len(imported(tmp_path, torn).exchanges) == 1


def test_interactions_one_a_line(tmp_path: Path) -> None:
    line = '{"request":{"url":"https://h/","body":{"a":1}},"response":{"status":200}}'
    found = imported(tmp_path, f"{line}\nno json\n{line}\n")
    assert len(found.exchanges) == 2
    assert [problem.where for problem in found.problems] == ["line 2"]


TORN = """\
interactions:
- request: {method: POST, uri: 'https://h/1', body: '{}'}
  response: {status: {code: 200}, body: {string: one}}
- request: {method: POST, uri: 'https://h/2', body: '{}'}
  response: {status: {code: 200}, body: {string: "torn
- request: {method: POST, uri: 'https://h/3', body: '{}'}
  response: {status: {code: 200}, body: {string: three}}
"""


def test_what_is_broken_is_listed_and_the_rest_read(tmp_path: Path) -> None:
    found = imported(tmp_path, TORN)
    urls = [exchange.request.url for exchange in found.exchanges if exchange.request]
    assert urls == ["https://h/1", "https://h/2", "https://h/3"]
    assert found.exchanges[1].response is None
    assert found.problems[0].where == "line 5"


@pytest.mark.parametrize("cut", ["response", "torn"])
@pytest.mark.parametrize("name", ["interactions", "exchanges"])
def test_the_request_of_the_only_interaction_outlives_a_tear(
    tmp_path: Path, cut: str, name: str
) -> None:
    sent = {"uri": "https://h/1", "method": "POST", "body": ANSWER}
    torn = {"request": sent, "response": {"body": {"string": "torn"}}}
    whole = json.dumps({"version": 1, name: [torn]})
    in_yaml = yaml.safe_dump({"interactions": [torn]}).replace("torn", '"torn')
    for content in (whole, in_yaml):
        found = imported(tmp_path, content[: content.index(cut) + 2])
        (exchange,) = found.exchanges
        assert exchange.request is not None
        assert exchange.request.body.raw == ANSWER.encode()
        assert exchange.response is None


def test_torn_json_gives_its_whole_interactions(tmp_path: Path) -> None:
    one = {"request": {"uri": "https://h/"}, "response": {"status": 200}}
    content = json.dumps({"interactions": [one, one]})
    found = imported(tmp_path, content[:-20])
    assert [exchange.response is None for exchange in found.exchanges] == [False, True]
    assert "breaks off" in found.problems[1].message


def test_an_interaction_without_parts_is_a_problem(tmp_path: Path) -> None:
    found = imported(
        tmp_path,
        """
        interactions:
        - 17
        - {request: {uri: /a}}
        - {response: {status: x}}
        - {}
        """,
    )
    request_only, response_only = found.exchanges
    assert request_only.response is None
    assert response_only.request is None
    assert response_only.response is not None
    assert response_only.response.status is None
    assert [problem.where for problem in found.problems] == [
        "interaction 1",
        "interaction 4",
    ]


@pytest.mark.parametrize(
    "content", ["interactions: []\n", "interactions:\n", "interactions: 7"]
)
def test_an_empty_cassette_is_an_input_error(tmp_path: Path, content: str) -> None:
    with pytest.raises(InputError, match="no interaction can be read"):
        imported(tmp_path, content)


@pytest.mark.parametrize(
    "content",
    [
        "{}",
        "[]",
        "[1]",
        '{"interactions": [{"id": 1}]}',
        "foo: bar",
        '{"interactions": 7}',
        '{"request": {}}',
        "",
    ],
)
def test_other_files_are_no_cassettes(tmp_path: Path, content: str) -> None:
    path = tmp_path / "cassette.yaml"
    path.write_text(content)
    assert not cassette.recognise(Source(path))


@settings(max_examples=60)
@given(st.integers(0, len(TORN)), st.text(max_size=3))
def test_damage_anywhere_is_no_crash(
    tmp_path_factory: pytest.TempPathFactory, at: int, junk: str
) -> None:
    path = tmp_path_factory.mktemp("torn") / "c.yaml"
    whole = TORN.replace('"torn', "mended}}")
    path.write_text(whole[:at] + junk + whole[at:], encoding="utf-8")
    with contextlib.suppress(InputError):
        assert cassette.read(Source(path)).exchanges


def test_a_byte_order_mark_hides_no_yaml(tmp_path: Path) -> None:
    content = f"requests:\n- {{method: POST, uri: 'https://h/x', body: '{ANSWER}'}}\n"
    content += "responses:\n- {status: {code: 200}, body: {string: ok}}\n"
    _, request, _ = only(tmp_path, b"\xef\xbb\xbf" + content.encode())
    assert request.body.raw == ANSWER.encode()


def mastra(*recordings: object) -> str:
    head = {"name": "t-1", "createdAt": "2026-02-03T04:05:06.000Z"}
    return json.dumps({"meta": head, "recordings": list(recordings)})


def mastra_call(**answered: object) -> dict[str, object]:
    asked = {"url": "https://api.example.com/v1/messages", "method": "POST"}
    told = {"status": 200, "statusText": "OK", "isStreaming": "chunks" in answered}
    return {
        "hash": "00aa",
        "request": asked | {"body": {"model": "m"}, "timestamp": 1770091506500},
        "response": told | {"headers": {"content-type": "text/plain"}} | answered,
    }


def test_mastra_keeps_a_stream_in_pieces(tmp_path: Path) -> None:
    pieces = ["event: a\nd", 'ata: {"é": 1}\n\n']
    timed = {"chunks": pieces, "chunkTimings": [3, 1]}
    content = mastra(mastra_call(**timed), mastra_call(body={"choices": []}))
    found = imported(tmp_path, content)
    first, second = found.exchanges
    assert found.title == "t-1"
    assert first.started_at == "2026-02-03T04:05:06.500Z"
    assert first.request is not None
    assert first.request.body.raw == b'{"model":"m"}'
    assert first.response is not None
    assert (first.response.status, first.response.reason) == (200, "OK")
    assert first.response.body.raw == "".join(pieces).encode()
    assert second.response is not None
    assert second.response.body.raw == ANSWER.encode()


def test_mastra_older_files_are_a_list_alone(tmp_path: Path) -> None:
    content = json.dumps([mastra_call(chunks=["data: 1\n\n"])])
    _, _, response = only(tmp_path, content)
    assert response.body.raw == b"data: 1\n\n"


def test_mastra_torn_gives_what_is_whole(tmp_path: Path) -> None:
    content = mastra(mastra_call(body={"choices": []}), mastra_call(body={}))
    found = imported(tmp_path, content[: content.rindex('"body"')])
    exchange, torn = found.exchanges
    assert exchange.response is not None
    assert exchange.response.body.raw == ANSWER.encode()
    assert torn.response is None
    assert found.problems


ASKING = {"messages": [{"role": "user", "content": "a"}]}
WHOLE = {"object": "chat.completion", "choices": [{"message": {"content": "b"}}]}


@pytest.mark.parametrize(
    "document",
    [
        {"interactions": [{"request": ASKING, "response": WHOLE}]},
        {"requests": [ASKING], "responses": [WHOLE]},
        {"calls": [{"id": 1, "request": ASKING, "response": WHOLE}]},
        {"request": {"body": ASKING}, "response": {"body": WHOLE}},
        {
            "flows": [
                {
                    "request": {"url": "https://h/x", "text": json.dumps(ASKING)},
                    "response": {"status": 200, "text": json.dumps(WHOLE)},
                }
            ]
        },
    ],
)
def test_bodies_with_little_or_nothing_around(
    tmp_path: Path, document: dict[str, object]
) -> None:
    _, request, response = only(tmp_path, json.dumps(document))
    assert json.loads(request.body.raw) == ASKING
    assert json.loads(response.body.raw) == WHOLE
