"""What is said of a recorder in passing: its problems, and the end of its client."""

from __future__ import annotations

from sigscope.engine.recording.host import HostState
from sigscope.tui.debugger.desk import Desk


class RecorderNotices:
    """Says each thing once, however often the recorder is looked at."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._told_problems = 0
        self._is_end_told = False

    def take(self, state: HostState) -> None:
        """How the recorder stands now."""
        for problem in state.problems[self._told_problems :]:
            self._desk.tell(problem, title="Recorder", severity="warning", timeout=12)
        self._told_problems = len(state.problems)
        client = state.client
        if client is None or client.code is None or self._is_end_told:
            return
        self._is_end_told = True
        output, leave = map(self._desk.key, ("recording.output", "leave"))
        self._desk.tell(
            f"exit code {client.code}; {output} shows its output, {leave} leaves",
            title=f"{client.name} has ended",
            severity="information" if client.code == 0 else "warning",
            timeout=10,
        )
