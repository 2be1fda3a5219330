"""A JSON document that the screen and a reading thread share.

The first look at a large container takes a pass over its text. `warm` takes these looks
one by one in a thread; the screen draws what is known and asks for the rest only when
the user unfolds it. Small containers are read when they are drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from threading import RLock
from typing import Any

from sigscope.jsontext import JsonText, Node

LARGE = 128 * 1024
"""Bytes from which on a container is left to the thread: reading less takes about a
millisecond."""

_MOST_NAMED = 20_000
"""Members of an object that is looked through for repeated keys."""


class JsonSource:
    """A document, safe to use from the screen while `warm` runs in a thread.

    Two threads that read the same container would make its nodes twice, and nodes are
    known by identity. The thread reads large ones only, so only these are guarded, and
    what is known already is never waited for.
    """

    def __init__(self, document: JsonText) -> None:
        self.document = document
        self._lock = RLock()
        self._root: Node | None = None
        self._known: set[Node] = set()
        self._lengths: dict[Node, int | None] = {}

    @property
    def data(self) -> bytes:
        """The text that offsets refer to."""
        return self.document.data

    @property
    def is_large(self) -> bool:
        """Whether the first look is left to the thread."""
        return len(self.document.raw) > LARGE

    def warm(self) -> Iterator[float]:
        """Take the first looks; yields the share that is done. For a thread."""
        root = self.root
        total = max(1, root.end - root.start)
        queue = [root]
        done = 0
        while queue:
            node = queue.pop(0)
            children = self.children(node)
            large = [n for n in children if n.is_container and is_large(n)]
            done += node.end - node.start - sum(n.end - n.start for n in large)
            queue += large
            yield min(1.0, done / total)

    @property
    def root(self) -> Node:
        """The outermost value."""
        if self._root is None:
            with self._lock:
                self._root = self.document.root
        return self._root

    def children(self, node: Node) -> tuple[Node, ...]:
        """Members or elements; may take a while for a large container."""
        if self.is_known(node):
            return self.document.children(node)
        with self._lock:
            found = self.document.children(node)
        self._known.add(node)
        return found

    def is_known(self, node: Node) -> bool:
        """Whether the children can be had at once."""
        return not is_large(node) or node in self._known

    def count(self, node: Node) -> int | None:
        """How many children; None where that is not known yet."""
        return len(self.children(node)) if self.is_known(node) else None

    def key(self, node: Node) -> str:
        """The name of an object member."""
        return self.document.key(node)

    def text(self, node: Node) -> bytes:
        """A value as it is spelled."""
        return self.document.text(node)

    def value(self, node: Node) -> Any:
        """What a value means."""
        return self.document.value(node)

    def length(self, node: Node) -> int | None:
        """Code points of a string; None for anything else. Counted once."""
        if node not in self._lengths:
            value = self.value(node)
            self._lengths[node] = len(value) if isinstance(value, str) else None
        return self._lengths[node]

    def pointer(self, node: Node) -> str:
        return self.document.pointer(node)

    def maybe_locate(self, pointer: str) -> Node | None:
        """The value a pointer names, or None."""
        with self._lock:
            return self.document.maybe_locate(pointer)

    def node_at(self, offset: int) -> Node:
        """The deepest value that covers a byte."""
        with self._lock:
            return self.document.node_at(offset)

    def member(self, node: Node, key: str) -> Node | None:
        """The last member of that name, of an object that is known."""
        if node.kind != "object" or not self.is_known(node):
            return None
        found = self.document.named(node, key)
        return found[-1] if found else None

    def twins(self, node: Node) -> tuple[int, int]:
        """Which of how many equal keys this member has; (1, 1) for a single one."""
        above = node.parent
        if above is None or above.kind != "object" or not self.is_known(above):
            return 1, 1
        if len(self.children(above)) > _MOST_NAMED:
            return 1, 1
        equals = self.document.named(above, self.document.key(node))
        for nth, twin in enumerate(equals, start=1):
            if twin.index == node.index:
                return nth, len(equals)
        return 1, 1

    def complaint(self, node: Node) -> str:
        """What is wrong with the text of a value itself, its children left out."""
        if not self.document.problems:
            return ""
        begin = min(node.begin, node.start)
        if node.is_container:
            last = node.start + 1
            closer = node.end - 1 if node.closed else -1
        else:
            last, closer = max(node.end, begin + 1), -1
        for offset, message in self.document.problems:
            if begin <= offset < last or offset == closer:
                return message
        return ""


def is_large(node: Node) -> bool:
    """Whether reading the children takes more than a moment."""
    return node.end - node.start > LARGE
