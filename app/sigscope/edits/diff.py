"""From two JSON bodies to the edits that make one of the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from sigscope import pointer as pointers
from sigscope.edits.partners import pair_elements, pair_members
from sigscope.edits.records import Edit, Op
from sigscope.jsontext import JsonText, Node
from sigscope.jsontext.meaning import meaning
from sigscope.utf8 import to_text

Pair = tuple[Node, Node]
"""Places of the old and the new document that correspond."""


def diff(old: bytes | JsonText, new: bytes | JsonText) -> list[Edit]:
    """Edits that turn the old body into one that means what the new one means.

    In the order of the old text, and free of contradictions, so that any subset can
    be applied. White space, the order of keys, and different spellings of the same
    string are no differences. New values are spelled as in the new body. Where text
    is broken, the innermost sound container around it is replaced; text behind the
    end of a document is not looked at.
    """
    differ = _Differ(_document(old), _document(new))
    return list(differ.edits())


def _document(body: bytes | JsonText) -> JsonText:
    return body if isinstance(body, JsonText) else JsonText(body)


class _Differ:
    def __init__(self, old: JsonText, new: JsonText) -> None:
        self.old = old
        self.new = new

    def edits(self) -> Iterator[Edit]:
        """All of them; no recursion, however deep the documents are."""
        ways: list[Iterator[Pair | Edit]] = [iter([(self.old.root, self.new.root)])]
        while ways:
            item = next(ways[-1], None)
            if item is None:
                ways.pop()
            elif isinstance(item, Edit):
                yield item
            else:
                ways.append(self._compare(*item))

    def _compare(self, old: Node, new: Node) -> Iterator[Pair | Edit]:
        """Pairs to look into, and edits, in the order of the old text."""
        if self.old.text(old) == self.new.text(new):
            return
        if old.kind == new.kind and old.closed and new.closed:
            if old.kind == "array":
                yield from self._compare_arrays(old, new)
                return
            if old.kind == "object" and self._is_comparable(old, new):
                yield from self._compare_objects(old, new)
                return
        if meaning(self.old.text(old)) != meaning(self.new.text(new)):
            yield self._edit(Op.SET, self.old.pointer(old), new)

    # --- Objects ---------------------------------------------------------------------

    def _is_comparable(self, old: Node, new: Node) -> bool:
        """Whether the differences say more than the new object as a whole."""
        before, after = self._names(self.old, old), self._names(self.new, new)
        for key, count in (before | after).items():
            # Which of several equal keys came or went cannot be told.
            if count > 1 and before[key] != after[key]:
                return False
        if not before or not after:
            return True
        types = [
            [doc.value(member) for member in doc.named(node, "type")]
            for doc, node in ((self.old, old), (self.new, new))
        ]
        same_type = not all(types) or types[0] == types[1]
        return same_type and not before.keys().isdisjoint(after)

    @staticmethod
    def _names(document: JsonText, node: Node) -> Counter[str]:
        return Counter(document.key(child) for child in document.children(node))

    def _compare_objects(self, old: Node, new: Node) -> Iterator[Pair | Edit]:
        before, after = self.old.children(old), self.new.children(new)
        pairs, fresh = pair_members(self.old, self.new, before, after)
        for child, partner in pairs.items():
            if partner is not None:
                yield child, partner
            else:
                yield Edit(op=Op.DROP, pointer=self.old.pointer(child), origin="diff")
        base = self.old.pointer(old)
        for key, added in fresh.items():
            for child in added:
                yield self._edit(Op.SET, pointers.join(base, key), child)

    # --- Arrays ----------------------------------------------------------------------

    def _compare_arrays(self, old: Node, new: Node) -> Iterator[Pair | Edit]:
        before, after = self.old.children(old), self.new.children(new)
        base = self.old.pointer(old)
        partners = dict(pair_elements(self.old, self.new, before, after))
        placed = 0
        for index, child in enumerate(before):
            partner = partners.get(index)
            if partner is None:
                yield Edit(op=Op.DROP, pointer=f"{base}/{index}", origin="diff")
                continue
            for item in after[placed:partner]:
                yield self._edit(Op.INSERT, f"{base}/{index}", item)
            placed = partner + 1
            yield child, after[partner]
        for item in after[placed:]:
            yield self._edit(Op.INSERT, f"{base}/-", item)

    # --- Values ----------------------------------------------------------------------

    def _edit(self, op: Op, pointer: str, node: Node) -> Edit:
        text = to_text(self.new.text(node))
        return Edit(op=op, pointer=pointer, value=text, origin="diff")
