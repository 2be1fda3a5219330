from __future__ import annotations

import pytest

from sigscope.errors import UsageError
from sigscope.recorder.routes import Routes, parse_map, parse_route


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("/chat?x=1", "https://api.example/v1/chat?x=1"),
        ("/or/api/v1/chat", "https://openrouter.ai/api/v1/chat"),
        ("/or", "https://openrouter.ai/"),
        ("/or?x", "https://openrouter.ai/?x"),
        ("/or/deep/x", "http://localhost:4000/base/x"),
        ("/orange", "https://api.example/v1/orange"),
    ],
)
def test_the_longest_prefix_at_a_segment_wins(target: str, expected: str) -> None:
    routes = Routes(
        [
            parse_route("https://api.example/v1/"),
            parse_map("/or=https://openrouter.ai"),
            parse_map("/or/deep=http://localhost:4000/base"),
        ]
    )
    route = routes.find(target)
    assert route is not None
    assert f"{route.origin}{route.target(target)}" == expected


def test_without_an_upstream_for_all_some_find_none() -> None:
    assert Routes([parse_map("/a=http://x")]).find("/b") is None


def test_ipv6_and_usual_ports_are_written_as_in_urls() -> None:
    assert parse_route("http://[::1]:8000").origin.authority == "[::1]:8000"
    assert str(parse_route("https://x:443").origin) == "https://x"
    assert str(parse_route("http://x:443").origin) == "http://x:443"


@pytest.mark.parametrize(
    "url",
    [
        "",
        "api.example",
        "ftp://x",
        "http://",
        "http://u:p@x",
        "http://x?a=1",
        "http://x:y",
        "http://a b",
        "http://a\u2028b",
    ],
)
def test_what_is_no_upstream_is_refused(url: str) -> None:
    with pytest.raises(UsageError):
        parse_route(url)


@pytest.mark.parametrize("text", ["/a", "a=http://x", "=http://x", "/=http://x"])
def test_what_is_no_map_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        parse_map(text)


def test_no_upstream_and_two_for_one_prefix_are_refused() -> None:
    with pytest.raises(UsageError, match="--upstream"):
        Routes([])
    with pytest.raises(UsageError, match="two upstreams"):
        Routes([parse_map("/a=http://x"), parse_map("/a/=http://y")])
