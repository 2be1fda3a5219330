"""The matrix: every cell is what both voices say, and what interacts is named."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import pytest
from tests.unit.export.servers import bundled

from sigscope.bisect import Factor
from sigscope.edits.notation import parse
from sigscope.engine.sending.matrix import (
    Matrix,
    MatrixCell,
    MatrixOutcome,
    MatrixPlan,
    cells,
    chosen_factors,
    plan_matrix,
)
from sigscope.engine.sending.matrixwords import (
    chosen_cells,
    cure_words,
    interaction_lines,
    to_csv,
    to_json,
    to_markdown,
)
from sigscope.engine.sending.orders import Order, foretell
from sigscope.engine.sending.variants import Variants
from sigscope.engine.sending.voices import rules_voice
from sigscope.engine.sessions import document as engine_document
from sigscope.engine.sessions.document import Document
from sigscope.errors import EditError, UsageError
from sigscope.rules import runner
from sigscope.rules.base import Finding, Rule, Subject
from sigscope.rules.registry import RULES
from sigscope.rules.runner import check_alone, check_step


def made(document: Document, step: int, **chosen: object) -> Matrix:
    factors = chosen_factors(document, step, **chosen)  # type: ignore[arg-type]
    plan = plan_matrix(step, factors)
    return Matrix(plan=plan, cells=tuple(cells(plan, Variants(document, step))))


def test_a_fix_that_is_on_is_varied_as_a_whole_and_only_once() -> None:
    document = bundled("zed-copilot-attempt-1")
    fixes = chosen_factors(document, 2)
    assert max(len(factor.edits) for factor in fixes) == 2
    on = [edit for factor in fixes for edit in factor.edits]
    own = parse("drop /temperature", b"{}")
    found = chosen_factors(document, 2, edits=(*on, own), fixes=True)
    assert [factor.name for factor in found] == [*(f.name for f in fixes), "edit"]


def table(**outcomes: str) -> Matrix:
    """A made-up one: a="refused", ab="accepted"; `none` without any edit."""
    letters = sorted({c for name in outcomes for c in name if name != "none"})
    factors = tuple(
        Factor(name=c, label=c, edits=(parse(f"set /{c} 1", b"{}"),)) for c in letters
    )
    plan = MatrixPlan(step=1, factors=factors, is_whole=True)
    found = []
    for question in plan.questions:
        name = "".join(letters[number - 1] for number in sorted(question)) or "none"
        outcome = MatrixOutcome(outcomes.get(name, "unclear"))
        found.append(MatrixCell(question=question, outcome=outcome))
    return Matrix(plan=plan, cells=tuple(found))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("session", "step"),
    [
        ("copilot-missing-signature", 2),
        ("gemini-parallel", 3),
        ("zoo-litellm-dummy", 3),
        ("responses-early-blob", 2),
        ("anthropic-thinking-shortened", 2),
        ("zed-openrouter-never-emitted", 2),
        ("deepseek-reasoning-dropped", 2),
        ("gemini-openai-typed-client", 2),
    ],
)
def test_a_cell_is_what_both_voices_say_of_its_request(session: str, step: int) -> None:
    document = bundled(session)
    factors = chosen_factors(document, step, ready=["all"])[:9]
    plan = plan_matrix(step, factors, is_pairwise=True)
    for cell in cells(plan, Variants(document, step)):
        order = Order(step=step, edits=plan.edits(cell.question))
        if cell.outcome is MatrixOutcome.CONFLICT:
            with pytest.raises(EditError, match=re.escape(cell.error)):
                foretell(document, order)
            continue
        judgement = foretell(document, order)
        assert judgement is not None
        assert (cell.status, cell.rule) == (judgement.status, judgement.rule)
        assert cell.rules == rules_voice(document, order)


def test_the_two_fixes_of_a_double_fault_are_a_cure_only_together() -> None:
    matrix = made(bundled("copilot-missing-signature"), 2)
    assert [str(cell.outcome) for cell in matrix.cells] == [
        *("refused", "refused", "refused", "accepted")
    ]
    assert cure_words(matrix) == "the smallest cure: 1+2 (CPC-1 + CPC-2)"
    assert interaction_lines(matrix) == (
        "CPC-1 (1) and CPC-2 (2) are a cure together: neither alone is enough",
    )


def test_two_harmless_edits_that_are_fatal_together_are_named() -> None:
    document = bundled("gemini-parallel")
    names = ["gemini.interleaved-results", "gemini.split-contents"]
    matrix = made(document, 3, ready=names)
    assert [str(cell.outcome) for cell in matrix.cells] == [
        *("accepted", "accepted", "accepted", "refused")
    ]
    (words,) = interaction_lines(matrix)
    assert "are fatal together: each alone accepted" in words
    assert all(name in words for name in names)


def test_zeds_attempts_are_refused_each_and_the_final_fix_is_not() -> None:
    document = bundled("zed-copilot-attempt-2")
    matrix = made(document, 2, ready=["all"])
    cures = {matrix.plan.names(cell.question) for cell in matrix.minimal_cures}
    assert cures == {"copilot.final-fix"}
    (words,) = interaction_lines(matrix)
    assert words.endswith("undoes the cure copilot.final-fix (11)")
    assert "copilot.attempt-3-camel-case (2)" in words


@pytest.mark.parametrize(
    ("matrix", "kinds"),
    [
        (table(none="accepted", a="accepted", b="accepted", ab="refused"), ["fatal"]),
        (table(none="refused", a="accepted", b="accepted", ab="refused"), ["fatal"]),
        (table(none="refused", a="refused", b="refused", ab="accepted"), ["cure"]),
        (table(none="accepted", a="refused", b="refused", ab="accepted"), ["offset"]),
        (table(none="accepted", a="refused", b="accepted", ab="accepted"), ["mends"]),
        (table(none="refused", a="accepted", b="refused", ab="refused"), ["spoils"]),
        (table(none="accepted", a="refused", b="accepted", ab="refused"), []),
        (table(none="refused", a="accepted", b="refused", ab="accepted"), []),
        (table(none="accepted", a="accepted", b="unclear", ab="refused"), []),
        (table(none="accepted", a="accepted", b="conflict", ab="refused"), []),
        (table(none="unclear", a="refused", b="accepted", ab="accepted"), []),
    ],
)
def test_what_counts_as_an_interaction(matrix: Matrix, kinds: list[str]) -> None:
    assert [found.kind for found in matrix.interactions] == kinds
    assert len(interaction_lines(matrix)) == len(kinds)


def test_three_that_are_fatal_only_all_together_are_one_interaction() -> None:
    smaller = {
        "".join(part): "accepted" for n in (1, 2) for part in combinations("abc", n)
    }
    matrix = table(none="accepted", abc="refused", **smaller)
    (found,) = matrix.interactions
    assert (found.kind, found.question) == ("fatal", frozenset({1, 2, 3}))
    assert "any fewer of them accepted" in interaction_lines(matrix)[0]


def test_what_the_simulator_cannot_know_stays_unclear() -> None:
    """The recorded refusal is one it does not model: that it accepts tells nothing."""
    document = bundled("copilot-missing-signature")
    plan = plan_matrix(2, chosen_factors(document, 2))
    variants = Variants(document, 2)
    variants.__dict__["doubt"] = "it models no such refusal"
    last = [*cells(plan, variants)][-1]
    assert (last.status, last.outcome) == (200, MatrixOutcome.UNCLEAR)
    assert last.why == "it models no such refusal"


def test_voices_that_contradict_each_other_make_it_unclear() -> None:
    document = bundled("copilot-missing-signature")
    plan = plan_matrix(2, chosen_factors(document, 2))
    variants = Variants(document, 2)
    whole = variants.request(plan.edits(frozenset({1, 2})))
    refused = variants.rules(variants.request(()))
    variants.rules = lambda _: refused  # type: ignore[method-assign]
    assert variants.simulator(whole) is not None
    last = [*cells(plan, variants)][-1]
    assert (last.outcome, last.differs) == (MatrixOutcome.UNCLEAR, True)
    assert "the simulator accepts it, the rules refuse it" in last.why


def test_many_edits_are_shown_in_pairs_and_too_many_are_refused() -> None:
    factors = [
        Factor(name=f"{n}", label="", edits=(parse(f"set /e{n} 1", b"{}"),))
        for n in range(13)
    ]
    assert plan_matrix(1, factors[:12]).size == 4096
    plan = plan_matrix(1, factors)
    assert (plan.is_whole, plan.size) == (False, 92)
    assert len([*plan.questions]) == plan.size
    with pytest.raises(UsageError, match="choose fewer edits"):
        plan_matrix(1, factors, most=91)


def test_cells_are_named_by_their_edits() -> None:
    plan = table(none="accepted", a="accepted", b="accepted", c="accepted").plan
    assert plan.question("3+1") == {1, 3}
    assert plan.question("0") == frozenset()
    for wrong in ("4", "a", "1+", ""):
        with pytest.raises(UsageError):
            plan.question(wrong)


def test_every_form_has_every_cell_that_is_shown() -> None:
    matrix = made(bundled("copilot-missing-signature"), 2)
    shown = chosen_cells(matrix, "outcome", "all")
    assert [cell.name for cell in shown] == ["1+2", "0", "1", "2"]
    assert [c.name for c in chosen_cells(matrix, "size", "accepted")] == ["1+2"]
    told = to_json(matrix, shown, {})
    assert [cell["cell"] for cell in told["cells"]] == [c.name for c in shown]
    head, *lines = csv.reader(io.StringIO(to_csv(matrix, shown, {})))
    assert head[:3] == ["cell", "CPC-1", "CPC-2"]
    assert [line[0] for line in lines] == [c.name for c in shown]
    assert len({len(line) for line in (head, *lines)}) == 1
    assert "| 1+2 | x | x | 200 | accept | accepted |" in to_markdown(matrix, shown, {})


def test_the_fixes_of_a_step_are_looked_for_in_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[int] = []

    def counted(subject: Subject, rules: Sequence[Rule] = RULES) -> list[Finding]:
        asked.append(subject.step)
        return check_step(subject, rules)

    monkeypatch.setattr(runner, "check_step", counted)
    document = bundled("zed-copilot-attempt-1")
    step = min(document.refusals)
    found = chosen_factors(document, step)
    assert asked == [step]
    assert document.findings_of(step) == tuple(
        finding for finding in document.findings if finding.step == step
    )
    assert found == chosen_factors(document, step)
    assert document.findings_of(len(document.steps) + 1) == ()


def test_who_asks_for_many_steps_has_them_judged_in_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What steps have in common is looked at once then."""
    alone: list[int] = []

    def counted(step: int, *known: Any) -> tuple[Finding, ...]:
        alone.append(step)
        return check_alone(step, *known)

    monkeypatch.setattr(runner, "check_alone", counted)
    monkeypatch.setattr(engine_document, "_FEW", 1)
    document = bundled("zed-copilot-attempt-1")
    numbers = [step.number for step in document.steps]
    found = [each for number in numbers for each in document.findings_of(number)]
    assert alone == numbers[:1]
    assert found == [*document.findings]
