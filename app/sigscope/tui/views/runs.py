"""The tree of runs, and what it shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sigscope.edits.records import Edit
from sigscope.records import dataclass
from sigscope.runs import Run, Verdict
from sigscope.tui.lines import Line, Span, fit, line, pad, width
from sigscope.tui.shown import one_line
from sigscope.tui.symbols import Symbols, verdict_glyph

_INKS = {
    Verdict.GONE: "good",
    Verdict.REPRODUCED: "bad",
    Verdict.DIFFERENT: "warn",
    Verdict.UNCLEAR: "warn",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRow:
    """One run in the tree; or, with `run` None, the step as recorded at its root."""

    run: Run | None
    depth: int = 0
    status: int | None = None
    """Of the recorded step, for the root."""
    proof: str = ""
    """What the runs together prove: "both needed"."""


def run_rows(
    runs: Sequence[Run], step: int, recorded: int | None
) -> tuple[RunRow, ...]:
    """The step's runs under it, children under their parents."""
    mine = [run for run in runs if run.step == step]
    known = {run.number for run in mine}
    children: dict[int | None, list[Run]] = {}
    for run in mine:
        parent = run.parent if run.parent in known else None
        children.setdefault(parent, []).append(run)
    rows = [RunRow(run=None, status=recorded)]
    rows += [
        RunRow(run=run, depth=depth, proof=proof_of(run, mine))
        for run, depth in _walk(children, None, 0)
    ]
    return tuple(rows) if mine else ()


def _walk(
    children: Mapping[int | None, list[Run]], parent: int | None, depth: int
) -> Iterator[tuple[Run, int]]:
    for run in children.get(parent, ()):
        yield run, depth
        yield from _walk(children, run.number, depth + 1)


def proof_of(run: Run, runs: Sequence[Run]) -> str:
    """Whether each edit of a run that worked was shown to be needed: there is a run
    without it, all others on, that failed."""
    if run.verdict is not Verdict.GONE or not run.edits:
        return ""
    edits = frozenset(run.edits)
    failed = [
        frozenset(other.edits)
        for other in runs
        if other.parent == run.parent
        and other.upstream == run.upstream
        and other.verdict in (Verdict.REPRODUCED, Verdict.DIFFERENT)
    ]
    if not all(edits - {edit} in failed for edit in edits):
        return ""
    words = {1: "needed", 2: "both needed"}
    return words.get(len(edits), f"all {len(edits)} needed")


def edits_title(
    edits: Sequence[Edit], describe: Mapping[Edit, str], rules: Mapping[Edit, str]
) -> str:
    """ "CPC-1 + CPC-2": what a set of edits is called, short. `rules`: of those that
    are a fix."""
    if not edits:
        return "as recorded"
    names = []
    for edit in edits:
        origin, _, rest = edit.origin.partition(" ")
        if edit in rules:
            names.append(rules[edit])
        elif origin in ("rule", "ready") and rest:
            names.append(rest)
        else:
            names.append(edit.label or describe.get(edit, str(edit.op)))
    return " + ".join(dict.fromkeys(names))


def name_cells(rows: Sequence[RunRow], names: Mapping[int, str]) -> int:
    """Width of the longest name in the list; with `as recorded` at its root."""
    return max((width(_name(row, "", names)) for row in rows), default=0)


def outcome_cells(rows: Sequence[RunRow], symbols: Symbols, *, failed: bool) -> int:
    """Width of the longest outcome in the list."""
    runs = ((row.run, row) for row in rows if row.run is not None)
    outcomes = (_outcome(run, row, "", symbols, failed=failed) for run, row in runs)
    return max(map(width, outcomes), default=0)


def _name(row: RunRow, child: str, names: Mapping[int, str]) -> Line:
    if row.run is None:
        return line(("as recorded", "dim"))
    lead = "  " * row.depth + (f"{child or '-'} " if row.depth else "")
    name = names.get(row.run.number, "")
    return line((f"{lead}#{row.run.number} ", "dim"), (name, "bold"))


def lay_run(
    row: RunRow,
    cells: int,
    symbols: Symbols,
    names: Mapping[int, str],
    *,
    columns: tuple[int, int],
    failed: bool,
) -> Line:
    """ "#4 CPC-1 + CPC-2   200  ✓ gone: fix confirmed, both needed". `columns`: cells
    of the longest name and of the longest outcome."""
    run, (longest, outcome) = row.run, columns
    name_room = max(12, min(longest, max(cells // 2, cells - 2 - outcome)))
    name = pad(fit(_name(row, symbols.child, names), name_room), name_room + 2)
    if run is None:
        status = str(row.status) if row.status is not None else symbols.nothing
        return fit((*name, Span(status, "bad" if failed else "good")), cells)
    ink = verdict_ink(run, failed=failed)
    return fit((*name, *_outcome(run, row, ink, symbols, failed=failed)), cells)


def verdict_ink(run: Run, *, failed: bool) -> str:
    """The ink of its verdict; `failed`: whether the recorded step was refused."""
    if run.verdict is Verdict.REPRODUCED and not failed:
        return "good"
    return _INKS[run.verdict]


def _outcome(
    run: Run, row: RunRow, ink: str, symbols: Symbols, *, failed: bool
) -> Line:
    status = str(run.status) if run.status is not None else "no answer"
    spans = [
        Span(_predicted(run), "dim"),
        Span(status, "good" if run.status and run.status < 400 else "bad"),
        Span(f"  {verdict_glyph(symbols, run.verdict, failed=failed)} ", ink),
        Span(say_verdict(run, failed=failed), ink),
    ]
    if row.proof:
        spans.append(Span(f", {row.proof}", ink))
    if run.reason and run.verdict is not Verdict.UNCLEAR:
        spans.append(Span(f"  ({one_line(run.reason)})", "dim"))
    if run.contradiction:
        spans.append(Span(f"  {symbols.warn} contradicts the prediction", "warn"))
    if run.upstream != "simulator":
        spans.append(Span(f"  {host_of(run.upstream)}", "dim"))
    return tuple(spans)


def _predicted(run: Run) -> str:
    if run.predicted is None:
        return ""
    if run.upstream == "simulator" and run.predicted == run.status:
        return ""
    return f"predicted {run.predicted}, got "


def host_of(url: str) -> str:
    """The host of a URL; anything else as it is."""
    head, found, rest = url.partition("://")
    return one_line(rest.split("/")[0] if found else head, 40)


def say_verdict(run: Run, *, failed: bool) -> str:
    """A verdict in a few words; `failed`: whether the recorded step was refused."""
    if run.verdict is Verdict.GONE:
        return "gone: fix confirmed" if run.edits else "gone: it works as recorded"
    if run.verdict is Verdict.REPRODUCED:
        return "reproduced" if failed else "accepted again"
    if run.verdict is Verdict.DIFFERENT:
        return "another error" if failed else "refused now"
    return f"unclear: {one_line(run.reason) or 'no evidence'}"


def tally(runs: Sequence[Run]) -> str:
    """ "4 runs: 1 gone, 3 reproduced"."""
    if not runs:
        return ""
    counts: dict[str, int] = {}
    for run in runs:
        counts[str(run.verdict)] = counts.get(str(run.verdict), 0) + 1
    listed = ", ".join(f"{n} {word}" for word, n in sorted(counts.items()))
    return f"{len(runs)} run{'s' * (len(runs) != 1)}: {listed}"
