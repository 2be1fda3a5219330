"""Check every request of a session against the rules, and explain every refusal.

  sigscope check capture.har
  sigscope check capture.har --step 2 --json

Exit code 1 if there is an error; with --strict, a warning counts too, and so
does a step that is not judged because its dialect is not known, and a run that
was answered otherwise than the simulator had foretold.
"""

from __future__ import annotations

import argparse

from sigscope.characters import printable
from sigscope.cli.console import Console
from sigscope.cli.options import add_file, add_json, add_step, check_step

HELP = "lint a session: what is wrong, where, why, and the fix"
STYLES = {"error": "bad", "warning": "warn", "info": "info"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """FILE, --step, --strict, --quiet, --json."""
    add_file(parser)
    add_step(parser)
    parser.add_argument(
        "--strict",
        action="store_true",
        help="exit with 1 for warnings and for steps that are not judged, too",
    )
    parser.add_argument(
        "--no-info", action="store_true", help="leave out findings worth knowing only"
    )
    parser.add_argument(
        "--each",
        action="store_true",
        help="print every finding, also those that say the same of other steps",
    )
    add_json(parser)


def run(args: argparse.Namespace, console: Console) -> int:
    """Print the findings; 1 if there is something against the session."""
    from sigscope.cli.documents import open_document
    from sigscope.cli.findings import print_group, summary
    from sigscope.cli.mends import print_mends
    from sigscope.cli.reservations import print_reservations
    from sigscope.cli.runs import contradiction_rows
    from sigscope.cli.unjudged import print_unjudged
    from sigscope.engine.sessions.mends import mend_rows
    from sigscope.engine.sessions.reservations import reservations, rows
    from sigscope.engine.sessions.tables import findings_table, unjudged_rows
    from sigscope.rules.groups import Group, group_findings

    document = open_document(args, console)
    check_step(document, args.step)
    findings = tuple(
        finding
        for finding in document.findings
        if args.step in (None, finding.step)
        and not (args.no_info and finding.severity == "info")
    )
    chosen = None if args.step is None else {args.step}
    against = {"error", "warning"} if args.strict else {"error"}
    left_out = unjudged_rows(document, args.step)
    is_against = any(f.severity in against for f in findings)
    contradictions = contradiction_rows(document, args.step)
    is_open = args.strict and bool(left_out or contradictions)
    console.verdict = 1 if is_against or is_open else 0
    if args.json:
        told = rows(reservations(document, args.step))
        table = findings_table(findings)
        console.json(
            {**table, "problems": told, "not_judged": left_out}
            | {"contradictions": contradictions}
            | {
                "mended": mend_rows(
                    document, None if args.step is None else {args.step}
                )
            }
        )
    else:
        alone = tuple(Group(first=finding) for finding in findings)
        for group in alone if args.each else group_findings(findings):
            print_group(group, document, args.file, console)
        for row in contradictions:
            said = printable(row["message"])
            head = console.style("finding", STYLES["warning"])
            console.data(f"{head} of run {row['run']}, step {row['step']}: {said}")
        print_unjudged(document, args.step, console)
        print_mends(document, chosen, console)
        console.data(summary(findings, document, console))
        print_reservations(document, args.step, console)
    return console.verdict
