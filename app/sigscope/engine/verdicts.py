"""What a run says about the failure it was made to look into."""

from __future__ import annotations

from sigscope.reading import Reading
from sigscope.refusals import Refusal
from sigscope.runs import Verdict

NO_EVIDENCE = frozenset({408, 409, 423, 425, 429, 500, 502, 503, 504, 529})
"""Statuses that speak of the service's health, not of the request (design.md 6)."""


def judge_run(
    recorded: Reading,
    recorded_refusal: Refusal | None,
    run: Reading,
    run_refusal: Refusal | None,
) -> Verdict:
    """Compare a run with the step it was made from.

    Gateways change status codes (429, 500 and 503 are seen for plain 400s,
    dialects.md 13), so equal words count for more than unequal numbers.
    """
    if run.status is None or 300 <= run.status < 400:
        return Verdict.UNCLEAR
    if run_refusal is None and broke_off(run):
        return Verdict.UNCLEAR
    if run_refusal is None and run.is_accepted and run.has_answer:
        return Verdict.GONE if recorded_refusal else Verdict.REPRODUCED
    if recorded_refusal and run_refusal and says_same(recorded_refusal, run_refusal):
        return Verdict.REPRODUCED
    if run.status in NO_EVIDENCE:
        return Verdict.UNCLEAR
    if recorded_refusal is None and run_refusal is None:
        same = recorded.status == run.status and not recorded.is_accepted
        return Verdict.REPRODUCED if same else Verdict.DIFFERENT
    return Verdict.DIFFERENT


def broke_off(run: Reading) -> bool:
    """Whether the answer never came whole."""
    response = run.exchange.response
    return response is None or response.ending not in ("complete", "unknown")


def says_same(one: Refusal, other: Refusal) -> bool:
    """Whether two errors are the same complaint, positions and ids aside."""
    rules = {match.rule for match in one.matches}
    if rules and rules & {match.rule for match in other.matches}:
        return True
    if rules or other.matches:
        return False
    return (one.code, _shape(one.text)) == (other.code, _shape(other.text))


def _shape(text: str) -> str:
    """A message without its numbers and spacing."""
    kept = "".join(" " if char.isdigit() else char for char in text.lower())
    return " ".join(kept.split())
