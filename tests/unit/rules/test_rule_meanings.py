"""Rule ids in words, built or not."""

from tests.each import each

from sigscope.refusals.catalogue import CATALOGUE
from sigscope.rules.meanings import meaning_of
from sigscope.rules.registry import RULES

CODES = sorted({e.rule for e in CATALOGUE} | {rule.code for rule in RULES})


@each(CODES)
def test_every_id_has_a_meaning_a_confidence_and_a_source(code: str) -> None:
    found = meaning_of(code.lower())
    assert found is not None
    assert found.code == code
    assert all((found.summary, found.api, found.confidence, found.source))
    assert found.has_page == (code in {rule.code for rule in RULES})


def test_an_id_nobody_knows_means_nothing() -> None:
    assert meaning_of("NOPE-1") is None
