from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigscope.jsontext import JsonText
from sigscope.jsontext.encodings import detect

CODECS = ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"]


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize("text", ['{"é": "😀"}', "[]", "12", "1"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_other_encodings_are_recognised_and_written_back(
    codec: str, text: str, mark: str
) -> None:
    raw = (mark + text).encode(codec)
    encoding = detect(raw)
    assert encoding.to_utf8(raw) == text.encode()
    assert encoding.from_utf8(text.encode()) == raw


@pytest.mark.parametrize("raw", [b"", b"1", b"{}", b'{"a": 1}', b"\x00", b"\xff{}"])
def test_anything_else_is_taken_for_utf8(raw: bytes) -> None:
    assert detect(raw).is_utf8


@given(st.sampled_from(CODECS), st.binary(max_size=20))
def test_damaged_text_is_still_shown(codec: str, damage: bytes) -> None:
    raw = '{"a": "'.encode(codec) + damage
    document = JsonText(raw)
    assert not document.encoding.is_utf8
    assert set(document.parsed) == {"a"}
    assert document.check()
