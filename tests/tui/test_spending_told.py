"""Tokens and costs on the screens."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.driving import MISSING, opened

from sigscope.tui.overview.screen import OverviewScreen
from sigscope.tui.timeline.screen import TimelineScreen

PRICES = '["gemini-3-*"]\ninput = 1\noutput = 10\ncached = 0\n'


async def test_the_overview_tells_what_all_steps_took() -> None:
    async with opened(MISSING) as driver:
        await driver.press("Z")
        await driver.until(lambda: isinstance(driver.app.screen, OverviewScreen))
        await driver.until(lambda: "2,616 tokens in (0 cached)" in driver.text)
        assert "USD" not in driver.text


async def test_the_timeline_tells_tokens_and_costs_of_a_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SIGSCOPE_CONFIG_DIR", str(tmp_path))
    (tmp_path / "prices.toml").write_text(PRICES)
    async with opened(MISSING, size=(160, 44)) as driver:
        driver.screen.model.choose_step(1)
        await driver.press("T")
        await driver.until(lambda: isinstance(driver.app.screen, TimelineScreen))
        await driver.until(lambda: "309 tokens in (0 cached), 219 out" in driver.text)
        assert "first token 1.1 s, 0.0025 USD" in driver.text
