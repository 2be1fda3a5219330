"""Whose words a refusal has, where the dialect of the step is not known."""

from __future__ import annotations

from sigscope.dialects.registry import DIALECTS
from sigscope.reader import Reading
from sigscope.refusals.dialects import WORDINGS
from sigscope.refusals.records import Refusal


def likely_dialect(reading: Reading, refusal: Refusal) -> str:
    """The dialect in whose words a step that is not judged was refused, and to whose
    path it went; empty where there is none, or the step is judged.

    Never more than a hint: gateways pass on the words of the services behind them.
    """
    if reading.is_judged:
        return ""
    spoken = tuple(match.rule for match in refusal.matches)
    names = {
        wording.name
        for wording in WORDINGS
        if wording.prefix and any(rule.startswith(wording.prefix) for rule in spoken)
    }
    path = reading.probe.path.rstrip("/")
    likely = [
        dialect.name
        for dialect in DIALECTS
        if dialect.name in names and path.endswith(dialect.default_path)
    ]
    return likely[0] if len(likely) == 1 else ""
