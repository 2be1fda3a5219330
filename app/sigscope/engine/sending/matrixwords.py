"""A matrix in words and rows, for every front end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sigscope.engine.sending.matrix import (
    Interaction,
    Matrix,
    MatrixCell,
    MatrixOutcome,
    MatrixPlan,
    Question,
)
from sigscope.runs import RulesVoice, Run

_RANK = {
    MatrixOutcome.ACCEPTED: 0,
    MatrixOutcome.REFUSED: 1,
    MatrixOutcome.UNCLEAR: 2,
    MatrixOutcome.CONFLICT: 3,
}
SORTS: Mapping[str, Callable[[MatrixCell], Any]] = {
    "size": lambda cell: (len(cell.question), sorted(cell.question)),
    "cell": lambda cell: sorted(cell.question),
    "outcome": lambda cell: (_RANK[cell.outcome], len(cell.question)),
    "rule": lambda cell: (cell.rule, len(cell.question)),
}
"""How cells may be put in order; those that are alike stay as they were."""

FILTERS: Mapping[str, Callable[[MatrixCell], bool]] = {
    "all": lambda cell: True,
    "accepted": lambda cell: cell.outcome is MatrixOutcome.ACCEPTED,
    "refused": lambda cell: cell.outcome is MatrixOutcome.REFUSED,
    "unclear": lambda cell: cell.outcome is MatrixOutcome.UNCLEAR,
    "conflict": lambda cell: cell.outcome is MatrixOutcome.CONFLICT,
    "differs": lambda cell: cell.differs,
    "possible": lambda cell: cell.outcome is not MatrixOutcome.CONFLICT,
}
"""Which cells may be shown. `differs`: the voices contradict each other."""


def chosen_cells(matrix: Matrix, sort: str, only: str) -> tuple[MatrixCell, ...]:
    """The cells that are shown, in order."""
    kept = filter(FILTERS[only], matrix.cells)
    return tuple(sorted(kept, key=SORTS[sort]))


def simulator_words(cell: MatrixCell) -> str:
    """ "400 CPC-1"; "cannot tell"."""
    if cell.outcome is MatrixOutcome.CONFLICT:
        return ""
    if cell.status is None:
        return "cannot tell"
    return f"{cell.status} {cell.rule}".rstrip()


def rules_words(voice: RulesVoice | None) -> str:
    """ "refuse: CPC-1, CPC-2"; "do not know it"."""
    if voice is None:
        return "do not know it"
    verb = {"refuses": "refuse", "warns": "doubt", "accepts": "accept"}[voice.says]
    return f"{verb}: {', '.join(voice.codes)}" if voice.codes else verb


def sent_words(run: Run | None) -> str:
    """ "run 3: 200"."""
    if run is None:
        return ""
    return f"run {run.number}: {'no answer' if run.status is None else run.status}"


def interaction_words(plan: MatrixPlan, found: Interaction) -> str:
    """One sentence."""
    names = [f"{plan.factors[n - 1].name} ({n})" for n in sorted(found.question)]
    together = f"{', '.join(names[:-1])} and {names[-1]}"
    if found.kind == "fatal":
        fewer = "each alone" if len(names) == 2 else "any fewer of them"
        return (
            f"{together} are fatal together: {fewer} accepted, with all of them refused"
        )
    if found.kind == "cure":
        fewer = "neither alone" if len(names) == 2 else "no fewer of them"
        return f"{together} are a cure together: {fewer} is enough"
    if found.kind == "offset":
        fewer = "each alone" if len(names) == 2 else "any fewer of them"
        return f"{together} make up for one another: {fewer} refused, all accepted"
    first, second = (plan.factors[n - 1].name for n in (found.first, found.second))
    if found.kind == "mends":
        return (
            f"{second} ({found.second}) makes good what {first} ({found.first}) breaks"
        )
    return f"{second} ({found.second}) undoes the cure {first} ({found.first})"


def interaction_lines(matrix: Matrix) -> tuple[str, ...]:
    """Those of one kind with the same other side are one sentence."""
    plan = matrix.plan
    groups: dict[tuple[str, object], list[Interaction]] = {}
    for found in matrix.interactions:
        if found.kind not in ("mends", "spoils"):
            side: object = found.question
        else:
            side = found.first if found.kind == "spoils" else found.second
        groups.setdefault((found.kind, side), []).append(found)
    return tuple(_group_words(plan, group) for group in groups.values())


def _group_words(plan: MatrixPlan, group: Sequence[Interaction]) -> str:
    if len(group) == 1:
        return interaction_words(plan, group[0])

    def named(numbers: Sequence[int]) -> str:
        names = [f"{plan.factors[n - 1].name} ({n})" for n in numbers]
        return f"{', '.join(names[:-1])} and {names[-1]}" if names[1:] else names[0]

    if group[0].kind == "spoils":
        undoing = named([found.second for found in group])
        return f"each of {undoing} undoes the cure {named([group[0].first])}"
    breaking = named([found.first for found in group])
    return f"{named([group[0].second])} makes good what each of {breaking} breaks"


def summary(matrix: Matrix) -> str:
    """ "16 cells: 3 accepted, 13 refused"."""
    counts = Counter(cell.outcome for cell in matrix.cells)
    told = ", ".join(f"{counts[one]} {one}" for one in MatrixOutcome if counts[one])
    total = len(matrix.cells)
    of_all = f" of {matrix.plan.size}" if total < matrix.plan.size else ""
    pairs = "" if matrix.plan.is_whole else " (none, one and two at a time)"
    return f"{total}{of_all} cell{'s' * (total != 1)}{pairs}: {told}"


def cure_words(matrix: Matrix) -> str:
    """The smallest cells that are accepted where the request is refused; "" where the
    request itself is not."""
    as_it_is = matrix.outcome(frozenset())
    if as_it_is is not MatrixOutcome.REFUSED:
        return ""
    cures = matrix.minimal_cures
    if not cures:
        return "no combination shown here is accepted"
    names = [f"{c.name} ({matrix.plan.names(c.question)})" for c in cures]
    word = "the smallest cure" if len(cures) == 1 else "the smallest cures"
    return f"{word}: {'; '.join(names)}"


# --- Tables ---------------------------------------------------------------------------


def to_json(
    matrix: Matrix, shown: Sequence[MatrixCell], runs: Mapping[Question, Run]
) -> dict[str, Any]:
    """{"format":1,"step":2,"edits":[...],"cells":[{"cell":"1+2",...}],...}"""
    from sigscope.edits.notation import to_json as edit_json

    plan = matrix.plan
    return {
        "format": 1,
        "step": plan.step,
        "whole": plan.is_whole,
        "edits": [
            {
                "number": number,
                "name": factor.name,
                "label": factor.label,
                "edits": [edit_json(edit) for edit in factor.edits],
            }
            for number, factor in enumerate(plan.factors, 1)
        ],
        "cells": [_cell_json(cell, runs.get(cell.question)) for cell in shown],
        "interactions": [
            {
                "kind": found.kind,
                "edits": sorted(found.question),
                "words": interaction_words(plan, found),
            }
            for found in matrix.interactions
        ],
        "cures": [cell.name for cell in matrix.minimal_cures],
    }


def _cell_json(cell: MatrixCell, run: Run | None) -> dict[str, Any]:
    voice = cell.rules
    return {
        "cell": cell.name,
        "edits": sorted(cell.question),
        "outcome": str(cell.outcome),
        "simulator": {
            "status": cell.status,
            "rule": cell.rule or None,
            "error": cell.error or None,
        },
        "rules": voice and {"says": voice.says, "codes": list(voice.codes)},
        "why": cell.why or None,
        "same_as": sorted(cell.same_as) if cell.same_as is not None else None,
        "run": run and {"number": run.number, "status": run.status},
    }


COLUMNS = ("cell", "simulator", "rules", "outcome", "sent", "error")


def rows(
    matrix: Matrix, shown: Sequence[MatrixCell], runs: Mapping[Question, Run]
) -> list[list[str]]:
    """The cells as text, a mark for each edit after the name of the cell."""
    numbers = range(1, len(matrix.plan.factors) + 1)
    return [
        [
            cell.name,
            *("x" if number in cell.question else "" for number in numbers),
            simulator_words(cell),
            "" if cell.outcome is MatrixOutcome.CONFLICT else rules_words(cell.rules),
            str(cell.outcome),
            sent_words(runs.get(cell.question)),
            cell.why or cell.error,
        ]
        for cell in shown
    ]


def heads(plan: MatrixPlan) -> list[str]:
    """Names of the columns of `rows`."""
    return [COLUMNS[0], *(factor.name for factor in plan.factors), *COLUMNS[1:]]


def to_csv(
    matrix: Matrix, shown: Sequence[MatrixCell], runs: Mapping[Question, Run]
) -> str:
    """RFC 4180, one head line."""
    import csv
    import io

    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(heads(matrix.plan))
    writer.writerows(
        [_harmless(text) for text in row] for row in rows(matrix, shown, runs)
    )
    return out.getvalue()


def _harmless(text: str) -> str:
    """Spreadsheets take what begins so for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") else text


def to_markdown(
    matrix: Matrix, shown: Sequence[MatrixCell], runs: Mapping[Question, Run]
) -> str:
    """A table, what the edits do below it, then the sentences."""
    plan = matrix.plan
    numbers = [str(number) for number in range(1, len(plan.factors) + 1)]
    lines = [_row([COLUMNS[0], *numbers, *COLUMNS[1:]])]
    lines.append(_row(["---"] * (len(numbers) + len(COLUMNS))))
    lines += [_row(row) for row in rows(matrix, shown, runs)]
    lines.append("")
    for number, factor in enumerate(plan.factors, 1):
        lines.append(f"{number}. {_plain(factor.name)}: {_plain(factor.label)}")
    told = [cure_words(matrix), *interaction_lines(matrix)]
    lines += ["", *(f"- {_plain(words)}" for words in told if words)]
    return "\n".join(lines).rstrip() + "\n"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(map(_plain, cells))} |"


def _plain(text: str) -> str:
    """On one line, and no mark-up."""
    flat = " ".join(text.split())
    return "".join(f"\\{c}" if c in "\\|`*_<>[]" else c for c in flat)
