"""Error texts of the user's own: what a service says that nobody else knows.

    [state-missing]
    text = "acme_state is missing in message {i}"
    rule = "ACM-1"
    place = "message"
    meaning = "The message with calls lacks acme_state."
    look = "the named message"

They stand in `errors.toml` of the config folder, a table each. `text` is the sentence
as the service writes it; what stands in `<>` may be missing, and in braces stands what
changes: {i} and {j} (indices from 0), {n} (from 1), {id}, {key}, {path}, {fn}, {any} (a
word), {~} (a gap). `place` says what the numbers point at. `rule` is the id of a rule
that there is, whose words these are, too, or a new one; a new one needs `meaning`.

A mistake costs the one table: it is left out, and told with its line.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from sigscope.engine.settings.own import ERRORS
from sigscope.engine.settings.places import config_dir
from sigscope.records import dataclass
from sigscope.refusals import catalogue
from sigscope.refusals.entry import PAIR, CatalogueEntry, known
from sigscope.refusals.pattern import SLOTS, Pattern, Place, words
from sigscope.refusals.patterns import PATTERNS
from sigscope.tomlfile import read_toml

FIELDS = ("text", "rule", "place", "meaning", "look", "source")
SHORTEST = 12
"""Letters of a sentence that is not found by chance."""
_RULE = re.compile(r"[A-Z]{3}-[0-9]{1,3}")
_SLOT = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnErrors:
    """What the user's file adds."""

    patterns: tuple[Pattern, ...] = ()
    entries: tuple[CatalogueEntry, ...] = ()
    names: tuple[str, ...] = ()
    """ "state-missing (ACM-1)", in the order of the file."""
    problems: tuple[str, ...] = ()
    """What cannot be used, with file and line."""


class _Unusable(ValueError):
    def __init__(self, problem: str, field: str = "") -> None:
        super().__init__(problem)
        self.field = field


def errors_file() -> Path:
    """Where the user's own error texts stand."""
    return config_dir() / ERRORS


def own_errors() -> OwnErrors:
    """What the user has added. Costs a look at the file; it is read when it is new."""
    path = errors_file()
    try:
        stat = path.stat()
    except OSError:
        return OwnErrors()
    return _load(path, stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=4)
def _load(path: Path, changed: int, size: int) -> OwnErrors:
    file = read_toml(path)
    if file is None:
        return OwnErrors()
    if file.problem:
        return OwnErrors(problems=(file.problem,))
    patterns: list[Pattern] = []
    entries: list[CatalogueEntry] = []
    names: list[str] = []
    problems: list[str] = []
    for name, table in file.data.items():
        try:
            pattern = _pattern(table)
            entry = _entry(table, pattern, f"{file.place(name)}")
        except _Unusable as problem:
            has_field = isinstance(table, dict) and problem.field in table
            keys = (name, problem.field) if has_field else (name,)
            problems.append(f"{file.place(*keys)}: [{name}] {problem}")
            continue
        patterns.append(pattern)
        names.append(f"{name} ({pattern.rule})")
        if entry is not None:
            entries.append(entry)
    return OwnErrors(
        patterns=tuple(patterns),
        entries=tuple(entries),
        names=tuple(names),
        problems=tuple(problems),
    )


def _pattern(table: Any) -> Pattern:
    if not isinstance(table, dict):
        raise _Unusable("is no table; write [name] and its fields below")
    for key, value in table.items():
        if key not in FIELDS:
            raise _Unusable(f"has no field {key}; it may have {', '.join(FIELDS)}", key)
        if not isinstance(value, str):
            raise _Unusable(f"{key} is no text", key)
    text, rule = table.get("text", ""), table.get("rule", "")
    if not _RULE.fullmatch(rule):
        raise _Unusable('rule is no id: three letters, - and a number, "ACM-1"', "rule")
    place = table.get("place", Place.NONE)
    if place not in tuple(Place):
        raise _Unusable(f"place is not one of {', '.join(Place)}", "place")
    for slot in _SLOT.findall(text):
        if slot not in SLOTS:
            raise _Unusable(f"text has {{{slot}}}, which stands for nothing", "text")
    try:
        made = words(rule, text, Place(place))
    except (re.error, KeyError) as error:
        raise _Unusable(f"text cannot be read: {error}", "text") from None
    if len(made.core) < SHORTEST:
        raise _Unusable(
            f"text is too short: it needs {SHORTEST} letters in a row that never"
            " change, or it is found by chance",
            "text",
        )
    if made.core in {pattern.core for pattern in PATTERNS}:
        raise _Unusable("text is known already", "text")
    return made


def _entry(
    table: dict[str, str], pattern: Pattern, place: str
) -> CatalogueEntry | None:
    """What is said of a rule id that is new; None where it is known."""
    if catalogue.entry(pattern.rule) is not None:
        return None
    if not table.get("meaning"):
        raise _Unusable(
            f"there is no rule {pattern.rule}: say in `meaning` what it means", "rule"
        )
    return known(
        pattern.rule,
        "yours",
        table["meaning"],
        table.get("look", "the request that was refused"),
        PAIR,
        "reported",
        table.get("source", place),
    )
