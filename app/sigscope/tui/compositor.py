"""What puts the cells of all widgets of a screen together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from textual._compositor import Compositor
from textual.geometry import Region
from textual.widget import Widget

if TYPE_CHECKING:
    from textual._compositor import ChopsUpdate, LayoutUpdate


class SparingCompositor(Compositor):
    """Textual's own renders every widget within the rectangle around all that changed:
    the header and the lowest line together are the whole screen, and each of them lies
    on three that hold it. Here only widgets are rendered that have cells in what
    changed, and cells that can be seen: no box that its contents fill.

    These are private members of Textual's. One that has other ones paints as it would
    without this class; `tests/tui/test_compositor.py` tells."""

    _changed: frozenset[Region] = frozenset()
    """What is painted just now; empty where it may be everything."""

    def render_partial_update(self) -> ChopsUpdate | None:
        changed: set[Region] = getattr(self, "_dirty_regions", set())
        with self._only(changed):
            return super().render_partial_update()

    def render_full_update(self, simplify: bool = False) -> LayoutUpdate:
        with self._only({self.size.region}):
            return super().render_full_update(simplify)

    @contextmanager
    def _only(self, changed: Iterable[Region]) -> Iterator[None]:
        """While these are painted."""
        if changed:
            _ = self.cuts  # they are of all widgets, and kept until one moves
            self._changed = frozenset(changed)
        try:
            yield
        finally:
            self._changed = frozenset()

    @property
    def visible_widgets(self) -> dict[Widget, tuple[Region, Region]]:
        """Each with its region, and what of it is to be seen."""
        visible, changed = super().visible_widgets, self._changed
        if not changed:
            return visible
        found: dict[Widget, tuple[Region, Region]] = {}
        left = list(changed)
        for widget, (region, clip) in visible.items():  # those in front come first
            seen = region.intersection(clip)
            if any(seen.overlaps(each) for each in left):
                found[widget] = region, clip
                left = [part for each in left for part in _around(each, seen)]
        return found


def _around(region: Region, hole: Region) -> Iterable[Region]:
    """What of a region lies outside another one."""
    inner = region.intersection(hole)
    if not inner:
        return (region,)
    x, y, width, _ = region
    parts = (
        Region(x, y, width, inner.y - y),
        Region(x, inner.y, inner.x - x, inner.height),
        Region(inner.right, inner.y, region.right - inner.right, inner.height),
        Region(x, inner.bottom, width, region.bottom - inner.bottom),
    )
    return filter(None, parts)
