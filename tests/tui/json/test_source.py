"""A document shared with a reading thread."""

from __future__ import annotations

import json
from threading import Thread

from sigscope.jsontext import JsonText
from sigscope.tui.json.source import LARGE, JsonSource

LONG = "x" * LARGE


def source_of(value: object) -> JsonSource:
    return JsonSource(JsonText(json.dumps(value).encode()))


def test_children_of_a_large_container_are_not_known_until_they_are_read() -> None:
    source = source_of({"messages": [LONG, LONG], "n": 1})
    assert not source.is_known(source.root)
    assert source.count(source.root) is None
    messages = source.children(source.root)[0]
    assert source.count(source.root) == 2
    assert source.count(messages) is None


def test_warming_reads_every_large_container_and_ends_at_one() -> None:
    source = source_of({"a": [{"b": LONG}, 1], "c": {"d": [LONG]}, "e": [1, 2]})
    shares = list(source.warm())
    assert shares[-1] == 1.0
    assert shares == sorted(shares)
    queue = [source.root]
    while queue:
        node = queue.pop()
        assert source.is_known(node)
        queue += [child for child in source.children(node) if child.is_container]


def test_two_threads_see_the_same_nodes() -> None:
    source = source_of({"a": [[LONG, n] for n in range(20)]})
    thread = Thread(target=lambda: list(source.warm()))
    thread.start()
    mine = [source.children(source.root)]
    mine += [source.children(node) for node in mine[0]]
    thread.join()
    assert source.children(source.root) is mine[0]
    assert source.maybe_locate("/a/3") is mine[1][3]


def test_equal_keys_know_their_number() -> None:
    source = JsonSource(JsonText(b'{"a": 1, "b": 2, "a": 3}'))
    one, other, last = source.children(source.root)
    assert source.twins(one) == (1, 2)
    assert source.twins(other) == (1, 1)
    assert source.twins(last) == (2, 2)


def test_a_complaint_is_told_at_the_value_it_is_about() -> None:
    source = JsonSource(JsonText(b'{"a": nul, "b": [1, 2], "c": {"d": tru}}'))
    found = {source.key(n): source.complaint(n) for n in source.children(source.root)}
    assert "'nul'" in found["a"]
    assert found["b"] == ""
    assert found["c"] == ""


def test_the_length_of_a_string_counts_characters() -> None:
    source = source_of({"a": "h\u00e9\n\U0001f642"})
    assert source.length(source.children(source.root)[0]) == 4
    assert source.length(source.root) is None
