"""From lines in inks to cells in colours: the base of every widget that draws lines."""

from __future__ import annotations

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.scroll_view import ScrollView
from textual.strip import Strip

from sigscope.tui.lines import Line

SIGNATURE_INKS = tuple(f"sig-{number}" for number in range(1, 9))
"""Signatures take turns with these; the id beside them tells equal ones apart."""

INKS = (
    "dim",
    "faint",
    "bold",
    "italic",
    "underline",
    "strike",
    "accent",
    "good",
    "bad",
    "warn",
    "info",
    "key",
    "heading",
    "link",
    "code",
    "quote",
    "user",
    "assistant",
    "system",
    "thought",
    "call",
    "result",
    "seg-thought",
    "seg-text",
    "seg-call",
    "seg-other",
    "inverse",
    "found",
    *SIGNATURE_INKS,
)
"""Every ink there is. Its colour is the rule `.ink--NAME` below, made of theme
variables; `themes.FALLBACKS` has a value for each of ours."""

ROWS = ("row--cursor", "row--selected", "row--hover")
"""How a whole row may look: under the cursor of the pane in focus, of another pane,
under the mouse pointer."""

_RULES = "\n".join(
    f"& > .ink--{name} {{ color: $ink-{name}; }}"
    for name in ("dim", "faint", "accent", "good", "bad", "warn", "info", "key")
)
_ROLES = "\n".join(
    f"& > .ink--{name} {{ color: $ink-{name}; }}"
    for name in (
        "heading",
        "link",
        "code",
        "quote",
        "user",
        "assistant",
        "system",
        "thought",
        "call",
        "result",
        "seg-thought",
        "seg-text",
        "seg-call",
        "seg-other",
    )
)
_SIGNATURES = "\n".join(
    f"& > .ink--{name} {{ color: ${name}; }}" for name in SIGNATURE_INKS
)


class LineView(ScrollView):
    """Draws lines, and nothing but the visible ones."""

    COMPONENT_CLASSES = {*(f"ink--{ink}" for ink in INKS), *ROWS}

    DEFAULT_CSS = f"""
    LineView {{
        background: $background;
        color: $foreground;
        {_RULES}
        {_ROLES}
        {_SIGNATURES}
        & > .ink--bold {{ text-style: bold; }}
        & > .ink--italic {{ text-style: italic; }}
        & > .ink--underline {{ text-style: underline; }}
        & > .ink--strike {{ text-style: strike; }}
        & > .ink--inverse {{ text-style: reverse; }}
        & > .ink--found {{ text-style: reverse; }}
        & > .row--cursor {{
            background: $row-cursor-background;
            color: $row-cursor-foreground;
            text-style: $row-cursor-style;
        }}
        & > .row--selected {{
            background: $row-selected-background;
            text-style: $row-selected-style;
        }}
        & > .row--hover {{ background: $row-hover-background; }}
    }}
    """

    def ink(self, names: str) -> Style:
        """The style of an ink, or of several combined; unknown ones do nothing."""
        style = Style.null()
        for name in names.split():
            style += self.get_component_rich_style(
                f"ink--{name}", partial=True, default=Style.null()
            )
        return style

    def row(self, name: str) -> Style:
        """The style of a row in a state."""
        return self.get_component_rich_style(f"row--{name}", partial=True)

    def paint(
        self, spans: Line, cells: int, row: Style | None = None, *, flat: bool = False
    ) -> Strip:
        """A strip of exactly so many cells. `row` lies under the inks; with `flat` it
        lies over their colours, so that a row under the cursor is readable."""
        base = self.rich_style + (row or Style.null())
        segments: list[Segment] = []
        used = 0
        for span in spans:
            if not span.text:
                continue
            style = base + self.ink(span.ink) if span.ink else base
            if flat and row is not None:
                style += Style(color=base.color, bgcolor=base.bgcolor)
            if span.target is not None:
                style += Style(meta={"target": span.target})
            segments.append(Segment(span.text, style))
            used += cell_len(span.text)
        return Strip(segments, used).adjust_cell_length(cells, base)
