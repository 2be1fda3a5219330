"""What an error's text means, for who has nothing but the text."""

from __future__ import annotations

import asyncio

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Static, TextArea

from sigscope.rules.explanation import Explanation, explain, format_explanation
from sigscope.tui.screens.dialog import Dialog
from sigscope.tui.shown import shown

SHOWN = 20_000
"""Characters of the text that stand in the field; all of it is explained."""
WAIT = 0.15
"""Seconds after the last key before a text is read."""
NOTHING = "paste an error as it is: from a terminal, a log, a chat"


class ExplanationDialog(Dialog[None]):
    """A field to paste into; below it, what is there means."""

    DEFAULT_CSS = """
    ExplanationDialog {
        & > .box { width: 100; height: 90%; padding: 0 1; }
        TextArea { height: 4; border: none; padding: 0; background: $panel; }
        TextArea:focus { border: none; }
        VerticalScroll {
            height: 1fr; margin-top: 1;
            scrollbar-size-vertical: 1; scrollbar-gutter: stable;
        }
        #told { height: auto; }
    }
    """

    def __init__(self, text: str = "") -> None:
        super().__init__()
        self._text = text
        self._told: Explanation | None = None

    def compose(self) -> ComposeResult:
        with Vertical(classes="box") as box:
            box.border_title = "Explain"
            box.border_subtitle = self.ways("tab goes down and back")
            yield TextArea(self._text[:SHOWN], id="text", tab_behavior="focus")
            with VerticalScroll(id="scroll"):
                yield Static(NOTHING, id="told", markup=False)

    def on_mount(self) -> None:
        """What came with the dialog is explained at once."""
        if self._text:
            self.query_one("#scroll").focus()
            self._read(self._text)

    def on_resize(self) -> None:
        """Break the lines anew."""
        self.call_after_refresh(self._lay)

    @on(TextArea.Changed)
    def _changed(self, event: TextArea.Changed) -> None:
        event.stop()
        text = event.text_area.text
        if text != self._text[:SHOWN]:
            self._text = text
            self._read(text)

    @work(exclusive=True, group="explain")
    async def _read(self, text: str) -> None:
        await asyncio.sleep(WAIT)
        is_there = bool(text.strip())
        self._told = await asyncio.to_thread(explain, text) if is_there else None
        self._lay()

    def _lay(self) -> None:
        told = self.query_one("#told", Static)
        if self._told is None:
            told.update(NOTHING)
            return
        cells = max(40, told.content_size.width)
        told.update(shown(format_explanation(self._told, cells), lines=True))
