"""How well text can be told from its ground: WCAG 2.1's contrast ratio.

Source: W3C, Web Content Accessibility Guidelines 2.1, "relative luminance" and
"contrast ratio"; success criterion 1.4.3 asks for 4.5 : 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from textual.app import App
from textual.color import Color
from textual.geometry import Region
from textual.theme import Theme

from sigscope.records import dataclass

ENOUGH = 4.5

SEEN = 3.0
"""What success criterion 1.4.11 asks of graphics."""

GROUNDS = ("background", "surface", "row-selected-background", "row-hover-background")
"""What inks are drawn on."""

TEXT_ROLES = (
    "foreground",
    "title",
    *(
        f"ink-{name}"
        for name in (
            *("dim", "faint", "accent", "good", "bad", "warn", "info", "key"),
            *("heading", "link", "code", "quote", "string", "number", "word"),
            *("user", "assistant", "system", "thought", "call", "result"),
        )
    ),
    *(f"sig-{number}" for number in range(1, 9)),
)
"""Variables that colour words."""

FILL_ROLES = tuple(f"ink-seg-{name}" for name in ("thought", "text", "call", "other"))
"""Variables that fill bars."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Faint:
    """Text that is hard to read."""

    role: str
    ground: str
    ratio: float


def ratio(one: Color, other: Color) -> float:
    """Contrast from 1 (the same) to 21 (black on white)."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def faint_on_screen(app: App[Any], region: Region) -> Iterator[tuple[str, float]]:
    """Words that are painted in a part of the screen, and are below `ENOUGH`."""
    strips = app.screen._compositor.render_strips(app.size)
    for strip in strips[region.y : region.bottom]:
        for segment in strip.crop(region.x, region.right):
            style = segment.style
            if not any(map(str.isalnum, segment.text)) or not style:
                continue
            if style.color is None or style.bgcolor is None:
                continue
            ink, ground = map(Color.from_rich_color, (style.color, style.bgcolor))
            found = ratio(ink, ground)
            if found < ENOUGH:
                yield segment.text.strip(), round(found, 2)


def _luminance(colour: Color) -> float:
    red, green, blue = (_linear(part / 255) for part in colour.rgb)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    # WCAG 2.1 prints 0.03928; IEC 61966-2-1 has 0.04045. No 8-bit value lies between.
    return part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4


def faint_texts(theme: Theme, variables: dict[str, str]) -> Iterator[Faint]:
    """Text roles below `ENOUGH`. `variables` are all CSS variables under this theme.
    A theme in the terminal's own colours cannot be judged: nothing is known of them."""
    if theme.ansi:
        return
    pairs = [(role, ground) for role in TEXT_ROLES for ground in GROUNDS]
    pairs.append(("row-cursor-foreground", "row-cursor-background"))
    for role, ground in pairs:
        found = ratio(Color.parse(variables[role]), Color.parse(variables[ground]))
        if found < ENOUGH:
            yield Faint(role=role, ground=ground, ratio=found)
