"""YAML documents of cassettes, built from the parser's events.

Not by `yaml.load`: its composer crashes the interpreter on deep nesting, raises on
foreign tags (`!ruby/...`, `!!python/unicode`) and on impossible dates, and gives
nothing at all of a file that is torn at the end.
"""

from __future__ import annotations

import re
from dataclasses import field
from typing import Any

from sigscope.capture.shape import Tree
from sigscope.capture.values import unfolds_too_far
from sigscope.capture.yamlscalars import Disguise, Scalars
from sigscope.errors import MissingExtra
from sigscope.records import dataclass

_DEEPEST = 400
"""Levels of nesting; the deepest tool schemas on record have about 30."""

_LONGEST_KEY = 10_000
"""Characters of a key that is a collection. In one that is a key of a key, and so on,
the quotes of each level are escaped in the next, which doubles it."""

_MOST_ERRORS = 50
"""Broken elements after which reading is given up."""

_ELEMENT = re.compile(r"^ *-(?: +[\w!'\"-]+:?| *$)", re.MULTILINE)
"""The beginning of a list element, up to its first key."""
_DOCUMENT = re.compile(r"^---\s", re.MULTILINE)

_ASKED = "request"
"""What a broken element is kept for, with what was read before it broke: a request
that stands whole is evidence, also where its response is torn."""

_PENDING = object()
"""Marks a mapping that waits for its next key."""


@dataclass(slots=True)
class YamlFile:
    """The documents of a file, as far as it could be read."""

    documents: list[Tree] = field(default_factory=list)
    errors: list[tuple[int, str]] = field(default_factory=list)
    """Where (line, from 1) and why it could not be read; empty if all is whole."""


class _Refused(Exception):
    """The text is YAML, but none that is read here."""


@dataclass(slots=True)
class _Open:
    """A collection whose end has not come yet."""

    value: list[Tree] | dict[Tree, Tree]
    anchor: str | None
    key: Tree = _PENDING
    tag: str = ""


def load_yaml(content: str) -> YamlFile:
    """Read all documents of a text.

    Where it is torn or broken, the elements of the outermost list that were whole by
    then are kept, the broken one is dropped (unless its `request` is whole), and
    reading goes on at the next one (as a document of its own). Raises MissingExtra
    without PyYAML. Costs about 10 µs a value.
    """
    try:
        import yaml
    except ImportError:
        raise MissingExtra("a recording in YAML", "vcr") from None
    result = YamlFile()
    disguise = Disguise(content)
    content = disguise.put_on(content)
    offset, line = 0, 0
    for _ in range(_MOST_ERRORS):
        rest = content[offset:] if offset else content
        failed = _load_from(yaml, rest, result, disguise)
        if failed is None:
            break
        if line + failed[0] not in [known for known, _ in result.errors]:
            result.errors.append((line + failed[0], failed[1]))
        onward = _next_element(content, offset, failed[0])
        if onward is None:
            break
        offset, line = onward[0], line + onward[1]
    return result


def _load_from(
    yaml: Any, content: str, result: YamlFile, disguise: Disguise
) -> tuple[int, str] | None:
    """Add the documents of this text; give line and reason where it breaks off."""
    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    builder = _Builder(yaml, disguise)
    try:
        for event in yaml.parse(content, Loader=loader):
            builder.take(event)
            if builder.is_done:
                result.documents.append(builder.finish())
    except (yaml.YAMLError, _Refused) as error:
        left = builder.salvage()
        if left:
            result.documents.append(left)
        places = [getattr(error, "problem_mark", None) or builder.mark]
        places.append(getattr(error, "context_mark", None))
        lines = [at.line + 1 for at in places if at is not None]
        return min(lines, default=1), _reason(error)
    return None


def _next_element(content: str, offset: int, line: int) -> tuple[int, int] | None:
    """Offset, and lines from `offset` to it, of the document or list element that
    begins at or after the given line; None if there is none."""
    first = _ELEMENT.search(content)
    same = re.escape(first[0]) if first else "---"
    lead = re.compile(rf"(?:---(?=\s)|{same})")
    at = offset
    documents_only = _DOCUMENT.search(content, offset + 1) is not None
    for count, text in enumerate(content[offset:].splitlines(keepends=True)):
        begins = text.startswith("---") if documents_only else lead.match(text)
        if count >= max(line - 1, 1) and begins:
            return at, count
        at += len(text)
    return None


def _reason(error: Exception) -> str:
    problem = getattr(error, "problem", None) or getattr(error, "reason", None)
    context = getattr(error, "context", None)
    return ": ".join(part for part in (context, problem) if part) or str(error)


class _Builder:
    """Makes plain values of parse events, without recursion."""

    def __init__(self, yaml: Any, disguise: Disguise) -> None:
        self._yaml = yaml
        self._scalars = Scalars(yaml, disguise)
        self._stack: list[_Open] = []
        self._anchors: dict[str, Tree] = {}
        self._root: Tree = None
        self.is_done = False
        self.mark: Any = None
        """Where the last event began."""

    def take(self, event: Any) -> None:
        """Read the next event. Raises _Refused."""
        yaml = self._yaml
        self.mark = event.start_mark
        if isinstance(event, yaml.ScalarEvent):
            self._put(self._scalars.value(event), event.anchor)
        elif isinstance(event, yaml.MappingStartEvent):
            self._open({}, event)
        elif isinstance(event, yaml.SequenceStartEvent):
            self._open([], event)
        elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            done = self._stack.pop()
            self._put(_tagged(done.tag, done.value), done.anchor)
        elif isinstance(event, yaml.AliasEvent):
            if event.anchor not in self._anchors:
                raise _Refused(f"the alias {event.anchor!r} refers to nothing")
            self._put(self._anchors[event.anchor], None)
        elif isinstance(event, yaml.DocumentEndEvent):
            self.is_done = True

    def finish(self) -> Tree:
        """Hand out a whole document and make ready for the next."""
        root, self._root = self._root, None
        self.is_done = False
        self._anchors.clear()
        return root

    def salvage(self) -> Tree:
        """What is whole of a document that breaks off."""
        for depth, part in enumerate(self._stack):
            if isinstance(part.value, list):
                broken = self._stack[depth + 1 : depth + 2]
                is_kept = any(_ASKED in each.value for each in broken)
                del self._stack[depth + 1 + is_kept :]
                break
        else:
            del self._stack[1:]
        while self._stack:
            part = self._stack.pop()
            self._put(part.value, None)
        return self._root

    def _open(self, value: list[Tree] | dict[Tree, Tree], event: Any) -> None:
        if len(self._stack) >= _DEEPEST:
            raise _Refused(f"it is nested more than {_DEEPEST} levels deep")
        self._stack.append(_Open(value, event.anchor, tag=event.tag or ""))

    def _put(self, value: Tree, anchor: str | None) -> None:
        if anchor is not None:
            self._anchors[anchor] = value
        if not self._stack:
            self._root = value
            return
        parent = self._stack[-1]
        if isinstance(parent.value, list):
            parent.value.append(value)
        elif parent.key is _PENDING:
            parent.key = _as_key(value)
        elif parent.key == "<<" and isinstance(value, dict):
            for key, item in value.items():
                parent.value.setdefault(key, item)
            parent.key = _PENDING
        else:
            parent.value[parent.key] = value
            parent.key = _PENDING


def _as_key(value: Tree) -> Tree:
    """Raises _Refused."""
    if not isinstance(value, dict | list):
        return value
    if unfolds_too_far(value):
        raise _Refused("a key of it unfolds to more than any recording has")
    key = repr(value)
    if len(key) > _LONGEST_KEY:
        raise _Refused("a key of it is a mapping or list, longer than any recording's")
    return key


def _tagged(tag: str, value: list[Tree] | dict[Tree, Tree]) -> Tree:
    """Request bodies that vcrpy found in a file object or an iterator."""
    if isinstance(value, dict):
        if tag.endswith("python/object/new:_io.BytesIO"):
            state = value.get("state")
            return state[0] if isinstance(state, list) and state else b""
        if tag.endswith("builtins.iter"):
            args = value.get("args")
            return args[0] if isinstance(args, list) and args else []
    return value
