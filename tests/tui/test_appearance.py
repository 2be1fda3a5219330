"""Themes and symbols: readable, remembered, and seen without colours."""

from __future__ import annotations

from pathlib import Path

from tests.tui.driving import EMPTY_LIST, MISSING, opened

from sigscope.tui.memory import Memory
from sigscope.tui.symbols import ASCII


async def test_another_theme_is_put_on_and_remembered(tmp_path: Path) -> None:
    memory = Memory(tmp_path / "screens.json")
    async with opened(EMPTY_LIST, memory=memory) as driver:
        assert driver.app.theme == "sigscope-dark"
        before = driver.screen.steps_pane.render_line(0)
        driver.app.theme = "sigscope-light"
        await driver.rest()
        after = driver.screen.steps_pane.render_line(0)
        assert before.text == after.text
        assert before != after, "painted in other colours"
    async with opened(EMPTY_LIST, memory=memory) as driver:
        assert driver.app.theme == "sigscope-light"


async def test_with_ascii_symbols_there_is_nothing_else_on_the_screen() -> None:
    async with opened(MISSING, size=(160, 44), symbols=ASCII) as driver:
        assert outside(driver.text) == ""
        await driver.press("4", "F", "s", "6", "G", "d")
        assert outside(driver.text) == ""
        for tab in ("raw", "events", "response"):
            driver.json.tab = tab
            await driver.rest()
            assert outside(driver.text) == "", tab
        await driver.press("x")
        assert outside(driver.text) == ""


def outside(text: str) -> str:
    return "\n".join(row for row in text.splitlines() if not row.isascii())


async def test_what_a_row_is_shows_without_colours() -> None:
    """Marks, not inks alone: lost, kept, failed, fixed, off, chosen."""
    async with opened(MISSING, size=(160, 44)) as driver:
        text = driver.text
        assert "✗ dropped" in text
        assert "✓ exact" in text
        assert "✗ CPC-1" in text
        await driver.press("4", "f")
        assert "✓ fix is on" in driver.text
        assert "☐" in driver.text
        assert "☑" in driver.text
