"""What a leaf of a body is good for, whatever turned out to stand there."""

from __future__ import annotations

import json
from collections.abc import Iterator

from sigscope.conversation import Json
from sigscope.pointer import escape


def text_of(value: Json) -> str:
    """A string as it is; anything else is no text."""
    return value if isinstance(value, str) else ""


def count_of(value: Json) -> int | None:
    """A number of tokens; true and false are none."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def json_of(value: Json) -> str:
    """Compact JSON, as arguments are compared; empty where there is nothing."""
    return "" if value is None else json.dumps(value, ensure_ascii=False)


def has_member(value: Json, path: str) -> bool:
    """Whether there is a member: "tool_calls/*/extra_content", `*` for any index."""
    key, _, rest = path.partition("/")
    if key == "*":
        items = value if isinstance(value, list) else ()
        return any(has_member(item, rest) for item in items)
    if not isinstance(value, dict) or key not in value:
        return False
    return not rest or has_member(value[key], rest)


def strings_in(value: Json) -> Iterator[tuple[str, str]]:
    """Pointer and text of every string, in the document's order."""
    waiting = [("", value)]
    while waiting:
        at, here = waiting.pop()
        if isinstance(here, str):
            yield at, here
        elif isinstance(here, dict):
            below = [(f"{at}/{escape(key)}", each) for key, each in here.items()]
            waiting += reversed(below)
        elif isinstance(here, list):
            waiting += [(f"{at}/{i}", each) for i, each in enumerate(here)][::-1]


def names_of(tools: Json) -> Iterator[str]:
    """The names of tools that name themselves (Messages, Responses)."""
    for tool in tools if isinstance(tools, list) else ():
        name = tool.get("name") if isinstance(tool, dict) else None
        if isinstance(name, str):
            yield name
