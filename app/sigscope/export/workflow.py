"""Findings as commands of a GitHub workflow, which shows them beside the change.

    ::error file=kept.session.jsonl,title=CPC-1 step 2::the signature was dropped%0A...

Source: docs.github.com, Workflow commands for GitHub Actions; how values are escaped:
actions/toolkit, packages/core/src/command.ts.
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.characters import printable
from sigscope.export.checked import CheckedFile, told
from sigscope.rules.findings import Severity

COMMANDS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFO: "notice",
}


def workflow_commands(file: CheckedFile) -> Iterator[str]:
    """A line each. Recorded text cannot give a command of its own: nothing in it ends
    the line."""
    for finding in file.shown:
        title = f"{finding.rule} step {finding.step}"
        yield _command(COMMANDS[finding.severity], file.name, title, told(finding))
    for step, reason in file.not_judged.items():
        yield _command("warning", file.name, f"step {step} is not judged", reason)
    for remark in file.remarks:
        yield _command("notice", file.name, "read with a remark", remark)
    for doubt in file.doubts:
        yield _command("error", file.name, "nothing is shown", doubt)


def _command(name: str, file: str, title: str, text: str) -> str:
    return f"::{name} file={_value(file)},title={_value(title)}::{_text(text)}"


def _text(text: str) -> str:
    shown = printable(text, "\n")
    return shown.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _value(text: str) -> str:
    return _text(text).replace(":", "%3A").replace(",", "%2C")
