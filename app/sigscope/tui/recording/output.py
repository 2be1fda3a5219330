"""What the client says: its output, as far as it came."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen
from textual.widgets import Static

from sigscope.engine.recording.launch import LaunchedClient
from sigscope.tui import figures
from sigscope.tui.itemlist import ItemList
from sigscope.tui.itemstack import Item
from sigscope.tui.lines import Line, cut, line
from sigscope.tui.shown import shown
from sigscope.utf8 import readable

MOST = 512 * 1024
"""Bytes of the end of the log that are read."""
LINES = 2000
LOOK_EVERY = 0.3


class OutputScreen(ModalScreen[None]):
    """Follows the log of the client. Its escape sequences are shown, not obeyed."""

    DEFAULT_CSS = """
    OutputScreen {
        align: center middle;
        background: $background 60%;
        & > ItemList { width: 96%; height: 90%; background: $surface;
                       border: round $border; padding: 0 1;
                       border-title-color: $primary; border-title-style: bold;
                       border-subtitle-color: $ink-dim; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,V", "close", "Close", id="output.close",
                tooltip="Back to the recording"),
    ]  # fmt: skip

    def __init__(self, client: LaunchedClient) -> None:
        super().__init__()
        self._client = client
        self._seen: tuple[Any, ...] = ()

    def compose(self) -> ComposeResult:
        yield ItemList()
        yield Static("", id="more")

    def on_mount(self) -> None:
        """Look from now on."""
        listed = self.query_one(ItemList)
        listed.border_subtitle = str(self._client.log)
        listed.focus()
        self.look()
        self.set_interval(LOOK_EVERY, self.look)

    def look(self) -> None:
        """Read what was added; the cursor follows the end if it is there."""
        size, lines = tail(self._client.log)
        seen = (size, self._client.code)
        if seen == self._seen:
            return
        self._seen = seen
        listed = self.query_one(ItemList)
        was_last = listed.key is None or listed.cursor >= len(listed.items) - 1
        items = [
            Item(number, partial(_lay, text), height=1)
            for number, text in enumerate(lines)
        ]
        listed.show(items, note=f"{self._client.name} has said nothing yet")
        if was_last and items:
            listed.select(len(items) - 1)
        code = self._client.code
        state = "runs" if code is None else f"ended with exit code {code}"
        amount = figures.size(size)
        listed.border_title = f"{self._client.name} {state}, {amount} of output"

    def action_close(self) -> None:
        self.dismiss(None)


def tail(path: Path) -> tuple[int, list[str]]:
    """Size of a log, and its last lines, safe to draw."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            file.seek(max(0, size - MOST))
            data = file.read(MOST)
    except OSError:
        return 0, []
    lines = readable(data).splitlines()
    return size, [*_safe(lines[-LINES:])]


def _safe(lines: Iterable[str]) -> Iterable[str]:
    # What a bar of progress overwrites is gone on a terminal, too.
    return (shown(text.rpartition("\r")[2]) for text in lines)


def _lay(text: str, cells: int) -> list[Line]:
    return [line(cut(text, cells))]
