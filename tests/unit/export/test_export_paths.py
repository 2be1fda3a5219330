"""The paths of signatures, drawn in the HTML report."""

from __future__ import annotations

import pytest
from tests.tui.longstory import long_story
from tests.unit.export.servers import bundled

from sigscope.engine.engine import Engine
from sigscope.engine.sessions.document import Document
from sigscope.export.paths import (
    MOST_COLUMNS,
    MOST_LANES,
    chosen_paths,
    telling_columns,
)
from sigscope.paths import map_paths


def drawing(document: Document) -> str:
    data = b"".join(Engine().render(document, format="html")[0])
    _, _, rest = data.decode().partition("Paths of the signatures")
    return rest.partition("<h2>")[0]


def test_a_lost_signature_breaks_its_line_and_is_told_in_words() -> None:
    page = drawing(bundled("copilot-missing-signature"))
    assert page.count('class="path lost"') == 1
    assert "4fc87b, step 2: dropped (required)" in page
    words = page.partition("The same in words")[2]
    assert "<code>4fc87b</code> arrived in step 1" in words
    assert "step 2: dropped (required)" in words


def test_what_was_put_elsewhere_leads_there() -> None:
    page = drawing(bundled("zed-copilot-attempt-1"))
    assert "(not read here)" in page
    assert page.count("<title>the same signature</title>") == 1


def test_a_session_without_signatures_has_no_drawing() -> None:
    assert not drawing(bundled("responses-gemini-on-copilot"))


@pytest.mark.slow
def test_of_a_long_session_the_lost_ones_are_drawn_first() -> None:
    document = Document(long_story(60, drops={50}, is_timed=False))
    whole = map_paths(document.ledger)
    chosen = chosen_paths(whole)
    assert len(chosen.paths) == MOST_LANES
    assert any(path.is_lost for path in chosen.paths) == any(
        path.is_lost for path in whole.paths
    )
    assert len(telling_columns(chosen)) <= MOST_COLUMNS
    assert "36 more signatures not drawn" in drawing(document)
