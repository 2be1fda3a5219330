"""The diff of two requests: exactly the changed spans."""

from __future__ import annotations

from sigscope.exchange import Request
from sigscope.export.difference import body_difference, request_difference

OLD = b"""{"a": 1, "messages": [{"role": "user", "content": "hi"},
{"role": "assistant", "content": [], "n": 1.00}]}"""


def changed(new: bytes, old: bytes = OLD) -> list[str]:
    return body_difference(old, new)


def test_equal_bodies_differ_in_nothing() -> None:
    assert changed(OLD) == []


def test_a_replaced_value_shows_before_and_after() -> None:
    assert changed(OLD.replace(b"[], ", b"null, ")) == [
        "@@ /messages/1 @@",
        '-  "content": []',
        '+  "content": null',
    ]


def test_changes_in_one_object_share_a_heading() -> None:
    new = OLD.replace(b'"content": [], "n": 1.00', b'"content": null, "sig": "x"')
    assert changed(new) == [
        "@@ /messages/1 @@",
        '-  "content": []',
        '+  "content": null',
        '-  "n": 1.00',
        '+  "sig": "x"',
    ]


def test_a_long_string_is_cut_and_its_length_told() -> None:
    new = OLD.replace(b'"n": 1.00', b'"n": 1.00, "sig": "' + b"A" * 1464 + b'"')
    line = changed(new)[-1]
    assert line == '+  "sig": "' + "A" * 28 + '… (1,464 characters)"'


def test_elements_are_named_by_their_place() -> None:
    assert changed(b"[1, 2, 9]", b"[1, 2]") == [
        "@@ the whole body @@",
        "+  (at the end) 9",
    ]
    assert changed(b"[0, 1, 2]", b"[1, 2]") == [
        "@@ the whole body @@",
        "+  (before [0]) 0",
    ]
    assert changed(b"[2]", b"[1, 2]") == ["@@ the whole body @@", "-  [0] 1"]


def test_a_large_value_takes_several_lines_each_marked() -> None:
    new = OLD.replace(
        b"[], ",
        b'[{"type": "text", "text": "'
        + b"x" * 50
        + b'", "more": "'
        + b"y" * 50
        + b'"}, 1], ',
    )
    lines = changed(new)
    assert len(lines) > 4
    assert all(line.startswith("+  ") for line in lines[1:])


def test_broken_json_is_shown_as_it_stands() -> None:
    lines = changed(b'{"a": tru', b'{"a": 1')
    assert any(line.startswith("+") and "tru" in line for line in lines)


def test_headers_and_url_count_and_length_does_not() -> None:
    old = Request(url="https://h/a", headers=(("X-A", "1"), ("Content-Length", "1")))
    new = Request(url="https://h/b", headers=(("x-a", "2"), ("Content-Length", "2")))
    assert request_difference(old, new, b"{}", b"{}") == [
        "@@ URL @@",
        "-https://h/a",
        "+https://h/b",
        "@@ headers @@",
        "-x-a: 1",
        "+x-a: 2",
    ]
