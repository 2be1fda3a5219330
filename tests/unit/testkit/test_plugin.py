"""The plugin in a pytest of its own: what it imports, and what a failure says."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from tests.cli.commands import ROOT, environment

pytestmark = pytest.mark.slow
LOOP = """
from tests.unit.testkit.loops import loop

def test_client(sigscope_upstream):
    upstream = sigscope_upstream("copilot-chat")
    messages = loop(upstream.base_url, upstream.model, keeps={keeps})
    {then}
"""
ASK = "upstream.assert_no_signature_lost()"


def entry() -> EntryPoint:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    ((name, value),) = project["entry-points"]["pytest11"].items()
    return EntryPoint(name, value, "pytest11")


def pytest_of(
    folder: Path, source: str, *options: str
) -> subprocess.CompletedProcess[str]:
    """A test file of an author, whose environment has our entry point."""
    (folder / "pytest.ini").write_text("[pytest]\n")
    (folder / "test_author.py").write_text(source)
    known = folder / "site" / "sigscope_entry-0.dist-info"
    known.mkdir(parents=True)
    (known / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: sigscope-entry\nVersion: 0\n"
    )
    (known / "entry_points.txt").write_text(
        f"[pytest11]\n{entry().name} = {entry().value}\n"
    )
    variables = environment(folder)
    variables["PYTHONPATH"] = f"{ROOT / 'app'}:{ROOT}:{folder / 'site'}"
    variables.pop("PYTEST_ADDOPTS", None)
    words = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options]
    return subprocess.run(
        [*words, "test_author.py"],
        env=variables,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


def test_loading_it_imports_nothing_else_of_ours(tmp_path: Path) -> None:
    source = """
import sys

def test_nothing_of_ours():
    ours = {name for name in sys.modules if name.partition(".")[0] == "sigscope"}
    allowed = {"sigscope", "sigscope.testkit", "sigscope.testkit.plugin"}
    assert "sigscope.testkit.plugin" in ours
    assert ours <= allowed, ours - allowed
"""
    done = pytest_of(tmp_path, source)
    assert done.returncode == 0, done.stdout
    assert "1 passed" in done.stdout


def test_a_client_that_keeps_all_passes(tmp_path: Path) -> None:
    done = pytest_of(tmp_path, LOOP.format(keeps=True, then=ASK))
    assert done.returncode == 0, done.stdout


def test_a_failure_tells_finding_node_fix_and_file(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    source = LOOP.format(keeps=False, then=ASK)
    done = pytest_of(tmp_path, source, f"--sigscope-keep={kept}")
    assert done.returncode == 1, done.stdout
    (file,) = kept.iterdir()
    for told in ("error[CPC-1]", "request /messages/1", "= fix: ", str(file)):
        assert told in done.stdout
    # No line of ours stands between the test and what it is told.
    assert "testkit/fixture.py" not in done.stdout


def test_a_test_that_fails_before_it_asks_is_told_too(tmp_path: Path) -> None:
    then = "assert messages[-1].get('tool_calls') is None and len(messages) > 4"
    done = pytest_of(tmp_path, LOOP.format(keeps=False, then=then))
    assert done.returncode == 1
    assert "sigscope upstream copilot-chat" in done.stdout
    assert "error[CPC-1]" in done.stdout


def test_it_is_found_by_its_entry_point() -> None:
    assert hasattr(entry().load(), "sigscope_upstream")


def test_our_package_is_not_rewritten_for_it(pytestconfig: pytest.Config) -> None:
    """The whole of it would be parsed anew, in threads too."""
    from sigscope.testkit.plugin import _leave_as_it_is

    manager = pytestconfig.pluginmanager
    hook = manager.rewrite_hook
    before = set(hook._must_rewrite)  # type: ignore[attr-defined]
    hook.mark_rewrite("sigscope")
    _leave_as_it_is(manager)
    marked = hook._must_rewrite  # type: ignore[attr-defined]
    assert marked == before - {"sigscope"}
