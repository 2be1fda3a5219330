"""The list of sessions, and what it tells about the one under the cursor."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sigscope.engine.sessions.library import SessionCard
from sigscope.tomlfile import shortened
from sigscope.tui import figures
from sigscope.tui.lines import (
    ELLIPSIS,
    Line,
    Span,
    column,
    cut,
    fit,
    line,
    sides,
    width,
)
from sigscope.tui.linewrap import wrap
from sigscope.tui.shown import one_line, shown
from sigscope.tui.symbols import Symbols

TITLE_LESS = 12
"""Cells of a row of the list that may be other than title."""
DIALECT_CELLS = 13
"""Width of the longest name."""
BUNDLED, RECENT = "bundled", "recent"
SHELVES = {RECENT: "Yours, the latest first", BUNDLED: "Examples"}


def lay_shelf(shelf: str, cells: int, *, first: bool) -> list[Line]:
    """The heading of a shelf."""
    head = fit(line((SHELVES.get(shelf, shelf), "heading bold")), cells)
    return [head] if first else [(), head]


def lay_no_recent(key: str, cells: int) -> list[Line]:
    """What stands where sessions of the user's own will be."""
    words = f"none yet: {key} opens a file, `sigscope record` makes one; paste a 400"
    indent = line("  ")
    return wrap([Span(words, "dim")], cells, first=indent, hang=indent)


def places_of(cards: Sequence[SessionCard]) -> dict[str, str]:
    """By path, for cards with the title of another one: the name of the file, and as
    many folders above it as tell them apart. A file that cannot be told so (bundled
    ones have names of their own) is left out."""
    alike: dict[str, list[SessionCard]] = {}
    for card in cards:
        if card.shelf == RECENT:
            alike.setdefault(card.title, []).append(card)
    found: dict[str, str] = {}
    for group in alike.values():
        parts = {card.path: Path(card.path).parts for card in group}
        longest = max(map(len, parts.values()))
        for count in range(1, longest + 1) if len(parts) > 1 else ():
            ends = {path: part[-count:] for path, part in parts.items()}
            if len(set(ends.values())) == len(ends):
                # The name itself only where it tells them apart, or part of them.
                named = len({end[-1] for end in ends.values()}) > 1
                for path, end in ends.items():
                    found[path] = "/".join(end if named else end[:-1])
                break
    return found


def lay_card(
    card: SessionCard, dialect: str, cells: int, symbols: Symbols, place: str = ""
) -> list[Line]:
    """A title and whether something failed; below it the dialect, the steps and the
    beginning of the story. `place`: what tells it from others of this title."""
    title = line("  ", (one_line(card.title, 200), "bold"))
    if place:
        place = cut(one_line(place, 200), cells // 2)
        room = cells - TITLE_LESS - 4 - width(line((place, "")))
        title = line(
            "  ",
            (cut(one_line(card.title, 200), max(8, room)), "bold"),
            (f"  {place}", "dim"),
        )
    story = one_line(card.story, 300).replace("`", "")
    if card.problem:
        right = line((f"{symbols.bad} cannot be opened", "bad"))
        below = line("  ", (one_line(card.problem, 300), "dim"))
    else:
        right = line((f"{card.failed} failed", "bad")) if card.failed else ()
        facts = (
            Span("  "),
            column(dialect, DIALECT_CELLS, "info"),
            column(_steps(card), 8, "dim", right=True),
            *line(
                "  ",
                (_runs(card), "warn"),
                *((f"#{tag} ", "accent") for tag in card.tags),
            ),
        )
        where = shown(shortened(Path(card.path)))
        told = story or _end_of(where, cells - width(facts))
        below = (*facts, Span(told, "dim"))
    return [sides(title, right, cells), fit(below, cells)]


def _end_of(path: str, cells: int) -> str:
    """A path without its first folders, as many as do not fit; its name at least."""
    parts = path.split("/")
    while width((Span(path),)) > cells and len(parts) > 1:
        del parts[0]
        path = "/".join((ELLIPSIS, *parts))
    return path


def _steps(card: SessionCard) -> str:
    """ "4 steps"; nothing for what was not looked into yet."""
    return figures.count(card.steps, "step") if card.steps else ""


def _runs(card: SessionCard) -> str:
    """ "2 runs  "; nothing where there are none, or of what comes with sigscope."""
    return f"{figures.count(card.runs, 'run')}  " if card.runs else ""


def figures_of(card: SessionCard, dialect: str, symbols: Symbols) -> Line:
    """ "copilot-chat · 4 steps · 1 failed"."""
    spans: list[Span] = []
    words: list[tuple[str, str]] = []
    if dialect:
        words.append((dialect, "info"))
    if card.steps:
        words.append((figures.count(card.steps, "step"), "dim"))
    if card.failed:
        words.append((f"{card.failed} failed", "bad"))
    if card.runs:
        words.append((figures.count(card.runs, "run"), "dim"))
    for text, ink in words:
        if spans:
            spans.append(Span(f" {symbols.dot} ", "dim"))
        spans.append(Span(text, ink))
    return tuple(spans)


def lay_detail(
    card: SessionCard,
    dialect: str,
    cells: int,
    symbols: Symbols,
    *,
    is_low: bool = False,
) -> list[Line]:
    """Everything about one session; `is_low`: where few lines are to be had, without
    a title that the list above shows."""
    lines: list[Line] = []
    if not is_low or width((Span(shown(card.title)),)) > cells - TITLE_LESS:
        lines = [*wrap([Span(shown(card.title), "heading bold")], cells), ()]
    lines += wrap(list(figures_of(card, dialect, symbols)), cells)
    if card.tags:
        lines += wrap([Span(" ".join(f"#{tag}" for tag in card.tags), "accent")], cells)
    lines.append(())
    if card.problem:
        lines += wrap([Span(shown(card.problem), "bad")], cells)
        lines.append(())
    if card.story:
        from sigscope.tui.views.markdown import lay_markdown  # dear to import

        bullet = "*" if symbols.ascii else "•"
        lines += lay_markdown(card.story, cells, bullet=bullet)
        lines.append(())
    for host in card.hosts:
        lines += wrap([Span(shown(host), "dim")], cells)
    where = f"sigscope {card.name}" if card.shelf == BUNDLED else card.path
    lines += wrap([Span(shown(where), "dim")], cells)
    return lines
