"""Where rules look for what is missing."""

from __future__ import annotations

import pytest
from tests import builders as b
from tests.unit.rules.cases import bench

from sigscope.conversation import Json
from sigscope.rules import places
from sigscope.rules.base import Subject


def test_results_that_are_nowhere_are_looked_for_once_in_a_session(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A client that sends no result at all: else each call is looked for in every
    request before, and a thousand steps take minutes."""
    asked: list[Subject] = []
    look = places._answered_ids

    def counted(subject: Subject) -> frozenset[str | None]:
        asked.append(subject)
        return look(subject)

    monkeypatch.setattr(places, "_answered_ids", counted)
    history: list[Json] = [b.ask()]
    made = []
    for number in range(12):
        reply = b.gemini((f"call_{number}", "read_file", {"path": f"{number}.md"}))
        request = b.request_body("gemini", history)
        made.append(b.exchange("gemini", request, b.response_body("gemini", reply)))
        history = [*history, reply, b.ask("And now?")]
    found = bench(made).findings(12)
    assert sum(finding.rule == "GEM-18" for finding in found) == 11
    assert len(asked) == 1
