"""The pytest plugin: `sigscope_upstream`, and what a failed test says of it.

    def test_my_client(sigscope_upstream):
        upstream = sigscope_upstream(DIALECT)
        run_my_client(base_url=upstream.base_url, api_key=upstream.key)
        upstream.assert_no_signature_lost()

Every pytest of the environment loads this module, so it imports nothing of ours but
this: what it stands on comes with the first upstream.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from sigscope.testkit.fixture import UpstreamFactory

_FACTORY: pytest.StashKey[UpstreamFactory] = pytest.StashKey()


def _leave_as_it_is(pluginmanager: pytest.PytestPluginManager) -> None:
    """Take our package from those whose assertions pytest rewrites.

    It marks the whole package for this one module: then everything of ours is parsed
    and compiled anew in the author's tests, and what is imported in two threads at once
    may fail there (CPython 3.11: "AST constructor recursion depth mismatch"). pytest
    has no public way to say so; where it looks otherwise, nothing is done.
    """
    hook = getattr(pluginmanager, "rewrite_hook", None)
    marked = getattr(hook, "_must_rewrite", None)
    decided = getattr(hook, "_marked_for_rewrite_cache", None)
    if isinstance(marked, set) and isinstance(decided, dict):
        marked.discard(__name__.partition(".")[0])
        decided.clear()


def pytest_addoption(
    parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager
) -> None:
    """`--sigscope-keep FOLDER`."""
    _leave_as_it_is(pluginmanager)
    group = parser.getgroup("sigscope")
    group.addoption(
        "--sigscope-keep",
        metavar="FOLDER",
        default=None,
        help="keep the session files of upstreams under test here (else in tmp_path)",
    )


@pytest.fixture
def sigscope_upstream(request: pytest.FixtureRequest) -> Iterator[UpstreamFactory]:
    """A factory of strict upstreams: `sigscope_upstream("copilot-chat")`."""
    from sigscope.testkit.fixture import UpstreamFactory

    kept = request.config.getoption("--sigscope-keep")
    folder = Path(kept) if kept else request.getfixturevalue("tmp_path")
    factory = UpstreamFactory(folder, request.node.nodeid, is_kept=bool(kept))
    request.node.stash[_FACTORY] = factory
    yield factory
    factory.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A test that failed before it asked is told what its upstreams saw: a client that
    was refused mostly raises first."""
    report = yield
    factory = item.stash.get(_FACTORY, None)
    if factory is not None and call.when == "call" and call.excinfo is not None:
        for title, text in factory.remarks():
            report.sections.append((title, text))
    return report
