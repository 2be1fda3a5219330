"""From the debugger to the compare screen, and back with edits."""

from __future__ import annotations

from typing import ClassVar

from textual import work
from textual.binding import Binding, BindingType

from sigscope.tui.screens.bisecting import Bisecting


class Comparing(Bisecting):
    """Compares the request on show with another one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("D", "compare", "Compare", False, id="compare",
                tooltip="Compare this request with another step, run or session"),
    ]  # fmt: skip

    @work(exclusive=True, group="ask")
    async def action_compare(self) -> None:
        """Compare the request on show: a run with its step, a step with the one that
        is likely meant; another can be chosen there."""
        from sigscope.tui.comparing import Pick, likely_partner
        from sigscope.tui.screens.compare import CompareScreen

        shown, overview = self.shown, self.overview
        if shown is None or overview is None:
            self.notify("the session is still being read", timeout=3)
            return
        step, base = shown.step, self.base
        partner = step if shown.run is not None else likely_partner(self.facts, step)
        screen = CompareScreen(
            self.engine,
            Pick(document=self.document, step=step, run=shown.run),
            None if partner is None else Pick(document=self.document, step=partner),
            edits=self.edits,
            facts=self.facts,
            palette=overview.palette,
            symbols=self.symbols,
        )
        edits = await self.app.push_screen_wait(screen)
        if edits is not None and base == self.base:
            self.take_edits(edits, "compared")
