"""What a recorder wrote in place of a signature is no signature: no fix puts it back,
and that the simulator takes it shows nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.export.servers import bundled

from sigscope.conversation import SignatureKind
from sigscope.engine.engine import Engine, Target
from sigscope.engine.sending.bisection import Certificate, bisect, plan_bisect
from sigscope.engine.sending.bisection import Foreteller as Teller
from sigscope.engine.sending.factors import edit_factors
from sigscope.engine.sending.matrix import MatrixOutcome, cells, plan_matrix
from sigscope.engine.sending.ready import ready_edits
from sigscope.engine.sending.sender import Order
from sigscope.engine.sending.variants import Variants
from sigscope.engine.sessions.document import Document
from sigscope.exchange import Body
from sigscope.ledger.records import Fate, Origin
from sigscope.rules.findings import Severity
from sigscope.runs import Run, Verdict

MASK = "[REDACTED]"
CURE = "copilot.final-fix"


def masked(name: str) -> Document:
    """A bundled session as a recorder leaves it that masks signatures in answers."""
    document = bundled(name)
    values = [s.value for s in document.ledger.signatures if s.received]
    steps = []
    for step in document.steps:
        answer = step.exchange.response
        assert answer is not None
        raw = answer.body.raw
        for value in values:
            raw = raw.replace(value.encode(), MASK.encode())
        answer = replace(answer, body=Body(raw))
        steps.append(replace(step, exchange=replace(step.exchange, response=answer)))
    return Document(replace(document.session, steps=tuple(steps)))


@pytest.mark.parametrize(
    "name",
    [
        "copilot-missing-signature",
        "anthropic-thinking-dropped",
        "zed-openrouter-never-emitted",
        "gemini-openai-typed-client",
    ],
)
def test_no_fix_puts_a_mask_back(name: str) -> None:
    document = masked(name)
    wanting = [f for f in document.findings if "masked in the recording" in f.message]
    assert wanting
    assert all(finding.fix is None for finding in wanting)
    edits = [edit for finding in document.findings for edit in finding.fix or ()]
    assert not any(MASK in (edit.value or "") for edit in edits)


async def test_what_the_simulator_takes_shows_nothing() -> None:
    document = masked("copilot-missing-signature")
    edits = ready_edits(document, 2, CURE)
    order = Order(step=2, edits=edits)
    (run,) = [
        item
        async for item in Engine().replay(document, order, Target())
        if isinstance(item, Run)
    ]
    assert run.status == 200
    assert run.verdict is Verdict.UNCLEAR
    assert "masked signature" in run.reason
    assert "masked signature" in Engine().doubt_of(document, 2, edits=edits)
    again = Order(step=2, parent=run.number)
    (repeat,) = [
        item
        async for item in Engine().replay(document, again, Target())
        if isinstance(item, Run)
    ]
    assert repeat.verdict is Verdict.UNCLEAR


async def test_no_cell_is_accepted_and_nothing_is_proven() -> None:
    document = masked("copilot-missing-signature")
    factors = edit_factors(ready_edits(document, 2, CURE), CURE)
    asked = cells(plan_matrix(2, factors), Variants(document, 2))
    outcomes = [cell.outcome for cell in asked]
    assert MatrixOutcome.UNCLEAR in outcomes
    assert MatrixOutcome.ACCEPTED not in outcomes
    plan = plan_bisect(document, 2, factors, Teller(document, 2))
    search = bisect(Engine(), document, plan, Target())
    (certificate,) = [item async for item in search if isinstance(item, Certificate)]
    assert not certificate.is_proven


async def test_where_nothing_is_masked_it_does() -> None:
    document = bundled("copilot-missing-signature")
    order = Order(step=2, edits=ready_edits(document, 2, CURE))
    (run,) = [
        item
        async for item in Engine().replay(document, order, Target())
        if isinstance(item, Run)
    ]
    assert run.verdict is Verdict.GONE


@pytest.mark.parametrize(
    "name",
    [
        "claude-code-tool-loop",
        "codecompanion-merged",
        "gemini-openai-typed-client",
        "gemini-sequential",
        "vscode-copilot-four-requests",
        "zed-openrouter-fixed",
        "zoo-litellm-per-call-echo",
    ],
)
def test_what_stands_where_a_masked_one_belongs_may_be_it(name: str) -> None:
    usual, document = bundled(name), masked(name)
    serious = {Severity.ERROR, Severity.WARNING}
    known = [(f.rule, f.step) for f in usual.findings if f.severity in serious]
    said = [(f.rule, f.step) for f in document.findings if f.severity in serious]
    assert said == [each for each in known if each in said]
    hidden = [s for s in document.ledger.signatures if s.value == MASK]
    kept = [
        fate.step
        for s in usual.ledger.signatures
        for fate in s.fates
        if s.received and s.kind is not SignatureKind.TEXT and fate.fate is Fate.EXACT
    ]
    told = {f.step for s in hidden for f in s.fates if f.fate is Fate.EARLIER}
    assert kept
    assert told >= set(kept)
    assert not [s for s in document.ledger.signatures if s.origin is Origin.FOREIGN]


def test_that_nothing_stands_there_is_a_loss_still() -> None:
    document = masked("copilot-missing-signature")
    one = next(s for s in document.ledger.signatures if s.value == MASK)
    assert one.fates[0].fate is Fate.DROPPED
    assert one.fates[0].is_lost
