"""For all tests: how properties are tried, and what a test run does not inherit."""

from __future__ import annotations

import gc
import itertools
import os
import py_compile
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from importlib.util import cache_from_source
from pathlib import Path

import pytest
from _pytest.assertion import rewrite
from _pytest.runner import runtestprotocol
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.internal.conjecture import providers

# The same examples each time, so that a busy machine or a lucky draw does not decide
# whether a change is green. SIGSCOPE_EXPLORE=1 draws new ones, and four times as many:
# the same ones again and again find nothing new after the first fifty.
IS_EXPLORING = bool(os.environ.get("SIGSCOPE_EXPLORE"))
settings.register_profile(
    "steady",
    derandomize=not IS_EXPLORING,
    max_examples=200 if IS_EXPLORING else 50,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("quick", settings.get_profile("steady"), max_examples=10)
settings.load_profile(os.environ.get("SIGSCOPE_PROPERTIES", "steady"))
if not IS_EXPLORING:
    # Hypothesis also draws what stands in our files, of those that happen to be loaded:
    # not the same in each worker, and in a fresh clone each parses them all, for 3 s.
    providers._get_local_constants = providers.Constants

# A worker lives through thousands of tests; the collector's walks through what they
# leave took a quarter of the time of tests with screens.
gc.set_threshold(100_000, 50, 100)


def pytest_collection_finish() -> None:
    """What is collected stays to the end: the collector need not walk through it."""
    gc.freeze()


# Under nohup, or in the background of a shell's script, children would ignore these,
# too, and some tests end them with it.
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

KEPT = tempfile.TemporaryDirectory(prefix="sigscope-tests-")
NUMBERS = itertools.count()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Folders of its own for what sigscope keeps, so that no test reads or writes the
    user's. They are only named: a fixture that makes one costs each test more than most
    tests take."""
    folder = Path(KEPT.name, str(next(NUMBERS)))
    for name in ("DATA", "STATE", "CONFIG"):
        os.environ[f"SIGSCOPE_{name}_DIR"] = str(folder / name.lower())


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    if hasattr(config, "workerinput"):
        config.pluginmanager.register(OneReport())
        work = config.workerinput
        if not sys.dont_write_bytecode:
            with suppress(AttributeError, KeyError, TypeError):  # of another pytest
                compile_share(config, int(work["workerid"][2:]), work["workercount"])


def compile_share(config: pytest.Config, number: int, workers: int) -> None:
    """In a fresh clone each worker would compile all test files, for 6 s of CPU. So
    each makes a part of them first, as pytest does it, and finds those of the others.
    """
    for path in sorted(Path(__file__).parent.rglob("*.py"))[number::workers]:
        plain = Path(cache_from_source(str(path)))
        if not path.name.startswith("test_"):
            if not plain.exists():
                py_compile.compile(str(path), quiet=2)
            continue
        pyc = plain.with_name(path.stem + rewrite.PYC_TAIL)
        if not pyc.exists():
            plain.parent.mkdir(exist_ok=True)
            digest, code = rewrite._rewrite_test(path, config)
            state = config.stash[rewrite.assertstate_key]
            rewrite._write_pyc(state, code, digest, pyc)


@pytest.hookimpl(trylast=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """While workers collect, the table of characters that each would make is made."""
    if session.config.pluginmanager.hasplugin("dsession"):
        st.text().validate()


@pytest.fixture
def nursed(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests of programs that run, not of how they start: their processes, and those
    that they start themselves, are forks of one that has imported what they need."""
    from tests.nursery import IS_POSSIBLE, Nursed, nursery

    if IS_POSSIBLE:
        nursery()  # who counts his children has it before
    monkeypatch.setattr(subprocess, "Popen", Nursed)


class OneReport:
    """A worker tells of a test that passed once, not five times: its start and end, and
    that it was set up and torn down, took twice as long as most tests do."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(
        self, item: pytest.Item, nextitem: pytest.Item | None
    ) -> bool:
        for report in runtestprotocol(item, log=False, nextitem=nextitem):
            if report.when == "call" or not report.passed:
                item.ihook.pytest_runtest_logreport(report=report)
        return True


def pytest_unconfigure() -> None:
    """Once is enough: pytest walks five times through all that is left."""
    KEPT.cleanup()
    if nurseries := sys.modules.get("tests.nursery"):
        nurseries.close()
    gc.collect()
    gc.freeze()


# Readline, which something imports in the main process, tells workers the size of a
# terminal that is not theirs; programs with a terminal of their own believe it.
# Nor are streams of programs unbuffered, as users' are not: one that was gone with the
# last words still in it made another exit code.
for name in ("COLUMNS", "LINES", "PYTHONUNBUFFERED"):
    os.environ.pop(name, None)
