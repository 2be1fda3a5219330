"""A row that could be switched on says whether the service insists on it."""

from __future__ import annotations

from tests.tui.debugger.desk import studied
from tests.tui.driving import MISSING, opened

from sigscope.tui.study import offers


def test_a_signature_that_is_offered_has_the_grade_of_the_ledger() -> None:
    model, _, _ = studied(MISSING)
    assert model.shown is not None
    grades = {
        row.pointer.rpartition("/")[2]: row.grade
        for row in offers(model.document, model.shown)
    }
    assert grades["reasoning_opaque"] == "required"
    assert grades["content"] == "", "there is no signature in it"


async def test_the_row_says_required_at_every_size() -> None:
    async with opened(MISSING, size=(80, 24)) as driver:
        await driver.press("4")
        for size in ((80, 24), (120, 36), (160, 44)):
            await driver.resize(size)
            rows = [row for row in driver.text.splitlines() if "☐" in row]
            assert any("◆ 4fc87b required" in row for row in rows), driver.text
