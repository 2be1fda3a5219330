"""What keys and the palette can make the debugger do."""

from __future__ import annotations

import os
from functools import partial
from typing import Any

from textual import on, work

from sigscope.errors import UsageError
from sigscope.rules.findings import Finding
from sigscope.tui import figures
from sigscope.tui.clipboard import copy
from sigscope.tui.editor import edit_outside
from sigscope.tui.itemlist import Item
from sigscope.tui.json import JsonPane
from sigscope.tui.lines import Line, column, fit, line
from sigscope.tui.panes.findings import FindingsPane
from sigscope.tui.screens.choosing import Choosing
from sigscope.tui.screens.steering import Steering
from sigscope.tui.study import ready_made


class Commands(Steering):
    """Actions that are no floor of their own."""

    # --- Moving ----------------------------------------------------------------------

    def action_step(self, by: int) -> None:
        """Previous or next step."""
        numbers = [fact.number for fact in self.facts]
        if self.selection is None or self.selection.step not in numbers:
            return
        index = numbers.index(self.selection.step) + by
        if 0 <= index < len(numbers):
            self.choose_step_number(numbers[index])

    def action_event(self, by: int) -> None:
        """Previous or next event of the stream."""
        if self.shown is None:
            return
        if not self.shown.reading.events:
            self.notify("this answer was not streamed: there are no events", timeout=4)
            return
        self.action_pane(4)
        self.query_one(JsonPane).step_event(by)

    # --- Edits -----------------------------------------------------------------------

    def action_fix(self) -> None:
        """Switch the fix of the selected finding on or off; without a selected one,
        the first that there is."""
        finding = self._wanted_finding()
        if finding is None:
            self.notify("no finding of this step offers a fix", timeout=4)
        else:
            self.toggle_fix(finding)

    def _wanted_finding(self) -> Finding | None:
        findings = self.shown.findings if self.shown else ()
        key = self.query_one(FindingsPane).key
        candidates: list[Any] = [self.selection.finding if self.selection else None]
        if self.query_one(FindingsPane).has_focus and key and key[0] == "finding":
            candidates.insert(0, key[1])
        for candidate in candidates:
            if candidate in findings and candidate.fix:
                return candidate  # type: ignore[no-any-return]
        return next((finding for finding in findings if finding.fix), None)

    @on(JsonPane.EditorWanted)
    def _editor_wanted(self, message: JsonPane.EditorWanted) -> None:
        message.stop()
        if self.under_way is not None:
            # Everything stands still while the terminal is the editor's.
            self.notify("a request is under way; wait for it, or esc cancels it")
            return
        pane, sheet = self.query_one(JsonPane), message.sheet
        kept = pane.kept_file(sheet)
        try:
            came = edit_outside(self.app, sheet.data, sheet.suffix, os.environ, kept)
        except UsageError as error:
            self.notify(str(error), severity="warning", markup=False, timeout=10)
        else:
            pane.edited_outside(sheet, came)

    @work(exclusive=True, group="ask")
    async def action_ready_made(self) -> None:
        """Try a known mistake or cure of this dialect."""
        shown = self.shown
        if shown is None:
            return
        found = ready_made(self.document, shown)
        size = max((len(ready.name) for ready, _ in found), default=0)

        def lay(name: str, kind: str, title: str, cells: int) -> list[Line]:
            ink = {"mistake": "bad", "cure": "good"}.get(kind, "warn")
            head = (column(name, size, "bold"), *line("  ", (f"{kind:8}", ink), "  "))
            return [fit((*head, *line((title, "dim"))), cells)]

        items = [
            Item(
                ready.name,
                partial(lay, ready.name, ready.kind, ready.title),
            )
            for ready, _ in found
        ]
        dialog = Choosing(
            "Known mistakes and cures",
            items,
            more={
                ready.name: f"{ready.title}\n{figures.count(len(edits), 'edit')}; "
                f"source: {ready.source}"
                for ready, edits in found
            },
            note="none of the known mistakes and cures fits this request",
            symbols=self.symbols,
        )
        chosen = await self.app.push_screen_wait(dialog)
        for ready, edits in found:
            if ready.name == chosen:
                self.take_edits(edits, ready.name)
                count = figures.count(len(edits), "edit")
                self.notify(f"{ready.title} ({count})", title=ready.name, markup=False)

    # --- Comparing, copying, writing -------------------------------------------------

    def action_diff(self) -> None:
        """Show what differs; on a run in the list, what it changed."""
        pane = self.query_one(FindingsPane)
        key = pane.key
        if pane.has_focus and key and key[0] == "run" and self.shown is not None:
            self.choose_step_number(self.shown.step, key[1])
        self.open_diff()

    def open_diff(self) -> None:
        """Show the Diff tab; the screen knows how to go back from it."""
        self.query_one(JsonPane).show_tab("diff")
        self.action_pane(4)

    @on(JsonPane.CopyRequested)
    def _copy_requested(self, message: JsonPane.CopyRequested) -> None:
        message.stop()
        self._copy(message.text, message.what)

    @work(thread=True, exclusive=True, group="copy")
    def _copy(self, text: str, what: str) -> None:
        tell = partial(self.app.call_from_thread, self.app.copy_to_clipboard)
        words = copy(text, tell, os.environ)
        size = figures.count(len(text), "char")
        self.app.call_from_thread(
            self.notify,
            f"{what}, {size}, {words}",
            title="Copied",
            markup=False,
            timeout=3 if words.startswith("to the clipboard") else 12,
        )

    @work(exclusive=True, group="ask")
    async def action_export(self) -> None:
        """Write a file to show to others."""
        from sigscope.tui.screens.exporting import ExportDialog

        dialog = ExportDialog(
            self.engine,
            self.document,
            step=self.selection.step if self.selection else None,
            run=self.selection.run if self.selection else None,
        )
        told = await self.app.push_screen_wait(dialog)
        if told:
            self.notify(told, title="Written", markup=False, timeout=10)
