"""The strip, painted, with a cursor on it."""

from __future__ import annotations

from typing import Any

from textual import events
from textual.message import Message
from textual.strip import Strip

from sigscope.records import dataclass
from sigscope.tui.lines import Line, Look
from sigscope.tui.linestrips import LineStrips
from sigscope.tui.lineview import LineView
from sigscope.tui.overview.stripgrid import NAME, StripGrid


class StripView(LineView, can_focus=True):
    """Lanes are threads, columns are steps; a column may take many of them."""

    HELP = (
        "All steps of the session, a lane for each thread: how the worst of the"
        " signatures fared in each request, failures above, findings and fading"
        " reasoning below. Where there are more steps than cells, a cell shows the"
        " worst of several, and the cursor goes to that step. What was not judged has"
        " a mark of its own: it is no all-clear."
    )
    DEFAULT_CSS = "StripView { overflow: hidden; }"

    @dataclass
    class Pointed(Message):
        """The user clicked a cell, or an anomaly."""

        target: str

    def __init__(self, grid: StripGrid, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.grid = grid
        self._page: list[Line] | None = None
        self._strips = LineStrips(self)

    def show(self) -> None:
        """Draw what the model says now."""
        self._page = None
        cells, lines = self.size
        self._strips.refresh(lines, cells, self._look_of)

    def on_resize(self, event: events.Resize) -> None:
        self.grid.model.fit(self.size.width - NAME)
        self.show()

    def forget_painted(self) -> None:
        self._strips.forget()

    def render_line(self, y: int) -> Strip:
        look, cells = self._look_of(y), self.size.width
        return self._strips.strip(y, look, cells)

    def _look_of(self, y: int) -> Look:
        if self._page is None:
            self._page = self.grid.page(*self.size)
        return Look(self._page[y] if y < len(self._page) else ())

    def on_click(self, event: events.Click) -> None:
        target = event.style.meta.get("target")
        if target is not None:
            event.stop()
            self.post_message(self.Pointed(str(target)))
