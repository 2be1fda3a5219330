"""The official openai SDK on the Responses API, in a streamed tool loop."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.peers import peering
from tests.peers.peering import calls, dialects, errors, replays, statuses

from sigscope.engine.sessions.document import Document
from sigscope.pointer import resolve

BLOB = "encrypted_content"


def loop(folder: Path, storage: str, how: str) -> tuple[Any, Document]:
    with (
        peering.simulating(folder, "responses") as simulator,
        peering.recording(folder, "--upstream", simulator) as recorder,
    ):
        said = peering.talk(
            folder,
            "openai",
            "openai_responses.py",
            storage,
            how,
            OPENAI_BASE_URL=f"{recorder.url}/v1",
        )
        document = recorder.document()
    assert set(dialects(document)) == {"responses"}
    return said, document


@pytest.mark.parametrize(
    ("storage", "how", "places"),
    [
        (
            "stateless",
            "all",
            [
                (1, [(2, f"/input/1/{BLOB}"), (3, f"/input/1/{BLOB}")]),
                (2, [(3, f"/input/5/{BLOB}")]),
                (3, []),
            ],
        ),
        ("stored", "all", []),
        ("stored", "chained", []),
        ("stored", "without-blobs", []),
        ("stored", "without-ids", []),
    ],
)
def test_a_loop_that_keeps_what_is_needed_loses_nothing(
    tmp_path: Path, storage: str, how: str, places: list[Any]
) -> None:
    """What is stored needs no blob, and none is sent; nor does one without ids."""
    said, document = loop(tmp_path, storage, how)
    assert said["status"] == 200
    assert "notes.md" in said["text"]
    assert statuses(document) == [200, 200, 200]
    assert calls(document) == [1, 2, 0]
    assert replays(document) == places
    assert document.findings == ()


@pytest.mark.parametrize("how", ["without-reasoning", "without-ids"])
def test_a_stateless_loop_that_drops_all_reasoning_is_told_and_not_blamed(
    tmp_path: Path, how: str
) -> None:
    said, document = loop(tmp_path, "stateless", how)
    assert said["status"] == 200
    first, second, _ = (
        [(fate.step, str(fate.fate), str(fate.grade)) for fate in signature.fates]
        for signature in document.ledger.signatures
        if not signature.is_provisional
    )
    assert first == [(2, "dropped", "optional"), (3, "dropped", "optional")]
    assert second == [(3, "dropped", "optional")]
    found = [(f.step, f.rule, str(f.severity)) for f in document.findings]
    assert found == [(2, "RSP-10", "info")]


@pytest.mark.parametrize(
    ("storage", "how", "step", "status", "error", "rule", "kind"),
    [
        (
            *("stored", "without-reasoning", 2, 400),
            "of type 'message' was provided without its required 'reasoning' item: 'rs",
            *("RSP-2", "message"),
        ),
        (
            *("stored", "without-latest", 3, 400),
            "of type 'function_call' was provided without its required 'reasoning'",
            *("RSP-2", "function_call"),
        ),
        (
            *("stateless", "without-blobs", 2, 404),
            "Items are not persisted when `store` is set to false.",
            *("RSP-4", "reasoning"),
        ),
        (
            *("stateless", "reasoning-last", 2, 400),
            "of type 'reasoning' was provided without its required following item.",
            *("RSP-1", "reasoning"),
        ),
        (
            *("stored", "reasoning-last", 2, 400),
            "of type 'reasoning' was provided without its required following item.",
            *("RSP-1", "reasoning"),
        ),
    ],
)
def test_a_wrong_loop_is_refused_named_and_mended(
    tmp_path: Path,
    storage: str,
    how: str,
    step: int,
    status: int,
    error: str,
    rule: str,
    kind: str,
) -> None:
    said, document = loop(tmp_path, storage, how)
    assert said["status"] == status
    assert error in said["error"]
    assert statuses(document) == [200] * (step - 1) + [status]
    assert errors(document) == [(step, rule)]
    (found,) = (f for f in document.findings if f.severity == "error")
    named = resolve(document.reading(step).request_json, found.pointer)
    assert named["type"] == kind
    assert named["id"] in said["error"]
    assert peering.confirmed(tmp_path, step)


def test_a_stored_answer_is_polled_and_asked_for_again(tmp_path: Path) -> None:
    with peering.simulating(tmp_path, "responses") as simulator:
        said = peering.talk(
            tmp_path, "openai", "openai_stored.py", OPENAI_BASE_URL=f"{simulator}/v1"
        )
    assert said == {
        "states": ["queued", "completed"],
        "said": ["message"],
        "answered": ["reasoning", "web_search_call", "message"],
        "text": True,
        "unknown": 404,
    }
