"""The note "How to add a dialect" names files that are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sigscope.dialects.registry import DIALECTS

ROOT = Path(__file__).parents[2]
NOTE = (ROOT / "docs" / "how-to-add-a-dialect.md").read_text()
NAMED = sorted(set(re.findall(r"`((?:app|tests|docs)/[\w./-]+?)/?`", NOTE)))
STEMS = ("copilot_chat", "openrouter", "litellm", "gemini")


@pytest.mark.parametrize("path", [p for p in NAMED if "STEM" not in p])
def test_what_it_names_is_there(path: str) -> None:
    assert (ROOT / path).exists()


@pytest.mark.parametrize("stem", STEMS)
@pytest.mark.parametrize("path", [p for p in NAMED if "STEM" in p])
def test_every_stage_has_the_file_of_a_dialect(path: str, stem: str) -> None:
    assert (ROOT / path.replace("STEM", stem)).exists()


def test_the_stems_are_those_of_dialects() -> None:
    assert set(STEMS) <= {dialect.name.replace("-", "_") for dialect in DIALECTS}
