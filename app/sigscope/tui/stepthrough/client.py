"""What a mainstream client has kept, as lines. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from sigscope.jsontext.meaning import is_json
from sigscope.records import dataclass
from sigscope.stepthrough.mainstream import Kept, MainstreamReader
from sigscope.tui.figures import count, ranges
from sigscope.tui.json.rowroom import RowRoom
from sigscope.tui.json.visible import spans_of
from sigscope.tui.lines import Line, Span, fit, highlit, line
from sigscope.tui.linewrap import wrap
from sigscope.tui.shown import one_line, shown
from sigscope.tui.stepthrough.breaks import Breaks
from sigscope.tui.symbols import Symbols
from sigscope.tui.views.palette import Palette

MOST_TEXT = 8
"""Lines of the content that are shown: its end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """What the lines are laid out with."""

    symbols: Symbols
    palette: Palette
    cells: int
    breaks: Breaks = field(default_factory=Breaks)
    """Where the lines of the content break; kept from event to event."""


class ClientLines:
    """What it has after an event, laid out for a width."""

    def __init__(self) -> None:
        self._given: tuple[Kept, MainstreamReader, int] | None = None
        self._breaks = Breaks()
        self.lines: list[Line] = []

    def show(
        self, kept: Kept | None, reader: MainstreamReader | None, number: int
    ) -> None:
        """Take another event, laid out by `lay`."""
        self._given = (kept, reader, number) if kept and reader else None

    def lay(self, cells: int, symbols: Symbols, palette: Palette) -> None:
        """Break lines for a width."""
        look = Room(symbols=symbols, palette=palette, cells=cells, breaks=self._breaks)
        self.lines = lay_client(*self._given, look) if self._given else []

    @property
    def row_count(self) -> int:
        return len(self.lines)

    def line(self, row: int, room: RowRoom) -> Line:
        return tuple(highlit(self.lines[row], room.found))


def lay_client(
    kept: Kept, reader: MainstreamReader, number: int, room: Room
) -> list[Line]:
    """What it has after an event, what it has not, and what its reader told it."""
    symbols, palette, cells = room.symbols, room.palette, room.cells
    lines = [line(("kept: text and calls", "heading"))]
    lines += _content(kept.content, room)
    for call in kept.calls:
        lines += _call(call.id, call.name, call.arguments, symbols, cells)
    if kept.finish:
        lines.append(fit(line(("finish ", "dim"), shown(kept.finish)), cells))
    for sha256 in kept.kept_signatures:
        lines.append(_signature(sha256, "in the call id", symbols, palette))
    lines += [(), line(("never looked at", "heading"))]
    lines += _lost(kept, symbols, palette) or [
        line(("nothing yet" if number or reader.is_read else "nothing", "dim"))
    ]
    lines += [(), line(("told by httpx-sse", "heading"))]
    lines += _told(kept, reader, number, symbols, cells)
    return lines


def _content(text: str | None, room: Room) -> list[Line]:
    if not text:
        return [line(("content ", "key"), ("null", "word"))]
    size = count(len(text), "char")
    lines: list[Line] = [line(("content ", "key"), (size, "dim"))]
    cells = max(8, room.cells - 2)
    for start, end in room.breaks.lines("content", text, cells)[-MOST_TEXT:]:
        spans = spans_of(text[start:end].rstrip("\n"), "string")
        lines.append(fit(line("  ", *spans), room.cells))
    return lines


def _call(
    call_id: str | None, name: str | None, arguments: str, symbols: Symbols, cells: int
) -> list[Line]:
    head = line(
        (f"{symbols.call} ", "dim"),
        (one_line(name or "", 60) or "no name yet", "bold" if name else "warn"),
        (f"  {one_line(call_id or '', 60)}" if call_id else "  no id", "dim"),
    )
    whole = is_json(arguments)
    spans = wrap([Span(one_line(arguments, 600), "string")], max(8, cells - 2))
    tail = spans[-3:] if arguments else [line(("no arguments yet", "dim"))]
    found: list[Line] = [fit(head, cells), *(line("  ", *s) for s in tail)]
    if arguments and not whole:
        found.append(line(("  not JSON yet", "dim")))
    return found


def _lost(kept: Kept, symbols: Symbols, palette: Palette) -> list[Line]:
    lines: list[Line] = []
    if kept.lost_thought:
        words = f"{count(kept.lost_thought, 'char')} of reasoning"
        lines.append(line((f"{symbols.bad} ", "bad"), words))
    for sha256 in kept.lost_signatures:
        lines.append(_signature(sha256, "", symbols, palette, lost=True))
    return lines


def _signature(
    sha256: str, where: str, symbols: Symbols, palette: Palette, *, lost: bool = False
) -> Line:
    ink = f"{palette.ink(sha256)} bold"
    head = (f"{symbols.bad} ", "bad") if lost else (f"{symbols.good} ", "good")
    mark = Span(f"{symbols.signature} {palette.id(sha256)}", ink, f"signature:{sha256}")
    return line(head, mark, (f" {where}" if where else "", "dim"))


def _told(
    kept: Kept, reader: MainstreamReader, number: int, symbols: Symbols, cells: int
) -> list[Line]:
    if not reader.is_read:
        return [line(("not used: this is no event stream", "dim"))]
    lines: list[Line] = []
    if reader.refusal:
        lines += wrap([Span(f"{symbols.bad} {reader.refusal}", "bad")], cells)
    else:
        told = number - len(kept.unseen)
        ink = "good" if not kept.unseen else "warn"
        lines.append(line((f"{told:,} of {count(number, 'event')}", ink)))
        if kept.unseen:
            words = f"not told: {ranges(kept.unseen)}"
            lines += wrap([Span(words, "warn")], cells)
    here = reader.missing.get(number) or reader.differing.get(number)
    if here and not reader.refusal:
        lines += wrap([Span(f"this event: {here}", "warn")], cells)
    lines += _remarks(reader.remarks, cells)
    return lines


def _remarks(remarks: Sequence[str], cells: int) -> list[Line]:
    return [spans for text in remarks for spans in wrap([Span(text, "dim")], cells)]
