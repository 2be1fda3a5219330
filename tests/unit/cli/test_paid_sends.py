"""What is asked before a send that may cost money, where somebody can answer."""

from __future__ import annotations

import argparse
import io
import sys

import pytest

from sigscope.cli.console import Console
from sigscope.cli.targets import confirm
from sigscope.engine.engine import Target
from sigscope.errors import UsageError

URL = "https://api.example.com/v1"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def asked(
    monkeypatch: pytest.MonkeyPatch, typed: str, url: str = URL, *, yes: bool = False
) -> str:
    """What is said, to somebody who types this."""
    monkeypatch.setattr(sys, "stdin", Terminal(typed))
    said = io.StringIO()
    args = argparse.Namespace(to=url, yes=yes)
    confirm(Target(url=url), "step 2", args, Console(io.StringIO(), said))
    return said.getvalue()


@pytest.mark.parametrize("typed", ["y\n", " YES \n", "yes"])
def test_whoever_agrees_is_asked_once(
    monkeypatch: pytest.MonkeyPatch, typed: str
) -> None:
    said = asked(monkeypatch, typed)
    assert said == f"Send step 2 to {URL}? It may cost money. [y/N]\n"


@pytest.mark.parametrize("typed", ["\n", "", "n\n", "maybe\n"])
def test_whatever_else_is_typed_is_no(
    monkeypatch: pytest.MonkeyPatch, typed: str
) -> None:
    with pytest.raises(UsageError, match="not sent"):
        asked(monkeypatch, typed)


def test_nobody_is_asked_about_this_machine_or_who_has_said_yes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert asked(monkeypatch, "", "http://127.0.0.1:8080/v1") == ""
    assert asked(monkeypatch, "", yes=True) == ""
