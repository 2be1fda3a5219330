"""Tools the simulated client can run: a small project, in memory, always the same."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from sigscope.converse.memory import ReplyPiece, ToolResult

FILES: Mapping[str, str] = {
    "README.md": """\
# fieldmap

Keeps track of where a robot is on the field, and plans the way to where it should be.

## Use

    from fieldmap import Field, plan
    route = plan(Field.load("skills.map"), start="A1", goal="D4")

## Roadmap

- [x] C++ V5 API
- [x] Route planner with turning circles
- [ ] Python V5 API
- [ ] Live view of the field in the browser
- [ ] Recorded runs as test cases

## Licence

MIT
""",
    "CHANGELOG.md": """\
# Changes

## 0.4.0, October 2025

- Routes keep a distance of 8 cm from walls.
- `plan` raises `NoWay` where it returned an empty list.

## 0.3.1, August 2025

- Fixed: positions drifted after a turn on the spot.
""",
    "LICENSE": "MIT License\n\nYou may use, change and sell this, with this notice.\n",
    "pyproject.toml": """\
[project]
name = "fieldmap"
version = "0.4.0"
requires-python = ">=3.10"
dependencies = ["numpy>=1.26", "pyserial>=3.5"]
""",
    "docs/setup.md": """\
# Setting up

Install Python 3.10 or newer, then `pip install fieldmap`.
Connect the robot by USB; the brain listens on port 5180.
Calibrate with the robot standing still for two seconds.
""",
    "docs/routes.md": """\
# Routes

A route is a list of points and headings. The planner prefers few turns over short ways.
Walls are given by the map file; other robots are not known to it.
""",
    "src/fieldmap/plan.py": '''\
"""Plans routes over a map."""


class NoWay(Exception):
    """There is no route."""


def plan(field, start, goal):
    """The route with the fewest turns, by breadth first search."""
    ...
''',
    "tests/test_plan.py": "def test_a_wall_is_gone_around(): ...\n",
}
"""Path to text."""

LIST = "list_directory"
READ = "read_file"
GREP = "grep"

DECLARED: tuple[Mapping[str, Any], ...] = (
    {
        "name": LIST,
        "description": "List the files and directories in a directory.",
        "parameters": {
            "type": "object",
            "properties": {
                "path": {
                    "type": "string",
                    "description": "Directory, relative to the project's root.",
                    "default": ".",
                }
            },
            "required": ["path"],
        },
    },
    {
        "name": READ,
        "description": "Read one file as text.",
        "parameters": {
            "type": "object",
            "properties": {
                "path": {
                    "type": "string",
                    "description": "File, relative to the project's root.",
                },
                "start_line": {"type": "integer", "description": "First line, from 1."},
                "end_line": {"type": "integer", "description": "Last line."},
            },
            "required": ["path"],
        },
    },
    {
        "name": GREP,
        "description": "Search for a regular expression in the project's text.",
        "parameters": {
            "type": "object",
            "properties": {
                "regex": {"type": "string", "description": "What to look for."}
            },
            "required": ["regex"],
        },
    },
)
"""As the client offers them to the model."""


def run_tool(call: ReplyPiece) -> ToolResult:
    """Run one call. What goes wrong is told to the model, as agents do."""
    return ToolResult(call_id=call.call_id, name=call.name, text=_run(call))


def _run(call: ReplyPiece) -> str:
    try:
        arguments = json.loads(call.arguments or "{}")
    except ValueError as error:
        return f"Error: the arguments are no JSON: {error}"
    if not isinstance(arguments, dict):
        return "Error: the arguments are no object"
    tool = _TOOLS.get(call.name)
    if tool is None:
        return f"Error: there is no tool {call.name!r}; there are {', '.join(_TOOLS)}"
    return tool(arguments)


def _list(arguments: Mapping[str, Any]) -> str:
    folder = str(arguments.get("path", ".")).strip("/")
    prefix = "" if folder in ("", ".") else f"{folder}/"
    inside = [path[len(prefix) :] for path in FILES if path.startswith(prefix)]
    if not inside:
        return f"Error: no such directory: {folder}"
    heads = [head + slash for head, slash, _ in (p.partition("/") for p in inside)]
    return "\n".join(sorted(dict.fromkeys(heads)))


def _read(arguments: Mapping[str, Any]) -> str:
    path = str(arguments.get("path", "")).removeprefix("./")
    text = FILES.get(path)
    if text is None:
        return f"Error: no such file: {path}"
    lines = text.splitlines(keepends=True)
    first, last = arguments.get("start_line"), arguments.get("end_line")
    start = first - 1 if isinstance(first, int) and first > 0 else 0
    end = last if isinstance(last, int) and last > 0 else len(lines)
    return "".join(lines[start:end])


def _grep(arguments: Mapping[str, Any]) -> str:
    """Plain substrings: what a model asks of a project of this size."""
    wanted = str(arguments.get("regex", "")).lower()
    hits = [
        f"{path}:{number}: {line}"
        for path, text in FILES.items()
        for number, line in enumerate(text.splitlines(), start=1)
        if wanted and wanted in line.lower()
    ]
    return "\n".join(hits[:50]) or "No matches."


_TOOLS: dict[str, Callable[[Mapping[str, Any]], str]] = {
    LIST: _list,
    READ: _read,
    GREP: _grep,
}
