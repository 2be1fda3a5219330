"""What the elements of texts hold of signatures, by blocks: whether one is in any.

A run is a stretch of what signatures are made of. It is cut into blocks where it
begins; a value that stands in it covers some of these whole, wherever it stands.
"""

from __future__ import annotations

from collections.abc import Iterable
from threading import Lock

from sigscope.jsontext.skeletons import Repeated

BLOCK = 32
"""Characters of a block."""
_SURE = 2 * BLOCK - 1
"""Characters from which a value covers one of them whole."""
MOST_BLOCKS = 500_000
"""As many are known at most (of 16 MB, in 32); of more, nothing is told."""


class RunIndex:
    """All that elements hold since the first one. For several threads.

    They are looked into when somebody asks for the first time.
    """

    def __init__(self) -> None:
        self._blocks: set[int] | None = set()
        """Digests; None: there are too many, or some were forgotten."""
        self._waiting: list[Repeated] = []
        self._is_wanted = False
        self._last: tuple[object, str] = None, ""
        self._lock = Lock()

    def add(self, element: Repeated) -> None:
        """One more."""
        if self._blocks is not None:
            self._waiting.append(element)

    def sweep(self) -> None:
        """Keep no element: those that nobody asked about are not known any more."""
        with self._lock:
            if not self._is_wanted:
                self._blocks = None
            self._look()

    def may_hold(self, text: str) -> bool:
        """Whether any of the elements may hold a run of this. False is certain."""
        with self._lock:
            self._is_wanted = True
            self._look()
            blocks = self._blocks
        if blocks is None or len(text) < _SURE:
            return True
        # Wherever it stands, one block begins at one of so many places in a row. In the
        # middle: many signatures begin alike.
        first = (len(text) - _SURE) // 2
        starts = range(first, first + BLOCK)
        return any(hash(text[at : at + BLOCK]) in blocks for at in starts)

    def joined(self, elements: tuple[Repeated, ...]) -> str:
        """The runs of a text, a line each; of one text after another."""
        known, runs = self._last
        if known is not elements:
            runs = "\n".join(element.runs for element in elements)
            self._last = elements, runs
        return runs

    def _look(self) -> None:
        while self._waiting and self._blocks is not None:
            self._blocks.update(_blocks_of(self._waiting.pop().runs))
            if len(self._blocks) > MOST_BLOCKS:
                self._blocks = None
        if self._blocks is None:
            self._waiting.clear()


def _blocks_of(runs: str) -> Iterable[int]:
    for run in runs.split("\n"):
        for at in range(0, len(run) - BLOCK + 1, BLOCK):
            yield hash(run[at : at + BLOCK])
