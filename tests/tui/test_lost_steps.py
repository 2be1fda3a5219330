"""A file of which a step was lost, and a run of that step was not."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.driving import opened

from sigscope.engine.engine import Engine, Target
from sigscope.engine.sending.orders import Order
from sigscope.engine.settings.places import shipped


@pytest.fixture
async def lost(tmp_path: Path) -> Path:
    """Step 1, and a run of step 2."""
    name = "copilot-missing-signature.session.jsonl"
    path = tmp_path / name
    path.write_bytes((shipped("sessions") / name).read_bytes())
    document = Engine().open(path)
    async for _ in Engine().replay(document, Order(step=2), Target()):
        pass
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + lines[1] + lines[-1])
    return path


@pytest.mark.parametrize("key", ["T", "P", "Z", "I", "D", "x", "semicolon"])
async def test_its_screens_open(lost: Path, key: str) -> None:
    """What the screens failed at would be a fault, which fails the test."""
    async with opened(lost) as driver:
        assert [run.step for run in driver.screen.model.document.runs] == [2]
        before = driver.app.screen
        await driver.pilot.press(key)
        await driver.until(lambda: driver.app.screen is not before)
        await driver.pilot.press("escape")
        await driver.until(lambda: driver.app.screen is before)
