"""Whole screens as text, compared with what they looked like when someone looked.

`SIGSCOPE_RENEW=1 pytest tests/tui/test_snapshots.py` writes them anew; then look at
the difference, and at the pictures (`make pictures`).
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.tui.driving import EMPTY_LIST, MISSING, opened

from sigscope.tui.symbols import ASCII

FOLDER = Path(__file__).parent / "snapshots"
RENEW = "SIGSCOPE_RENEW"

BACK = "backspace"
PROOF = ("F", "s", "6", "g", BACK, "s", "f", "j", BACK, "s", "F", "g", "j")

SCREENS: dict[str, tuple[str | None, tuple[int, int], Sequence[str]]] = {
    "sessions-120": (None, (120, 36), ()),
    "missing-80": (MISSING, (80, 24), ()),
    "missing-120": (MISSING, (120, 36), ()),
    "missing-160": (MISSING, (160, 44), ("4",)),
    "attempt-1-120": ("zed-copilot-attempt-1", (120, 36), ("4",)),
    "litellm-dummy-160": ("zoo-litellm-dummy", (160, 44), ()),
    "gemini-parallel-160": ("gemini-parallel", (160, 44), ()),
    "proof-160": (MISSING, (160, 44), PROOF),
    "run-diff-120": (EMPTY_LIST, (120, 36), ("f", "s", "6", "G", "d", "z")),
    "findings-80": (MISSING, (80, 24), ("6",)),
    "export-80": (EMPTY_LIST, (80, 24), ("x",)),
    "send-to-80": (EMPTY_LIST, (80, 24), ("S",)),
    "ready-made-120": (EMPTY_LIST, (120, 36), ("t",)),
    "ascii-120": (MISSING, (120, 36), ("4", "f")),
    "overview-120": ("zoo-litellm-dummy", (120, 36), ("Z", "exclamation_mark")),
    "ascii-overview-80": (MISSING, (80, 24), ("Z",)),
}


@pytest.mark.parametrize("name", sorted(SCREENS))
async def test_the_screen_looks_as_it_did(name: str) -> None:
    what, size, keys = SCREENS[name]
    symbols = ASCII if name.startswith("ascii") else None
    async with opened(what, size=size, symbols=symbols) as driver:
        if what is None:
            await driver.until(lambda: "with failures" in driver.text)
        await driver.press(*keys)
        await driver.pilot.pause(0.1)  # borders follow the cursor after a rest
        driver.app.notices.hush()
        await driver.pilot.pause()
        found = steady(driver.text)
    compare(FOLDER / f"{name}.txt", found)


def steady(text: str) -> str:
    """Without what no two runs have in common."""
    return re.sub(r"\d+(\.\d)? (ms|s) · esc", "… · esc", text) + "\n"


def compare(path: Path, found: str) -> None:
    """The screen as it was, or write it down as it is."""
    if os.environ.get(RENEW):
        path.parent.mkdir(exist_ok=True)
        path.write_text(found, encoding="utf-8")
    expected = path.read_text(encoding="utf-8") if path.exists() else ""
    assert found == expected, f"{path.name}: renew with {RENEW}=1 if this is right"
