"""Stub mappings of WireMock."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from sigscope.capture.base import Imported
from sigscope.capture.detect import import_path

BODY = {"messages": [{"role": "user", "content": "hé"}]}


def stub(**response: Any) -> dict[str, Any]:
    return {
        "id": "1",
        "request": {
            "method": "POST",
            "urlPath": "/v1/chat/completions",
            "headers": {"A": {"equalTo": "1"}, "B": {"matches": ".*"}},
            "bodyPatterns": [{"matchesJsonPath": "$.a"}, {"equalToJson": BODY}],
        },
        "response": {"status": 200, "headers": {"C": "2"}, **response},
    }


def imported(tmp_path: Path, document: Any) -> Imported:
    (tmp_path / "x.json").write_text(json.dumps(document))
    name, found = import_path(tmp_path / "x.json")
    assert name == "wiremock"
    return found


def test_a_mapping_is_an_exchange(tmp_path: Path) -> None:
    found = imported(tmp_path, {"mappings": [stub(body="{}"), {"a": 1}]})
    (exchange,) = found.exchanges
    request, response = exchange.request, exchange.response
    assert request is not None
    assert response is not None
    assert (request.method, request.url) == ("POST", "/v1/chat/completions")
    assert request.headers == (("A", "1"),)
    assert json.loads(request.body.raw) == BODY
    assert (response.status, response.headers) == (200, (("C", "2"),))
    assert [problem.where for problem in found.problems] == ["mapping 2"]


@pytest.mark.parametrize(
    ("given", "body"),
    [
        ({"body": "data: 1\n\n"}, b"data: 1\n\n"),
        ({"jsonBody": {"a": [1]}}, b'{"a":[1]}'),
        ({"base64Body": base64.b64encode(b"\x1f\x8b").decode()}, b"\x1f\x8b"),
        ({"base64Body": "*"}, b"*"),
        ({}, b""),
    ],
)
def test_an_answer_in_any_form_is_read(
    tmp_path: Path, given: dict[str, Any], body: bytes
) -> None:
    (exchange,) = imported(tmp_path, stub(**given)).exchanges
    assert exchange.response is not None
    assert exchange.response.body.raw == body


def test_a_body_that_is_elsewhere_is_said_to_be(tmp_path: Path) -> None:
    mapping = stub(bodyFileName="a.json")
    mapping["request"]["bodyPatterns"] = [{"contains": "x"}]
    (exchange,) = imported(tmp_path, mapping).exchanges
    assert exchange.remarks == (
        "request: its body is not kept, only what it must match",
        "response: its body is in another file, __files/a.json",
    )


def test_a_cassette_is_none(tmp_path: Path) -> None:
    call = {"request": {"method": "POST", "url": "/x"}, "response": {"body": "{}"}}
    (tmp_path / "x.json").write_text(json.dumps(call))
    assert import_path(tmp_path / "x.json")[0] == "vcr"
