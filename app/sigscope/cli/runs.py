"""Runs as lines and as JSON."""

from __future__ import annotations

from typing import Any

from sigscope.cli.console import Console, printable
from sigscope.edits.notation import describe, to_json
from sigscope.engine.document import Document
from sigscope.exchange import header
from sigscope.runs import Run, Verdict

SIMULATOR_HEADER = "x-sigscope-simulator"
"""What a simulator on a port puts on each of its answers."""
_ABOUT_THE_KEY = (401, 402, 403, 407)
"""Refusals of who asks, or who pays, not of what is asked."""
STYLES = {
    Verdict.GONE: "good",
    Verdict.REPRODUCED: "bad",
    Verdict.DIFFERENT: "warn",
    Verdict.UNCLEAR: "warn",
}


def run_row(run: Run) -> dict[str, Any]:
    """{"format":1,"run":3,"predicted":200,"status":200,"verdict":"gone",...}"""
    return {
        "format": 1,
        "run": run.number,
        "predicted": run.predicted,
        "status": run.status,
        "verdict": str(run.verdict),
        "error": run.error,
        "step": run.step,
        "parent": run.parent,
        "upstream": run.upstream,
        "attempt": run.attempt,
        "edits": [to_json(edit) for edit in run.edits],
    }


def print_run(run: Run, document: Document, console: Console) -> None:
    """One run: edits, statuses, verdict, error."""
    recorded = document.reading(run.step).status
    console.data(
        f"run {run.number}: step {run.step} to {run.upstream},"
        f" recorded {recorded if recorded is not None else '—'},"
        f" predicted {run.predicted if run.predicted is not None else '—'},"
        f" got {run.status if run.status is not None else 'no answer'}"
    )
    for edit in run.edits:
        console.data(f"   edit: {edit.label or describe(edit)}")
    if run.error:
        console.data(f"   error: {printable(run.error)}")
    console.data(
        f"   verdict: {console.style(say(run, document), STYLES[run.verdict])}"
    )
    if _contradicts(run, document):
        console.data(f"   {_who_was_wrong(run)}")


def _who_was_wrong(run: Run) -> str:
    response = run.exchange.response
    if response is not None and header(response.headers, SIMULATOR_HEADER) is not None:
        return (
            "that simulator does not know this session's signatures: start it with"
            " `sigscope simulate --session FILE`"
        )
    return "the simulator was wrong about this: worth a report"


def _contradicts(run: Run, document: Document) -> bool:
    """Whether the service decided otherwise than the simulator foretold."""
    if run.predicted is None or run.status is None or run.verdict is Verdict.UNCLEAR:
        return False
    if run.status in _ABOUT_THE_KEY:
        return False
    is_decided = run.status >= 400 or document.run_reading(run).has_answer
    return is_decided and (run.predicted < 400) != (run.status < 400)


def say(run: Run, document: Document) -> str:
    """The verdict as a sentence."""
    failed = run.step in document.refusals
    if run.verdict is Verdict.GONE:
        return "gone: fix confirmed" if run.edits else "gone: it works as recorded"
    if run.verdict is Verdict.REPRODUCED:
        if document.reading(run.step).status is None:
            return "reproduced: accepted; no answer was recorded to compare with"
        if not failed:
            return "reproduced: accepted again, as recorded"
        return "reproduced: the same error came again"
    if run.verdict is Verdict.DIFFERENT:
        return "different: another outcome than the recorded one"
    return "unclear: no evidence about the request"


def outcome_code(run: Run, document: Document) -> int:
    """0 accepted or reproduced as asked, 1 against, 3 no answer."""
    response = run.exchange.response
    if response is None or response.ending in ("upstream-aborted", "client-aborted"):
        return 3
    if run.verdict is Verdict.GONE:
        return 0
    if run.verdict is Verdict.REPRODUCED:
        return 0 if not run.edits or run.step not in document.refusals else 1
    return 1
