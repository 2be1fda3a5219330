from __future__ import annotations

import pytest
from hypothesis import given
from tests.unit.jsontext.texts import JSON, nodes

from sigscope.jsontext import JsonText

Row = tuple[str, int, str]


def rows(text: bytes) -> list[Row]:
    return [(p.flaw, p.offset, p.pointer) for p in JsonText(text).check()]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b'{"a": [1, 2]}', []),
        (b'{"a": 1, "a": 2}', [("duplicate-key", 9, "/a")]),
        (rb'{"a": 1, "\u0061": 2}', [("duplicate-key", 9, "/a")]),
        (
            b'{"x": {"a": 1, "a": 2, "a": 3}}',
            [("duplicate-key", 15, "/x/a~#2"), ("duplicate-key", 23, "/x/a")],
        ),
        (b"[1, 12345678901234567890]", [("number", 4, "/1")]),
        (b"[0.1, 0.1000000000000000000001]", [("number", 6, "/1")]),
        (
            rb'["\ud83d\ude00", "x\ud83d", "\ude00"]',
            [("surrogate", 19, "/1"), ("surrogate", 29, "/2")],
        ),
        (
            rb'["\ud83d\ud83d\ude00\ude00"]',
            [("surrogate", 2, "/0"), ("surrogate", 20, "/0")],
        ),
        (rb'{"k\ud800": 1}', [("surrogate", 3, "/k" + "\ud800")]),
        (rb'["\\ud800"]', []),
        (b'["\xff", "\xc3\xa9", "\xc3"]', [("utf-8", 2, "/0"), ("utf-8", 13, "/2")]),
        (b'["a\tb"]', [("syntax", 3, "/0")]),
        (rb'["a\qb"]', [("syntax", 3, "/0")]),
        (rb'["a\u12"]', [("syntax", 3, "/0")]),
        (rb'{"a\q": 1}', [("syntax", 3, r"/a\q")]),
        (b"[NaN]", [("syntax", 1, "/0")]),
        (b'{"a": {"b": [1 2]}}', [("syntax", 15, "/a/b/1")]),
        (b"[1] x", [("syntax", 4, "")]),
        (b"", [("syntax", 0, "")]),
        ('["é"]'.encode("utf-16-le"), [("encoding", 0, "")]),
    ],
)
def test_each_flaw_is_found_where_it_is(text: bytes, expected: list[Row]) -> None:
    assert rows(text) == expected


def test_a_fault_behind_thousands_of_escapes_is_found() -> None:
    text = b'["' + rb"\n" * 50_000 + rb'\q"]'
    assert rows(text) == [("syntax", 100_002, "/0")]


@pytest.mark.slow
def test_what_is_nested_by_the_thousand_is_told_as_one() -> None:
    text = b'[{"a": 1, "a": 2}, ' + b"[" * 200_000 + b"]" * 200_000 + b"]"
    dup, deep = JsonText(text).check()
    assert (dup.flaw, dup.pointer) == ("duplicate-key", "/0/a")
    assert (deep.flaw, deep.offset) == ("depth", text.index(b"[[") + 999)
    assert deep.message == "nested deeper than 1,000 levels: not looked into further"
    assert deep.pointer == "/1" + "/0" * 999


def test_what_is_no_json_deep_down_is_no_json() -> None:
    text = b"[" * 3000 + b"tru" + b"]" * 3000
    flaws = [(p.flaw, p.offset) for p in JsonText(text).check()]
    assert flaws == [("depth", 1000), ("syntax", 1000)]
    assert JsonText(text).is_broken


def test_a_fault_deep_down_has_the_pointer_of_what_is_around_it() -> None:
    text = b"[" * 50_000 + b'"\xff"' + b"]" * 50_000
    (problem,) = [p for p in JsonText(text).check() if p.flaw == "utf-8"]
    assert problem.offset == 50_001
    assert problem.pointer == "/0" * 1000


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        b"[" * 250_000,
        b'{"a":' * 60_000,
        b'[{"a":' * 60_000,
        b"{" + b"]" * 250_000,
        b'["' + rb"\ud800" * 40_000,
        b'{"' + rb"\ud800" * 40_000,
    ],
)
def test_no_junk_takes_minutes(text: bytes) -> None:
    document = JsonText(text)
    assert document.check()
    assert document.is_broken


@pytest.mark.slow
def test_what_has_a_hundred_thousand_faults_is_not_taken_apart() -> None:
    document = JsonText(b"[" + b"x " * 150_000 + b"]")
    children = document.children(document.root)
    assert len(children) == 100_001
    last = children[-1]
    assert (last.kind, last.end) == ("broken", len(document.data) - 1)
    assert document.text(last).startswith(b"x x ")
    assert document.pointer_at(last.start) == "/100000"


def test_a_problem_tells_line_column_and_what_is_wrong() -> None:
    (problem,) = JsonText(b'{\n  "a": tru\n}').check()
    assert (problem.line, problem.column) == (2, 8)
    assert str(problem) == "line 2, column 8: 'tru' is not a JSON value"


def test_a_hopeless_text_does_not_fill_the_screen() -> None:
    document = JsonText(b"[" + b"x " * 5000 + b"]")
    assert len(document.check()) == 50
    assert len(document.problems) == 1000


def test_flaws_of_several_kinds_are_told_by_place() -> None:
    text = b'{"a": 1e999, "a": "\xff", "b": tru'
    flaws = [problem.flaw for problem in JsonText(text).check()]
    assert flaws == ["syntax", "number", "duplicate-key", "utf-8", "syntax"]


@given(JSON)
def test_repeated_keys_are_found_in_any_sound_text(text: bytes) -> None:
    document = JsonText(text)
    expected = set()
    for node in nodes(document):
        seen = set()
        for child in document.children(node) if node.kind == "object" else ():
            key = document.key(child)
            if key in seen:
                expected.add(child.begin)
            seen.add(key)
    found = {p.offset for p in document.check() if p.flaw == "duplicate-key"}
    assert found == expected
