"""Header look-ups."""

from __future__ import annotations

from sigscope.wire.headers import Headers, header, header_list, media_type

HEADERS: Headers = (
    ("Content-Type", "Text/Event-Stream; charset=utf-8"),
    ("content-encoding", "gzip, br"),
    ("Content-Encoding", " zstd ,"),
)


def test_names_are_found_in_any_case() -> None:
    assert header(HEADERS, "CONTENT-encoding") == "gzip, br"
    assert header(HEADERS, "accept") is None


def test_lines_of_a_list_header_are_one_list() -> None:
    assert header_list(HEADERS, "Content-Encoding") == ("gzip", "br", "zstd")
    assert header_list(HEADERS, "accept") == ()


def test_the_media_type_has_no_parameters() -> None:
    assert media_type(HEADERS) == "text/event-stream"
    assert media_type(()) == ""
