"""Two JSON documents as one tree of what is the same, gone, new or changed. Pure.

Elements of arrays are paired as edits pair them: equal ones first, then what names the
same thing, then what looks alike. White space is no difference; another spelling of the
same value (key order, escapes, `1.0` for `1`) is one of its own kind.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from difflib import SequenceMatcher
from itertools import chain, groupby
from typing import Any, Literal

from sigscope.characters import first_difference
from sigscope.edits.partners import follow, pair_elements, pair_members
from sigscope.jsontext import Node
from sigscope.jsontext.meaning import meaning
from sigscope.records import dataclass
from sigscope.tui.json.outline import Growth, Level, Outline, Spot
from sigscope.tui.json.source import JsonSource

Op = Literal["same", "removed", "added", "changed", "inside", "spelled"]
"""`changed`: another value in the same place. `inside`: a container in which something
differs. `spelled`: the same value in other characters."""

_MOST_COMPARED = 4 * 1024 * 1024
"""Bytes of a value up to which it is looked at whether it means the same."""

_MOST_LINES = 2000
"""Lines of two texts that are compared with one another."""

_CONTEXT = 2
_LONG = 60
"""Characters from which on a changed string is shown as lines."""

MOST_UNFOLDED = 2000
_WORTH_MOVING = 16
"""Characters of a string that can be said to have moved: shorter ones recur."""


@dataclass(frozen=True, slots=True, eq=False)
class DifferenceRow:
    """A row: a place in one or both documents."""

    op: Op
    old: Node | None
    new: Node | None


@dataclass(frozen=True, slots=True)
class SameRows:
    """Rows that are the same and left out."""

    count: int


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line of a changed text."""

    sign: Literal[" ", "-", "+"]
    text: str
    at: int = 0
    """Where it differs from its counterpart."""


@dataclass(slots=True)
class Difference:
    """Two documents, compared where one looks."""

    old: JsonSource
    new: JsonSource
    only_differing: bool = True
    """Whether what is the same is left out."""
    _children: dict[DifferenceRow, tuple[DifferenceRow, ...]] = field(
        default_factory=dict
    )
    moves: dict[Node, str] = field(default_factory=dict)
    """For strings that stand elsewhere in the other document: where."""
    _root: DifferenceRow | None = None

    def top(self) -> Growth:
        """The outermost level: the two roots."""
        if self._root is None:
            self._root = self.compare(self.old.root, self.new.root)
        return Growth((self._root,), self)

    def compare(self, old: Node, new: Node) -> DifferenceRow:
        """What became of a value."""
        before, after = self.old.text(old), self.new.text(new)
        if before == after:
            return DifferenceRow("same", old, new)
        if max(len(before), len(after)) <= _MOST_COMPARED and (
            meaning(before) == meaning(after)
        ):
            return DifferenceRow("spelled", old, new)
        if old.kind == new.kind and old.is_container:
            return DifferenceRow("inside", old, new)
        return DifferenceRow("changed", old, new)

    def grow(self, item: Any, level: Level) -> Growth | None:
        """What stands below a row."""
        if not isinstance(item, DifferenceRow):
            return None
        if item.op == "inside":
            return Growth(self._shown(self.children(item)), self)
        if item.op in ("changed", "spelled"):
            lines = self._text_lines(item)
            return Growth(lines, self) if lines else None
        side, node = self._side(item)
        if not node.is_container or not side.children(node):
            return None
        return Growth(
            tuple(self._one_sided(item, n) for n in side.children(node)), self
        )

    def may_unfold(self, item: Any) -> bool:
        """Whether anything stands below."""
        if not isinstance(item, DifferenceRow):
            return False
        if item.op in ("changed", "spelled"):
            return self._is_long_text(item)
        side, node = self._side(item)
        return node.is_container and side.count(node) != 0

    def _side(self, item: DifferenceRow) -> tuple[JsonSource, Node]:
        if item.new is not None:
            return self.new, item.new
        assert item.old is not None
        return self.old, item.old

    @staticmethod
    def _one_sided(item: DifferenceRow, node: Node) -> DifferenceRow:
        if item.op == "removed":
            return DifferenceRow("removed", node, None)
        if item.op == "added":
            return DifferenceRow("added", None, node)
        return DifferenceRow("same", node, node)

    def _shown(self, changes: Sequence[DifferenceRow]) -> Sequence[Any]:
        if not self.only_differing:
            return changes
        found: list[Any] = []
        for is_same, run in groupby(changes, key=lambda change: change.op == "same"):
            if is_same:
                found.append(SameRows(len(list(run))))
            else:
                found += run
        return tuple(found)

    # --- Pairing ---------------------------------------------------------------------

    def children(self, item: DifferenceRow) -> tuple[DifferenceRow, ...]:
        """All rows below a container that is in both documents."""
        if item not in self._children:
            assert item.old is not None
            assert item.new is not None
            pair = self._members if item.old.kind == "object" else self._elements
            self._children[item] = tuple(pair(item.old, item.new))
        return self._children[item]

    def _members(self, old: Node, new: Node) -> Iterator[DifferenceRow]:
        before, after = self.old.children(old), self.new.children(new)
        pairs, rest = pair_members(self.old, self.new, before, after)
        yield from self._woven(pairs, after, set(chain(*rest.values())))

    def _woven(
        self,
        pairs: dict[Node, Node | None],
        after: Sequence[Node],
        fresh: set[Node],
    ) -> Iterator[DifferenceRow]:
        """Pairs in the old order; new ones behind what they follow in the new."""
        following = follow(after, fresh)
        for child in following.get(None, ()):
            yield DifferenceRow("added", None, child)
        for child, partner in pairs.items():
            if partner is None:
                yield DifferenceRow("removed", child, None)
                continue
            yield self.compare(child, partner)
            for added in following.get(partner, ()):
                yield DifferenceRow("added", None, added)

    def _elements(self, old: Node, new: Node) -> Iterator[DifferenceRow]:
        before, after = self.old.children(old), self.new.children(new)
        pairs: dict[Node, Node | None] = dict.fromkeys(before)
        for one, other in pair_elements(self.old, self.new, before, after):
            pairs[before[one]] = after[other]
        taken = set(filter(None, pairs.values()))
        fresh = {child for child in after if child not in taken}
        yield from self._woven(pairs, after, fresh)

    # --- Texts -----------------------------------------------------------------------

    def _texts(self, item: DifferenceRow) -> tuple[str, str] | None:
        """Both values, if they are strings."""
        if item.old is None or item.new is None:
            return None
        if (item.old.kind, item.new.kind) != ("string", "string"):
            return None
        return str(self.old.value(item.old)), str(self.new.value(item.new))

    def _is_long_text(self, item: DifferenceRow) -> bool:
        old, new = item.old, item.new
        if old is None or new is None or (old.kind, new.kind) != ("string", "string"):
            return False
        return max(old.end - old.start, new.end - new.start) > _LONG

    def _text_lines(self, item: DifferenceRow) -> tuple[TextLine | SameRows, ...]:
        texts = self._texts(item) if self._is_long_text(item) else None
        return tuple(text_lines(*texts)) if texts else ()

    # --- The whole -------------------------------------------------------------------

    def outline(self) -> Outline:
        """The tree, unfolded where something differs."""
        outline = Outline(self.top(), self.grow)
        if self._is_worth_unfolding(outline.spot(0).item):
            outline.unfold_deep(
                Spot(outline.top, 0), MOST_UNFOLDED, self._is_worth_unfolding
            )
        return outline

    def _is_worth_unfolding(self, item: Any) -> bool:
        if not isinstance(item, DifferenceRow):
            return False
        return item.op == "inside" or (item.op == "changed" and self.may_unfold(item))

    def figures(self, outline: Outline) -> dict[str, int]:
        """How many rows are removed, added, changed, as far as unfolded."""
        counts = dict.fromkeys(("removed", "added", "changed", "spelled"), 0)
        for spot in outline.window(0, min(len(outline), 2 * MOST_UNFOLDED)):
            item = spot.item
            if isinstance(item, DifferenceRow) and item.op in counts:
                above = spot.parent()
                over = (
                    above.item.op
                    if above and isinstance(above.item, DifferenceRow)
                    else ""
                )
                counts[item.op] += over != item.op
        return counts

    def note_moves(self, outline: Outline) -> None:
        """Find strings that went from one place to another: the same signature on
        another anchor."""
        gone: dict[bytes, Node] = {}
        come: dict[bytes, Node] = {}
        for spot in outline.window(0, min(len(outline), MOST_UNFOLDED)):
            item = spot.item
            if not isinstance(item, DifferenceRow):
                continue
            if item.old is not None and item.op in ("removed", "changed"):
                gone.update((self.old.text(n), n) for n in _strings(self.old, item.old))
            if item.new is not None and item.op in ("added", "changed"):
                come.update((self.new.text(n), n) for n in _strings(self.new, item.new))
        for text in gone.keys() & come.keys():
            self.moves[gone[text]] = f"moved to {self.new.pointer(come[text])}"
            self.moves[come[text]] = f"moved from {self.old.pointer(gone[text])}"


def _strings(source: JsonSource, node: Node) -> Iterator[Node]:
    """Long strings in a value."""
    queue = [node]
    for _ in range(1000):
        if not queue:
            return
        here = queue.pop()
        if here.kind == "string" and here.end - here.start > _WORTH_MOVING + 2:
            yield here
        elif here.is_container:
            queue += source.children(here)


def text_lines(old: str, new: str) -> Iterator[TextLine | SameRows]:
    """Two texts as lines removed and added, with a little of what is around them."""
    before, after = old.split("\n"), new.split("\n")
    if len(before) + len(after) > _MOST_LINES:
        before, after = before[:_MOST_LINES], after[:_MOST_LINES]
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    groups = list(matcher.get_grouped_opcodes(_CONTEXT))
    done = 0
    for group in groups:
        if group[0][1] > done:
            yield SameRows(group[0][1] - done)
        for tag, a, b, c, d in group:
            if tag == "equal":
                yield from (TextLine(" ", line) for line in before[a:b])
                continue
            olds, news = before[a:b], after[c:d]
            ats = [first_difference(o, n) for o, n in zip(olds, news, strict=False)]
            ats += [0] * (max(len(olds), len(news)) - len(ats))
            yield from (
                TextLine("-", line, at) for line, at in zip(olds, ats, strict=False)
            )
            yield from (
                TextLine("+", line, at) for line, at in zip(news, ats, strict=False)
            )
        done = group[-1][2]
    if groups and len(before) > done:
        yield SameRows(len(before) - done)
