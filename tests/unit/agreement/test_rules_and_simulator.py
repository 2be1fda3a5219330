"""The two voices over all bundled sessions and all ready-made edits."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest
from tests.unit.agreement.listing import MOST, PAGE, SOURCE, covering, rows
from tests.unit.agreement.sweep import FOLDER, SUFFIX, Case, Kind, sweep

pytestmark = pytest.mark.slow

SESSIONS = sorted(p.name.removesuffix(SUFFIX) for p in FOLDER.glob(f"*{SUFFIX}"))
KNOWN = rows(PAGE.read_text())


@cache
def cases(session: str) -> tuple[Case, ...]:
    return tuple(sweep([session]))


def differences(session: str) -> Iterator[tuple[Kind, Case]]:
    for case in cases(session):
        for kind in case.disagreements:
            yield kind, case


@pytest.mark.timeout(240)
@pytest.mark.parametrize("session", SESSIONS)
def test_they_differ_in_nothing_that_is_not_listed(session: str) -> None:
    unlisted = [
        f"{kind}: {case}"
        for kind, case in differences(session)
        if not covering(KNOWN, kind, case)
    ]
    assert unlisted == []


SHOWN_BY = {
    "copilot-chat": ("codecompanion-merged", "codecompanion-unmerged"),
    "gemini": ("gemini-parallel", "gemini-sequential"),
    "gemini-openai": ("gemini-openai-typed-client",),
    "litellm": ("zoo-litellm-message-echo",),
    "openrouter": ("zed-openrouter-fixed",),
    "responses": ("responses-early-blob",),
}
"""Sessions in which each listed difference can be seen."""


@pytest.mark.timeout(240)
def test_what_is_listed_is_still_so() -> None:
    """A name that no case shows any more makes its row stale, too."""
    stale = []
    for row in KNOWN:
        shown = [
            case
            for session in SHOWN_BY[row.dialect]
            for kind, case in differences(session)
            if row.covers(kind, case)
        ]
        unseen = row.refusals - {case.refused_for for case in shown}
        unseen |= row.rules - {rule for case in shown for rule in case.rules}
        if unseen or not shown:
            stale.append((row.dialect, row.why, sorted(unseen)))
    assert stale == []


def test_the_table_is_short_and_every_row_has_a_reason_and_a_public_source() -> None:
    assert len(KNOWN) <= MOST
    assert {row.kind for row in KNOWN} <= {Kind.DEGREE}, "an opposite verdict is a bug"
    for row in KNOWN:
        assert row.why.endswith(".")
        assert row.sources
        assert all(SOURCE.fullmatch(source) for source in row.sources)


def test_a_difference_that_is_not_listed_is_seen() -> None:
    """The sweep can fail: without the table everything in it is unlisted."""
    found = differences("gemini-parallel")
    assert [kind for kind, case in found if not covering((), kind, case)]
