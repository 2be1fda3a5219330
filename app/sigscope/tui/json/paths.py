"""From what somebody types to the pointers it may mean. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from sigscope import pointer as pointers
from sigscope.jsontext import Node
from sigscope.tui.json.source import JsonSource
from sigscope.utf8 import readable

_MOST_KEYS = 20_000
"""Keys looked at for a bare name."""

_SEPARATORS = re.compile(r"[/\s.\[\]]+")
_MOST_WAYS = 200


def candidates(source: JsonSource, text: str, most: int) -> list[str]:
    """Pointers, the likeliest first: the exact one; then, word by word from the top,
    members whose names are like the words ("mes 2 cont"); then fields anywhere whose
    names are like the last word."""
    text = text.strip()
    found: dict[str, None] = {}
    exact = source.maybe_locate(text) if not text or text.startswith("/") else None
    if exact is not None:
        found[source.pointer(exact)] = None
    words = [word for word in _SEPARATORS.split(text) if word]
    if words:
        for node in _below_top(source, words):
            found.setdefault(source.pointer(node))
            if len(found) >= most:
                break
        if len(found) < most:
            for node in _anywhere(source, words):
                found.setdefault(source.pointer(node))
                if len(found) >= most:
                    break
    return list(found)[:most]


def among(offered: Iterable[str], text: str) -> list[str]:
    """Of some pointers those that a text may mean: the exact one, then those whose
    last name is like the last word and that hold the other words, the likest first."""
    text = text.strip()
    *before, last = [word for word in _SEPARATORS.split(text) if word] or [""]
    found: list[tuple[int, str]] = []
    for pointer in offered:
        likeness = like(last, _last(pointer)) if last else None
        if pointer == text:
            found.append((-1, pointer))
        elif likeness is not None and all(
            word.lower() in pointer.lower() for word in before
        ):
            found.append((likeness, pointer))
    return [pointer for _, pointer in sorted(found, key=lambda way: way[0])]


def _last(pointer: str) -> str:
    """The name at the end of a pointer."""
    return (pointers.parse(pointer) or ("",))[-1]


def merged(nodes: list[str], others: list[str], text: str) -> list[str]:
    """Two lists of candidates as one: what bears the very name comes first."""
    last = _SEPARATORS.split(text.strip())[-1].lower()

    def is_like(pointer: str) -> bool:
        return _last(pointer).lower() != last

    return list(dict.fromkeys(sorted([*nodes, *others], key=is_like)))


def _below_top(source: JsonSource, words: list[str]) -> list[Node]:
    """Nodes reached from the root, a word a level, best matches first."""
    level: list[tuple[int, Node]] = [(0, source.root)]
    for word in words:
        following: list[tuple[int, Node]] = []
        for cost, node in level:
            for child in _children(source, node, word):
                likeness = like(word, _name(source, child))
                if likeness is not None:
                    following.append((cost + likeness, child))
        following.sort(key=lambda way: way[0])
        level = following[:_MOST_WAYS]
    return [node for _, node in level]


def _children(source: JsonSource, node: Node, word: str) -> tuple[Node, ...]:
    if not node.is_container:
        return ()
    children = source.children(node)
    if node.kind == "array":
        if not word.isdigit():
            return ()
        return children[int(word) : int(word) + 1] if len(word) < 10 else ()
    return children


def _name(source: JsonSource, node: Node) -> str:
    if node.parent is not None and node.parent.kind == "array":
        return str(node.index)
    return source.key(node)


def _anywhere(source: JsonSource, words: list[str]) -> Iterator[Node]:
    """Members whose key is like the last word and whose path holds the others, the
    likest first."""
    *before, last = words
    found: list[tuple[int, int]] = []
    for count, match in enumerate(_KEY.finditer(source.data)):
        if count >= _MOST_KEYS:
            break
        likeness = like(last, readable(match[1]))
        if likeness is not None:
            found.append((likeness, match.start()))
    for _, offset in sorted(found)[:_MOST_WAYS]:
        node = source.node_at(offset)
        if node.key_start is None:
            continue
        pointer = source.pointer(node).lower()
        if all(word.lower() in pointer for word in before):
            yield node


_KEY = re.compile(rb'"((?:[^"\\]|\\.){1,80})"[ \t\r\n]*:')


def like(word: str, name: str) -> int | None:
    """How far a word is from a name: 0 the same, then its beginning, its middle, its
    letters in order; None if it is none of these."""
    one, other = word.lower(), name.lower()
    if one == other:
        return 0
    if other.startswith(one):
        return 1
    if one in other:
        return 2
    letters = iter(other)
    return 3 if all(letter in letters for letter in one) else None
