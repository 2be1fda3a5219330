"""The official google-genai SDK: it keeps the history, signatures included."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.peers import peering
from tests.peers.peering import dialects, errors, rows, statuses

from sigscope.engine.sessions.document import Document


def loop(folder: Path, how: str) -> tuple[Any, Document]:
    with (
        peering.simulating(folder, "gemini") as simulator,
        peering.recording(folder, "--upstream", simulator) as recorder,
    ):
        said = peering.talk(
            folder,
            "google-genai",
            "genai_tools.py",
            "gemini-3-pro-preview",
            how,
            GOOGLE_GEMINI_BASE_URL=recorder.url,
        )
        document = recorder.document()
    assert set(dialects(document)) == {"gemini"}
    return said, document


@pytest.mark.parametrize("how", ["chat", "stream"])
def test_a_chat_of_the_sdk_sends_every_signature_back(tmp_path: Path, how: str) -> None:
    said, document = loop(tmp_path, how)
    assert said["status"] == 200
    assert "Buy milk." in said["text"]
    assert statuses(document) == [200, 200, 200]
    assert {r.is_streamed for r in document.readings} == {how == "stream"}
    assert rows(document) == [
        (1, ((2, "exact", "required"), (3, "exact", "required"))),
        (2, ((3, "exact", "required"),)),
        (3, ()),
    ]
    assert document.findings == ()


def test_a_history_of_names_and_arguments_is_refused_and_mended(tmp_path: Path) -> None:
    said, document = loop(tmp_path, "forgetful")
    assert said["status"] == 400
    assert statuses(document) == [200, 400]
    assert rows(document) == [(1, ((2, "dropped", "required"),))]
    assert errors(document) == [(2, "GEM-1")]
    assert peering.mended(tmp_path, 2)
