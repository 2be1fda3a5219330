"""Runs as lines and as JSON."""

from __future__ import annotations

from typing import Any

from sigscope.characters import printable
from sigscope.cli.console import Console
from sigscope.edits.notation import describe, to_json
from sigscope.engine.sending.sender import SIMULATOR_HEADER
from sigscope.engine.sending.verdicts import is_unanswered
from sigscope.engine.sessions.document import Document
from sigscope.exchange import header
from sigscope.runs import RulesVoice, Run, Verdict

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
        "reason": run.reason or None,
        "rules": rules_row(run.rules),
        "contradiction": run.contradiction or None,
        "edits": [to_json(edit) for edit in run.edits],
    }


def rules_row(voice: RulesVoice | None) -> dict[str, Any] | None:
    """{"says":"refuses","codes":["CPC-1"]}"""
    return None if voice is None else {"says": voice.says, "codes": list(voice.codes)}


def contradiction_rows(document: Document, step: int | None) -> list[dict[str, Any]]:
    """Runs that were answered otherwise than foretold, as findings of their own:
    {"run":3,"step":2,"code":"prediction-contradicted","message":"..."}"""
    return [
        {
            "run": run.number,
            "step": run.step,
            "code": "prediction-contradicted",
            "message": run.contradiction,
        }
        for run in document.runs
        if run.contradiction and step in (None, run.step)
    ]


def print_run(run: Run, document: Document, console: Console) -> None:
    """One run: edits, statuses, verdict, error."""
    found = (r.status for r in document.readings if r.number == run.step)
    recorded = next(found, None)  # its line may be lost, and the run's not
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
    if run.rules and run.rules.differs_from(run.predicted):
        console.data(f"   the rules foretell something else: {run.rules.words}")
    if run.contradiction:
        console.data(f"   finding: {printable(run.contradiction)}")
        console.data(f"   {_who_was_wrong(run)}")


def _who_was_wrong(run: Run) -> str:
    response = run.exchange.response
    if response is not None and header(response.headers, SIMULATOR_HEADER) is not None:
        return (
            "that simulator does not know this session's signatures: start it with"
            " `sigscope simulate --session FILE`"
        )
    return "the simulator was wrong about this: worth a report"


def say(run: Run, document: Document) -> str:
    """The verdict as a sentence."""
    if run.verdict is Verdict.UNCLEAR:
        return f"unclear: {run.reason or 'no evidence about the request'}"
    said = _say_clear(run, document)
    return f"{said} ({run.reason})" if run.reason else said


def _say_clear(run: Run, document: Document) -> str:
    if run.step not in document.numbers:
        return f"{run.verdict.value}; its step cannot be read any more"
    is_held_against_record = not _is_unanswered(run, document)
    if run.verdict is Verdict.GONE:
        return "gone: fix confirmed" if run.edits else "gone: it works as recorded"
    if run.verdict is Verdict.REPRODUCED:
        if not is_held_against_record:
            return "reproduced: the same outcome as without edits"
        if run.step not in document.refusals:
            if document.reading(run.step).status is None:
                return "reproduced: accepted; no status was recorded to hold it against"
            return "reproduced: accepted again, as recorded"
        return "reproduced: the same error came again"
    if not is_held_against_record:
        return "different: another outcome than without edits"
    return "different: another outcome than the recorded one"


def outcome_code(run: Run, document: Document) -> int:
    """0 accepted or reproduced as asked, 1 against, 3 no answer."""
    response = run.exchange.response
    if response is None or response.ending in ("upstream-aborted", "client-aborted"):
        return 3
    if run.verdict is Verdict.GONE:
        return 0
    if run.verdict is Verdict.REPRODUCED:
        return 0 if not run.edits or _is_accepted(run) else 1
    # Nothing was recorded to compare with: what was accepted is nothing against it.
    return 0 if _is_unanswered(run, document) and _is_accepted(run) else 1


def _is_accepted(run: Run) -> bool:
    return run.error is None and run.status is not None and run.status < 400


def _is_unanswered(run: Run, document: Document) -> bool:
    if run.step not in document.numbers:
        return False
    refusal = document.refusals.get(run.step)
    return is_unanswered(document.reading(run.step), refusal)
