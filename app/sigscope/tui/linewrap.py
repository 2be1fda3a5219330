"""Breaking styled text into lines of a given width, at blanks where there are any."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from rich.cells import cell_len, chop_cells

from sigscope.tui.lines import Line, Span, width

LEAST_PIECE = 8
"""Cells at the end of a line below which no long word is begun there."""
JOINED = 16
"""Characters looked at beyond what fits, as they may join those before."""
JOINTS = "/.,;:-_"
"""Characters after which a long word is broken, if it can be."""


def wrap(
    spans: Sequence[Span], cells: int, *, first: Line = (), hang: Line = ()
) -> list[Line]:
    """Lines that fit; `first` begins the first one, `hang` all others.

    Line feeds end a line. A word longer than a line is broken; a run of blanks at a
    break goes away, one at the start of a line stays (it may be meant as indent).
    """
    wrapper = _Wrapper(max(4, cells), first, hang)
    for span in spans:
        pieces = span.text.split("\n")
        for index, piece in enumerate(pieces):
            if index:
                wrapper.feed()
            wrapper.add(replace(span, text=piece))
    return wrapper.finish()


_NAME = re.compile(r"\s*\S+\s{2,}(?=\S)")
"""What is explained on its line."""


def hanging(text: str, cells: int) -> list[str]:
    """Lines of a text broken at blanks. In a line such as "  har   browsers, ..." the
    words go on below the words, not below the name."""
    found: list[str] = []
    for row in text.splitlines():
        head = _NAME.match(row)
        indent = cell_len(head[0]) if head else 0
        first: Line = (Span(row[: head.end()] if head else ""),)
        words = [Span(row[head.end() :] if head else row)]
        if indent > cells // 2:
            first, words, indent = (), [Span(row)], 0
        lines = wrap(words, cells, first=first, hang=(Span(" " * indent),))
        found += ["".join(span.text for span in each).rstrip() for each in lines]
    return found


class _Wrapper:
    def __init__(self, cells: int, first: Line, hang: Line) -> None:
        self._cells = cells
        self._hang = hang
        self._lines: list[Line] = []
        self._start(first)

    def _start(self, begin: Line) -> None:
        self._line: list[Span] = list(begin)
        self._used = width(begin)
        self._begin = len(self._line)

    def feed(self) -> None:
        """End the line here."""
        self._lines.append(tuple(self._line))
        self._start(self._hang)

    def _break(self) -> None:
        """End the line for want of room; blanks at its end go."""
        while len(self._line) > self._begin and self._line[-1].text.isspace():
            self._line.pop()
        self.feed()

    def add(self, span: Span) -> None:
        """Add text without line feeds."""
        for word in _words(span.text):
            size = cell_len(word)
            if self._used + size <= self._cells:
                self._put(replace(span, text=word), size)
            elif word.isspace():
                self._break()
            else:
                self._place_long(span, word, size)

    def _place_long(self, span: Span, word: str, size: int) -> None:
        fresh = self._cells - width(self._hang)
        room = self._cells - self._used
        may_break = len(self._line) > self._begin or room < fresh
        if may_break and (size <= fresh or room < LEAST_PIECE):
            self._break()
        room = self._cells - self._used
        if size <= room:
            self._put(replace(span, text=word), size)
            return
        for index, piece in enumerate(_pieces(word, max(1, room), max(1, fresh))):
            if index:
                self.feed()
            self._put(replace(span, text=piece), cell_len(piece))

    def _put(self, span: Span, size: int) -> None:
        last = self._line[-1] if len(self._line) > self._begin else None
        if last and last.ink == span.ink and last.target == span.target:
            if not span.text.isspace() and not last.text.isspace():
                self._line[-1] = replace(last, text=last.text + span.text)
            else:
                self._line.append(span)
        else:
            self._line.append(span)
        self._used += size

    def finish(self) -> list[Line]:
        """All lines; one empty one if there was nothing."""
        self._lines.append(tuple(self._line))
        return [_merged(found) for found in self._lines]


def _pieces(word: str, room: int, fresh: int) -> Iterable[str]:
    """A word in pieces: the first fits the room that is left, all others a new line.
    It breaks after a slash or a full stop where there is one in the second half."""
    start = 0
    while (head := _more_than(word, start, room)) is not None:
        piece = chop_cells(head, room)[0]
        joint = max(piece.rfind(char) for char in JOINTS) + 1
        if joint > len(piece) // 2:
            piece = piece[:joint]
        yield piece
        start, room = start + len(piece), fresh
    yield word[start:]


def _more_than(word: str, start: int, room: int) -> str | None:
    """What of a word goes on from there, as far as is needed to see that it does not
    fit; None if it does. To measure all of a megabyte for each line would take hours.
    """
    size = room + 1
    while True:
        head = word[start : start + size]
        if cell_len(head) > room:
            return head + word[start + size : start + size + JOINED]
        if start + size >= len(word):
            return None
        size *= 2


def _words(text: str) -> Iterable[str]:
    """Words and runs of blanks, alternating; together the text."""
    start = 0
    while start < len(text):
        blank = text[start] == " "
        end = start + 1
        while end < len(text) and (text[end] == " ") is blank:
            end += 1
        yield text[start:end]
        start = end


def _merged(spans: Line) -> Line:
    """Neighbours of one ink as one span."""
    found: list[Span] = []
    for span in spans:
        last = found[-1] if found else None
        if last and last.ink == span.ink and last.target == span.target:
            found[-1] = replace(last, text=last.text + span.text)
        elif span.text:
            found.append(span)
    return tuple(found)
