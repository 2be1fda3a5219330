from __future__ import annotations

import pytest

from sigscope.edits.headers import (
    disagreements,
    edited_headers,
    edited_url,
    for_changed_body,
)
from sigscope.edits.notation import parse
from sigscope.edits.records import Edit, Op
from sigscope.errors import EditError

HEADERS = (("Accept", "*/*"), ("X-Twice", "1"), ("Host", "a"), ("x-twice", "2"))


def after(*lines: str) -> tuple[tuple[str, str], ...]:
    return edited_headers(HEADERS, [parse(line) for line in lines])


def test_a_header_keeps_its_place_and_spelling_and_loses_its_twins() -> None:
    assert after("header x-TWICE: 3") == (
        ("Accept", "*/*"),
        ("X-Twice", "3"),
        ("Host", "a"),
    )


def test_a_new_header_comes_last() -> None:
    assert after("header X-New: 1") == (*HEADERS, ("X-New", "1"))


def test_all_headers_of_a_name_are_removed() -> None:
    assert after("unheader X-TWICE") == (("Accept", "*/*"), ("Host", "a"))
    assert after("unheader host", "unheader HOST") == tuple(
        line for line in HEADERS if line[0] != "Host"
    )


def test_removing_what_is_not_there_says_what_is() -> None:
    with pytest.raises(EditError, match="the request has Accept, X-Twice, Host"):
        after("unheader Cookie")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("", "x"),
        ("a b", "x"),
        ("a:", "x"),
        ("é", "x"),
        ("a", "x\r\nb: y"),
        ("a", "\x00"),
        ("a", "€"),
    ],
)
def test_what_no_header_can_hold_is_refused(name: str, value: str) -> None:
    with pytest.raises(EditError):
        edited_headers(HEADERS, [Edit(op=Op.HEADER, name=name, value=value)])


def test_a_url_is_replaced_unless_it_cannot_be_one() -> None:
    assert edited_url("http://a", []) == "http://a"
    assert edited_url("http://a", [parse("url http://b")]) == "http://b"
    for bad in ("", "http://a b", "http://a\n"):
        with pytest.raises(EditError, match="holds no blanks"):
            edited_url("http://a", [Edit(op=Op.URL, value=bad)])


def test_only_different_wishes_for_one_thing_disagree() -> None:
    edits = [
        parse(line)
        for line in (
            "header A: 1",
            "header a: 1",
            "header a: 2",
            "unheader B",
            "unheader b",
            "url x",
            "url x",
            "drop /a",
        )
    ]
    assert list(disagreements(edits)) == [(edits[0], edits[2]), (edits[1], edits[2])]


def test_a_changed_body_has_its_length_and_no_coding_it_lost() -> None:
    headers = (("Content-Length", "1"), ("content-encoding", "gzip"))
    assert for_changed_body(headers, 20, decoded=False) == (
        ("Content-Length", "20"),
        ("content-encoding", "gzip"),
    )
    assert for_changed_body(headers, 20, decoded=True) == (("Content-Length", "20"),)
    assert for_changed_body((), 20, decoded=True) == ()
