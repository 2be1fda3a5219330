"""The header line and the status line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sigscope.records import dataclass
from sigscope.runs import Run, Verdict
from sigscope.session import Session
from sigscope.tui import figures
from sigscope.tui.lines import Line, Span, fit, join, line, sides, width
from sigscope.tui.place import NodePlace
from sigscope.tui.shown import one_line, shown
from sigscope.tui.symbols import Symbols
from sigscope.tui.views.outcome import where_sent
from sigscope.tui.views.runs import host_of

POINTER = 40
"""Cells that a pointer is given before the verdicts are told one by one."""
LEAST_TITLE = 8
"""Cells below which the name of a session says nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """What the header says."""

    title: str
    """Name of the session; empty for none."""
    dialect: str = ""
    model: str = ""
    upstream: str = "simulator"
    called: str = "upstream"
    """What the upstream is called."""
    recorded: int | None = None
    """Status of the step, or of the run, that would be sent again."""
    mended: str = ""
    """What the recorder changed in the step's request on its way: "2 signatures put
    back (CPC-1)"; empty for nothing."""
    run: int | None = None
    """The run on show; None: the step as recorded."""
    edits: int = 0
    predicted: int | None = None
    """None where no simulator knows this service, or while it is asked."""
    rules: str = ""
    """What the rules foretell where it is something else; empty where they agree."""
    is_thinking: bool = False
    """Whether the prediction is on its way."""
    can_predict: bool = True
    problem: str = ""
    """Why the edits cannot be applied; empty if they can."""
    sent: Run | None = None
    """The run in which the request was sent as it is now; None where it was not."""


def name_of(session: Session) -> str:
    """What a session is called where there is little room: its file, else its title."""
    name = Path(session.path).name.removesuffix(".jsonl") if session.path else ""
    return name.removesuffix(".session") or session.title or "session"


def lay_headline(head: Headline, cells: int, symbols: Symbols) -> Line:
    """ "sigscope  name  dialect · model · upstream   recorded 400 → predicted 200" """
    dot = f" {symbols.dot} "
    where = "strict simulator" if head.upstream == "simulator" else head.upstream
    what = dot.join(shown(word) for word in (head.dialect, head.model) if word)
    upstream = line(
        (f"{what}{dot if what else ''}{head.called} ", "dim"),
        Span(host_of(where), "bold", "upstream"),
    )
    right = _forecast(head, symbols)
    name = line(("sigscope ", "accent bold"), " ", one_line(head.title, 60))
    room = cells - width(right) - 2
    host = Span(host_of(where), "bold", "upstream")
    short = line((f"{shown(head.dialect)}{dot}" if head.dialect else "", "dim"), host)
    for tail in (upstream, short, line(host)):
        parts = join([name, tail], "  ")
        if head.upstream and width(parts) <= room:
            break
    else:
        parts = name
    return sides(parts, right, cells) if right else fit(parts, cells)


def lay_top(title: str, words: Line, right: Line, cells: int) -> Line:
    """ "sigscope  name  what is shown    how that stands"; the name gives way."""
    rest = width(words) + width(right) + 4 * bool(words or right)
    mark = line(("sigscope ", "accent bold"), " ")
    room = cells - width(mark) - rest
    name = fit((Span(one_line(title)),), room) if room >= LEAST_TITLE else ()
    return sides((*mark, *join([name, words])), right, cells)


def _forecast(head: Headline, symbols: Symbols) -> Line:
    """ "recorded 400 → predicted 200 with 2 edits"."""
    base = f"run {head.run}" if head.run is not None else "recorded"
    spans = [Span(f"{base} ", "dim"), _status(head.recorded)]
    if head.mended and head.run is None:
        spans.append(Span(f" mended: {one_line(head.mended, 60)}", "info"))
    if head.problem:
        return (*spans, Span(f" {symbols.arrow} ", "dim"),
                Span(one_line(head.problem, 60), "bad"))  # fmt: skip
    if head.sent is not None:
        return (*spans, Span(f" {symbols.arrow} got ", "dim"), *_got(head.sent))
    is_known = head.predicted is not None or head.rules
    if not head.edits and head.run is None and not is_known:
        return tuple(spans) if head.recorded is not None else ()
    spans.append(Span(f" {symbols.arrow} predicted ", "dim"))
    if head.is_thinking:
        spans.append(Span("…", "dim"))
    elif not head.can_predict:
        spans.append(Span("unknown", "dim"))
    else:
        spans.append(_status(head.predicted))
    if head.rules and not head.is_thinking:
        spans.append(Span(f", {head.rules}", "warn"))
    if head.edits:
        spans.append(Span(f" with {figures.count(head.edits, 'edit')}", "dim"))
    return tuple(spans)


def _got(run: Run) -> Line:
    """ "200 (simulator, run 3)"."""
    status = Span("no answer", "bad") if run.status is None else _status(run.status)
    spans = [status]
    if run.verdict is Verdict.UNCLEAR:
        spans.append(Span(", unclear", "warn"))
    if run.contradiction:
        spans.append(Span(", not as predicted", "warn"))
    return (*spans, Span(f" ({where_sent(run)})", "dim"))


def _status(status: int | None) -> Span:
    if status is None:
        return Span("–", "dim")
    return Span(str(status), "good bold" if status < 400 else "bad bold")


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """What the status line says."""

    place: NodePlace | None = None
    step: int | None = None
    steps: int = 0
    run: int | None = None
    event: int | None = None
    events: int = 0
    findings: str = ""
    """"1 error, 2 warnings" of the step."""
    runs: str = ""
    """"4 runs: 1 gone, 3 reproduced"."""
    busy: str = ""
    """What is going on: "sending to simulator · 1.2 kB · esc cancels"."""


def lay_status(status: Status, cells: int, symbols: Symbols) -> Line:
    """ "/messages/2     step 2 of 4 · event 14 of 25 · 1 error · 4 runs: 1 gone" """
    words: list[str] = []
    if status.step is not None:
        words.append(f"step {status.step:,} of {status.steps:,}")
    if status.run is not None:
        words.append(f"run {status.run}")
    if status.event is not None and status.events:
        words.append(f"event {status.event:,} of {status.events:,}")
    words += [word for word in (status.findings, status.runs) if word]
    dot = f" {symbols.dot} "
    right = (Span(dot.join(words), "dim"),)
    if status.busy:
        return sides((Span(status.busy, "accent"),), right, cells)
    pointer = shown(str(status.place)) if status.place else ""
    if status.runs and width(right) + 2 + min(len(pointer), POINTER) > cells:
        words[-1] = status.runs.partition(":")[0]
        right = (Span(dot.join(words), "dim"),)
    return _with_pointer(pointer, right, cells)


def _with_pointer(pointer: str, right: Line, cells: int) -> Line:
    """A long pointer loses its beginning: the end is what tells nodes apart."""
    room = cells - width(right) - 2
    if len(pointer) > max(room, 12):
        keep = max(room, 12) - 1
        pointer = "…" + pointer[-keep:]
    return sides((Span(pointer, "accent"),), right, cells)


def tab_line(
    panes: Sequence[tuple[int, str, bool, bool]],
    cells: int,
    offered: Span | None = None,
) -> Line:
    """ "1 Steps │ 2 Signatures │ ...": number, name, on show, in focus. `offered`:
    another screen, as the first tab."""
    if offered is not None:
        rest = tab_line(panes, cells - width((offered,)) - 3)
        return (Span(" "), offered, Span(" │", "faint"), *rest)
    for between in (" │ ", "  "):
        spans = [Span(" ")]
        for position, (number, name, is_shown, is_focused) in enumerate(panes):
            if position:
                spans.append(Span(between, "faint"))
            ink = "accent bold" if is_focused else "bold" if is_shown else "dim"
            spans.append(Span(f"{number} {name}", ink, f"pane:{number}"))
        if width(spans) <= cells:
            return tuple(spans)
    return fit(_short_tabs(panes), cells)


def _short_tabs(panes: Sequence[tuple[int, str, bool, bool]]) -> Line:
    """Only the pane in focus has its name."""
    spans: list[Span] = [Span(" ")]
    for number, name, is_shown, is_focused in panes:
        ink = "accent bold" if is_focused else "bold" if is_shown else "dim"
        text = f"{number} {name}" if is_focused else str(number)
        spans += [Span(text, ink, f"pane:{number}"), Span("  ")]
    return tuple(spans)
