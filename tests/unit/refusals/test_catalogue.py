"""Every rule id is known, and nothing is told twice."""

import re

import pytest

from sigscope.refusals.catalogue import CATALOGUE, entry
from sigscope.refusals.dialects import WORDINGS
from sigscope.refusals.entry import CatalogueEntry
from sigscope.refusals.kinship import KIN
from sigscope.refusals.patterns import PATTERNS
from sigscope.rules.registry import RULES

FAMILIES = {
    "GEM": 18, "GIN": 2, "GOC": 4, "ORT": 8, "CPC": 9, "RSP": 14, "LLM": 8, "ANT": 11,
    "DSK": 4, "KIM": 3, "XAI": 2, "BED": 2,
}  # fmt: skip
"""How many rules each API has."""
PAGES = {rule.code for rule in RULES}


def test_every_rule_id_has_one_record() -> None:
    wanted = [f"{name}-{n + 1}" for name, many in FAMILIES.items() for n in range(many)]
    assert sorted(found.rule for found in CATALOGUE) == sorted(wanted)


def test_every_id_that_an_error_can_name_has_a_record() -> None:
    own = {rule for wording in WORDINGS for rule in wording.behind.values()}
    spoken = {pattern.rule for pattern in PATTERNS} | own | set(KIN)
    assert not [rule for rule in spoken - PAGES if entry(rule) is None]


@pytest.mark.parametrize("found", CATALOGUE, ids=lambda found: found.rule)
def test_a_record_tells_what_the_manual_page_does_not(found: CatalogueEntry) -> None:
    assert found.has_page == (found.rule in PAGES)
    own = (found.meaning, found.confidence, found.source)
    assert all(own) if not found.has_page else not any(own)
    assert all((found.look, found.record, found.api))


@pytest.mark.parametrize(
    "found", [e for e in CATALOGUE if e.meaning], ids=lambda found: found.rule
)
def test_a_meaning_is_one_sentence_and_its_source_is_public(
    found: CatalogueEntry,
) -> None:
    assert re.fullmatch(r"[^.]+(?:\.\w[^.]*)*\.", found.meaning)
    assert re.search(r"\[(docs|issue report|source code|real traffic)\]", found.source)


def test_ids_are_found_in_any_case() -> None:
    assert entry(" rsp-1 ") is entry("RSP-1")
    assert entry("RSP-99") is None
