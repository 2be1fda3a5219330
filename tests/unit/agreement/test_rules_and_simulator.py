"""The two voices over all bundled sessions and all ready-made edits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest
from tests.unit.agreement.listing import MOST, PAGE, SOURCE, covering, rows
from tests.unit.agreement.sweep import (
    FOLDER,
    SUFFIX,
    Bench,
    Case,
    Kind,
    documents,
    steps_apart,
    sweep,
)

pytestmark = pytest.mark.slow

KNOWN = rows(PAGE.read_text())
SHOWN_BY = {
    "copilot-chat": ("codecompanion-merged", "codecompanion-unmerged"),
    "gemini": ("gemini-parallel", "gemini-sequential"),
    "gemini-openai": ("gemini-openai-typed-client",),
    "litellm": ("zoo-litellm-message-echo",),
    "openrouter": ("zed-openrouter-fixed",),
    "responses": ("responses-early-blob",),
}
"""Sessions in which each listed difference can be seen."""
ALONE = {p.name.removesuffix(SUFFIX) for p in FOLDER.glob(f"*{SUFFIX}")} - {
    name for names in SHOWN_BY.values() for name in names
}


def differences(cases: Iterable[Case]) -> Iterator[tuple[Kind, Case]]:
    for case in cases:
        for kind in case.disagreements:
            yield kind, case


def unlisted(cases: Iterable[Case]) -> list[str]:
    return [
        f"{kind}: {case}"
        for kind, case in differences(cases)
        if not covering(KNOWN, kind, case)
    ]


@pytest.mark.timeout(240)
@pytest.mark.parametrize("session", sorted(ALONE))
def test_they_differ_in_nothing_that_is_not_listed(session: str) -> None:
    assert unlisted(sweep([session], is_sparing=True)) == []


@pytest.mark.timeout(240)
@pytest.mark.parametrize("dialect", SHOWN_BY)
def test_they_differ_in_what_is_listed_and_in_nothing_else(dialect: str) -> None:
    """A name that no case shows any more makes its row stale, too."""
    cases = tuple(sweep(SHOWN_BY[dialect], is_sparing=True))
    assert unlisted(cases) == []
    stale = []
    for row in KNOWN:
        if row.dialect != dialect:
            continue
        shown = [case for kind, case in differences(cases) if row.covers(kind, case)]
        unseen = row.refusals - {case.refused_for for case in shown}
        unseen |= row.rules - {rule for case in shown for rule in case.rules}
        if unseen or not shown:
            stale.append((row.dialect, row.why, sorted(unseen)))
    assert stale == []


def test_every_row_is_of_a_dialect_in_which_it_is_looked_for() -> None:
    assert {row.dialect for row in KNOWN} <= set(SHOWN_BY)


def test_edits_are_tried_on_steps_that_differ_and_pairs_where_most_apply() -> None:
    (name, document), *_ = documents(["zoo-litellm-dummy"])
    apart = steps_apart(document)
    assert apart.singly == {1, 2, 3, 4, 5, 15, 16}
    assert apart.paired == {4, 5}
    found = Bench(name, document, 9).cases(pairs=False)
    assert {len(case.edits) for case in found} == {1}


def test_the_table_is_short_and_every_row_has_a_reason_and_a_public_source() -> None:
    assert len(KNOWN) <= MOST
    assert {row.kind for row in KNOWN} <= {Kind.DEGREE}, "an opposite verdict is a bug"
    for row in KNOWN:
        assert row.why.endswith(".")
        assert row.sources
        assert all(SOURCE.fullmatch(source) for source in row.sources)


def test_a_difference_that_is_not_listed_is_seen() -> None:
    """The sweep can fail: without the table everything in it is unlisted."""
    (name, document), *_ = documents(["gemini-parallel"])
    cases = Bench(name, document, 2).cases(pairs=False)
    found = differences(cases)
    assert [kind for kind, case in found if not covering((), kind, case)]
