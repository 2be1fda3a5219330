"""What is whole in a JSON file that is torn or broken."""

from __future__ import annotations

import re

from sigscope.capture.shape import Tree
from sigscope.capture.source import Source, parse_json
from sigscope.session import Problem
from sigscope.utf8 import to_text
from sigscope.wire.jsonspan import member_span, skip_space, value_end

_BETWEEN = re.compile(rb"[ \t\r\n,]*")


def salvage_json(source: Source, key: str) -> tuple[list[Tree], list[Problem]]:
    """The elements of the first array called `key` that can be read, one by one.

    Of a last one that breaks off, what it has up to its `request`, if that is whole.
    """
    problems = [Problem(message=f"not whole JSON: {source.json_error}")]
    items: list[Tree] = []
    data = source.data
    begin = re.search(rb'"%b"\s*:\s*\[' % re.escape(key.encode()), data)
    at = begin.end() if begin else len(data)
    while True:
        between = _BETWEEN.match(data, at)
        at = between.end() if between else at
        if at >= len(data) or data[at : at + 1] == b"]":
            break
        place = f"entry {len(items) + len(problems)}"
        end = value_end(data, at)
        if end is None:
            asked = member_span(data, at, "request")
            if asked:
                items.append(parse_json(to_text(data[at : asked[1]] + b"}"))[0])
            left = "its response is left out" if asked else "left out"
            problems.append(Problem(message=f"breaks off; {left}", where=place))
            break
        item, error = parse_json(to_text(data[at:end]))
        if error:
            problems.append(Problem(message=f"{error}; left out", where=place))
        else:
            items.append(item)
        at = skip_space(data, end)
    return items, problems
