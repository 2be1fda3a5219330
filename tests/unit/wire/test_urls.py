"""URLs as recordings have them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigscope.wire.urls import Url, query_pairs, split_url


@pytest.mark.parametrize(
    ("url", "parts"),
    [
        (
            "https://API.example.com/v1/m:gen?alt=sse#top",
            Url("https", "api.example.com", "/v1/m:gen", "alt=sse"),
        ),
        ("http://0.0.0.0:4000/x", Url("http", "0.0.0.0:4000", "/x", "")),
        ("https://b.<REGION>.aws.com/m", Url("https", "b.<region>.aws.com", "/m", "")),
        ("https://[REDACTED]/a?b", Url("https", "[redacted]", "/a", "b")),
        ("https://user:pw@host/p", Url("https", "host", "/p", "")),
        ("/v1/chat?x=1", Url("", "", "/v1/chat", "x=1")),
        ("https://host", Url("https", "host", "", "")),
        ("", Url("", "", "", "")),
    ],
)
def test_a_url_is_divided(url: str, parts: Url) -> None:
    assert split_url(url) == parts


def test_the_query_is_decoded_in_order() -> None:
    pairs = query_pairs("/p?alt=sse&key=%5BX%5D&&flag&a=b=c&s=1+2")
    assert pairs == (
        ("alt", "sse"),
        ("key", "[X]"),
        ("flag", ""),
        ("a", "b=c"),
        ("s", "1 2"),
    )


@given(st.text())
def test_any_text_is_divided(url: str) -> None:
    split_url(url)
    query_pairs(url)
