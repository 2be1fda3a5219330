"""What puts the cells of all widgets of a screen together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual._compositor import Compositor
from textual.geometry import Region
from textual.widget import Widget

if TYPE_CHECKING:
    from textual._compositor import ChopsUpdate


class SparingCompositor(Compositor):
    """Textual's own renders every widget within the rectangle around all that changed:
    the header and the lowest line together are the whole screen, and each of them lies
    on three that hold it. Here only widgets are rendered that have cells in what
    changed, and cells that can be seen.

    These are private members of Textual's. One that has other ones paints as it would
    without this class; `tests/tui/test_compositor.py` tells."""

    _changed: frozenset[Region] = frozenset()
    """What is painted just now; empty where it may be everything."""

    def render_partial_update(self) -> ChopsUpdate | None:
        if changed := getattr(self, "_dirty_regions", None):
            _ = self.cuts  # they are of all widgets, and kept until one moves
            self._changed = frozenset(changed)
        try:
            return super().render_partial_update()
        finally:
            self._changed = frozenset()

    @property
    def visible_widgets(self) -> dict[Widget, tuple[Region, Region]]:
        """Each with its region, and what of it is to be seen."""
        visible, changed = super().visible_widgets, self._changed
        if not changed:
            return visible
        found: dict[Widget, tuple[Region, Region]] = {}
        before: list[Region] = []
        for widget, (region, clip) in visible.items():  # those in front come first
            seen = region.intersection(clip)
            parts = [seen.intersection(each) for each in changed if seen.overlaps(each)]
            if any(not any(r.contains_region(part) for r in before) for part in parts):
                found[widget] = region, clip
                before.append(seen)
        return found
