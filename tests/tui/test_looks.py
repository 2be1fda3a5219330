"""What can be decided of the looks of all states without eyes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rich.cells import cell_len
from tests.tui import sheets

SMALL, MIDDLE = (80, 24), (120, 36)
STATES = [state for state in sheets.STATES if state.session != sheets.HELD]
CUT = re.compile(r"[…~](?P<blank> +)[│|]")
"""A line of a pane that was cut, and the blanks that stand after the cut."""
UNUSED = 12
"""Blank cells after a cut that no column, badge or scroll bar accounts for."""


@pytest.fixture(autouse=True)
def _folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in ("DATA", "CONFIG", "STATE"):  # which every drawing sets anew
        monkeypatch.setenv(f"SIGSCOPE_{kind}_DIR", str(tmp_path / kind))


async def drawn(
    state: sheets.State, size: tuple[int, int], folder: Path, look: str
) -> str:
    """The screen as text."""
    name = f"{state.name}-{size[0]}"
    await sheets.draw_one(state, size, folder, name, look)
    return (folder / f"{name}-{look}.txt").read_text(encoding="utf-8")


def no_line_is_torn(text: str, size: tuple[int, int]) -> None:
    rows = text.splitlines()
    assert len(rows) == size[1]
    for row in rows:
        assert cell_len(row) <= size[0], row
        cut = CUT.search(row)
        assert cut is None or len(cut["blank"]) < UNUSED, row


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.name)
async def test_every_state_fits_a_small_screen_in_ascii(
    state: sheets.State, tmp_path: Path
) -> None:
    text = await drawn(state, SMALL, tmp_path, "ascii")
    no_line_is_torn(text, SMALL)
    assert text.isascii(), {char for char in text if not char.isascii()}


@pytest.mark.parametrize("name", ["refusal", "fixed", "unknown", "own", "matrix"])
async def test_panes_cut_nothing_that_has_room(name: str, tmp_path: Path) -> None:
    (state,) = (state for state in STATES if state.name == name)
    no_line_is_torn(await drawn(state, MIDDLE, tmp_path, "dark"), MIDDLE)
