"""The pages a stranger reads, README first: links lead somewhere, tables are whole."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted(ROOT.glob("docs/*.md"))]
LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]+))?\)")
RULE = re.compile(r"\|(?:\s*:?-+:?\s*\|)+")

pages = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)


def prose(page: Path) -> str:
    """Without what is quoted in blocks."""
    return re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.M | re.S)


def headings(page: Path) -> list[str]:
    """Anchors that GitHub gives them."""
    heads = re.findall(r"^#+ (.+)", prose(page), re.M)
    return [re.sub(r"[^\w -]", "", head).lower().replace(" ", "-") for head in heads]


def cells(row: str) -> int:
    """How many cells a row of a table has. One that is `\\|` ends none."""
    return len(re.findall(r"(?<!\\)\|", row.strip())) - 1


@pages
def test_each_link_leads_somewhere(page: Path) -> None:
    for target, anchor in LINK.findall(prose(page)):
        if "://" in target:
            continue
        other = page.parent / target if target else page
        assert other.exists(), target
        if anchor and other in PAGES:
            assert anchor in headings(other), (target, anchor)


@pages
def test_each_row_has_as_many_cells_as_its_head(page: Path) -> None:
    """GitHub leaves out what a row has more."""
    width = 0
    for line in prose(page).splitlines():
        if RULE.fullmatch(line):
            width = cells(line)
        elif width and line.startswith("|"):
            assert cells(line) == width, line
        else:
            width = 0
