"""A JSON document as its bytes, with the places of its values."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import repeat
from typing import Any

from sigscope import pointer as pointers
from sigscope.errors import PointerError
from sigscope.jsontext.builder import build, build_text
from sigscope.jsontext.checker import check
from sigscope.jsontext.encodings import Encoding, detect
from sigscope.jsontext.grammar import CLOSERS, OPENER_OF, OPENERS, SKIP_SPACE, mask
from sigscope.jsontext.nodes import JsonProblem, Kind, Node
from sigscope.jsontext.origin import TextOrigin
from sigscope.jsontext.repeats import Parsed, Repeats
from sigscope.jsontext.scan import Complain, Scanner
from sigscope.jsontext.soundness import is_sound
from sigscope.jsontext.values import decode_text, read_scalar, read_string, read_text

MOST_PROBLEMS = 1000
"""A text that is not JSON at all has a problem every few bytes; more help nobody."""


_LONG_KEY = 1000
"""Bytes from which on a key with escapes is kept once it is read."""


class JsonSpans:
    """Where the values of a sound text stand, as far as anybody looked."""

    def __init__(self, root: Node, children: Mapping[Node, Sequence[Node]]) -> None:
        self._root = root
        self._children = children

    def beginning(self, twin: Node, stop: int) -> Sequence[Node]:
        """What a container has up to the child in which another text goes on
        otherwise: up to `stop` the bytes of both are the same."""
        found = self._children.get(twin, ())
        return found[: bisect_left(found, stop, key=lambda child: child.begin)]

    def last_in(self, node: Node, shared: int) -> int | None:
        """Where the last child of a container begins that another text has, too."""
        found = self._children.get(node, ())
        count = bisect_left(found, shared, key=lambda child: child.begin)
        return found[count - 1].begin if count else None

    def twin(self, node: Node, above: Node | None) -> Node | None:
        """The container that stands here where one stands in another text. `above`:
        the one around it here; None for the outermost."""
        twin: Node | None = self._root
        if above is not None:
            around = self._children.get(above, ())
            twin = around[node.index] if node.index < len(around) else None
        if twin is None or (twin.kind, twin.begin, twin.start) != (
            node.kind,
            node.begin,
            node.start,
        ):
            return None
        return twin


class JsonText:
    """JSON text: where each value stands, and what it means. Lazy; never changes.

    Any bytes will do. Broken text is read as far as it makes sense, `problems` and
    `check` tell where it does not. Making one costs nothing; the first look at a
    container costs a pass over its text, about 0.02 s for 1 MB of small objects and
    a tenth of that for long strings.
    """

    __slots__ = (
        "_by_key",
        "_checked",
        "_children",
        "_encoding",
        "_keys",
        "_like",
        "_load",
        "_noted",
        "_origin",
        "_parsed",
        "_raw",
        "_repeats",
        "_rest",
        "_root",
        "_scanner",
        "_split",
        "_twins",
        "_utf8",
    )

    def __init__(
        self,
        raw: bytes | Callable[[], bytes],
        repeats: Repeats | None = None,
        origin: TextOrigin | None = None,
    ) -> None:
        """`repeats`: other texts, with which `parsed` shares what they repeat.
        `origin`: what is known of the text without looking at it; its bytes may be
        loaded when they are."""
        self._repeats = repeats
        self._origin = origin
        self._split: Parsed | None = None
        self._raw = None if callable(raw) else raw
        self._load = raw if callable(raw) else None
        self._encoding: Encoding | None = None
        self._utf8: bytes | None = None
        self._scanner: Scanner | None = None
        self._root: Node | None = None
        self._rest: Node | None = None
        self._children: dict[Node, tuple[Node, ...]] = {}
        self._keys: dict[Node, str] = {}
        self._by_key: dict[Node, dict[str, list[Node]]] = {}
        self._like: tuple[JsonSpans, int] | None = None
        self._twins: dict[Node, Node] = {}
        """Containers of the text that it begins like, by the ones here."""
        self._noted: dict[tuple[int, str], None] = {}
        self._parsed: tuple[Any, bool, bool] | None = None
        self._checked: tuple[JsonProblem, ...] | None = None

    # --- The text --------------------------------------------------------------------

    @property
    def raw(self) -> bytes:
        """The bytes as given."""
        if self._raw is None:
            assert self._load is not None
            self._raw = self._load()
        return self._raw

    @property
    def is_blank(self) -> bool:
        """Whether there is nothing but white space."""
        if self._raw is None and self._parse()[0] is not None:
            return False
        return not self.raw.strip()

    @property
    def encoding(self) -> Encoding:
        """How the bytes spell characters; UTF-8 unless they show otherwise."""
        if self._encoding is None:
            self._encoding = detect(self.raw)
        return self._encoding

    @property
    def data(self) -> bytes:
        """The text that all offsets refer to: `raw` itself, but for UTF-16 and UTF-32
        a UTF-8 copy (`flags` says so)."""
        if self._utf8 is None:
            encoding = self.encoding
            self._utf8 = self.raw if encoding.is_utf8 else encoding.to_utf8(self.raw)
        return self._utf8

    @property
    def flags(self) -> tuple[str, ...]:
        """What is unusual about the text as a whole, in words."""
        encoding = self.encoding
        if not encoding.is_utf8:
            name = encoding.codec.upper()
            return (f"{name}: offsets refer to a UTF-8 copy of the text",)
        return ("begins with a byte order mark",) if encoding.bom else ()

    @property
    def characters(self) -> str:
        """The text decoded, without byte order mark. Bytes that are not UTF-8 become
        lone surrogates U+DC80 to U+DCFF."""
        bom = self.encoding.bom if self.encoding.is_utf8 else b""
        return decode_text(self.data[len(bom) :])

    def text(self, node: Node) -> bytes:
        """A value as it is spelled."""
        return self.data[node.start : node.end]

    # --- The tree --------------------------------------------------------------------

    @property
    def scanner(self) -> Scanner:
        """Reads levels of this text without keeping them."""
        if self._scanner is None:
            self._scanner = Scanner(mask(self.data))
        return self._scanner

    @property
    def root(self) -> Node:
        """The outermost value; `broken` and empty where there is none."""
        if self._root is None:
            self._root = self._find_root()
        return self._root

    @property
    def rest(self) -> Node | None:
        """What stands behind the outermost value though nothing should."""
        _ = self.root
        return self._rest

    def begin_like(self, other: JsonSpans, shared: int) -> None:
        """So many bytes of `data` are those of another text: what is known to stand
        there is not looked for again. To be told before the first look."""
        self._like = other, shared

    @property
    def spans(self) -> JsonSpans | None:
        """What is known of it by now, without its bytes; None where it is broken."""
        if self._noted or self._root is None:
            return None
        return JsonSpans(self._root, self._children)

    def _find_root(self) -> Node:
        masked = self.scanner.masked
        size = len(masked)
        bom = self.encoding.bom if self.encoding.is_utf8 else b""
        start = self._past_space(len(bom))
        if start >= size:
            self.note(start, "there is no JSON value in this text")
            return Node("broken", start, size, False, None, 0)
        last = len(masked.rstrip(b" \t\n\r"))
        root = self._assume_whole(start, last)
        if root is not None:
            return root
        span = self.scanner.value(start, size, self.note)
        rest = self._past_space(span.end)
        if rest < size:
            self.note(rest, "text after the end of the document")
            self._rest = Node("broken", rest, last, True, None, 1)
        return Node(*span, None, 0)

    def _assume_whole(self, start: int, last: int) -> Node | None:
        """The root, if it goes from the first bracket to the last; else None.

        Spares the pass that would look for its end: reading its children finds out.
        """
        masked = self.scanner.masked
        first, closer = masked[start], masked[last - 1]
        if first not in OPENERS or closer not in CLOSERS or OPENER_OF[closer] != first:
            return None
        kind: Kind = "array" if first == 0x5B else "object"
        root = Node(kind, start, last, True, None, 0)
        found: list[tuple[int, str]] = []

        def complain(offset: int, message: str) -> None:
            if len(found) < MOST_PROBLEMS:
                found.append((offset, message))

        children = self._scanned(root, complain)
        if found and self.scanner.skip(start, len(masked)) != (last, True):
            return None
        self._noted.update(dict.fromkeys(found))
        self._children[root] = tuple(children)
        return root

    def _past_space(self, at: int) -> int:
        match = SKIP_SPACE.match(self.scanner.masked, at)
        return match.end() if match else at

    def children(self, node: Node) -> tuple[Node, ...]:
        """Members or elements, in the order of the text; () for anything else."""
        found = self._children.get(node)
        if found is None:
            found = tuple(self._scanned(node, self.note))
            if node.is_container:
                self._children[node] = found
        return found

    def _scanned(self, node: Node, complain: Complain) -> list[Node]:
        known: Sequence[Node] = ()
        if self._like is not None:
            other, shared = self._like
            above = self._twins.get(node.parent) if node.parent else None
            twin = None
            if above is not None or node.parent is None:
                twin = other.twin(node, above)
            if twin is not None:
                self._twins[node] = twin
                known = other.beginning(twin, min(shared, node.end))
            if known and (at := other.last_in(known[-1], shared)) is not None:
                self.scanner.enter(known[-1].start, at)
        return self.scanner.children(node, complain, known)

    def key(self, node: Node) -> str:
        """The name of an object member; "" outside objects."""
        start, end = node.key_start, node.key_end
        if start is None:
            return ""
        literal = self.data[start:end]
        if literal[:1] == b'"' and b"\\" not in literal and node.closed:
            return decode_text(literal[1:-1])
        if len(literal) < _LONG_KEY:
            return read_string(literal)
        if node not in self._keys:
            self._keys[node] = read_string(literal)
        return self._keys[node]

    def named(self, node: Node, key: str) -> tuple[Node, ...]:
        """All members of that name; more than one where the key is repeated."""
        index = self._by_key.get(node)
        if index is None:
            index = {}
            for child in self.children(node) if node.kind == "object" else ():
                index.setdefault(self.key(child), []).append(child)
            self._by_key[node] = index
        return tuple(index.get(str(key), ()))

    def levels(
        self, enter: Callable[[Node, int], bool] = lambda *_: True
    ) -> Iterator[Sequence[Node]]:
        """The root alone, then the children of each container, outer ones first.

        Keeps nothing in memory but the way down: for passes over everything. Passes
        by the containers which `enter` refuses; it is told how many are around each.
        """
        top = (self.root,)
        yield top
        ways: list[Iterator[Node]] = [iter(top)]
        while ways:
            around = len(ways) - 1
            node = next(
                (n for n in ways[-1] if n.is_container and enter(n, around)), None
            )
            if node is None:
                ways.pop()
                continue
            children = self.level(node)
            yield children
            ways.append(iter(children))

    def level(self, node: Node) -> Sequence[Node]:
        """Like `children`, but not kept: for a single pass over everything."""
        kept = self._children.get(node)
        return self.scanner.children(node, self.note) if kept is None else kept

    # --- Pointers --------------------------------------------------------------------

    def locate(self, pointer: str) -> Node:
        """The value a pointer names. PointerError says how far it got."""
        here = self.root
        segments = pointers.parse(pointer)
        for depth, segment in enumerate(segments):
            below = self._below(here, segment)
            if below is None:
                found = pointers.format_pointer(segments[:depth])
                raise PointerError(pointer, self._missing(here, segment, found))
            here = below
        return here

    def maybe_locate(self, pointer: str) -> Node | None:
        """The value a pointer names, or None. A malformed pointer names nothing."""
        try:
            return self.locate(pointer)
        except PointerError:
            return None

    def _below(self, node: Node, segment: str) -> Node | None:
        if node.kind == "object":
            equals = self.named(node, segment)
            nth = segment.ordinal if isinstance(segment, pointers.Nth) else len(equals)
            return equals[nth - 1] if 0 < nth <= len(equals) else None
        if node.kind == "array":
            index = pointers.index_of(segment)
            children = self.children(node)
            if index is not None and index < len(children):
                return children[index]
        return None

    def _missing(self, node: Node, segment: str, found: str) -> str:
        children = self.children(node)
        keys = [self.key(c) for c in children] if node.kind == "object" else None
        why = pointers.not_found(
            found, segment, node.kind, keys=keys, length=len(children)
        )
        if node.is_container and not node.closed:
            why += " (the text is broken: this value is never closed)"
        return why

    def pointer(self, node: Node) -> str:
        """The pointer that `locate` takes to this node."""
        segments: list[str | int] = []
        here: Node | None = node
        while here is not None and here.parent is not None:
            segments.append(self._segment(here, here.parent))
            here = here.parent
        return pointers.format_pointer(reversed(segments))

    def _segment(self, node: Node, parent: Node) -> str | int:
        if parent.kind == "array":
            return node.index
        key = self.key(node)
        equals = self.named(parent, key)
        for nth, twin in enumerate(equals[:-1], start=1):
            if twin.index == node.index:
                return pointers.Nth(key, nth)
        return key

    def node_at(self, offset: int, levels: int | None = None) -> Node:
        """The deepest value that covers a byte; a member includes its key. White
        space and commas belong to the container, the outermost included.

        With `levels`, one in no more containers than these."""
        here = self.root
        for _ in repeat(None) if levels is None else repeat(None, levels):
            children = self.children(here)
            at = bisect_right(children, offset, key=lambda child: child.begin) - 1
            if at < 0 or offset >= children[at].end:
                break
            here = children[at]
        return here

    def pointer_at(self, offset: int) -> str:
        """The pointer of the deepest value that covers a byte."""
        return self.pointer(self.node_at(offset))

    # --- Values ----------------------------------------------------------------------

    def value(self, node: Node) -> Any:
        """What a value means. Not shared: change it as you like."""
        if not node.is_container:
            return read_scalar(node.kind, self.text(node))
        return build_text(self, node)

    @property
    def parsed(self) -> Any:
        """The whole document as `json.loads` gives it, parsed once and shared, with
        texts that repeat it too: do not change it.

        Never raises. Broken text gives what makes sense of it; None if nothing does.
        """
        return self._parse()[0]

    @property
    def news(self) -> int:
        """How much of it no earlier text had, in characters, or bytes; all of it where
        that is not known."""
        self._parse()
        return len(self.raw) if self._split is None else self._split.news

    @property
    def is_broken(self) -> bool:
        """Whether the text is not JSON by the grammar of RFC 8259."""
        return self._parse()[2]

    @property
    def is_cut(self) -> bool:
        """Whether `parsed` leaves out what is nested too deep."""
        return self._parse()[1]

    def _parse(self) -> tuple[Any, bool, bool]:
        if self._parsed is None:
            self._parsed = self._parse_now()
        return self._parsed

    def may_hold(self, text: str) -> bool:
        """Whether a string may occur somewhere in the text. False is certain; quick
        where most of it is a repetition."""
        self._parse()
        return self._split is None or self._split.may_hold(text)

    @property
    def longest_run(self) -> int:
        """At most so many characters has a stretch of what signatures are made of."""
        self._parse()
        return len(self.raw) if self._split is None else self._split.longest_run

    def news_since(self, before: JsonText, least: int) -> str | None:
        """The stretches of what signatures are made of, a line each, in what this text
        says beyond an earlier one. `least`: characters of the shortest that is asked
        for. None: not known."""
        self._parse()
        before._parse()
        if self._split is None or before._split is None:
            return None
        return self._split.news_since(before._split, least)

    def news_text(self, before: JsonText) -> str | None:
        """What this text says beyond an earlier one: each stretch that begins and ends
        with a brace, and all between them. None: not known."""
        self._parse()
        before._parse()
        if self._split is None or before._split is None:
            return None
        return self._split.news_text(before._split)

    def _parse_now(self) -> tuple[Any, bool, bool]:
        if self._repeats is not None:
            self._split = self._read_shared(self._repeats)
            if self._split is not None:
                return self._split.value, False, False
        try:
            value, strict = read_text(self.characters)
        except ValueError:
            return *build(self, self.root), True
        except RecursionError:
            return *build(self, self.root), not is_sound(self.characters)
        return value, False, not strict

    def _read_shared(self, repeats: Repeats) -> Parsed | None:
        origin = self._origin
        if origin is None:
            return repeats.read(self.characters)
        found = repeats.read_on(origin)
        if found is not None:
            return found
        is_plain = self.encoding.is_utf8 and not self.encoding.bom
        return repeats.read(self.characters, origin.name if is_plain else None)

    # --- What is wrong with it -------------------------------------------------------

    @property
    def problems(self) -> tuple[tuple[int, str], ...]:
        """Offset and description of what was found wrong with the text so far."""
        return tuple(sorted(self._noted))

    def check(self) -> tuple[JsonProblem, ...]:
        """All that a reader may stumble over. A pass over the whole text, made once."""
        if self._checked is None:
            self._checked = check(self)
        return self._checked

    def line_column(self, offset: int) -> tuple[int, int]:
        """Line and column of a byte, both from 1; columns count bytes."""
        before = self.data.rfind(b"\n", 0, offset)
        return self.data.count(b"\n", 0, offset) + 1, offset - before

    def note(self, offset: int, message: str) -> None:
        """Remember a problem; the same one counts once."""
        if len(self._noted) < MOST_PROBLEMS:
            self._noted[offset, message] = None
