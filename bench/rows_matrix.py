"""The matrix: how many cells both voices judge in a second of processor time."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from sigscope.engine.engine import Engine
from sigscope.engine.sending.matrix import (
    MatrixPlan,
    cells,
    chosen_factors,
    plan_matrix,
)
from sigscope.engine.sending.orders import Order, foretell
from sigscope.engine.sending.variants import Variants
from sigscope.engine.sending.voices import rules_voice
from sigscope.engine.sessions.document import Document
from sigscope.errors import EditError

SESSIONS = Path(__file__).parents[1] / "sessions"
FEWEST = 8
"""Factors below which a session has too few cells to be measured."""
FACTORS = 10
"""Of each session: 1,024 cells."""
COMPARED = 64
"""Cells that are judged afresh: one takes milliseconds."""


def rows() -> Iterator[dict[str, Any]]:
    """Ours, beside each cell judged on its own."""
    yield {
        "name": "matrix: cells per second (median of refused steps)",
        "ours": lambda: _median(_ours),
        "references": {"each afresh": lambda: _median(_afresh)},
        "least": 1000,
        "rounds": 3,
        "unit": "cells/s",
    }


@cache
def _plans() -> list[tuple[Document, MatrixPlan]]:
    """The first refused step of each bundled session: ready-made edits and fixes."""
    found = []
    for path in sorted(SESSIONS.glob("*.session.jsonl")):
        document = Engine().open(path)
        refused = [r.number for r in document.readings if not r.is_accepted]
        if not refused:
            continue
        step = refused[0]
        fixes = any(finding.fix for finding in document.findings_of(step))
        factors = chosen_factors(document, step, ready=["all"], fixes=fixes)
        if len(factors) >= FEWEST:
            found.append((document, plan_matrix(step, factors[:FACTORS])))
    return found


def _median(measure: Callable[[Document, MatrixPlan], float]) -> float:
    return statistics.median(measure(*each) for each in _plans())


def _ours(document: Document, plan: MatrixPlan) -> float:
    begun = time.process_time()
    count = sum(1 for _ in cells(plan, Variants(document, plan.step)))
    return count / (time.process_time() - begun)


def _afresh(document: Document, plan: MatrixPlan) -> float:
    asked = [*islice(plan.questions, 0, None, max(1, plan.size // COMPARED))]
    begun = time.process_time()
    for question in asked:
        order = Order(step=plan.step, edits=plan.edits(question))
        try:
            foretell(document, order)
            rules_voice(document, order)
        except EditError:
            continue
    return len(asked) / (time.process_time() - begun)
