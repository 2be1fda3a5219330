"""The official openai SDK, in a streamed tool loop."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.peers import peering
from tests.peers.peering import Row, dialects, errors, rows, statuses

from sigscope.engine.sessions.document import Document

BASES = {"copilot-chat": "", "openrouter": "/api/v1"}
KEPT: list[Row] = [
    (1, ((2, "exact", "required"), (3, "exact", "required"))),
    (2, ((3, "exact", "required"),)),
    (3, ()),
]


def loop(folder: Path, dialect: str, how: str) -> tuple[Any, Document]:
    with (
        peering.simulating(folder, dialect) as simulator,
        peering.recording(folder, "--upstream", simulator) as recorder,
    ):
        said = peering.talk(
            folder,
            "openai",
            "openai_tools.py",
            "gemini-3-pro-preview",
            how,
            OPENAI_BASE_URL=recorder.url + BASES[dialect],
        )
        document = recorder.document()
    assert set(dialects(document)) == {dialect}
    return said, document


@pytest.mark.parametrize("dialect", BASES)
def test_a_loop_that_sends_back_every_field_loses_nothing(
    tmp_path: Path, dialect: str
) -> None:
    said, document = loop(tmp_path, dialect, "all")
    assert said["status"] == 200
    assert "notes.md" in said["text"]
    assert statuses(document) == [200, 200, 200]
    assert rows(document) == KEPT
    assert document.findings == ()


@pytest.mark.parametrize(
    ("dialect", "rule"), [("copilot-chat", "CPC-1"), ("openrouter", "ORT-1")]
)
def test_a_loop_that_sends_back_known_fields_is_refused_and_mended(
    tmp_path: Path, dialect: str, rule: str
) -> None:
    said, document = loop(tmp_path, dialect, "known")
    assert said["status"] == 400
    assert statuses(document) == [200, 400]
    assert rows(document) == [(1, ((2, "dropped", "required"),))]
    assert errors(document) == [(2, rule)]
    assert peering.mended(tmp_path, 2)


def test_what_the_helper_of_the_sdk_makes_of_a_stream_is_named_and_mended(
    tmp_path: Path,
) -> None:
    """`chat.completions.stream()` adds up role and format of all pieces."""
    said, document = loop(tmp_path, "openrouter", "helper")
    assert said["status"] == 400
    assert statuses(document) == [200, 400]
    assert rows(document) == [(1, ((2, "exact", "required"),))]
    # Google speaks of results without a call: no rule of OpenRouter owns these words,
    # so they are told beside the two findings that mend the request.
    assert errors(document) == [(2, "ORT-2"), (2, "ORT-2"), (2, "REF-1")]
    assert "assistantassistant" in str(document.reading(2).request_json)
    assert peering.mended(tmp_path, 2)
