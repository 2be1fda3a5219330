"""The tools of the simulated client."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sigscope.converse.memory import ReplyPiece
from sigscope.converse.tools import DECLARED, FILES, run_tool


def run(tool: str, **arguments: Any) -> str:
    return raw(tool, json.dumps(arguments))


def raw(tool: str, arguments: str) -> str:
    call = ReplyPiece(kind="call", call_id="a", name=tool, arguments=arguments)
    result = run_tool(call)
    assert (result.call_id, result.name) == ("a", tool)
    return result.text


def test_a_directory_lists_what_is_directly_in_it() -> None:
    listed = run("list_directory", path=".").split("\n")
    assert listed == sorted(listed)
    assert "README.md" in listed
    assert "docs/" in listed
    assert not any("/" in name[:-1] for name in listed)
    assert run("list_directory", path="docs") == "routes.md\nsetup.md"
    assert run("list_directory", path="docs/") == "routes.md\nsetup.md"
    assert run("list_directory") == "\n".join(listed)


def test_a_file_is_read_whole_or_by_lines() -> None:
    assert run("read_file", path="README.md") == FILES["README.md"]
    assert run("read_file", path="./README.md") == FILES["README.md"]
    first_two = "".join(FILES["README.md"].splitlines(keepends=True)[:2])
    assert run("read_file", path="README.md", start_line=1, end_line=2) == first_two
    assert run("read_file", path="README.md", start_line=-4) == FILES["README.md"]


def test_the_readme_has_a_roadmap_with_an_open_item() -> None:
    text = FILES["README.md"]
    assert "## Roadmap" in text
    assert "- [ ] " in text.split("## Roadmap")[1]


def test_text_is_searched_in_all_files() -> None:
    assert run("grep", regex="PORT 5180").startswith("docs/setup.md:4: ")
    assert run("grep", regex="no such words") == "No matches."
    assert run("grep", regex="") == "No matches."


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("read_file", '{"path":"nope.md"}', "no such file: nope.md"),
        ("list_directory", '{"path":"nope"}', "no such directory: nope"),
        ("read_file", '{"path":"a"}{"path":"b"}', "the arguments are no JSON"),
        ("read_file", "[1]", "the arguments are no object"),
        ("fly", "{}", "there is no tool 'fly'; there are list_directory"),
    ],
)
def test_what_goes_wrong_is_told_to_the_model(
    tool: str, arguments: str, said: str
) -> None:
    assert said in raw(tool, arguments)


def test_every_declared_tool_runs_and_has_a_schema() -> None:
    for tool in DECLARED:
        assert "no tool" not in raw(tool["name"], "{}")
        schema = tool["parameters"]
        assert set(schema["required"]) <= set(schema["properties"])
