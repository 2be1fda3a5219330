"""Workflow commands: a line each, whatever was recorded."""

from __future__ import annotations

from tests.unit.export.checked_samples import CHECKED

from sigscope.export.workflow import workflow_commands

LINES = list(workflow_commands(CHECKED))


def test_there_is_one_for_each_finding_that_is_shown_and_each_doubt() -> None:
    names = [line.split(" ")[0] for line in LINES]
    assert names == ["::warning", "::error", "::warning", "::error"]


def test_it_names_file_rule_and_step() -> None:
    assert LINES[1].startswith(
        "::error file=recorded/a b.session.jsonl,title=CPC-1 step 2::"
    )


def test_recorded_text_gives_no_command_and_moves_no_terminal() -> None:
    assert "dropped%0A::error::100%25%0Aat step 2" in LINES[1]
    assert not any(char in line for line in LINES for char in "\n\r\x1b\0")
