"""What is copied from a row, and the keys for it."""

from __future__ import annotations

from collections.abc import Callable

from sigscope.edits.notation import describe
from sigscope.jsontext import Node
from sigscope.jsontext.values import decode_text
from sigscope.records import dataclass
from sigscope.tui.json.lineindex import Piece
from sigscope.tui.json.outline import Spot
from sigscope.tui.json.overlay import Offer
from sigscope.tui.json.source import JsonSource
from sigscope.tui.json.twigs import Envelope, HexPiece, Within


@dataclass(frozen=True, slots=True)
class Copied:
    """Something for the clipboard."""

    text: str
    what: str
    """What it is, in words: "value of /messages/2/content"."""


def copied(what: str, spot: Spot, pointer: str) -> Copied:
    """The "row", "value" or "path" at a spot. Strings are copied as what they mean,
    everything else as it is spelled; a row with its key, as JSON."""
    place = pointer or "the document"
    if what == "path":
        return Copied(pointer, f"path {place}")
    text = _value(spot) if what == "value" else _row(spot)
    return Copied(text, f"{what} of {place}")


def _value(spot: Spot) -> str:
    item, ground = spot.item, spot.level.context
    if isinstance(item, Node):
        source: JsonSource = ground.source
        if item.kind == "string":
            return str(source.value(item))
        return decode_text(source.text(item))
    if isinstance(item, Offer):
        return item.text
    if isinstance(item, Within):
        held = item.held
        return held.data.hex() if held.kind == "bytes" else decode_text(held.data)
    if isinstance(item, Piece) and ground.lines is not None:
        return decode_text(ground.lines.data[item.start : item.end].rstrip(b"\n"))
    if isinstance(item, HexPiece):
        return item.data.hex(" ")
    return describe(item.edit) if isinstance(item, Envelope) else ""


def _row(spot: Spot) -> str:
    item, ground = spot.item, spot.level.context
    if isinstance(item, Node):
        end = max(item.end, item.key_end or 0)
        return decode_text(ground.source.data[item.begin : end])
    if isinstance(item, Offer) and item.key is not None:
        return f'"{item.key}": {item.text}'
    return _value(spot)


SECOND = "copy what? y the row, v its value, p its path"
"""What may follow the first key of a chord."""


class CopyChord:
    """Two keys that copy: yy the row, yv the value, yp the path; esc ends it."""

    def __init__(
        self,
        begins: Callable[[str], bool],
        copy: Callable[[str], object],
        say: Callable[[str], object],
    ) -> None:
        """`begins`: whether a key is the first one now; `copy`: is told what; `say`:
        what may follow, or that nothing was copied."""
        self._begins = begins
        self._copy = copy
        self._say = say
        self._is_begun = False

    def begin(self) -> None:
        """The first key was pressed."""
        self._is_begun = True
        self._say(SECOND)

    def takes(self, key: str) -> bool:
        """Whether a key is one of the two, and goes nowhere else."""
        if not self._is_begun:
            if self._begins(key):
                self.begin()
            return self._is_begun
        self._is_begun = False
        if key == "escape":
            self._say("nothing was copied")
            return True
        what = {"y": "row", "v": "value", "p": "path"}.get(key)
        if what is not None:
            self._copy(what)
        return what is not None
