from __future__ import annotations

import tracemalloc

import pytest
from hypothesis import given
from tests.unit.jsontext.texts import CONTAINERS

from sigscope.jsontext.grammar import mask
from sigscope.jsontext.nodes import Node
from sigscope.jsontext.scan import Scanner


def scan(text: str) -> tuple[list[tuple[str, str]], list[tuple[int, str]]]:
    """Kind and text of the children of the container a text consists of, and what
    was complained about."""
    raw = text.encode()
    scanner = Scanner(mask(raw))
    complaints: list[tuple[int, str]] = []

    def complain(offset: int, message: str) -> None:
        complaints.append((offset, message))

    end, closed = scanner.skip(0, len(raw))
    kind = "array" if raw[:1] == b"[" else "object"
    node = Node(kind, 0, end, closed, None, 0)
    children = scanner.children(node, complain)
    return [(c.kind, raw[c.start : c.end].decode()) for c in children], complaints


@pytest.mark.parametrize(
    ("text", "children", "complaints"),
    [
        ("[]", [], []),
        ("[ \n ]", [], []),
        ("[1, 2]", [("number", "1"), ("number", "2")], []),
        ("[[[[[1]]]], 2]", [("array", "[[[[1]]]]"), ("number", "2")], []),
        ('{"a": {"b": {"c": [{}]}}}', [("object", '{"b": {"c": [{}]}}')], []),
        ("[1,]", [("number", "1")], [(3, "a comma after the last one")]),
        ("[1,", [("number", "1")], []),
        ("[1, ]", [("number", "1")], [(4, "a comma after the last one")]),
        ("[,1]", [("number", "1")], [(1, "a ',' where a value should be")]),
        (
            "[1 2]",
            [("number", "1"), ("number", "2")],
            [(3, "a comma is missing here")],
        ),
        ('["a', [("string", '"a')], [(1, "this string never ends")]),
        ("[[1", [("array", "[1")], [(1, "this array is never closed")]),
        ("[tru]", [("broken", "tru")], [(1, "'tru' is not a JSON value")]),
        ("[1}]", [("number", "1"), ("broken", "}")], None),
        ('{"a" 1}', [("number", "1")], [(5, "a ':' is missing here")]),
        ('{"a"}', [("broken", "")], [(4, "a value is missing here")]),
        ('{"a":}', [("broken", "")], [(5, "a value is missing here")]),
        ("{a: 1}", [("number", "1")], [(1, "a key without quotes")]),
        ('{"a', [("broken", "")], None),
        ("{[1]: 2}", [("broken", "[1]"), ("number", "2")], None),
    ],
)
def test_children_and_complaints(
    text: str,
    children: list[tuple[str, str]],
    complaints: list[tuple[int, str]] | None,
) -> None:
    found, told = scan(text)
    assert found == children
    if complaints is not None:
        assert told == complaints


@pytest.mark.parametrize(
    ("text", "end", "closed"),
    [
        ("[[], {}] tail", 8, True),
        ('["]"] tail', 5, True),
        (r'["\"]\\"] tail', 9, True),
        ("[[1, 2} tail]", 13, False),
        ("{[1, 2} tail]", 7, True),
        ("{'}': ['\"']} tail", 12, True),
        ("{don't: 1} tail", 10, True),
        ("[[[[[[[[", 8, False),
        ('[[[["]]]]', 9, False),
    ],
)
def test_a_container_ends_where_its_bracket_fits(
    text: str, end: int, closed: bool
) -> None:
    raw = text.encode()
    assert Scanner(mask(raw)).skip(0, len(raw)) == (end, closed)


@pytest.mark.parametrize("opened", ["", "["])
def test_runs_longer_than_one_match_goes_are_skipped_all_the_same(opened: str) -> None:
    flat = "[" + '"[",' * 30_000 + "{}" + ",[]" * 30_000 + "]"
    children, complaints = scan(f"[{flat}, 2{opened}]")
    assert children[:2] == [("array", flat), ("number", "2")]
    assert bool(complaints) == bool(opened)


def test_ends_that_were_found_on_the_way_are_remembered_right() -> None:
    inner = '[[["' + "x" * 3000 + '"], 1], 2'
    for text in (f"[{inner}], 3]", f"[{inner}, 3", f"{{[{inner}, [3}}"):
        raw = text.encode()
        scanner = Scanner(mask(raw))
        closed = text[-1] in "]}"
        assert scanner.skip(0, len(raw)) == (len(raw), closed)
        for start in range(1, 4):
            inside = len(raw) - closed
            fresh = Scanner(mask(raw)).skip(start, inside)
            assert scanner.skip(start, inside) == fresh


def test_many_that_are_never_closed_are_remembered_in_a_few_bytes_each() -> None:
    raw = b"[1, " * 15_000 + b"[" * 100_000 + b"x" * 200
    scanner = Scanner(mask(raw))
    tracemalloc.start()
    whole = scanner.skip(0, len(raw))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert whole == (len(raw), False)
    assert peak < 40 * raw.count(b"[")  # 149 with objects
    for start in (4, 4 * 14_999, 4 * 15_000 + 99_999):
        for stop in (len(raw), len(raw) - 1):
            assert scanner.skip(start, stop) == (stop, False)
            assert Scanner(mask(raw)).skip(start, stop) == (stop, False)


@given(CONTAINERS)
def test_skipping_finds_the_end_of_any_sound_container(text: str) -> None:
    raw = text.encode() + b' ]}"tail'
    end = len(raw) - 8
    scanner = Scanner(mask(raw))
    assert scanner.skip(0, len(raw)) == (end, True)
    assert scanner._skip_deep(0, len(raw)) == (end, True)
