"""What a rule id means, whether a rule is built for it or only known of."""

from __future__ import annotations

from dataclasses import dataclass

from sigscope.citing import cite
from sigscope.refusals.catalogue import entry
from sigscope.rules.page import read_page
from sigscope.rules.registry import rule_named


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """A rule id in words."""

    code: str
    """ "RSP-1"."""
    name: str
    """In kebab case; empty where no rule is built."""
    api: str
    """Who says so, in words."""
    summary: str
    """One sentence."""
    look: str
    """What to look at first."""
    record: str
    """What to record to be sure."""
    confidence: str
    source: str
    has_page: bool
    """Whether `sigscope explain CODE` prints a manual page."""


def meaning_of(code: str) -> Meaning | None:
    """What a rule id means, whatever its case; None for one nobody knows."""
    known, rule = entry(code), rule_named(code.strip())
    if rule is not None:
        return Meaning(
            code=rule.code,
            name=rule.name,
            api=known.api if known else "every API",
            summary=read_page(rule).summary,
            look=known.look if known else "",
            record=known.record if known else "",
            confidence=str(rule.confidence),
            source=cite(rule.source, of_rule=rule.code),
            has_page=True,
        )
    if known is None:
        return None
    return Meaning(
        code=known.rule,
        name="",
        api=known.api,
        summary=known.meaning,
        look=known.look,
        record=known.record,
        confidence=known.confidence,
        source=known.source,
        has_page=False,
    )
