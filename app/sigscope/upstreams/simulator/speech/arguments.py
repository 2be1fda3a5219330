"""Arguments for a call, built from the tool's JSON Schema and the user's words."""

from __future__ import annotations

import re
from dataclasses import field

from sigscope.records import dataclass
from sigscope.upstreams.simulator.records import Json, as_dict, as_list, as_text

_PATHS = ("path", "file", "uri", "url", "document", "target")
_QUERIES = ("query", "pattern", "glob", "search", "keyword", "regex")
_COMMANDS = ("cmd", "command", "script")
_PLACES = ("city", "location", "place", "address", "country", "region")
_DEEPEST = 6
"""Schemas may refer to themselves."""
_NUMBER = re.compile(r"(?<![\w.])-?\d{1,15}(?:\.\d{1,15})?(?!\d)(?![\w.]*[A-Za-z])")
"""Of more digits it is an id, or no number that Python would read."""


@dataclass(slots=True, kw_only=True)
class Material:
    """What the user's words offer for arguments. Used up as it is taken."""

    words: str
    file: str = ""
    """The file this call is about; empty for none."""
    numbers: list[int | float] = field(default_factory=list)

    @classmethod
    def read(cls, words: str, file: str = "") -> Material:
        return cls(words=words, file=file, numbers=_numbers(words))


def build_arguments(schema: Json, material: Material) -> dict[str, Json]:
    """An object that fits the schema: required members, and one for the file."""
    value = _build("", schema, material, schema, 0)
    return value if isinstance(value, dict) else {}


def _build(name: str, schema: Json, material: Material, root: Json, depth: int) -> Json:
    spec = _resolve(as_dict(schema), root)
    if "const" in spec:
        return spec["const"]
    if choices := as_list(spec.get("enum")):
        return choices[0]
    kind = _kind(spec)
    if kind == "object":
        return _object(spec, material, root, depth)
    if kind == "array":
        items = spec.get("items", {"type": "string"})
        if depth >= _DEEPEST:
            return []
        return [_build(name, items, material, root, depth + 1)]
    if "default" in spec:
        return spec["default"]
    if kind in ("integer", "number"):
        return _number(name, spec, kind, material)
    if kind == "boolean":
        return False
    return None if kind == "null" else _text(name.lower(), material)


def _object(
    spec: dict[str, Json], material: Material, root: Json, depth: int
) -> dict[str, Json]:
    members = as_dict(spec.get("properties"))
    wanted = [key for key in as_list(spec.get("required")) if isinstance(key, str)]
    if not wanted:
        about = [key for key in members if _is_about(key, _PATHS + _QUERIES)]
        wanted = about[:1] if material.file or not members else list(members)[:1]
    if depth >= _DEEPEST:
        return {}
    return {
        key: _build(key, members.get(key, {}), material, root, depth + 1)
        for key in wanted
    }


def _resolve(spec: dict[str, Json], root: Json) -> dict[str, Json]:
    for _ in range(_DEEPEST):
        reference = as_text(spec.get("$ref"))
        if reference.startswith("#/"):
            found: Json = root
            for key in reference[2:].split("/"):
                found = as_dict(found).get(key)
            spec = as_dict(found)
            continue
        options = as_list(spec.get("anyOf")) or as_list(spec.get("oneOf"))
        if not options or "type" in spec:
            break
        spec = as_dict(options[0])
    return spec


def _kind(spec: dict[str, Json]) -> str:
    kind = spec.get("type")
    if isinstance(kind, list):
        kind = next((k for k in kind if k != "null"), "string")
    if not isinstance(kind, str):
        kind = "object" if "properties" in spec else "string"
    return kind.lower()


def _text(name: str, material: Material) -> str:
    if _is_about(name, _QUERIES):
        return f"**/{material.file}" if material.file else _essence(material.words)
    if _is_about(name, _PATHS):
        return material.file or "README.md"
    if "dir" in name or "folder" in name or name == "cwd":
        return "."
    if name in _COMMANDS:
        return f"cat {material.file}" if material.file else "ls"
    if _is_about(name, _PLACES):
        return _place(material.words)
    return material.file or _essence(material.words)


def _number(
    name: str, spec: dict[str, Json], kind: str, material: Material
) -> int | float:
    lowest = spec.get("minimum")
    if material.numbers:
        value = material.numbers.pop(0)
    elif _is_about(name.lower(), ("end", "limit", "max", "count")):
        value = 100
    else:
        value = lowest if isinstance(lowest, int | float) else 1
    return int(value) if kind == "integer" else value


def _is_about(name: str, words: tuple[str, ...]) -> bool:
    return any(word in name.lower() for word in words)


def _essence(words: str) -> str:
    """The first sentence, short enough for an argument."""
    sentence = re.split(r"(?<=[.?!])\s|\n", words.strip())[0].rstrip(".?!")
    return sentence[:80] or "everything"


def _place(words: str) -> str:
    found = re.search(r"\bin ([A-Z][\w-]+(?:,? [A-Z][\w-]+)*)", words)
    return found[1] if found else "Berlin"


def _numbers(words: str) -> list[int | float]:
    found = _NUMBER.findall(words)
    return [float(text) if "." in text else int(text) for text in found]
