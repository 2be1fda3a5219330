"""Exported pytest files, run by a real pytest in a process of its own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
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
    """What each test of a file came to: {"test_x": "PASSED"}."""
    return outcomes({"it": text}, folder, **variables)["it"]


def outcomes(
    texts: dict[str, str], folder: Path, **variables: str
) -> dict[str, dict[str, str]]:
    """Of files by name, in one process. They need no plugin, and those that are
    installed here take longer to load than all the rest."""
    files = {name: f"{name}_test.py" for name in texts}
    for name, text in texts.items():
        (folder / files[name]).write_text(text)
    (folder / "pytest.ini").write_text("[pytest]\n")
    words = [sys.executable, "-m", "pytest", "-v", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*words, *files.values()],
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
    found: dict[str, dict[str, str]] = {}
    for name, test, came in re.findall(r"(\w+)_test\.py::(\w+) ([A-Z]+)", done.stdout):
        found.setdefault(name, {})[test] = came
    assert set(found) == set(texts), done.stdout + done.stderr
    return found


REFUSED = "test_the_recorded_request_is_refused"
ACCEPTED = "test_the_recorded_request_is_accepted"
MENDED = "test_the_mended_request_is_accepted"
BOTH = {REFUSED: "PASSED", MENDED: "PASSED"}


def test_each_file_reproduces_the_error_and_proves_the_fix(tmp_path: Path) -> None:
    documents = {
        "confirmed_by_a_run": with_fix(),
        "gemini": bundled("gemini-split-calls"),
        "openrouter": bundled("zed-openrouter-never-emitted"),
        "responses": bundled("responses-dropped-reasoning"),
        "anthropic": bundled("anthropic-thinking-dropped"),
    }
    texts, expected = {}, {}
    for name, document in documents.items():
        (step, *_) = document.refusals or {r.number: r for r in document.readings}
        texts[name] = written(document, step=step)
        is_refused = step in document.refusals
        expected[name] = BOTH if is_refused else {ACCEPTED: "PASSED"}
    assert outcomes(texts, tmp_path) == expected


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
