"""Searching in pieces."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigscope.jsontext import JsonText
from sigscope.search import text as textsearch
from sigscope.search.text import BadPattern, is_in_text, make_query, search
from sigscope.tui.json.source import JsonSource


def found(raw: bytes, text: str) -> list[str]:
    source = JsonSource(JsonText(raw))
    pieces = list(search(source, make_query(text)))
    return [source.pointer(hit.node) for piece in pieces for hit in piece.hits]


BODY = json.dumps(
    {
        "path": "here",
        "a": {"deep": ["one", "two", "One more one"]},
        "args": json.dumps({"path": "README.md"}),
        "accent": "caf\u00e9",
        "n": 17,
        "slash": "a/b",
    }
).encode()


@pytest.mark.parametrize(
    ("text", "pointers"),
    [
        ("two", ["/a/deep/1"]),
        ("deep", ["/a/deep"]),
        ("one", ["/a/deep/0", "/a/deep/2"]),
        ("One", ["/a/deep/2"]),
        ("café", ["/accent"]),
        ("CAFÉ", []),
        ('"path"', ["/path", "/args"]),
        ("17", ["/n"]),
        ("a/b", ["/slash"]),
        ("re:o.e", ["/a/deep/0", "/a/deep/2"]),
        ("re:^nothing", []),
        ("}", ["/args"]),
        ("nowhere", []),
    ],
)
def test_keys_and_values_are_found(text: str, pointers: list[str]) -> None:
    assert found(BODY, text) == pointers


def test_a_slash_is_found_however_it_is_spelled() -> None:
    assert found(rb'{"a": "x\/y", "b": "x/y"}', "x/y") == ["/a", "/b"]
    assert found(rb'{"a": "\ud83d\ude42", "b": "x"}', "🙂") == ["/a"]


def test_key_and_value_of_one_field_are_one_hit() -> None:
    assert found(b'{"same": "the same"}', "same") == ["/same"]


def test_pieces_report_progress_and_miss_nothing_between_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    raw = json.dumps([f"needle {n}" for n in range(200)]).encode()
    monkeypatch.setattr(textsearch, "PIECE", 37)
    source = JsonSource(JsonText(raw))
    pieces = list(search(source, make_query("needle")))
    assert sum(len(piece.hits) for piece in pieces) == 200
    shares = [piece.share for piece in pieces]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_too_many_hits_end_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(textsearch, "MOST_HITS", 5)
    raw = json.dumps(["x"] * 20).encode()
    pieces = list(search(JsonSource(JsonText(raw)), make_query("x")))
    assert pieces[-1].is_cut
    assert sum(len(piece.hits) for piece in pieces) == 5


def test_a_pattern_may_hold_a_byte_that_is_no_utf8() -> None:
    """So the command line gives it. JSON has no such bytes, bodies may."""
    found = make_query("re:x\udcff+").in_bytes.search(b"ax\xff\xff")
    assert found is not None
    assert found.span() == (1, 4)


def test_a_broken_pattern_is_explained() -> None:
    with pytest.raises(BadPattern, match="no regular expression"):
        make_query("re:(")


texts = st.text(alphabet='ab"\\/é漢🙂\n', min_size=1, max_size=4)


@given(st.lists(texts, max_size=6), texts, st.booleans())
def test_a_text_is_found_in_every_string_that_holds_it(
    strings: list[str], wanted: str, escaped: bool
) -> None:
    if "\\" in wanted:
        return  # a backslash stands for any run of them
    raw = json.dumps(strings, ensure_ascii=escaped).encode()
    expected = [
        f"/{n}" for n, text in enumerate(strings) if wanted.lower() in text.lower()
    ]
    assert set(found(raw, wanted)) >= set(expected)


def test_what_stands_between_values_is_no_text() -> None:
    text = JsonText(b'{"a":"b","c":[1]}')
    member, holder = text.locate("/a"), text.locate("/c")
    assert [at for at in range(1, 9) if is_in_text(member, at)] == [1, 2, 3, 5, 6, 7]
    assert [at for at in range(9, 16) if is_in_text(holder, at)] == [9, 10, 11]
