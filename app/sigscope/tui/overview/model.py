"""Where the cursor of the overview is, how much a cell holds, what is in sight.

No widget, no terminal.
"""

from __future__ import annotations

from collections.abc import Sequence

from sigscope.overview import Anomalies, AnomalyStop, SessionStrip, StepState
from sigscope.runs import Run

WIDTHS = (1, 2, 4)
"""Cells of a step, where there is room for more than one."""


class OverviewModel:
    """A strip, a cursor on one of its steps, and a zoom."""

    def __init__(
        self,
        strip: SessionStrip,
        anomalies: Anomalies,
        step: int | None = None,
        runs: Sequence[Run] = (),
    ) -> None:
        self.strip = strip
        self.runs = {run.step: run for run in runs}
        """The newest run of each step that has some."""
        self.anomalies = anomalies
        self.at = strip.place_of(step) if step is not None and len(strip) else 0
        """The place of the step under the cursor."""
        self.per_cell = 1
        """Steps that a cell takes together."""
        self.width = 1
        """Cells of a column: more than one where each has one step."""
        self.first = 0
        """The first column in sight."""
        self.room = 1
        """Cells for columns."""
        self.is_fitted = True
        """Whether all is in sight, whatever the room."""
        self.told = ""
        """What was answered last; empty if nothing is to be said."""

    # --- What there is ---------------------------------------------------------------

    @property
    def state(self) -> StepState | None:
        """The step under the cursor; None where the session has none."""
        states = self.strip.states
        return states[self.at] if self.at < len(states) else None

    @property
    def lane(self) -> int:
        """The lane of that step."""
        return self.strip.lane_at[self.at] if len(self.strip) else 0

    @property
    def columns(self) -> int:
        """How many there are."""
        return -(-len(self.strip) // self.per_cell)

    @property
    def column(self) -> int:
        """That of the cursor."""
        return self.at // self.per_cell

    @property
    def in_sight(self) -> range:
        """Columns that the room holds."""
        fits = max(1, self.room // self.width)
        return range(self.first, min(self.columns, self.first + fits))

    def span(self, column: int) -> tuple[int, int]:
        """The places of a column: first, and one past the last."""
        start = column * self.per_cell
        return start, min(len(self.strip), start + self.per_cell)

    @property
    def here(self) -> AnomalyStop | None:
        """The anomaly of the step under the cursor, if it is one."""
        state = self.state
        for at, each in enumerate(self.anomalies.listed):
            if state is not None and each.step == state.step:
                total = len(self.anomalies.listed)
                return AnomalyStop(anomaly=each, number=at + 1, total=total)
        return None

    def run_in(self, lane: int, column: int) -> Run | None:
        """The newest run of the steps that a lane has in a column."""
        start, end = self.span(column)
        places = (p for p in range(start, end) if self.strip.lane_at[p] == lane)
        steps = (self.strip.states[place].step for place in places)
        found = [self.runs[step] for step in steps if step in self.runs]
        return max(found, key=lambda run: run.number, default=None)

    def has_runs(self, lane: int) -> bool:
        """Whether a step of a lane was sent again."""
        states = (self.strip.states[place] for place in self.strip.lanes[lane].places)
        return any(state.step in self.runs for state in states)

    # --- Another session, another room -----------------------------------------------

    def take(self, strip: SessionStrip, anomalies: Anomalies) -> None:
        """The session has grown, or more is known of it; the cursor stays."""
        state = self.state
        self.strip, self.anomalies = strip, anomalies
        self.at = strip.place_of(state.step) if state is not None else 0
        self.fit(self.room)

    def fit(self, room: int) -> None:
        """There is room for so many cells."""
        self.room = max(1, room)
        if self.is_fitted:
            self.per_cell, self.width = self._whole()
        self.per_cell = min(self.per_cell, self._whole()[0])
        self._reveal()

    def _whole(self) -> tuple[int, int]:
        """Steps a cell, and cells a column, that show all."""
        size = max(1, len(self.strip))
        widths = [width for width in WIDTHS if size * width <= self.room]
        return (1, widths[-1]) if widths else (-(-size // self.room), 1)

    def _reveal(self) -> None:
        fits = max(1, self.room // self.width)
        self.first = min(max(self.first, self.column - fits + 1), self.column)
        self.first = max(0, min(self.first, self.columns - fits))

    # --- Zooming ---------------------------------------------------------------------

    def zoom(self, way: int) -> None:
        """Twice as large (1) or half as large (-1), around the cursor."""
        self.told = ""
        most, least = self._whole()
        at = WIDTHS.index(self.width)
        if way > 0 and self.per_cell > 1:
            self.per_cell //= 2
        elif way > 0:
            self.width = WIDTHS[min(at + 1, len(WIDTHS) - 1)]
        elif self.width > least:
            self.width = WIDTHS[at - 1]
        else:
            self.per_cell = min(most, self.per_cell * 2)
        self.is_fitted = (self.per_cell, self.width) == self._whole()
        fits = max(1, self.room // self.width)
        self.first = self.column - fits // 2
        self._reveal()

    def show_whole(self) -> None:
        self.told, self.is_fitted = "", True
        self.fit(self.room)

    # --- Moving ----------------------------------------------------------------------

    def _put(self, place: int) -> None:
        self.told = ""
        if len(self.strip):
            self.at = min(max(0, place), len(self.strip) - 1)
            self._reveal()

    def move(self, by: int) -> None:
        """So many columns on: to the step there that one would look at first."""
        if len(self.strip):
            self.put_column(min(max(0, self.column + by), self.columns - 1))

    def put_column(self, column: int, lane: int | None = None) -> None:
        """To the worst step of a column, or of a lane in it."""
        start, end = self.span(column)
        if not 0 <= start < end:
            return
        cell = self.strip.cell(lane, start, end) if lane is not None else None
        if cell is not None:
            self._put(self.strip.place_of(cell.worst.step))
        elif column != self.column or lane is not None:
            self._put(self.strip.worst_between(start, end))

    def move_steps(self, by: int) -> None:
        self._put(self.at + by)

    def move_lanes(self, by: int) -> None:
        """To the step of another lane that is nearest."""
        lanes = self.strip.lanes
        lane = self.lane + by
        if not 0 <= lane < len(lanes):
            self.told = (
                "there is one lane only"
                if len(lanes) < 2
                else f"this is the {'last' if by > 0 else 'first'} lane"
            )
            return
        cell = self.strip.cell(lane, *self.span(self.column))
        if cell is not None:
            self._put(self.strip.place_of(cell.worst.step))
        else:
            self._put(min(lanes[lane].places, key=lambda place: abs(place - self.at)))

    def go_to_end(self, way: int) -> None:
        """The last step, or the first."""
        self._put(len(self.strip) - 1 if way > 0 else 0)

    def go_to(self, step: int) -> None:
        """A step, by its number."""
        self._put(self.strip.place_of(step))

    def go_to_anomaly(self, by: int) -> None:
        """The next anomaly, or the one before, around the end."""
        step = self.state.step if self.state else 0
        stop = self.anomalies.after(step, by)
        if stop is not None:
            self.go_to(stop.anomaly.step)
        self.told = self.anomalies.told(stop)
