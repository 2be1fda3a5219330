"""The dialog that chooses breakpoints."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input

from sigscope import pointer as pointers
from sigscope.errors import PointerError
from sigscope.stepthrough.breakpoints import KINDS, StreamBreakpoint, kinds_in, meets
from sigscope.stepthrough.player import Player
from sigscope.tui.itemlist import ItemList
from sigscope.tui.itemstack import Item
from sigscope.tui.keymap import key_on
from sigscope.tui.lines import Line, Span, sides
from sigscope.tui.screens.dialog import Dialog
from sigscope.tui.symbols import Symbols

Stops = frozenset[StreamBreakpoint]


class StopsDialog(Dialog[Stops]):
    """Check boxes; what is on is said when it is closed."""

    DEFAULT_CSS = """
    StopsDialog > Vertical { width: 76; max-width: 96%; height: auto; max-height: 90%; }
    StopsDialog ItemList { background: $surface; height: auto; max-height: 20; }
    StopsDialog Input { margin: 1 0 0 0; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "switch", "Toggle", id="stops.toggle",
                tooltip="Switch the breakpoint under the cursor on or off"),
        Binding("q,b", "close", "Close", False, id="stops.close",
                tooltip="Close; what is on counts"),
    ]  # fmt: skip

    def __init__(
        self,
        player: Player,
        chosen: Iterable[StreamBreakpoint],
        pointer: str,
        symbols: Symbols,
    ) -> None:
        """`pointer`: what the cursor of the message is on, offered for a breakpoint."""
        super().__init__()
        self._player = player
        self._chosen = set(chosen)
        self._pointer = pointer
        self._symbols = symbols
        self._listed = self._listing()

    def _listing(self) -> list[StreamBreakpoint]:
        """The kinds, the kinds of event in this stream, the pointers."""
        plain = [StreamBreakpoint(k) for k, _ in KINDS if k not in ("kind", "pointer")]
        kinds = [StreamBreakpoint("kind", w) for w in kinds_in(self._player.happenings)]
        own = sorted(b for b in self._chosen if b not in plain and b not in kinds)
        return [*plain, *kinds, *own]

    def compose(self) -> ComposeResult:
        """A list and a field."""
        with Vertical(classes="box") as box:
            box.border_title = "Breakpoints"
            box.border_subtitle = self.ways(
                f"{key_on(self, 'stops.toggle')} toggles", "tab to add a pointer"
            )
            yield ItemList()
            yield Input(
                value=self._pointer,
                placeholder="/choices/0/message/content: stop when this changes",
            )

    def on_mount(self) -> None:
        self._fill()
        self.query_one(ItemList).focus()

    def _fill(self) -> None:
        listed = self.query_one(ItemList)
        listed.show([Item(b, partial(self._lay, b)) for b in self._listed])
        listed.styles.height = min(len(self._listed), 20)

    def _lay(self, point: StreamBreakpoint, cells: int) -> list[Line]:
        """ "● signature arrives                   at 1 event, the first 14" """
        on = point in self._chosen
        provenance = self._player.provenance
        met = [
            h.number for h in self._player.happenings if meets(h, [point], provenance)
        ]
        if not met:
            said = "never here"
        elif len(met) == 1:
            said = f"event {met[0]:,}"
        else:
            said = f"{len(met):,} events, the first {met[0]:,}"
        glyph = self._symbols.stop if on else self._symbols.bypass
        head = (Span(f"{glyph} ", "bad" if on else "faint"),
                Span(str(point), "bold" if on else ""))  # fmt: skip
        return [sides(head, (Span(said, "dim" if met else "faint"),), cells)]

    def action_switch(self) -> None:
        """Switch the one under the cursor."""
        point = self.query_one(ItemList).key
        if isinstance(point, StreamBreakpoint):
            self._chosen ^= {point}
            self._fill()

    @on(ItemList.Chosen)
    def _enter(self, message: ItemList.Chosen) -> None:
        message.stop()
        self.action_switch()

    @on(Input.Submitted)
    def _add(self, message: Input.Submitted) -> None:
        message.stop()
        text = message.value.strip()
        try:
            pointers.parse(text)
        except PointerError as error:
            self.notify(str(error), severity="warning", markup=False)
            return
        point = StreamBreakpoint("pointer", text)
        if point not in self._listed:
            self._listed.append(point)
        self._chosen.add(point)
        self._fill()
        listed = self.query_one(ItemList)
        listed.select(point)
        listed.focus()

    def action_close(self) -> None:
        """Close; what is on counts."""
        self.dismiss(frozenset(self._chosen))
