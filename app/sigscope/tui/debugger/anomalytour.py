"""Going from anomaly to anomaly, through all steps of the session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sigscope.tui.debugger.desk import Desk
from sigscope.tui.debugger.model import DebuggerModel
from sigscope.tui.selection import Selection
from sigscope.tui.views.marks import place_of
from sigscope.tui.views.shownsession import Overview

if TYPE_CHECKING:
    from sigscope.overview import Anomalies, Anomaly, SessionStrip


class AnomalyTour:
    """Knows the strip and the anomalies of the model's session, made once for each
    study of it."""

    def __init__(self, model: DebuggerModel, desk: Desk) -> None:
        self._model = model
        self._desk = desk
        self._made: tuple[Overview, SessionStrip, Anomalies] | None = None
        self._left: Selection | None = None
        """What was selected when it was asked last."""
        self._next: Selection | None = None
        """Where it goes from there, when what it says is painted."""

    def made_of(self, overview: Overview) -> tuple[SessionStrip, Anomalies]:
        """Of what is known of the session."""
        from sigscope.overview import find_anomalies, survey

        if self._made is None or self._made[0] is not overview:
            readings = self._model.document.readings
            ledger, refusals = overview.ledger, overview.refusals
            studied = {fact.number for fact in overview.facts}
            known = [r for r in readings if r.number in studied]
            strip = survey(
                known,
                ledger,
                refusals,
                overview.findings,
                is_checked=overview.is_checked,
            )
            found = find_anomalies(strip, ledger, refusals, overview.findings)
            self._made = overview, strip, found
        return self._made[1], self._made[2]

    @property
    def anomalies(self) -> Anomalies:
        """As far as they are known."""
        from sigscope.overview import Anomalies

        if not self._model.document.steps:
            return Anomalies(unknown="there is no step yet")
        overview, problem = self._model.overview, self._model.problem
        if overview is None:
            unknown = "the session is still being read"
            return Anomalies(
                unknown=f"could not read all: {problem}" if problem else (unknown)
            )
        return self.made_of(overview)[1]

    def go(self, by: int) -> int | None:
        """To the next anomaly (1), or the one before (-1); say which it is. Its step is
        given at once; what there is to show of it follows when that is painted. None
        if there is no anomaly."""
        here = self._model.selection
        now = here if self._left is not here or self._next is None else self._next
        stop = self.anomalies.after(now.step, by) if now is not None else None
        self._desk.tell(self.anomalies.told(stop, self._remarks), timeout=6)
        if stop is None:
            return None
        self._left, self._next = here, selected(stop.anomaly)
        self._desk.once_painted(self._follow)
        return stop.anomaly.step

    @property
    def _remarks(self) -> int:
        """How many different ones there are on the recording."""
        overview = self._model.overview
        told = overview.remarks.values() if overview else ()
        unread = len(self._model.document.session.problems)
        return unread + len({remark for each in told for remark in each})

    def _follow(self) -> None:
        """Select it, unless the user has moved on meanwhile."""
        wanted, self._next = self._next, None
        if wanted is not None and self._model.selection is self._left:
            self._model.choose(wanted)


def selected(anomaly: Anomaly) -> Selection:
    """What to show of it."""
    finding = anomaly.finding
    return Selection(
        step=anomaly.step,
        place=place_of(finding) if finding is not None else None,
        signature=anomaly.signature,
        finding=finding,
    )
