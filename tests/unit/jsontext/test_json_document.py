from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.jsontext.texts import ANYTHING, CONTAINERS, JSON, nodes, pairs

from sigscope.errors import PointerError
from sigscope.jsontext import JsonText, Node
from sigscope.jsontext.scan import Scanner
from sigscope.pointer import resolve


def spelled(text: str | bytes, pointer: str) -> bytes:
    raw = text.encode() if isinstance(text, str) else text
    document = JsonText(raw)
    return document.text(document.locate(pointer))


# --- Sound JSON -----------------------------------------------------------------------


def test_a_value_is_found_as_it_is_spelled() -> None:
    text = '{"a" : [1.50, "\\u00e9", {"b":\n12345678901234567890}], "c":null}'
    assert spelled(text, "/a/0") == b"1.50"
    assert spelled(text, "/a/1") == b'"\\u00e9"'
    assert spelled(text, "/a/2/b") == b"12345678901234567890"
    assert spelled(text, "/a/2") == b'{"b":\n12345678901234567890}'
    assert spelled(text, "/c") == b"null"
    assert spelled(text, "") == text.encode()


def test_quotes_and_brackets_in_strings_are_no_structure() -> None:
    text = r'{"a\"]": "{\\", "b": "\\\"[", "c": "it'
    text += '\'s", "d": 5}'
    assert spelled(text, r"/a" + '"]') == rb'"{\\"'
    assert spelled(text, "/b") == rb'"\\\"["'
    assert spelled(text, "/d") == b"5"


def compare(document: JsonText, node: Node, expected: Any, text: bytes) -> None:
    """The tree below a node is what `json` makes of the text."""
    assert node.closed
    assert pairs(document.text(node)) == expected
    if not node.is_container:
        assert document.value(node) == expected
        assert not document.children(node)
        return
    children = document.children(node)
    assert len(children) == len(expected)
    edge = node.start + 1
    for index, (child, item) in enumerate(zip(children, expected, strict=True)):
        assert (child.parent, child.index) == (node, index)
        gap = text[edge : child.begin]
        assert gap.strip(b" \t\n\r") == (b"," if index else b"")
        if node.kind == "object":
            key, value = item
            assert document.key(child) == key
            assert json.loads(text[child.key_start : child.key_end]) == key
            assert text[child.key_end : child.start].strip(b" \t\n\r") == b":"
        else:
            value = item
            assert child.key_start is None
        compare(document, child, value, text)
        edge = child.end
    assert text[edge : node.end - 1].strip(b" \t\n\r") == b""


@given(JSON)
def test_spans_of_any_sound_text_cover_it_and_mean_what_json_says(text: bytes) -> None:
    document = JsonText(text)
    compare(document, document.root, pairs(text), text)
    assert document.problems == ()
    assert document.rest is None
    assert document.parsed == json.loads(text)
    assert not document.is_broken
    assert not [p for p in document.check() if p.flaw == "syntax"]


@given(JSON)
def test_every_node_has_a_pointer_that_leads_back_to_it(text: bytes) -> None:
    document = JsonText(text)
    found = nodes(document)
    pointers = [document.pointer(node) for node in found]
    assert len(set(pointers)) == len(pointers)
    for node, pointer in zip(found, pointers, strict=True):
        assert document.locate(pointer) is node
        if "~#" not in pointer:
            assert document.value(node) == resolve(document.parsed, pointer)


@given(JSON)
def test_every_byte_belongs_to_the_deepest_value_that_covers_it(text: bytes) -> None:
    document = JsonText(text)
    covering = [document.root] * len(text)
    for node in nodes(document):
        covering[node.begin : node.end] = [node] * (node.end - node.begin)
    assert [document.node_at(offset) for offset in range(len(text))] == covering


def test_a_repeated_key_is_named_by_its_ordinal() -> None:
    document = JsonText(b'{"a":1,"b":{"a":2},"a":3,"\\u0061":{"x":4}}')
    children = document.children(document.root)
    assert [document.pointer(c) for c in children] == ["/a~#1", "/b", "/a~#2", "/a"]
    assert document.locate("/a~#3") is document.locate("/a") is children[3]
    assert document.value(document.locate("/a~#1")) == 1
    assert document.pointer(document.locate("/b/a")) == "/b/a"
    assert document.maybe_locate("/a~#4") is None
    assert document.maybe_locate("/a~#1/x") is None
    assert document.named(document.root, "a") == (children[0], children[2], children[3])


@pytest.mark.parametrize(
    ("text", "pointer", "problem"),
    [
        (
            '{"messages":[{"role":"user"}]}',
            "/messages/1/content",
            "/messages has 1 element, there is no index 1",
        ),
        ('{"a":{"b":1}}', "/a/c", "/a has no key 'c'; it has 'b'"),
        ('{"a":"s"}', "/a/0", "/a is a string, nothing lies below it"),
        ('{"a":1,"a":2}', "/a~#3", "no such repetition of the key 'a'"),
        ("[1,", "/5", "(the text is broken: this value is never closed)"),
        ("", "/a", "the document is no JSON value, nothing lies below it"),
        ("[1]", "a", "must start with '/'"),
    ],
)
def test_a_pointer_to_nothing_says_how_far_it_got(
    text: str, pointer: str, problem: str
) -> None:
    document = JsonText(text.encode())
    with pytest.raises(PointerError) as caught:
        document.locate(pointer)
    assert problem in str(caught.value)
    assert document.maybe_locate(pointer) is None


def test_a_byte_order_mark_is_skipped_and_offsets_stay_true() -> None:
    raw = b'\xef\xbb\xbf {"a": 1}'
    document = JsonText(raw)
    node = document.locate("/a")
    assert raw[node.start : node.end] == b"1"
    assert document.parsed == {"a": 1}
    assert not document.is_broken
    assert document.flags == ("begins with a byte order mark",)


def test_bytes_that_are_not_utf8_survive_in_keys_and_values() -> None:
    document = JsonText(b'{"k\xff": "v\xfe"}')
    (child,) = document.children(document.root)
    assert document.key(child) == "k\udcff"
    assert document.value(child) == "v\udcfe"
    assert document.parsed == {"k\udcff": "v\udcfe"}
    assert document.text(document.locate(document.pointer(child))) == b'"v\xfe"'


def test_utf16_is_shown_through_a_utf8_copy_and_says_so() -> None:
    raw = '{"é": 1}'.encode("utf-16")
    document = JsonText(raw)
    assert document.parsed == {"é": 1}
    assert document.raw is raw
    assert document.data == '{"é": 1}'.encode()
    assert document.text(document.locate("/é")) == b"1"
    assert "UTF-8 copy" in document.flags[0]


def test_line_and_column_count_from_one() -> None:
    document = JsonText(b'{\n  "a": 1\n}')
    assert document.line_column(0) == (1, 1)
    assert document.line_column(4) == (2, 3)
    assert document.line_column(11) == (3, 1)


def test_a_value_is_a_copy_but_parsed_is_shared() -> None:
    document = JsonText(b'{"a": [1]}')
    document.value(document.root)["a"].append(2)
    assert document.value(document.root) == {"a": [1]}
    assert document.parsed is document.parsed


# --- Broken text ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        ("", None),
        (" \n", None),
        ("hello world", None),
        ("<html>", None),
        ('{"a": 1', {"a": 1}),
        ('{"a": [1, 2, "thr', {"a": [1, 2, "thr"]}),
        ('{"a": 1, "b', {"a": 1}),
        ('{"a": 1, "b"', {"a": 1}),
        ('{"a": 1, "b":', {"a": 1}),
        ('{"a": 1,', {"a": 1}),
        ('{"a": tru', {"a": "tru"}),
        ('{"a": 1} trailing', {"a": 1}),
        ('{"a": 1}{"b": 2}', {"a": 1}),
        ('{"a": {"x": 1 "y": 2}, "b": 3}', {"a": {"x": 1, "y": 2}, "b": 3}),
        ('{"a" 1, "b": 2}', {"a": 1, "b": 2}),
        ('{"a" "b": 2}', {"b": 2}),
        ("{'a': 'it\\'s', \"b\": 2}", {"a": "it's", "b": 2}),
        ("{a: 1, b: [x]}", {"a": 1, "b": ["x"]}),
        ("[1,,2,]", [1, 2]),
        ("[,]", []),
        ('{"a": 1, 5, "b": 2}', {"a": 1, "b": 2}),
        ('{"a": 1, [5], "b": 2}', {"a": 1, "b": 2}),
        ('{: 1, "b": 2}', {"": 1, "b": 2}),
        ('{"a":: 1}', {"a": 1}),
        ("[1 2]", [1, 2]),
        ("[01, .5, +1, 0x1]", ["01", ".5", "+1", "0x1"]),
        ("[undefined, None]", ["undefined", "None"]),
        ("[NaN]", pytest.approx([float("nan")], nan_ok=True)),
        ("[\"don't\", don't, 1]", ["don't", "don't", 1]),
        ('{"a": [1, 2}, "b": 3}', {"a": [1, 2]}),
        ('{"x": {"a": [1}, "b": 2}', {"x": {"a": [1]}, "b": 2}),
        ("[1}, 2]", [1, "}", 2]),
        ('["\\q\\u12", "\t"]', ["\\q\\u12", "\t"]),
        ('["ab\\"', ['ab"']),
    ],
)
def test_broken_text_is_read_as_far_as_it_makes_sense(
    text: str, parsed: object
) -> None:
    document = JsonText(text.encode())
    assert document.parsed == parsed
    assert document.is_broken
    assert [p for p in document.check() if p.flaw == "syntax"]


def test_text_behind_the_document_is_kept_as_a_broken_node() -> None:
    document = JsonText(b'{"a": 1} {"b": 2}\n')
    assert document.rest is not None
    assert document.rest.kind == "broken"
    assert document.text(document.rest) == b'{"b": 2}'
    assert document.problems == ((9, "text after the end of the document"),)
    assert JsonText(b"{} ").rest is None


def test_what_is_cut_off_is_not_closed() -> None:
    document = JsonText(b'{"a": {"b": ["x", "yz')
    for pointer in ("", "/a", "/a/b", "/a/b/1"):
        assert not document.locate(pointer).closed
    assert document.locate("/a/b/0").closed
    assert spelled(document.raw, "/a/b/1") == b'"yz'


def test_a_member_without_value_is_an_empty_broken_node() -> None:
    document = JsonText(b'{"a": , "b" }')
    for key in ("a", "b"):
        node = document.locate(f"/{key}")
        assert (node.kind, node.start) == ("broken", node.end)


@given(ANYTHING)
def test_any_bytes_give_nested_ordered_spans_and_never_raise(text: bytes) -> None:
    document = JsonText(text)
    size = len(document.data)
    for node in nodes(document):
        assert 0 <= node.begin <= node.start <= node.end <= size
        assert document.locate(document.pointer(node)) is node
        document.value(node)
        edge = node.start + node.is_container
        for child in document.children(node):
            assert edge <= child.begin <= max(child.key_end or 0, child.start)
            edge = max(child.end, child.key_end or 0)
        assert edge <= node.end
    for offset in range(0, size + 2, 3):
        document.locate(document.pointer_at(offset))
    for problem in document.check():
        assert document.locate(problem.pointer)
        assert str(problem)
    json.dumps(document.parsed)


@given(ANYTHING)
def test_broken_is_what_a_strict_reader_refuses(text: bytes) -> None:
    def refuse(constant: str) -> None:
        raise ValueError(constant)

    document = JsonText(text)
    try:
        value = json.loads(document.characters, parse_constant=refuse)
    except ValueError:
        assert document.is_broken
    else:
        assert not document.is_broken
        assert document.parsed == value
    syntax = [p for p in document.check() if p.flaw == "syntax"]
    assert bool(syntax) == document.is_broken


@given(CONTAINERS.map(str.encode), st.data())
def test_the_values_before_a_cut_are_those_of_the_whole(
    text: bytes, data: st.DataObject
) -> None:
    cut = data.draw(st.integers(1, len(text) - 1))
    whole, torn = JsonText(text), JsonText(text[:cut])
    for node in nodes(whole):
        if node.end < cut:
            same = torn.node_at(node.start)
            assert (same.kind, same.start, same.end) == (
                node.kind,
                node.start,
                node.end,
            )
    assert torn.is_broken


def test_thousands_of_open_brackets_neither_overflow_nor_loop() -> None:
    size = 10_000
    document = JsonText(b"[" * size + b"]" * size)
    assert len(document.pointer_at(size - 1)) == 2 * (size - 1)
    assert not document.is_broken
    assert document.is_cut
    json.dumps(document.parsed)
    for torn in (b"[" * size, b'{"a":' * size, b"[" * size + b"}" * size):
        assert JsonText(torn).is_broken
        assert JsonText(torn).is_cut
        assert JsonText(torn).check()


def test_digits_beyond_the_limit_of_int_are_no_error() -> None:
    document = JsonText(b"[" + b"9" * 5000 + b"]")
    assert document.parsed == [float("inf")]
    assert not document.is_broken
    assert document.value(document.locate("/0")) == float("inf")


@given(JSON, st.binary(max_size=12), st.data())
def test_a_text_that_begins_like_another_has_the_spans_it_would_have_alone(
    text: bytes, news: bytes, data: st.DataObject
) -> None:
    cut = data.draw(st.integers(0, len(text)))
    kept = data.draw(st.integers(cut, len(text)))
    before, other = JsonText(text), text[:cut] + news + text[kept:]
    nodes(before)
    like, shared = JsonText(other), cut
    spans = before.spans
    assert spans is not None
    if before.data[:cut] == like.data[:cut]:
        like.begin_like(spans, shared)
    alone = JsonText(other)
    assert [*map(spot, nodes(like))] == [*map(spot, nodes(alone))]
    assert like.problems == alone.problems


def spot(node: Node) -> tuple[object, ...]:
    key = node.key_start, node.key_end
    return (node.kind, node.start, node.end, node.closed, node.index, *key)


def test_of_a_text_that_goes_on_only_what_is_new_is_looked_through(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    messages = [{"n": n, "parts": [{"a": [[n]]}, {"b": "]"}]} for n in range(200)]
    first, second = (
        json.dumps({"id": 1, "messages": some, "end": []}).encode()
        for some in (messages[:-1], messages)
    )
    before = JsonText(first)
    before.node_at(len(first) // 2)
    shared = len(first) - len('], "end": []}')
    assert first[:shared] == second[:shared]
    passed: list[int] = []
    skip, remember = Scanner.skip, Scanner._remember

    def skipped(scanner: Scanner, start: int, stop: int) -> tuple[int, bool]:
        passed.append(start)
        return skip(scanner, start, stop)

    def remembered(scanner: Scanner, start: int, end: int, *, closed: bool) -> None:
        passed.append(start)
        remember(scanner, start, end, closed=closed)

    monkeypatch.setattr(Scanner, "skip", skipped)
    monkeypatch.setattr(Scanner, "_remember", remembered)
    text = JsonText(second)
    assert before.spans
    text.begin_like(before.spans, shared)
    assert (
        text.pointer(text.node_at(second.rindex(b'"b"'))) == "/messages/199/parts/1/b"
    )
    assert len(passed) <= 25


def test_a_text_may_begin_like_another_at_any_depth() -> None:
    depth = 5000
    first = b'{"a":' * depth + b'"here"' + b"}" * depth
    before = JsonText(first)
    place = first.index(b"here")
    before.node_at(place)
    assert before.spans
    text = JsonText(first[:-1] + b',"b":1}')
    text.begin_like(before.spans, len(first) - 1)
    assert text.pointer(text.node_at(place)) == "/a" * depth


def test_a_broken_text_is_no_help_to_another() -> None:
    broken = JsonText(b"[1, 2,,]")
    assert broken.spans is None
    nodes(broken)
    assert broken.spans is None
