"""The two lines of a border that have words."""

from __future__ import annotations

from textual.geometry import Region
from textual.widget import Widget


def border_lines(widget: Widget) -> tuple[Region, Region]:
    """Top and bottom, for `refresh`, which counts from where the content begins.
    Setting a border's words, Textual paints all that is within it."""
    x, y = widget.content_offset
    width, height = widget.outer_size
    return Region(-x, -y, width, 1), Region(-x, height - 1 - y, width, 1)
