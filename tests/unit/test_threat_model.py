"""Every line of the threat model is held by a test that exists."""

from __future__ import annotations

import re
from pathlib import Path

from tests.each import each

ROOT = Path(__file__).parents[2]
MODEL = ROOT / "docs" / "threat-model.md"
LINK = re.compile(r"\[(test_\w+)\]\(\.\./(tests/[\w/]+\.py)\)")
LINES = [
    line
    for section in MODEL.read_text(encoding="utf-8").split("\n## ")[1:]
    for line in section.splitlines()
    if line.startswith("| ") and not line.startswith(("| threat |", "|---"))
]
LINKS = sorted({found for line in LINES for found in LINK.findall(line)})


def test_the_model_has_every_part() -> None:
    text = MODEL.read_text(encoding="utf-8")
    parts = ("Network", "Files that are read", "The terminal and the screens")
    for part in (*parts, "Exports", "Secrets", "Room and time"):
        assert f"\n## {part}\n" in text
    assert len(LINES) > 30


@each(LINES)
def test_each_line_names_a_threat_a_stand_and_a_test(line: str) -> None:
    threat, stand, held = (cell.strip() for cell in line.strip("|").split(" | "))
    assert threat
    assert stand
    assert LINK.sub("", held).strip(", ") == ""


@each(LINKS)
def test_each_test_exists(link: tuple[str, str]) -> None:
    name, path = link
    text = (ROOT / path).read_text(encoding="utf-8")
    assert re.search(rf"^\s*(?:async )?def {name}\(", text, re.MULTILINE), path
