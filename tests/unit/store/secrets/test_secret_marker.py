"""Headers and URLs say what was removed, and stay readable."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigscope.store.secrets.marker import mark_headers, mark_url


@pytest.mark.parametrize(
    ("name", "value", "marked"),
    [
        ("Authorization", "Bearer sk-123", "Bearer [removed]"),
        ("authorization", "Basic dXNlcjpwYXNz", "Basic [removed]"),
        ("Authorization", "0123456789", "[removed]"),
        ("Proxy-Authorization", "Basic abc", "Basic [removed]"),
        ("X-Api-Key", "short", "[removed]"),
        ("x-goog-api-key", "AIzaSomething", "[removed]"),
        ("Cookie", "a=1; session=abc=", "a=[removed]; session=[removed]"),
        ("Set-Cookie", "s=abc; Path=/; HttpOnly", "s=[removed]; Path=/; HttpOnly"),
        ("Referer", "https://u:p@h/?key=abc&x=1", "https://REMOVED@h/?key=REMOVED&x=1"),
        ("X-Custom", "gho_" + "a1B2" * 9, "gho_" + "*" * 36),
        ("Content-Type", "application/json", "application/json"),
        ("x-request-token", "12", "12"),
        ("X-Access", "aB3dE5gH7jK9mN1pQ3sT5vW7", "[removed]"),
        ("x-litellm-key", "anything", "[removed]"),
        ("access-control-allow-credentials", "true", "true"),
    ],
)
def test_headers(name: str, value: str, marked: str) -> None:
    headers, removed = mark_headers((("Host", "h"), (name, value)))
    assert headers == (("Host", "h"), (name, marked))
    assert bool(removed) == (value != marked)
    assert mark_headers(headers) == (headers, {})


@pytest.mark.parametrize(
    ("url", "marked"),
    [
        ("https://h/v1:go?key=AIzaX&alt=sse", "https://h/v1:go?key=REMOVED&alt=sse"),
        ("https://user:pa:ss@h:8/p", "https://REMOVED@h:8/p"),
        ("/v1?access_token=x#y", "/v1?access_token=REMOVED#y"),
        ("https://h/cb#id_token=abc&state=1", "https://h/cb#id_token=REMOVED&state=1"),
        ("https://h/?x=1&sig=a%2Fb", "https://h/?x=1&sig=REMOVED"),
        ("https://h/?api%5Fkey=abc", "https://h/?api%5Fkey=REMOVED"),
        ("https://h/?pwd=abc", "https://h/?pwd=REMOVED"),
        ("https://h/?alt=sse", "https://h/?alt=sse"),
        ("https://h/v1;key=abc/m?key=a", "https://h/v1;key=REMOVED/m?key=REMOVED"),
        ("https://h/v1/keys/Zq7xY4wLm2Kp/m", "https://h/v1/keys/REMOVED/m"),
        ("https://h/v1/keys/list-of-them", "https://h/v1/keys/list-of-them"),
        ("https://h/@scope/pkg?x=a@b", "https://h/@scope/pkg?x=a@b"),
        ("", ""),
    ],
)
def test_urls(url: str, marked: str) -> None:
    assert mark_url(url)[0] == marked
    assert mark_url(marked) == (marked, {})


@given(st.text(max_size=80))
def test_any_text_can_be_a_url(url: str) -> None:
    marked, _ = mark_url(url)
    assert mark_url(marked)[0] == marked


def test_a_key_in_the_name_of_a_header_is_masked() -> None:
    name = "X-ghp_" + "aB3" * 12
    assert mark_headers(((name, "1"),)) == (
        (("X-ghp_" + "*" * 36, "1"),),
        {"GitHub token": 1},
    )
