"""The recorder's line, above the debugger's header."""

from __future__ import annotations

from textual.reactive import var

from sigscope.engine.recording.host import HostState
from sigscope.tui.lines import Line
from sigscope.tui.panes.oneliners import OneLine
from sigscope.tui.recording.words import lay_recorder


class RecorderLine(OneLine):
    """Address, upstreams, requests so far, what is held; clicks go to those."""

    state: var[HostState | None] = var(None, init=False)

    def watch_state(self) -> None:
        self.refresh()

    def spans(self, cells: int) -> Line:
        if self.state is None:
            return ()
        return lay_recorder(self.state, cells, self.symbols)
