"""All steps of a long session, drawn in the HTML report."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from tests.overviews import BROKEN, REFUSED, SIDE, UNKNOWN, document
from tests.unit.export.servers import bundled

from sigscope.engine.engine import Engine
from sigscope.engine.sessions.document import Document
from sigscope.export.overview import LEAST, MOST_CELLS, MOST_TOLD, shade_words
from sigscope.overview import SHADES

pytestmark = pytest.mark.slow

TROUBLE = {5: REFUSED, 9: BROKEN, 20: UNKNOWN, 30: SIDE}


def drawing(found: Document) -> str:
    data = b"".join(Engine().render(found, format="html")[0])
    _, _, rest = data.decode().partition("<h2>Overview</h2>")
    return rest.partition("<h2>")[0]


def test_of_few_steps_there_is_no_drawing() -> None:
    assert not drawing(bundled("copilot-missing-signature"))
    assert not drawing(document(LEAST - 1, {}))
    assert drawing(document(LEAST, {}))


def test_every_step_has_a_cell_that_tells_what_became_of_it() -> None:
    page = drawing(document(40, TROUBLE))
    assert page.count("<rect") == 40
    assert "<title>step 5, " in page
    assert "refused, error found</title>" in page
    assert "<title>step 20, not judged: dialect not known</title>" in page
    assert "side " in page or "thread 2" in page
    assert "steps to look at" in page
    assert "REF-3 in step 5" in page


def test_of_many_steps_a_cell_takes_several_and_says_which_is_worst() -> None:
    page = drawing(document(100, {51: REFUSED}))
    per_cell = -(-100 // MOST_CELLS)
    assert f"A cell takes {per_cell} steps." in page
    assert page.count("<rect") <= 2 * MOST_CELLS
    assert re.search(r"<title>steps \d+-\d+, [^<]*refused[^<]*; step 51 first<", page)


def test_the_drawing_is_well_formed_and_loads_nothing() -> None:
    page = drawing(document(40, TROUBLE))
    svg = page[page.index("<svg") : page.index("</svg>") + 6]
    ElementTree.fromstring(svg)
    assert "href" not in svg


def test_where_nothing_is_to_be_seen_it_says_what_was_looked_for() -> None:
    page = drawing(document(32, {}))
    assert "no anomaly: no finding but remarks" in page


def test_what_is_told_in_words_has_an_end() -> None:
    page = drawing(document(104, dict.fromkeys(range(2, 104), REFUSED)))
    assert page.count("<li>") == MOST_TOLD + 1
    assert "more: see Findings" in page


def test_every_shade_has_a_glyph_of_its_own() -> None:
    """Colour alone says nothing on paper."""
    looks: dict[str, set[str]] = {}
    for each in SHADES:
        glyph, look, words = shade_words(each)
        assert words
        looks.setdefault(glyph, set()).add(look)
    assert all(len(found) == 1 for found in looks.values()), looks
