"""What a package's concept note names is there: a module that was given another name
would leave a note that leads nowhere."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

APP = Path(__file__).parents[2] / "app" / "sigscope"
NAME = re.compile(r"`([a-z_]+(?:\.(?!py`|toml`)[A-Za-z_]+)?)(?:\.py)?`")
ELSEWHERE = {"content", "extends", "metadata", "user"}
"""Words of the wire and of files."""
OUTSIDE = {"store/secrets/__init__.py"}
"""Its note quotes what secrets are called elsewhere."""


def notes() -> Iterator[tuple[str, str]]:
    """Each package with a name that its note has in backticks."""
    for path in sorted(APP.rglob("__init__.py")):
        where = path.relative_to(APP).as_posix()
        note = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
        yield from ((where, name) for name in NAME.findall(note))


def identifiers() -> set[str]:
    """Names of modules, and all words of the code that are no part of a docstring."""
    found: set[str] = set()
    for path in APP.rglob("*.py"):
        found |= {path.stem, path.parent.name}
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Name):
                found.add(node.id)
            elif isinstance(
                node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
            ):
                found.add(node.name)
            elif isinstance(node, ast.arg):
                found.add(node.arg)
    return found


def test_a_note_names_what_is_there() -> None:
    known = identifiers()
    lost = {
        (where, name)
        for where, name in notes()
        if not {where, name} & (ELSEWHERE | OUTSIDE)
        and not known.issuperset(name.split("."))
    }
    assert not sorted(lost), "renamed? say what it is called now"
