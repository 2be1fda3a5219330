"""The story in the README, typed as it is printed, at four sizes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.tui.driving import MISSING, Driver, opened

from sigscope.runs import Verdict

README = Path(__file__).parents[2] / "README.md"
SIZES = ((80, 24), (100, 30), (120, 36), (160, 44))
NAMES = {"/": "slash", "esc": "escape", "enter": "enter", "space": "space"}
"""Keys of more than one letter, and those that Textual has a name for."""


def story() -> dict[int, list[str]]:
    """What stands in backquotes in each numbered step of the story."""
    text = README.read_text(encoding="utf-8")
    section = text.split("## The story in five minutes")[1].split("\n## ")[0]
    steps = re.split(r"^(\d)\. ", section, flags=re.MULTILINE)[1:]
    numbered = zip(steps[::2], steps[1::2], strict=True)
    return {int(number): re.findall(r"`([^`]+)`", words) for number, words in numbered}


def keys_of(quoted: list[str]) -> list[str]:
    """Those that are keys; what stands after the key of the search is typed, with a
    quote before it. The rest names fields and values."""
    found: list[str] = []
    for word in quoted:
        if found and found[-1] == "slash":
            found.append(f"'{word}")
        elif len(word) == 1 or word in NAMES:
            found.append(NAMES.get(word, word))
    return found


def test_the_story_has_keys_to_type() -> None:
    keys = {number: keys_of(quoted) for number, quoted in story().items()}
    assert keys[3] == ["s"]
    assert keys[4] == ["4", "slash", "'reasoning_opaque", "enter", "space", "s"]
    assert keys[5] == ["f", "s"]
    assert keys[6] == ["b", "enter", "escape"]


async def type_keys(driver: Driver, keys: list[str]) -> None:
    for key in keys:
        if key.startswith("'"):
            await driver.type(key[1:])
        elif key == "escape":  # what is to be seen is seen before
            break
        else:
            await driver.press(key)


@pytest.mark.parametrize("size", SIZES, ids="{0[0]}x{0[1]}".format)
async def test_the_story_is_typed_as_printed(size: tuple[int, int]) -> None:
    steps = story()
    async with opened(MISSING, size=size) as driver:
        runs = driver.screen.model.document.runs
        await type_keys(driver, keys_of(steps[3]))
        assert [(r.status, r.verdict) for r in runs] == [(400, Verdict.REPRODUCED)]
        await type_keys(driver, keys_of(steps[4]))
        assert driver.pointer == "/messages/2/reasoning_opaque"
        assert len(driver.screen.model.edits) == 1
        assert (runs[-1].status, runs[-1].verdict) == (400, Verdict.REPRODUCED)
        await type_keys(driver, keys_of(steps[5]))
        assert len(driver.screen.model.edits) == 2
        assert (runs[-1].status, runs[-1].verdict) == (200, Verdict.GONE)
        await type_keys(driver, keys_of(steps[6]))
        await driver.reads("2 of 2 changes matter, proven with 4 sends")
        await driver.pilot.press("escape")
        await driver.rest()
        assert len(driver.screen.model.edits) == 2
