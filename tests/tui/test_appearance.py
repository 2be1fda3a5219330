"""Themes and symbols: readable, remembered, and seen without colours."""

from __future__ import annotations

from tests.tui.driving import EMPTY_LIST, MISSING, opened

from sigscope.tui.symbols import ASCII


async def test_another_theme_paints_the_same_text_in_other_colours() -> None:
    async with opened(EMPTY_LIST) as driver:
        assert driver.app.theme == "sigscope-dark"
        text, pane = driver.text, driver.screen.board.steps
        before = pane.render_line(0)
        driver.app.theme = "sigscope-light"
        await driver.rest()
        assert driver.text == text
        after = pane.render_line(0)
        assert before.text == after.text
        assert list(before) != list(after)


async def test_with_ascii_symbols_there_is_nothing_else_on_the_screen() -> None:
    async with opened(MISSING, size=(160, 44), symbols=ASCII) as driver:
        assert outside(driver.text) == ""
        await driver.press("4", "F", "s", "6", "G", "d")
        assert outside(driver.text) == ""
        for tab in ("raw", "events", "response"):
            driver.json.tab = tab
            await driver.rest()
            assert outside(driver.text) == "", tab
        for key in ("x", "question_mark", "T", "P", "D", "ctrl+p"):
            await driver.press(key)
            assert outside(driver.text) == "", key
            await driver.press("escape")


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


async def test_a_dialog_leaves_what_is_behind_it_in_sight_in_every_look() -> None:
    for theme in ("sigscope-dark", "ansi-16"):
        async with opened(MISSING, size=(120, 36), theme=theme) as driver:
            before = driver.header
            await driver.press("x")
            assert "esc closes" in driver.text, theme
            assert driver.header == before, theme
