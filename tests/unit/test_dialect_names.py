"""No module but a dialect's own knows its name: others ask its record."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from sigscope.dialects.registry import DIALECTS

APP = Path(__file__).parents[2] / "app" / "sigscope"
NAMES = frozenset(dialect.name for dialect in DIALECTS)

MEANT_OTHERWISE: Mapping[tuple[str, str], str] = {
    ("upstreams/simulator/", "anthropic"): "who makes a model",
    ("rules/litellm/llm_6_signature_to_bedrock.py", "anthropic"): "who makes a model",
}
"""(file or folder, word) → what it says there, being no dialect's name."""

ON_A_RECORD = frozenset({"dialects", "beside"})
"""Arguments with which a dialect's own file names others: whom else a rule is for, who
is served at the same address."""


def is_own(path: Path, name: str) -> bool:
    """Whether a file is named for a dialect, or lies in a folder that is."""
    stem = name.replace("-", "_")
    places = path.with_suffix("").relative_to(APP).parts
    return any(place == stem or place.startswith(f"{stem}_") for place in places)


def docstrings(tree: ast.AST) -> Iterator[ast.Constant]:
    """Strings that stand for themselves."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.value


def on_records(tree: ast.AST) -> Iterator[ast.AST]:
    """What is given to a record in these arguments."""
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg in ON_A_RECORD:
            yield from ast.walk(node.value)


def words_in(source: str, *, is_of_one: bool = False) -> Iterator[tuple[int, str]]:
    """Line and word of every string that is a dialect's name: compared, a key, a case,
    in a tuple, given to a call; not one that explains.

    `is_of_one`: it is the source of a dialect's own file.
    """
    tree = ast.parse(source)
    told = {id(node) for node in docstrings(tree)}
    if is_of_one:
        told |= {id(node) for node in on_records(tree)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or id(node) in told:
            continue
        if node.value in NAMES:
            yield node.lineno, node.value


@cache
def strangers() -> tuple[tuple[str, int, str], ...]:
    """File, line and word. Only a file that has a name in it is parsed."""
    found = []
    for path in sorted(APP.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        if not any(name in source for name in NAMES):
            continue
        is_of_one = any(is_own(path, name) for name in NAMES)
        for line, word in words_in(source, is_of_one=is_of_one):
            if not is_own(path, word):
                found.append((path.relative_to(APP).as_posix(), line, word))
    return tuple(found)


def is_meant_otherwise(file: str, word: str) -> bool:
    return any(file.startswith(f) and word == w for f, w in MEANT_OTHERWISE)


def test_a_dialects_name_stands_in_its_own_files_alone() -> None:
    found = [each for each in strangers() if not is_meant_otherwise(each[0], each[2])]
    told = "put the fact on the dialect's record, or in its own file of the stage"
    assert not found, told


def test_what_is_excepted_is_still_there() -> None:
    found = {(file, word) for file, _, word in strangers()}
    for place, word in MEANT_OTHERWISE:
        assert any(file.startswith(place) and w == word for file, w in found)


@pytest.mark.parametrize(
    "source",
    [
        'if dialect.name == "litellm": pass',
        'KEYS = {"litellm": 1}',
        'match name:\n    case "litellm":\n        pass',
        'if name in ("x", "litellm"): pass',
        'found = named("litellm")',
    ],
)
def test_each_way_of_asking_a_name_is_seen(source: str) -> None:
    assert [word for _, word in words_in(source)] == ["litellm"]


def test_a_record_may_name_others_in_a_file_of_one_alone() -> None:
    card = 'RULE = Rule(code="LLM-4", dialects=("litellm", "openrouter"))'
    assert not list(words_in(card, is_of_one=True))
    assert len(list(words_in(card))) == 2


def test_what_explains_may_name_it() -> None:
    assert not list(words_in('"""litellm"""\nX = 1\n"litellm"\n'))


def test_own_files_are_known_by_their_names() -> None:
    assert is_own(APP / "ledger" / "dialects" / "copilot_chat.py", "copilot-chat")
    assert is_own(APP / "dialects" / "gemini_stream.py", "gemini")
    assert is_own(APP / "rules" / "litellm" / "llm_1.py", "litellm")
    assert not is_own(APP / "rules" / "litellm" / "llm_1.py", "gemini")
    assert not is_own(APP / "ledger" / "grades.py", "gemini")
