"""What the project cites can be opened by a stranger."""

from __future__ import annotations

import re
from pathlib import Path

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


def test_no_file_cites_what_only_we_have() -> None:
    others = [*ROOT.glob("*.md"), ROOT / "Makefile", ROOT / "pyproject.toml"]
    found = []
    for path in (*FILES, *others):
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        found += [f"{path}: {line}" for line in lines if PRIVATE.search(line)]
    assert len(FILES) > 1000
    assert found == []
