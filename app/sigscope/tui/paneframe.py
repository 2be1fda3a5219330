"""Which pane of a screen is worked in, and which are on show. No terminal.

The screen says how panes are arranged and focused; it hears what changed by name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sigscope.tui.debugger.observed import Observable, Observed

TabRow = tuple[tuple[int, str, bool, bool], ...]
"""Of each pane: its number, its name, whether it is on show, whether it is current."""


class PaneFrame(Observable):
    """The pane worked in, those before it, and whether it has the whole screen."""

    current: Observed[int] = Observed(1)
    """The pane that has, or had last, the focus."""
    zoomed: Observed[bool] = Observed(False)
    """Whether it has the whole screen."""
    visible: Observed[frozenset[int]] = Observed(frozenset())
    """What is on show; the screen sets it when it has arranged the panes."""

    def __init__(
        self, names: Mapping[int, str], focus: Callable[[int], object]
    ) -> None:
        """`names`: of the panes, by number; `focus`: puts the cursor in one."""
        super().__init__()
        self.names = names
        self.recent: list[int] = []
        """Panes in the order of last use, the latest first."""
        self._focus = focus

    def go_to(self, number: int) -> None:
        self.work_in(number)
        self._focus(number)

    def work_in(self, number: int) -> None:
        """Another pane is worked in; it has the focus already."""
        if number == self.current:
            return
        for each in (self.current, number):
            if each in self.recent:
                self.recent.remove(each)
            self.recent.insert(0, each)
        self.current = number

    def where_works(self, key: str) -> str:
        """Where something is done at a key that does nothing in the pane worked in, in
        words; empty where nobody knows."""
        return ""

    def go_on(self, by: int) -> None:
        """To the next or previous pane."""
        numbers = list(self.names)
        at = numbers.index(self.current) + by
        self.go_to(numbers[at % len(numbers)])

    def unzoom(self) -> bool:
        """Give the other panes their room again. False if they have it."""
        was_zoomed, self.zoomed = self.zoomed, False
        return was_zoomed

    @property
    def tabs(self) -> TabRow:
        """What the line of tabs says."""
        return tuple(
            (number, name, number in self.visible, number == self.current)
            for number, name in self.names.items()
        )
