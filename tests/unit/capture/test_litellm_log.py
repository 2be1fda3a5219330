"""LiteLLM's commands that no shell would take."""

from __future__ import annotations

import json

import pytest

from sigscope.capture.litellm_log import request_at

HEAD = b"curl -X POST \\\nhttps://up.example/v1/ \\\n"


@pytest.mark.parametrize(
    ("spelled", "tree"),
    [
        (b"-d '{'a': None, 'b': True}'\n", {"a": None, "b": True}),
        (b'-d \'{"a": "it\'s"}\'\n', {"a": "it's"}),
        (b'-d {\n "a": 1\n}\n', {"a": 1}),
        (b"-d '{'a': \"x'y\", 'b': 'z\"'}'\n", {"a": "x'y", "b": 'z"'}),
    ],
)
def test_bodies_of_either_spelling_are_json_again(spelled: bytes, tree: object) -> None:
    data = HEAD + spelled + b"next line"
    request, end = request_at(data, 0)
    assert json.loads(request.body.raw) == tree
    assert data[end:].lstrip() == b"next line"


def test_what_is_neither_is_kept_as_it_is() -> None:
    request, _ = request_at(HEAD + b"-d '{'a': <object>}'\n", 0)
    assert request.body.raw == b"{'a': <object>}"


def test_headers_with_quotes_in_their_values() -> None:
    line = b"-H 'A: it's' -H 'B: 2' \\\n"
    request, _ = request_at(HEAD + line + b"-d '{}'\n", 0)
    assert request.headers == (("A", "it's"), ("B", "2"))


def test_a_command_of_another_form_is_kept_up_to_a_blank_line() -> None:
    request, end = request_at(b"curl something else\n\nrest", 0)
    assert request.body.raw == b"curl something else"
    assert end == len(b"curl something else")


@pytest.mark.parametrize(
    "spelled",
    [b"{'a': {1, 2}}", b"{'a': 1j}", b"{'a': ...}", b"{[]: 1}", b"{'a': " + b"[" * 999],
)
def test_python_that_json_cannot_spell_is_kept_as_it_is(spelled: bytes) -> None:
    request, _ = request_at(HEAD + b"-d '" + spelled + b"'\n", 0)
    assert request.body.raw == spelled
