"""The header that takes a user's key."""

from __future__ import annotations

import pytest

from sigscope.dialects.registry import named
from sigscope.engine.engine import key_from
from sigscope.engine.sending.keyheader import key_header, key_header_at
from sigscope.errors import UsageError

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


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (" sk-proj-1 \n", ""),
        ("", "is not set, or is empty"),
        ("sk proj", "holds no key"),
        ("sk-pröj", "holds no key"),
        ("sk-\x1b[0m", "holds no key"),
    ],
)
def test_what_can_be_no_key_is_not_sent_as_one(
    value: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("A_KEY", value)
    if not told:
        assert key_from("A_KEY") == value.strip()
        return
    with pytest.raises(UsageError) as raised:
        key_from("A_KEY")
    assert told in str(raised.value)
    assert not value or value not in str(raised.value)
