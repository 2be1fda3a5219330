"""From what is typed to pointers."""

from __future__ import annotations

import json

import pytest
from tests.tui.json.harness import REQUEST

from sigscope.jsontext import JsonText
from sigscope.tui.json.paths import candidates, like
from sigscope.tui.json.source import JsonSource

SOURCE = JsonSource(JsonText(json.dumps(REQUEST).encode()))


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("/messages/2/content", "/messages/2/content"),
        ("", ""),
        ("messages 2 content", "/messages/2/content"),
        ("mes.2.con", "/messages/2/content"),
        ("messages[3].tool_call_id", "/messages/3/tool_call_id"),
        ("arguments", "/messages/2/tool_calls/0/function/arguments"),
        ("tcid", "/messages/3/tool_call_id"),
        ("MODEL", "/model"),
        ("/mess/0", "/messages/0"),
    ],
)
def test_the_likeliest_pointer_comes_first(text: str, first: str) -> None:
    assert candidates(SOURCE, text, 5)[0] == first


def test_what_is_like_nothing_has_no_candidates() -> None:
    assert candidates(SOURCE, "zzz", 5) == []
    assert candidates(SOURCE, "/messages/99", 5) == []


def test_no_more_candidates_than_asked_for_and_none_twice() -> None:
    found = candidates(SOURCE, "content", 3)
    assert len(found) == 3
    assert len(set(found)) == 3


def test_likeness_goes_from_the_same_to_letters_in_order() -> None:
    assert [like("content", n) for n in ("Content", "contents", "my_content")] == [
        0,
        1,
        2,
    ]
    assert like("cnt", "content") == 3
    assert like("tnc", "content") is None
