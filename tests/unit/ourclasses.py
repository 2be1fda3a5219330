"""The classes of the application, as its source has them."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

APP = Path(__file__).parents[2] / "app" / "sigscope"


@cache
def classes() -> tuple[tuple[str, ast.ClassDef], ...]:
    """Module (`tui/app.py`) and class, of all that no other holds. Read once: half a
    second of work for each test that asks."""
    return tuple(
        (path.relative_to(APP).as_posix(), node)
        for path in sorted(APP.rglob("*.py"))
        if "class " in (source := path.read_text("utf-8"))
        for node in ast.parse(source).body
        if isinstance(node, ast.ClassDef)
    )
