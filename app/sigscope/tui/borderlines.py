"""The two lines of a border that have words."""

from __future__ import annotations

from textual.content import Content
from textual.geometry import Region
from textual.widget import Widget


def say_in_border(widget: Widget, **words: str | Content) -> None:
    """Set `border_title`, `border_subtitle` or both. By itself that paints all that is
    within the border, too."""
    own = vars(widget)
    own["refresh"] = lambda: widget
    try:
        for name, said in words.items():
            setattr(widget, name, said)
    finally:
        del own["refresh"]
    widget.refresh(*border_lines(widget))


def border_lines(widget: Widget) -> tuple[Region, Region]:
    """Top and bottom, for `refresh`, which counts from where the content begins."""
    x, y = widget.content_offset
    width, height = widget.outer_size
    return Region(-x, -y, width, 1), Region(-x, height - 1 - y, width, 1)
