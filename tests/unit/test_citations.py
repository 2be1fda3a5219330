"""What the project cites can be opened by a stranger."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXTS = {".py", ".md", ".toml", ".txt", ".tcss"}
FILES = sorted(
    path
    for folder in ("app", "tests", "docs", "themes", "bench")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in TEXTS and path != Path(__file__)
)
PRIVATE = re.compile(r"dialects\.md|design\.md|\.\./shared|\bseeds? 0\d\d\b", re.I)
"""Notes the project was begun from; no stranger has them."""


@pytest.mark.parametrize(
    "path",
    [*FILES, *ROOT.glob("*.md"), ROOT / "Makefile", ROOT / "pyproject.toml"],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_no_file_cites_what_only_we_have(path: Path) -> None:
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    assert not [line for line in lines if PRIVATE.search(line)]
