"""Recordings of Rust's httpmock."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from sigscope.capture import httpmock
from sigscope.capture.base import Imported
from sigscope.capture.source import Source
from sigscope.errors import InputError

pytest.importorskip("yaml")

TWO = """\
    when:
      path: /v1/m:stream
      method: POST
      query_param:
      - name: alt
        value: sse
      - name: key
        value: '[REDACTED]'
      header:
      - name: anthropic-version
        value: 2023-06-01
      body: '{"a":1}'
    then:
      status: 200
      header:
      - name: content-type
        value: text/event-stream
      body: "data: {}\\r\\n\\r\\n"
    ---
    when:
      scheme: https
      host: api.example.com
      port: 8443
      path: /v1
      method: get
      json_body: {b: 2}
    then:
      status: 400
      body_base64: aGk=
    """


def imported(tmp_path: Path, content: str) -> Imported:
    path = tmp_path / "mock.yaml"
    path.write_text(textwrap.dedent(content))
    source = Source(path)
    assert httpmock.recognise(source)
    return httpmock.read(source)


def test_each_document_is_an_exchange(tmp_path: Path) -> None:
    first, second = imported(tmp_path, TWO).exchanges
    assert first.request is not None
    assert first.response is not None
    assert first.request.method == "POST"
    assert first.request.url == "/v1/m:stream?alt=sse&key=%5BREDACTED%5D"
    assert first.request.headers == (("anthropic-version", "2023-06-01"),)
    assert first.request.body.raw == b'{"a":1}'
    assert first.response.status == 200
    assert first.response.body.raw == b"data: {}\r\n\r\n"
    assert first.remarks == ()
    assert second.request is not None
    assert second.response is not None
    assert second.request.url == "https://api.example.com:8443/v1"
    assert (second.request.method, second.request.body.raw) == ("GET", b'{"b":2}')
    assert (second.response.status, second.response.body.raw) == (400, b"hi")
    assert "rebuilt" in second.remarks[0]


def test_json_given_as_text_is_that_text(tmp_path: Path) -> None:
    (exchange,) = imported(
        tmp_path,
        "when: {path: /a, json_body: '{ \"a\" : 1 }'}\nthen: {status: 200}\n",
    ).exchanges
    assert exchange.request is not None
    assert exchange.request.body.raw == b'{ "a" : 1 }'


def test_a_broken_document_is_left_out(tmp_path: Path) -> None:
    found = imported(
        tmp_path, "---\nwhen: {path: '/x\nthen: {}\n---\n" + textwrap.dedent(TWO)
    )
    assert len(found.exchanges) == 2
    assert found.problems[0].where == "line 2"


def test_a_document_of_another_kind_is_a_problem(tmp_path: Path) -> None:
    found = imported(tmp_path, "---\nwhat: 1\n---\n" + textwrap.dedent(TWO))
    assert [problem.where for problem in found.problems] == ["document 1"]


def test_nothing_readable_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="httpmock"):
        imported(tmp_path, "when: 1\nthen: 2\n")


@pytest.mark.parametrize(
    "content", ["when: x", '{"when": "I", "then": "you"}', "[]", ""]
)
def test_other_files_are_none(tmp_path: Path, content: str) -> None:
    path = tmp_path / "x.yaml"
    path.write_text(content)
    assert not httpmock.recognise(Source(path))
