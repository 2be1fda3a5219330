"""The rules over every recording of the corpus: what worked is left alone.

The corpus lies beside the repository (or where SIGSCOPE_CORPUS says) and is no part of
it; without it these tests are skipped.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from tests.importer import import_path
from tests.unit.rules.cases import Bench, bench

from sigscope.rules.base import Severity

_HERE = Path(__file__).resolve()
_NEAR = [parent / "shared" / "corpus" for parent in _HERE.parents]
CORPUS = Path(
    os.environ.get("SIGSCOPE_CORPUS") or next(filter(Path.is_dir, _NEAR), ".")
)
INDEX = CORPUS / "index.json"

pytestmark = pytest.mark.skipif(not INDEX.is_file(), reason="no corpus here")

REMARKS = {
    ("gemini/ellmer__google-web-fetch.yml", 2, "GEM-10"),
    ("openrouter/fantasy__TestOpenRouterCommon_grok_multi_tool.yaml", 2, "ORT-7"),
    (
        "anthropic/opencode__rejects-malformed-assistant-tool-order-without-patch.json",
        1,
        "ANT-9",
    ),
    (
        "responses/fantasy__TestOpenAIResponsesWithSummaryThinking_openai-o4-mini"
        "_thinking.yaml",
        2,
        "RSP-10",
    ),
    (
        "responses/pydantic-ai__test_openai_responses_thinking_with_modified_history"
        ".yaml",
        2,
        "RSP-1",
    ),
}
"""What may be said of real traffic: clients leave out what may be left out, and each
recording is told so once; two requests were refused for what is said."""


def names() -> list[str]:
    if not INDEX.is_file():
        return []
    files = json.loads(INDEX.read_text(encoding="utf-8"))["files"]
    return [str(entry["file"]) for entry in files]


def read(name: str) -> Bench:
    _, imported = import_path(CORPUS / name)
    return bench(imported.exchanges)


@pytest.mark.parametrize("name", names())
def test_an_exchange_answered_200_earns_neither_error_nor_warning(name: str) -> None:
    found = read(name)
    bad = [
        (finding.step, finding.rule, finding.message)
        for reading in found.readings
        if reading.status == 200
        for finding in found.findings(reading.number)
        if finding.severity is not Severity.INFO
    ]
    assert bad == []


@pytest.mark.parametrize("name", names())
def test_nothing_but_known_remarks_is_said(name: str) -> None:
    found = read(name)
    said = {(name, f.step, f.rule) for f in found.all_findings() if not f.is_echo}
    assert said == {remark for remark in REMARKS if remark[0] == name}


@pytest.mark.parametrize("name", names())
def test_every_error_answer_is_an_error_and_nothing_else_is(name: str) -> None:
    found = read(name)
    refused = {r.number for r in found.readings if r.status and r.status >= 400}
    told = {f.step for f in found.all_findings() if f.severity is Severity.ERROR}
    assert told == refused
