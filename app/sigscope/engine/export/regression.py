"""What a regression test of a step holds: the fix, and what the simulator says."""

from __future__ import annotations

from typing import Literal

from sigscope.edits.apply import diff
from sigscope.edits.records import Edit
from sigscope.engine.sending.sender import Order, foretell
from sigscope.engine.sending.simulation import genuine_signatures, stored_answers
from sigscope.engine.sessions.document import Document
from sigscope.errors import UsageError
from sigscope.export.records import ScriptedRequest
from sigscope.export.regression import Regression
from sigscope.ledger.fates import surface
from sigscope.rules.cure import cure_of
from sigscope.rules.findings import Severity
from sigscope.runs import Run, Verdict
from sigscope.upstreams.simulator import Judgement
from sigscope.upstreams.target import SIMULATOR


def regression_of(document: Document, sent: ScriptedRequest) -> Regression:
    """The step as a test; with a run chosen, that run is the fix.

    Raises UsageError for a run that was not accepted.
    """
    step = sent.step
    refusal = document.refusals.get(step)
    said = foretell(document, Order(step=step))
    edits, basis = _fix(document, sent) if refusal else ((), "")
    return Regression(
        sent=_recorded(document, sent),
        error=refusal.text if refusal else None,
        simulator=_agreement(document, step, said),
        simulator_error=(said.error or "") if said else "",
        edits=edits,
        basis=basis,
        surface=surface(document.reading(step)),
        genuine=genuine_signatures(document) if said else {},
        stored=stored_answers(document, document.reading(step)) if said else {},
    )


def _recorded(document: Document, sent: ScriptedRequest) -> ScriptedRequest:
    """The step itself, where a run of it was chosen."""
    return ScriptedRequest(
        request=document.request(sent.step),
        reading=document.reading(sent.step),
        title=sent.title,
        step=sent.step,
        path=sent.path,
        tool=sent.tool,
    )


def _agreement(
    document: Document, step: int, said: Judgement | None
) -> Literal["agrees", "disagrees", "does not know"]:
    if said is None:
        return "does not know"
    is_refused = said.status >= 400
    if is_refused != (step in document.refusals):
        return "disagrees"
    if is_refused and said.status != document.reading(step).status:
        return "disagrees"
    return "agrees"


def _fix(document: Document, sent: ScriptedRequest) -> tuple[tuple[Edit, ...], str]:
    """The edits that mend it, and on whose word; nothing where none is known."""
    if sent.run is not None:
        if sent.run.verdict is not Verdict.GONE:
            raise UsageError(
                f"run {sent.run.number} is no fix: its verdict is {sent.run.verdict}"
            )
        return _edits_of(document, sent.run), _basis(sent.run)
    proven = [
        run
        for run in document.runs_of(sent.step)
        if run.verdict is Verdict.GONE and (run.edits or run.parent)
    ]
    if proven:
        best = max(
            proven, key=lambda r: (r.upstream != SIMULATOR, -len(r.edits), r.number)
        )
        return _edits_of(document, best), _basis(best)
    return _proposed(document, sent.step)


def _basis(run: Run) -> str:
    return f"run {run.number}, accepted by {run.upstream} with {run.status}"


def _edits_of(document: Document, run: Run) -> tuple[Edit, ...]:
    """The run's edits against the step, not against another run."""
    if run.parent is None:
        return run.edits
    old = document.reading(run.step).request_body.data
    return tuple(diff(old, document.run_reading(run).request_body.data))


def _proposed(document: Document, step: int) -> tuple[tuple[Edit, ...], str]:
    """The fixes of the findings, if the simulator accepts the request with them."""
    findings = [
        finding
        for finding in document.findings_of(step)
        if finding.severity is Severity.ERROR and finding.fix
    ]
    cure = cure_of(findings, document.reading(step).request_text)
    if not cure.edits:
        return (), ""
    said = foretell(document, Order(step=step, edits=cure.edits))
    if said is None or said.status >= 400:
        return (), ""
    aside = {left.finding for left in cure.set_aside}
    rules = ", ".join(dict.fromkeys(f.rule for f in findings if f not in aside))
    return cure.edits, f"the fix of {rules}, which the simulator accepts"
