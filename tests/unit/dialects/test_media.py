"""Images, audio and files in messages."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigscope.conversation import PartKind
from sigscope.dialects.chat import content_parts
from sigscope.dialects.media import gemini_media, media_block

PNG = b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR" + bytes([0, 0, 2, 128, 0, 0, 1, 224])
GIF = b"GIF89a" + bytes([64, 1, 200, 0]) + b"\0" * 9
WEBP = b"RIFF\0\0\0\0WEBPVP8X" + b"\x0a\0\0\0\0\0\0\0" + bytes([127, 2, 0, 223, 1, 0])
JPEG = (
    b"\xff\xd8\xff\xe0\x00\x10" + b"JFIF" + b"\0" * 10
    + b"\xff\xc2\x00\x11\x08\x01\xe0\x02\x80" + b"\0" * 12
)  # fmt: skip


def b64(raw: bytes) -> str:
    return base64.b64encode(raw).decode()


def url(raw: bytes, mime: str = "image/png") -> dict[str, Any]:
    where = f"data:{mime};base64,{b64(raw)}"
    return {"type": "image_url", "image_url": {"url": where}}


@pytest.mark.parametrize(
    ("raw", "pixels"),
    [(PNG, "640×480"), (GIF, "320×200"), (WEBP, "640×480"), (JPEG, "640×480")],
    ids=["png", "gif", "webp", "jpeg"],
)
def test_pixels_are_read_from_the_head(raw: bytes, pixels: str) -> None:
    part = media_block(url(raw), "/m")
    assert (part.kind, part.text) == (PartKind.MEDIA, f"image/png {pixels}")


@pytest.mark.parametrize("length", range(7))
def test_the_size_is_that_of_the_bytes(length: int) -> None:
    assert media_block(url(b"x" * length), "/m").size == length
    media = {"mimeType": "image/png", "data": b64(b"x" * length)}
    assert gemini_media(media, "/m").size == length


BLOCKS: list[tuple[dict[str, Any], str]] = [
    ({"type": "image_url", "image_url": {"url": "https://a.b/c.png"}},
     "image at https://a.b/c.png"),
    ({"type": "image_url", "image_url": "https://a.b/c.png"},
     "image at https://a.b/c.png"),
    ({"type": "input_image", "image_url": "data:image/gif;base64," + b64(GIF)},
     "image/gif 320×200"),
    ({"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}},
     "audio/wav"),
    ({"type": "file", "file": {"filename": "a.pdf", "file_data": ""}}, "a.pdf"),
    ({"type": "image", "source": {"media_type": "image/png", "data": b64(PNG)}},
     "image/png 640×480"),
    ({"type": "image", "source": {"url": "https://a.b/c.png"}},
     "image at https://a.b/c.png"),
    ({"type": "image_url"}, "image"),
    ({"type": "image_url", "image_url": {"url": "data:image/png;base64,%%%"}},
     "image/png"),
]  # fmt: skip


@pytest.mark.parametrize(("block", "text"), BLOCKS)
def test_a_block_is_told_by_its_type(block: dict[str, Any], text: str) -> None:
    assert media_block(block, "/m").text == text


def test_in_a_message_media_stand_among_the_texts() -> None:
    content = [{"type": "text", "text": "See"}, url(PNG)]
    found = [(p.kind, p.pointer) for p in content_parts(content, "/c")]
    assert found == [(PartKind.TEXT, "/c/0"), (PartKind.MEDIA, "/c/1")]


@given(st.text(), st.binary())
def test_nothing_that_is_no_image_breaks_it(text: str, raw: bytes) -> None:
    for data in (text, b64(raw), b64(b"\xff\xd8" + raw), b64(PNG[:8] + raw)):
        where = {"url": f"data:image/x;base64,{data}"}
        media_block({"type": "image_url", "image_url": where}, "")
        gemini_media({"data": data}, "")
