"""What `check` and `test` leave out, and the reports they write for machines."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from sigscope.cli.console import Console
from sigscope.cli.keymask import KeyMask
from sigscope.errors import UsageError
from sigscope.records import dataclass

if TYPE_CHECKING:
    from sigscope.engine.sessions.baseline import Known
    from sigscope.engine.sessions.document import Document
    from sigscope.export.checked import CheckedFile
    from sigscope.rules.findings import Finding

FILES = ("sarif", "junit")
ON_STDOUT = "github"


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveOut:
    """Findings that do not count."""

    rules: frozenset[str] = frozenset()
    known: Known = field(default_factory=dict)

    def holds(self, finding: Finding, fingerprint: Callable[[Finding], str]) -> bool:
        if finding.rule in self.rules:
            return True
        if not self.known:
            return False
        from sigscope.engine.sessions.baseline import is_known

        return is_known(finding, fingerprint(finding), self.known)


def add_reports(parser: argparse.ArgumentParser) -> None:
    """--report, --ignore, --baseline, --write-baseline."""
    group = parser.add_argument_group("for builds")
    group.add_argument(
        "--report",
        action="append",
        default=[],
        metavar="KIND[=PATH]",
        help="sarif=PATH, junit=PATH, or github (workflow commands on stdout); may be"
        " repeated; files are replaced",
    )
    group.add_argument(
        "--ignore",
        action="append",
        default=[],
        metavar="RULE",
        help="findings of this rule do not count; may be repeated",
    )
    group.add_argument(
        "--baseline",
        type=Path,
        metavar="FILE",
        help="findings that are in this file do not count",
    )
    group.add_argument(
        "--write-baseline",
        type=Path,
        metavar="FILE",
        help="write all findings to this file, for --baseline; exit with 0",
    )


def check_reports(args: argparse.Namespace) -> None:
    """Refuse what cannot be written, before anything is done. Raises UsageError."""
    for text in args.report:
        kind, equals, path = text.partition("=")
        is_file = kind in FILES and equals and path
        if not is_file and text != ON_STDOUT:
            raise UsageError(
                f"write --report as sarif=PATH, junit=PATH or github, not {text!r}"
            )
    if ON_STDOUT in args.report and args.json:
        raise UsageError("--report github and --json both want stdout")


def read_leave_out(args: argparse.Namespace) -> LeaveOut:
    """What --ignore and --baseline say. Raises UsageError and InputError."""
    from sigscope.engine.sessions.baseline import read_baseline
    from sigscope.rules.registry import rule_named

    for text in args.ignore:
        if rule_named(text) is None:
            raise UsageError(
                f"--ignore {text}: there is no such rule; `sigscope explain` lists them"
            )
    return LeaveOut(
        rules=frozenset(text.upper() for text in args.ignore),
        known=read_baseline(args.baseline) if args.baseline else {},
    )


def checked_file(
    document: Document,
    name: str,
    leave_out: LeaveOut,
    against: Collection[Finding],
    *,
    findings: Sequence[Finding] | None = None,
    step: int | None = None,
    doubts: tuple[str, ...] = (),
) -> CheckedFile:
    """A document as reports tell it. `against`: findings that stop a build, if they are
    not left out."""
    from sigscope.engine.sessions.reservations import lines, reservations
    from sigscope.export.checked import CheckedFile
    from sigscope.rules.fingerprint import fingerprint_of
    from sigscope.store.secrets.marker import shown_url
    from sigscope.wire.urls import split_url

    chosen = document.findings if findings is None else findings

    def fingerprint(finding: Finding) -> str:
        return fingerprint_of(finding, document.reading(finding.step))

    left: list[Finding] = []
    kept: list[Finding] = []
    for finding in chosen:
        (left if leave_out.holds(finding, fingerprint) else kept).append(finding)
    stopping = {id(finding) for finding in against}
    labels = {}
    for reading in document.readings:
        if step in (None, reading.number):
            request = reading.exchange.request
            path = split_url(shown_url(request.url)).path if request else ""
            labels[reading.number] = f"{request.method} {path}" if request else ""
    return CheckedFile(
        name=name,
        steps=labels,
        against=tuple(f for f in kept if id(f) in stopping),
        others=tuple(f for f in kept if id(f) not in stopping),
        left_out=tuple(left),
        fingerprint=fingerprint,
        not_judged={
            number: str(group)
            for group in document.unjudged
            for number in group.steps
            if number in labels
        },
        doubts=doubts,
        remarks=lines(reservations(document, step)),
        without_keys=KeyMask(document).findings,
    )


def _without_keys(file: CheckedFile) -> CheckedFile:
    """A report is kept, uploaded, committed: what an answer says of a key, which a
    finding passes on, is masked there."""
    return replace(
        file,
        against=file.without_keys(file.against),
        others=file.without_keys(file.others),
        left_out=file.without_keys(file.left_out),
    )


def write_reports(
    args: argparse.Namespace, files: Sequence[CheckedFile], console: Console
) -> None:
    """All that were asked for, and the baseline. Raises InputError."""
    from sigscope import __version__
    from sigscope.engine.engine import TOOL
    from sigscope.engine.export.newfile import write_new
    from sigscope.engine.sessions.baseline import write_baseline
    from sigscope.export.junit import junit_report
    from sigscope.export.sarif import sarif_log
    from sigscope.export.workflow import workflow_commands

    if args.report or args.write_baseline:
        files = [_without_keys(file) for file in files]
    for text in args.report:
        kind, _, path = text.partition("=")
        if kind == ON_STDOUT:
            for file in files:
                for line in workflow_commands(file):
                    console.data(line)
            continue
        data = (
            junit_report(files)
            if kind == "junit"
            else sarif_log(files, version=__version__)
        )
        write_new(Path(path), data, force=True, is_open=True)
        console.talk(f"{kind} report: {path}")
    if args.write_baseline:
        count = write_baseline(args.write_baseline, files, tool=TOOL)
        console.talk(
            f"{count} known finding{'s' * (count != 1)} in {args.write_baseline}"
        )


def left_out_words(files: Sequence[CheckedFile]) -> str:
    """ "2 known findings left out"; empty where none is."""
    count = sum(len(file.left_out) for file in files)
    if not count:
        return ""
    return f"{count} finding{'s' * (count != 1)} left out (--ignore, --baseline)"
