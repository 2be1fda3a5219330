"""The header that takes a user's key."""

from __future__ import annotations

import pytest

from sigscope.dialects.registry import named
from sigscope.engine.sending.keyheader import key_header, key_header_at

STUDIO = "https://generativelanguage.googleapis.com/v1beta/models/m:generateContent"
VERTEX = "https://us-central1-aiplatform.googleapis.com/v1/models/m:generateContent"


@pytest.mark.parametrize(
    ("url", "dialect", "header"),
    [
        (STUDIO, "gemini", "x-goog-api-key"),
        (VERTEX, "gemini", "authorization"),
        (VERTEX.replace("us", "US"), "gemini", "authorization"),
        ("http://127.0.0.1:4000/gemini", "gemini", "x-goog-api-key"),
        (STUDIO, "litellm", "authorization"),
        ("https://openrouter.ai/api/v1", "", "authorization"),
    ],
)
def test_the_service_at_a_url_names_the_header(
    url: str, dialect: str, header: str
) -> None:
    assert key_header_at(url, named(dialect)) == header


def test_a_dialect_is_known_by_its_name_too() -> None:
    assert key_header("gemini", None) == "x-goog-api-key"
    assert key_header("gemini", "vertex") == "authorization"
    assert key_header("", None) == "authorization"
