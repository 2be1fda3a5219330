"""Which panes of a screen are on show, and which one is worked in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from textual.css.query import NoMatches
from textual.screen import Screen
from textual.widget import Widget

from sigscope.tui.keymap import binding_on
from sigscope.tui.paneframe import PaneFrame
from sigscope.tui.panes.oneliners import TabLine
from sigscope.tui.panes.toosmall import TooSmall
from sigscope.tui.screens import arrangement
from sigscope.tui.screens.arrangement import Arrangement, Mode, arrange, mode_for

if TYPE_CHECKING:
    from sigscope.tui.json.contents import Tab
    from sigscope.tui.json.pane import JsonPane

TABLE_ROWS = 4
"""Lines of the timeline pane besides its lanes: axis, legend and borders."""

FINDINGS_TOO = frozenset({arrangement.TIMELINE, arrangement.FINDINGS})
"""Both panes below the columns."""


class PaneLayout(PaneFrame):
    """The frame of the debugger: arranges the panes by size and by what was used
    last."""

    def __init__(
        self,
        screen: Screen[Any],
        panes: Mapping[int, type[Widget]],
        lanes: Callable[[], int],
    ) -> None:
        """`panes`: by number; `lanes`: how many there are in the timeline."""
        super().__init__(arrangement.NAMES, lambda number: self.widget(number).focus())
        self._screen = screen
        self._panes = panes
        self._lanes = lanes
        self.recent = [arrangement.CHAT, arrangement.FINDINGS]
        self._arrangement: Arrangement | None = None
        self._lanes_laid = 0
        self.observe(self._frame_changed)

    def widget(self, number: int) -> Widget:
        return self._screen.query_one(self._panes[number])

    def where_works(self, key: str) -> str:
        """Where something is done at a key that does nothing now: "works in pane 4,
        JSON: Edit value"; empty for nowhere."""
        found = {n: bound for n in self.names if (bound := self._bound(n, key))}
        if not found:
            return ""
        number, does = next(iter(found.items()))
        if self.current in found:
            return f"works in another tab here: {found[self.current]}"
        if len(found) > 1:
            return f"works in panes {', '.join(map(str, found))}"
        return f"works in pane {number}, {self.names[number]}: {does}"

    def _bound(self, number: int, key: str) -> str:
        pane = self.widget(number)
        found = (binding_on(each, key) for each in (pane, *pane.query("*")))
        return next((binding.description for binding in found if binding), "")

    # --- Which is worked in ----------------------------------------------------------

    def go_to_first(self) -> None:
        """To the pane to begin with at this size."""
        has_one = mode_for(*self._screen.app.size) is Mode.ONE
        self.go_to(arrangement.CHAT if has_one else arrangement.STEPS)

    def take_focus(self, focused: Widget) -> None:
        """Remember the pane of what has the focus now, also when it was clicked."""
        for number in arrangement.PANES:
            pane = self.widget(number)
            if pane is focused or pane in focused.ancestors:
                self.work_in(number)

    def _frame_changed(self, what: str) -> None:
        if what != "visible":
            self.arrange()

    # --- What is on show -------------------------------------------------------------

    def follow_lanes(self) -> None:
        """Give the timeline its height anew where there are other lanes by now."""
        if self._lanes() != self._lanes_laid:
            self.arrange()

    def dress(self) -> None:
        """Give the screen the classes of its size. Done before it has panes, that
        works out the styles of nothing else."""
        size = self._screen.app.size
        self._dress(mode_for(*size), size.height)

    def _dress(self, found: Mode, height: int) -> None:
        looks = {f"-{mode}": mode is found for mode in Mode}
        looks["-short"] = height < 40
        looks["-low"] = height < arrangement.LOW
        other = [
            name
            for name, wanted in looks.items()
            if self._screen.has_class(name) != wanted
        ]
        if other:  # at one go: every call works out the styles of all there is
            self._screen.toggle_class(*other)

    def arrange(self) -> None:
        """Show the panes that fit."""
        screen = self._screen
        width, height = screen.size
        try:
            small = screen.query_one(TooSmall)
        except NoMatches:  # not composed yet
            return
        found = arrange(width, height, self.current, self.recent, zoomed=self.zoomed)
        self._dress(found.mode, height)
        small.tell(screen.size)
        if found != self._arrangement:
            self._arrangement = found
            self._apply(found)
        is_alone = len(found.visible) == 1 or found.mode is Mode.TINY
        left = None if is_alone else arrangement.left_cells(width)
        _give(screen.query_one("#left"), "width", left)
        share = 5 if found.visible >= FINDINGS_TOO else 4
        self._lanes_laid = self._lanes()
        lines = max(5, min(self._lanes_laid + TABLE_ROWS, height // share + 1))
        timeline = self.widget(arrangement.TIMELINE)
        _give(timeline, "height", None if len(found.visible) < 3 else lines)
        self.visible = found.visible
        screen.query_one(TabLine).tabs = self.tabs

    def _apply(self, found: Arrangement) -> None:
        visible = found.visible
        for number in arrangement.PANES:
            self.widget(number).display = number in visible
        left = visible & {arrangement.STEPS, arrangement.SIGNATURES}
        lower = visible & {arrangement.TIMELINE, arrangement.FINDINGS}
        query = self._screen.query_one
        for name, panes in (("#left", left), ("#lower", lower)):
            query(name).display = bool(panes)
            if panes:  # the styles of what is hidden are worked out when it is shown
                query(name).set_class(len(visible) == 1, "-single")
        query("#body").display = bool(visible - lower)
        query(TabLine).display = found.has_tabs


def _give(widget: Widget, rule: str, cells: int | None) -> None:
    """Set a size, or leave it to the style sheet (None). Taking away what is not there
    would lay the whole screen out anew."""
    if cells is not None or widget.styles.inline.has_rule(rule):
        setattr(widget.styles, rule, cells)


class _Former(NamedTuple):
    """What was worked in before."""

    pane: int
    tab: Tab
    zoomed: bool


class DiffDetour:
    """The Diff tab of the JSON pane, and the way back from it."""

    def __init__(self, layout: PaneLayout) -> None:
        self._layout = layout
        self._tab: Tab = "request"
        """The tab of the pane, as it told."""
        self._before: _Former | None = None
        """What was worked in when the Diff tab was opened; None while it is not."""

    def is_worked_in(self, pane: JsonPane) -> bool:
        """Whether the cursor that counts is that of the Diff tab."""
        return self._layout.current == arrangement.JSON and pane.tab == "diff"

    def open(self, pane: JsonPane) -> None:
        """Show the Diff tab; `close` goes back to what is worked in now."""
        if not self.is_worked_in(pane):
            layout = self._layout
            self._before = _Former(layout.current, pane.tab, layout.zoomed)
        pane.show_tab("diff")
        self._layout.go_to(arrangement.JSON)

    def take(self, shown: Tab) -> None:
        """The pane shows another tab."""
        before, self._tab = self._tab, shown
        if shown != "diff":
            self._before = None
        elif self._before is None:
            self._before = _Former(arrangement.JSON, before, self._layout.zoomed)

    def close(self, pane: JsonPane) -> bool:
        """Back to where the Diff tab was opened from; False where it is not worked in,
        or was zoomed since: then that goes first."""
        former = self._before
        if former is None or not self.is_worked_in(pane):
            return False
        if self._layout.zoomed and not former.zoomed:
            return False
        self._before = None
        pane.show_tab("request" if former.tab == "diff" else former.tab)
        self._layout.go_to(former.pane)
        return True
