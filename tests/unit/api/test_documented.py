"""docs/python-api.md is what the package gives, and its examples run."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

import sigscope
from sigscope.upstreams.simulator import Anchor as SimulatorAnchor

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "python-api.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```python\n(.*?)^```", PAGE, re.M | re.S)
(NAMES,) = re.findall(r"^```text\n(.*?)^```", PAGE, re.M | re.S)


def called(name: str, what: object) -> str:
    """ "open(path, *, format=None)", without types."""
    assert callable(what)
    signature = inspect.signature(what)
    bare = [
        each.replace(annotation=inspect.Parameter.empty)
        for each in signature.parameters.values()
        if each.name != "self"
    ]
    return f"{name}{inspect.Signature(bare)}"


def surface() -> list[str]:
    """One line for each name that the package gives."""
    found, errors = [], []
    for name in sigscope.__all__:
        what = getattr(sigscope, name)
        if name == "__version__":
            continue
        if not isinstance(what, type):
            found.append(called(name, what))
        elif issubclass(what, Exception):
            errors.append(name)
        elif what is sigscope.OpenSession:
            found += [
                called(f"{name}.{member}", value)
                if inspect.isfunction(value)
                else f"{name}.{member}"
                for member, value in vars(what).items()
                if not member.startswith("_")
            ]
        else:
            found.append(f"{name}: {', '.join(f.name for f in fields(what))}")
    return sorted([*found, ", ".join(sorted(errors))])


def test_the_page_names_all_there_is_and_nothing_else() -> None:
    said = NAMES.strip().splitlines()
    errors = ", ".join(sorted(said.pop().split(", ")))
    assert sorted([*said, errors]) == surface()


def test_every_example_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT / "sessions")
    monkeypatch.delenv("SIGSCOPE_LIVE_URL", raising=False)
    assert len(EXAMPLES) == 5
    exec(compile("\n".join(EXAMPLES), "python-api.md", "exec"), {})
    assert "there is no step 99" in capsys.readouterr().out


def test_an_import_loads_none_of_the_engine() -> None:
    script = "import sys, sigscope; print([m for m in sys.modules if 'sigscope.' in m])"
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        env={"PYTHONPATH": str(ROOT / "app")},
    )
    assert done.stdout.strip() == "[]"


def test_an_unknown_name_is_no_attribute() -> None:
    assert not hasattr(sigscope, "ledgre")
    assert set(sigscope.__all__) <= set(dir(sigscope))
    assert sigscope.Anchor is SimulatorAnchor


def test_who_checks_types_finds_them() -> None:
    assert (ROOT / "app" / "sigscope" / "py.typed").is_file()
