"""What strings hold."""

from __future__ import annotations

import base64
import json

import pytest

from sigscope.tui.json.embedded import held_in


def test_json_in_a_string_is_found() -> None:
    held = held_in('{"path": "README.md"}')
    assert held is not None
    assert (held.kind, held.coding) == ("json", "")
    assert json.loads(held.data) == {"path": "README.md"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "12",
        "{",
        "{not json}",
        "[1, 2",
        "plain words",
        "{}",
        "call_MHxRl2bZf5B0T3",
        "read_file_of_some_project_with_a_long_name",
        "a3f5" * 16,
        "chatcmpl-123456789012345678901234",
    ],
)
def test_plain_text_holds_nothing(text: str) -> None:
    assert held_in(text) is None


@pytest.mark.parametrize("encode", [base64.b64encode, base64.urlsafe_b64encode])
def test_base64_of_either_alphabet_is_decoded(encode: object) -> None:
    data = bytes(range(256))
    assert callable(encode)
    held = held_in(encode(data).decode())
    assert held is not None
    assert (held.kind, held.coding, held.data) == ("bytes", "base64", data)


def test_base64_of_text_and_of_json_says_so() -> None:
    text = held_in(base64.b64encode(b"skip_thought_signature_validator").decode())
    assert text is not None
    assert text.kind == "text"
    inner = held_in(base64.b64encode(b'{"reasoning": [1, 2, 3]}').decode())
    assert inner is not None
    assert inner.kind == "json"


def test_a_data_url_tells_its_type_and_a_picture_its_format() -> None:
    url = (
        "data:image/png;base64,"
        + base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(40)).decode()
    )
    held = held_in(url)
    assert held is not None
    assert (held.coding, held.note) == ("base64, image/png", "PNG")


def test_a_cut_base64_is_no_base64() -> None:
    assert held_in("AB+/" * 10 + "x") is None
