"""Exported pytest files, run by a real pytest in a process of its own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.unit.export.servers import bundled, listening, with_fix

import sigscope
from sigscope.engine.engine import Engine
from sigscope.engine.sessions.document import Document
from sigscope.errors import UsageError

pytestmark = pytest.mark.slow

APP = Path(sigscope.__file__).parent.parent


def written(document: Document, **chosen: int) -> str:
    data = b"".join(Engine().render(document, format="pytest", **chosen)[0])
    return data.decode()


def outcome(text: str, folder: Path, **variables: str) -> dict[str, str]:
    """What each test of a file came to: {"test_x": "PASSED"}. It needs no plugin, and
    those that are installed here take longer to load than all the rest."""
    (folder / "it_test.py").write_text(text)
    (folder / "pytest.ini").write_text("[pytest]\n")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-v", "-p", "no:cacheprovider", "it_test.py"],
        capture_output=True,
        cwd=folder,
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(APP),
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            **variables,
        },
        timeout=100,
        check=False,
        text=True,
    )
    found = dict(re.findall(r"::(\w+) ([A-Z]+)", done.stdout))
    assert found, done.stdout + done.stderr
    return found


REFUSED = "test_the_recorded_request_is_refused"
MENDED = "test_the_mended_request_is_accepted"
BOTH = {REFUSED: "PASSED", MENDED: "PASSED"}


@pytest.mark.parametrize(
    "make",
    [
        lambda: with_fix(),
        lambda: bundled("gemini-split-calls"),
        lambda: bundled("zed-openrouter-never-emitted"),
        lambda: bundled("responses-dropped-reasoning"),
        lambda: bundled("anthropic-thinking-dropped"),
    ],
    ids=["confirmed by a run", "gemini", "openrouter", "responses", "anthropic"],
)
def test_the_file_reproduces_the_error_and_proves_the_fix(
    make: Callable[[], Document], tmp_path: Path
) -> None:
    document = make()
    (step, *_) = document.refusals or {r.number: r for r in document.readings}
    text = written(document, step=step)
    if step not in document.refusals:
        assert outcome(text, tmp_path) == {
            "test_the_recorded_request_is_accepted": "PASSED"
        }
    else:
        assert outcome(text, tmp_path) == BOTH


def test_it_names_the_run_it_rests_on() -> None:
    text = written(with_fix(), run=2)
    assert "# From run 2, accepted by simulator with 200." in text
    assert "'op': 'set', 'pointer': '/messages/2/content', 'value': None" in text


def test_without_a_run_the_findings_propose_the_fix() -> None:
    text = written(bundled("zed-copilot-attempt-1"))
    assert "# From the fix of CPC-1, CPC-2, which the simulator accepts." in text


def test_half_a_fix_makes_the_file_fail(tmp_path: Path) -> None:
    text = written(with_fix())
    lines = [line for line in text.split("\n") if "reasoning_opaque'," not in line]
    assert len(lines) < len(text.split("\n"))
    assert outcome("\n".join(lines), tmp_path) == {REFUSED: "PASSED", MENDED: "FAILED"}


def test_with_stand_ins_it_proves_the_same(tmp_path: Path) -> None:
    document = with_fix()
    data = b"".join(Engine().render(document, format="pytest", stand_ins=True)[0])
    assert document.ledger.signatures[0].value not in data.decode()
    assert outcome(data.decode(), tmp_path) == BOTH


def test_a_live_service_is_asked_where_one_is_named(tmp_path: Path) -> None:
    text = written(with_fix())
    with listening() as server:
        server.status, server.answer = 400, b'{"error":{"message":"no"}}'
        found = outcome(
            text,
            tmp_path,
            SIGSCOPE_LIVE_URL=server.url,
            GITHUB_COPILOT_TOKEN="t0ken",
            NO_PROXY="*",
        )
    assert found == {REFUSED: "PASSED", MENDED: "FAILED"}
    recorded, mended = server.asked
    assert recorded.path == mended.path == "/chat/completions"
    assert ("authorization", "Bearer t0ken") in recorded.headers
    assert b'"content":[]' in recorded.body
    assert b'"content":null' in mended.body.replace(b": ", b":")


def test_an_unknown_service_is_only_asked_live(tmp_path: Path) -> None:
    document = with_fix()
    step = document.step(2)
    assert step.exchange.request is not None
    other = written(_of_no_dialect(document))
    found = outcome(other, tmp_path)
    assert set(found.values()) == {"SKIPPED"}


def _of_no_dialect(document: Document) -> Document:
    from dataclasses import replace

    from sigscope.exchange import Body

    step = document.step(2)
    request = step.exchange.request
    assert request is not None
    odd = replace(request, url="https://h/v9/odd", headers=(), body=Body(b'{"q":1}'))
    steps = (replace(step, number=1, exchange=replace(step.exchange, request=odd)),)
    return Document(replace(document.session, steps=steps, runs=[]))


def test_a_run_that_mended_nothing_is_no_fix() -> None:
    with pytest.raises(UsageError, match="run 1 is no fix: its verdict is reproduced"):
        written(with_fix(), run=1)
