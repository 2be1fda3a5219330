"""What is said of a client under test, in words."""

from __future__ import annotations

from pathlib import Path

from sigscope.cli.console import Console
from sigscope.cli.findings import print_finding
from sigscope.cli.keymask import KeyMask
from sigscope.engine.harness.verdict import ClientVerdict
from sigscope.rules.groups import group_findings


def print_verdict(verdict: ClientVerdict, session: Path, console: Console) -> None:
    """The findings, each with its node and its fix; what is not known; and where the
    session is kept."""
    steps = len(verdict.document.steps)
    seen = f"{steps} request{'s' * (steps != 1)}"
    count = verdict.brought_back
    if verdict.is_fine:
        came = f"{count} signature{'s' * (count != 1)} came back as issued"
        console.data(f"{console.style('fine', 'good')}: {came}, in {seen}")
        for step in verdict.untried:
            told = f"the answer of step {step} called tools, and no request followed"
            console.data(f"  {told}: what it brought was not put to the test")
        if verdict.optional:
            aside = f"{verdict.optional} more that the service does not insist on"
            console.data(
                f"  {aside} did not in some request: sigscope ledger {session}"
            )
    elif verdict.against:
        found = len(verdict.against)
        head = f"{found} finding{'s' * (found != 1)} in {seen}"
        console.data(f"{console.style('a signature was lost', 'bad')}: {head}")
        console.data()
        for group in group_findings((*verdict.against, *verdict.beside)):
            print_finding(
                group.first,
                verdict.document,
                str(session),
                console,
                KeyMask(verdict.document),
                likewise=group.likewise,
            )
    else:
        console.data(f"{console.style('nothing is shown', 'warn')} by {seen}")
    for doubt in verdict.doubts if not verdict.against else ():
        console.data(f"  {doubt}")
    left = len(verdict.left_out)
    if left:
        console.data(f"{left} finding{'s' * (left != 1)} left out, as was asked for")
    if verdict.document.steps:
        console.data(f"session kept: {session}")
        console.data(f"look at it: sigscope {session}")
