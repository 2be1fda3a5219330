"""From the debugger to a bisect, and back with the edits that matter."""

from __future__ import annotations

from typing import ClassVar

from textual import work
from textual.binding import Binding, BindingType

from sigscope.errors import SigscopeError
from sigscope.runs import Run
from sigscope.tui import figures
from sigscope.tui.screens.commands import Commands


class Bisecting(Commands):
    """Looks for the smallest set of edits that matters."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("b", "bisect", "Bisect", False, id="bisect",
                tooltip="Find the smallest set of edits that makes the step pass"),
    ]  # fmt: skip

    @work(exclusive=True, group="ask")
    async def action_bisect(self) -> None:
        """Vary the edits that are on, else those of the run on show, else the fixes of
        the findings."""
        from sigscope.tui.screens.bisectdialog import BisectDialog, Quest

        shown = self.shown
        if shown is None:
            self.notify("the session is still being read", timeout=3)
            return
        if self.under_way is not None:
            self.notify("a request is under way; esc cancels it", timeout=4)
            return
        try:
            target = self.upstream.target()
        except SigscopeError as error:
            self.notify(str(error), title="Cannot send", severity="error", timeout=8)
            return
        quest = Quest(
            document=self.document,
            step=shown.step,
            run=shown.run,
            edits=self.edits if shown.run is None else (),
            target=target,
        )
        dialog = BisectDialog(self.engine, quest, symbols=self.symbols, ran=self._kept)
        edits = await self.app.push_screen_wait(dialog)
        if not edits:
            return
        if shown.run is None and self.base == (shown.step, None):
            self.take_edits(edits, "bisect")
        else:
            self._histories[shown.step, None].push(edits, "bisect")
            self.choose_step_number(shown.step)
        self.notify(f"{figures.count(len(edits), 'edit')} on", title="Bisect")

    def _kept(self, run: Run) -> None:
        self.runs = tuple(self.document.runs)
        self.tell_status()
