"""What the place in an error's words counts, where no request is at hand to look into.

`locate` finds the nodes of a recorded request; here only the words are known. Which
entries are counted is told in the words of `counting`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sigscope.records import dataclass
from sigscope.refusals import counts
from sigscope.refusals.pattern import Place
from sigscope.refusals.patterns import PatternHit


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """One place that an error names."""

    said: str
    """In the error's words: "position 5"."""
    node: str
    """Where that is: "contents[4]"; empty where it is no place in a list."""
    counts: str
    """How it counts, as a clause."""


_TRANSLATED = (
    "a chat request is translated first:"
    f" {counts.SYSTEM_LEFT_OUT}, {counts.RESULTS_ONCE} or each for itself"
)
FROM_ONE = f"counted from 1 over contents; no part and no turn is meant; {_TRANSLATED}"
_FROM_ZERO = "counted from 0"
NOWHERE = "the error names no place"


def positions(hit: PatternHit) -> tuple[Position, ...]:
    """The places that a rule's words name, one for each occurrence that names one."""
    read = _READERS.get(hit.pattern.place)
    found = [read(groups) for groups in hit.groups] if read else []
    return tuple(dict.fromkeys(place for place in found if place))


def _content(groups: Mapping[str, str]) -> Position | None:
    number = _number(groups, "n")
    if number is None:
        return None
    node = f"contents[{number - 1}]" if number else ""
    return Position(said=f"position {number}", node=node, counts=FROM_ONE)


def _content_part(groups: Mapping[str, str]) -> Position | None:
    place, part = _content(groups), _number(groups, "j")
    if place is None or part is None:
        return place
    return Position(
        said=f"content position {groups['n']}, part position {part}",
        node=place.node,
        counts=f"{FROM_ONE}; whether parts count from 0 or from 1 is not known",
    )


def _part(groups: Mapping[str, str]) -> Position | None:
    i, j = _number(groups, "i"), _number(groups, "j")
    if i is None or j is None:
        return None
    node = f"contents[{i}].parts[{j}]"
    return Position(said=node, node=node, counts=f"both {_FROM_ZERO}; {_TRANSLATED}")


def _block(groups: Mapping[str, str]) -> Position | None:
    i, j = _number(groups, "i"), _number(groups, "j")
    if i is None:
        return None
    said = f"messages.{i}" + (f".content.{j}" if j is not None else "")
    node = f"messages[{i}]" + (f".content[{j}]" if j is not None else "")
    return Position(
        said=said,
        node=node,
        counts=f"{_FROM_ZERO}; `system` is no message here; {_TRANSLATED}",
    )


def _message(groups: Mapping[str, str]) -> Position | None:
    i = _number(groups, "i")
    if i is None:
        return None
    return Position(
        said=f"index {i}",
        node=f"messages[{i}]",
        counts=f"{_FROM_ZERO}; {counts.SYSTEM_COUNTS}",
    )


def _input(groups: Mapping[str, str]) -> Position | None:
    i = _number(groups, "i")
    if i is None:
        return None
    return Position(said=f"input[{i}]", node=f"input[{i}]", counts=_FROM_ZERO)


def _path(groups: Mapping[str, str]) -> Position | None:
    path = groups.get("path")
    if not path:
        return None
    return Position(said=path, node=path, counts=_FROM_ZERO)


def _number(groups: Mapping[str, str], name: str) -> int | None:
    digits = groups.get(name, "")
    return int(digits) if digits.isdecimal() and len(digits) < 10 else None


_READERS: Mapping[Place, Callable[[Mapping[str, str]], Position | None]] = {
    Place.CONTENT: _content,
    Place.CONTENT_PART: _content_part,
    Place.PART: _part,
    Place.BLOCK: _block,
    Place.MESSAGE: _message,
    Place.INPUT: _input,
    Place.FIELD: _path,
    Place.PATH: _path,
}
