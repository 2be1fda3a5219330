"""Every combination of chosen edits in one table, with what both voices foretell.

  sigscope matrix FILE --step 2                     the fixes of its findings, combined
  sigscope matrix FILE --step 2 --all-fixes --edit 'drop /stream'
  sigscope matrix FILE --step 2 --ready all         all ready-made edits that fit, in
                                                    pairs where they are many
  sigscope matrix FILE --step 2 --only accepted --sort outcome
  sigscope matrix FILE --step 2 --as csv >cells.csv
  sigscope matrix FILE --step 2 --send 1+2 --to https://api.example.com --key-env KEY

Nothing is sent without --send. A cell is accepted or refused where the simulator says
so and the rules do not contradict it; else it is unclear, which stays unclear. Edits
that do together what none of them does alone are named in a sentence. Exit code 0 if a
cell is accepted (with --send: those that were sent), 1 if not, 3 if no answer came.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from sigscope.characters import printable
from sigscope.cli.console import Console
from sigscope.cli.interruption import run_async
from sigscope.cli.keymask import KeyMask
from sigscope.cli.options import (
    add_file,
    add_json,
    add_sending,
    add_step,
    add_target,
    one_of,
)

if TYPE_CHECKING:
    from sigscope.engine.engine import Target
    from sigscope.engine.sending.matrix import Matrix, MatrixCell, MatrixPlan
    from sigscope.engine.sessions.document import Document

TOLD_EVERY = 500
"""Cells until it is told that there are more to ask about."""
HELP = "all combinations of edits in one table: what is foretold, what interacts"
FORMS = ("text", "csv", "json", "markdown")
WIDEST = 44
"""Characters of an edit's name in the list."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """FILE, --step, what to combine, what to show, what to send."""
    add_file(parser)
    add_step(parser, is_chosen=True)
    what = parser.add_argument_group("what to combine (default: the findings' fixes)")
    what.add_argument(
        "--edit",
        action="append",
        default=[],
        metavar="EDIT",
        help="an edit, as `replay --edit` takes it",
    )
    what.add_argument(
        "--all-fixes", action="store_true", help="the fixes of the step's findings"
    )
    what.add_argument(
        "--ready",
        action="append",
        default=[],
        metavar="NAME",
        help="a ready-made edit; 'list' shows those that fit, 'all' takes them",
    )
    what.add_argument(
        "--pairwise",
        action="store_true",
        help="none, one and two at a time, however few the edits are",
    )
    what.add_argument(
        "--most", type=int, metavar="N", help="at most this many cells (4096)"
    )
    shown = parser.add_argument_group("what to show")
    shown.add_argument("--sort", metavar="KEY", default="size", help=_sorts())
    shown.add_argument("--only", metavar="WHAT", default="all", help=_filters())
    shown.add_argument(
        "--as",
        dest="form",
        metavar="FORM",
        default="text",
        help="text (default), csv, json, markdown",
    )
    where = parser.add_argument_group("sending cells")
    where.add_argument(
        "--send",
        action="append",
        default=[],
        metavar="CELL",
        help="send this cell: 1+3, or 0 for the request as recorded",
    )
    add_target(where)
    add_sending(where)
    add_json(parser)


def _sorts() -> str:
    return "size (default), cell, outcome, rule"


def _filters() -> str:
    return (
        "all (default), accepted, refused, unclear, conflict, possible (no conflict),"
        " differs (the voices contradict each other)"
    )


def run(args: argparse.Namespace, console: Console) -> int:
    """Ask, print, send what is chosen."""
    from sigscope.cli.configured import configure
    from sigscope.cli.documents import choose_step, open_document
    from sigscope.cli.edits import list_ready
    from sigscope.cli.targets import choose_target
    from sigscope.engine.sending.matrix import MOST_CELLS, plan_matrix
    from sigscope.engine.sending.matrixwords import FILTERS, SORTS
    from sigscope.errors import UsageError

    configure(args, console)
    form = "json" if args.json else one_of(args.form, FORMS, "--as")
    one_of(args.sort, tuple(SORTS), "--sort")
    one_of(args.only, tuple(FILTERS), "--only")
    most = MOST_CELLS if args.most is None else args.most
    if most < 1:
        raise UsageError("--most takes a positive number")
    document = open_document(args, console)
    choose_step(args, document, console)
    console.hide(KeyMask(document).said_of(args.step))
    if args.ready == ["list"]:
        list_ready(document, args.step, console)
        return 0
    target, profile = choose_target(args, has_key=bool(args.send))
    factors = _factors(document, args)
    plan = plan_matrix(args.step, factors, most=most, is_pairwise=args.pairwise)
    wanted = [plan.question(name) for name in args.send]
    matrix = _ask(document, plan, target, console)
    if not wanted:
        _print(document, matrix, form, args, console)
        return 0 if any(map(FILTERS["accepted"], matrix.cells)) else 1
    return _send(document, matrix, wanted, target, profile, form, args, console)


def _factors(document: Document, args: argparse.Namespace) -> Any:
    from sigscope.edits.notation import parse
    from sigscope.engine.sending.matrix import chosen_factors

    raw = document.request(args.step).body.raw
    return chosen_factors(
        document,
        args.step,
        edits=[parse(text, raw) for text in args.edit],
        ready=args.ready,
        fixes=args.all_fixes,
        ways="name edits by --edit EDIT, --ready NAME (`--ready all`: all that fit)",
    )


def _ask(
    document: Document, plan: MatrixPlan, target: Target, console: Console
) -> Matrix:
    from sigscope.engine.sending.matrix import Matrix, cells
    from sigscope.engine.sending.variants import Variants

    variants = Variants(document, plan.step, target.simulator)
    asked: list[MatrixCell] = []
    for cell in cells(plan, variants):
        asked.append(cell)
        if len(asked) % TOLD_EVERY == 0:
            console.talk(f"asked about {len(asked):,} of {plan.size:,} cells so far")
    return Matrix(plan=plan, cells=tuple(asked))


def _send(
    document: Document,
    matrix: Matrix,
    wanted: list[frozenset[int]],
    target: Target,
    profile: Any,
    form: str,
    args: argparse.Namespace,
    console: Console,
) -> int:
    """Send the chosen cells, then print these."""

    from sigscope.cli.targets import confirm, with_token
    from sigscope.cli.unkept import rescued
    from sigscope.engine.engine import Engine
    from sigscope.engine.sending.matrix import MatrixOutcome
    from sigscope.errors import UsageError

    plan = matrix.plan
    for question in wanted:
        cell = matrix.cell(question)
        if cell is not None and cell.outcome is MatrixOutcome.CONFLICT:
            raise UsageError(f"cell {cell.name} cannot be sent: {cell.error}")
    count = len(wanted)
    confirm(target, f"{count} cell{'s' * (count != 1)}", args, console)
    target = with_token(target, profile)
    code = 0
    engine = Engine()
    for question in wanted:
        sent = _send_cell(engine, document, plan, question, target, console)
        with rescued(document, target, console):
            code = max(code, run_async(sent))
    _print(document, matrix, form, args, console)
    return code


async def _send_cell(
    engine: Any,
    document: Document,
    plan: MatrixPlan,
    question: frozenset[int],
    target: Target,
    console: Console,
) -> int:
    from sigscope.engine.sending.matrix import cell_name
    from sigscope.engine.sending.sender import Order
    from sigscope.runs import Run

    order = Order(
        step=plan.step, edits=plan.edits(question), title=plan.title(question)
    )
    last: Run | None = None
    async for item in engine.replay(document, order, target):
        if isinstance(item, Run):
            last = item
    if last is None or last.status is None:
        why = f": {printable(last.error)}" if last and last.error else ""
        console.talk(f"cell {cell_name(question)}: no answer{why}")
        return 3
    console.talk(f"cell {cell_name(question)}: run {last.number}, {last.status}")
    is_accepted = last.status < 400 and last.error is None
    return 0 if is_accepted else 1


# --- What is printed ------------------------------------------------------------------


def _print(
    document: Document,
    matrix: Matrix,
    form: str,
    args: argparse.Namespace,
    console: Console,
) -> None:
    from sigscope.engine.sending.matrix import runs_of_cells
    from sigscope.engine.sending.matrixwords import (
        chosen_cells,
        to_csv,
        to_json,
        to_markdown,
    )

    shown = chosen_cells(matrix, args.sort, args.only)
    runs = runs_of_cells(document, matrix.plan)
    if form == "json":
        console.json(KeyMask(document).data(to_json(matrix, shown, runs)))
    elif form == "csv":
        for line in to_csv(matrix, shown, runs).splitlines():
            console.data(line)
    elif form == "markdown":
        for line in to_markdown(matrix, shown, runs).splitlines():
            console.data(line)
    else:
        _print_text(document, matrix, shown, runs, console)


def _print_text(
    document: Document,
    matrix: Matrix,
    shown: tuple[MatrixCell, ...],
    runs: Any,
    console: Console,
) -> None:
    from sigscope.engine.sending.matrixwords import (
        cure_words,
        interaction_lines,
        rules_words,
        sent_words,
        simulator_words,
        summary,
    )

    plan = matrix.plan
    status = document.reading(plan.step).status
    refusal = document.refusals.get(plan.step)
    said = f" {KeyMask(document).text(refusal.text)}" if refusal else ""
    console.data(f"step {plan.step}: {status or 'no answer recorded'}{said}")
    width = min(max(len(factor.name) for factor in plan.factors), WIDEST)
    for number, factor in enumerate(plan.factors, 1):
        console.data(f"  {number:>3}  {factor.name:{width}}  {factor.label}")
    names = max([len(cell.name) for cell in shown] + [4])
    sims = max([len(simulator_words(cell)) for cell in shown] + [9])
    rules = max([len(rules_words(cell.rules)) for cell in shown] + [5])
    head = f"{'cell':{names}}  {'outcome':8}  {'simulator':{sims}}  {'rules':{rules}}"
    console.data(f"{head}  sent".rstrip())
    for cell in shown:
        is_asked = cell.outcome != "conflict"
        voice = rules_words(cell.rules) if is_asked else ""
        outcome = console.style(f"{cell.outcome:8}", _STYLES[cell.outcome])
        more = sent_words(runs.get(cell.question))
        line = f"{simulator_words(cell):{sims}}  {voice:{rules}}  {more}".rstrip()
        console.data(f"{cell.name:{names}}  {outcome}  {line}")
        if cell.why:
            console.data(f"{'':{names}}  {cell.why}")
    console.data(summary(matrix))
    for words in (cure_words(matrix), *interaction_lines(matrix)):
        if words:
            console.data(words)


_STYLES: dict[Any, str] = {
    "accepted": "good",
    "refused": "bad",
    "unclear": "warn",
    "conflict": "dim",
}
