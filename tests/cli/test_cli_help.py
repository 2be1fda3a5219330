"""Every verb shows how it is called, and a slip shows the verb's own usage."""

from __future__ import annotations

import argparse

import pytest
from tests.cli.commands import sigscope

from sigscope.cli.main import VERBS, build_parser

ACTIONS = ("list", "rename", "tag", "merge", "split", "cut", "delete", "keep")
LINES = [*((verb,) for verb in VERBS), *(("sessions", each) for each in ACTIONS)]


@pytest.mark.parametrize("line", LINES, ids=" ".join)
def test_help_has_an_example(line: tuple[str, ...]) -> None:
    told = sigscope(*line, "--help")
    assert told.code == 0
    name = " ".join(line)
    examples = [t for t in told.out.splitlines() if t.strip().startswith("sigscope ")]
    assert any(name in each or name == "open" for each in examples)


def arguments(parser: argparse.ArgumentParser) -> list[tuple[str, str, str | None]]:
    found: list[tuple[str, str, str | None]] = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for each in action.choices.values():
                found += arguments(each)
        else:
            name = "/".join(action.option_strings) or action.dest
            found.append((parser.prog, name, action.help))
    return found


def test_every_argument_is_explained() -> None:
    silent = [
        (prog, name) for prog, name, help in arguments(build_parser()) if not help
    ]
    assert silent == []


@pytest.mark.parametrize("line", LINES, ids=" ".join)
def test_an_unknown_option_shows_the_usage_of_the_verb(line: tuple[str, ...]) -> None:
    told = sigscope(*line, "--frobnicate")
    assert told.code == 2
    assert told.out == ""
    assert told.err.startswith(f"usage: sigscope {' '.join(line)} ")
    assert f"`sigscope {' '.join(line)} --help`" in told.err


def test_an_option_with_a_slip_is_told_the_right_one() -> None:
    told = sigscope("show", "copilot-missing-signature", "--stpe", "2")
    assert told.code == 2
    assert "unrecognized arguments: --stpe 2; did you mean --step?" in told.err


def test_one_word_too_many_is_named() -> None:
    told = sigscope("ledger", "a", "b")
    assert told.code == 2
    assert "usage: sigscope ledger" in told.err
    assert "unrecognized arguments: b" in told.err


@pytest.mark.parametrize(
    "line",
    [
        ("--ascii",),
        ("--theme", "ember", "gemini-parallel"),
        ("--no-mouse", "gemini-parallel"),
    ],
)
def test_options_of_the_screens_may_come_first(line: tuple[str, ...]) -> None:
    told = sigscope(*line)
    assert told.code == 2
    assert "the screens need a terminal" in told.err
    assert "usage: sigscope open " in sigscope("--frobnicate").err
