"""Rows of the steps pane."""

from __future__ import annotations

from collections.abc import Sequence

from sigscope.ledger import Ledger
from sigscope.ledger.records import LOST, ThreadKind
from sigscope.records import dataclass
from sigscope.tui import figures
from sigscope.tui.lines import Line, Span, column, cut, width
from sigscope.tui.symbols import Symbols
from sigscope.tui.views.facts import StepFacts
from sigscope.tui.views.palette import Palette
from sigscope.tui.views.signatures import longest_of

MARKS = 4
"""Signature glyphs shown in a row; more become a number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepRow:
    """One step as listed."""

    facts: StepFacts
    received: tuple[str, ...] = ()
    """SHA-256 of the signatures its response brought."""
    lost: int = 0
    """Required signatures that its request does not carry."""
    thread: ThreadKind = "main"
    thread_number: int = 1


def step_rows(facts: Sequence[StepFacts], ledger: Ledger | None) -> tuple[StepRow, ...]:
    """A row for each step; without a ledger, what is known before it."""
    rows = []
    for fact in facts:
        thread = ledger.thread_of.get(fact.number) if ledger else None
        lost = ledger.stretches_in(fact.number, LOST) if ledger else ()
        rows.append(
            StepRow(
                facts=fact,
                received=tuple(s.sha256 for s in ledger.received_in(fact.number))
                if ledger
                else (),
                lost=sum(1 for _, stretch in lost if stretch.fate.is_lost),
                thread=thread.kind if thread else "main",
                thread_number=thread.number if thread else 1,
            )
        )
    return tuple(rows)


def mark_cells(rows: Sequence[StepRow]) -> int:
    """Cells of the widest column of signature glyphs."""
    most = max((bool(row.lost) + len(row.received) for row in rows), default=1)
    return min(MARKS, max(1, most))


def lay_step(
    row: StepRow,
    cells: int,
    digits: int,
    symbols: Symbols,
    palette: Palette,
    *,
    marked: int = MARKS,
) -> Line:
    """ " 2  400  invalid_request_body   0.2 s  ✗"; `marked`: cells for the glyphs."""
    facts = row.facts
    marks = _marks(row, symbols, palette, marked)
    took = figures.seconds(facts.duration_ms)
    ink = "" if row.thread == "main" else "dim"
    head: list[Span] = [
        column(str(facts.number), digits + 1, ink, right=True),
        Span("  "),
        column(_status(facts), 3, status_ink(facts)),
        Span("  "),
    ]
    tail = [column(took, 6, "dim", right=True), Span("  "), *marks]
    room = cells - width(head) - width(tail) - 1
    if room < 9 or facts.is_waiting:  # too narrow for the time; or the word tells it
        tail = [*marks]
        room = cells - width(head) - width(tail) - 1
    word = _word(row, symbols)
    if facts.is_waiting and len_of(word) > room:
        word = word.partition(", ")[2] or word  # "3:46 left": what changes
    text = cut(word, max(1, room))
    word_ink = "bad" if facts.is_accepted is False else ink
    word_ink = "warn bold" if facts.is_waiting else word_ink
    gap = max(1, room - len_of(text) + 1)
    return (*head, Span(text, word_ink), Span(" " * gap), *tail)


def len_of(text: str) -> int:
    """Cells of a text."""
    return width((Span(text),))


def _status(facts: StepFacts) -> str:
    return str(facts.status) if facts.status is not None else "–"


def status_ink(facts: StepFacts) -> str:
    """Good, bad, or neither where the recording holds no status."""
    if facts.is_accepted is False:
        return "bad"
    if facts.status is None:
        return "dim"
    return "good" if facts.status < 400 else "bad"


def _word(row: StepRow, symbols: Symbols) -> str:
    word = row.facts.word or ("…" if row.facts.is_accepted is None else "")
    if row.thread == "main":
        return word
    return f"{symbols.thread}{row.thread} {word}"


def _marks(row: StepRow, symbols: Symbols, palette: Palette, cells: int) -> list[Span]:
    """Signature glyphs in their column: ✗ for a loss, ? for a request that is not
    judged, then ◆ for each one received."""
    spans = [Span(symbols.dropped, "bad")] if row.lost else []
    spans += [] if row.facts.is_judged else [Span(symbols.unjudged, "warn")]
    room = cells - len(spans)
    if len(row.received) > room:
        spans.append(Span(f"{symbols.signature}{len(row.received)}", "accent"))
    else:
        spans += [Span(symbols.signature, palette.ink(s)) for s in row.received]
    missing = cells - width(spans)
    return [*spans, Span(" " * max(0, missing))]


def step_title(rows: Sequence[StepRow], room: int = 999) -> str:
    """ "4 steps · 1 failed"; where there is little room, without what the list itself
    shows."""
    failed = sum(1 for row in rows if row.facts.is_accepted is False)
    threads = len({row.thread_number for row in rows})
    left = sum(1 for row in rows if not row.facts.is_judged)
    steps = [figures.count(len(rows), "step")]
    amiss = [f"{failed} failed"] if failed else []
    amiss += [f"{left} not judged"] if left else []
    more = [f"{threads} threads"] if threads > 1 else []
    wanted = ([*steps, *amiss, *more], [*steps, *amiss], amiss, amiss[:1], steps)
    return longest_of([" · ".join(words) for words in wanted if words], room)
