"""The Vercel AI SDK with three of its providers, through `sigscope run`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.peers import peering
from tests.peers.peering import DROPPED, NOTHING_LOST, calls, errors, rows, statuses

from sigscope.engine.sessions.document import Document

MODEL = "gemini-3-pro-preview"
HOWS = ("whole", "stream")


def loop(
    folder: Path, dialect: str, place: str, provider: str, model: str, how: str
) -> tuple[Any, Document]:
    """`place`: the service, and the path of it, that the provider's address is."""
    home = Path(peering.tool("ai-sdk", "")).parents[1]
    script = peering.CLIENTS / "ai_sdk_tools.mjs"
    done, document = peering.run_client(
        folder,
        dialect,
        place.partition("/")[0],
        ("node", script, provider, model, how),
        *("--env", f"AI_SDK_BASE_URL={place}"),
        PEER_HOME=str(home),
    )
    assert done.code == 0, done.err
    assert {r.is_streamed for r in document.readings if r.status == 200} == {
        how == "stream"
    }
    return json.loads(done.out.splitlines()[-1]), document


@pytest.mark.parametrize("how", HOWS)
@pytest.mark.parametrize(
    ("dialect", "place", "provider", "model"),
    [
        ("gemini", "gemini/v1beta", "google", MODEL),
        ("openrouter", "openrouter", "openrouter", f"google/{MODEL}"),
    ],
)
def test_a_provider_of_the_service_sends_every_signature_back(
    tmp_path: Path, dialect: str, place: str, provider: str, model: str, how: str
) -> None:
    said, document = loop(tmp_path, dialect, place, provider, model, how)
    assert said["status"] == 200
    assert "todo.md" in said["text"]
    assert statuses(document) == [200, 200, 200]
    assert calls(document) == [1, 2, 0]
    assert rows(document) == NOTHING_LOST
    assert document.findings == ()


@pytest.mark.parametrize("how", HOWS)
@pytest.mark.parametrize(
    ("dialect", "place", "model", "rule"),
    [
        ("copilot-chat", "copilot", MODEL, "CPC-1"),
        ("openrouter", "openrouter", f"google/{MODEL}", "ORT-1"),
    ],
)
def test_openai_compatible_drops_what_it_does_not_know(
    tmp_path: Path, dialect: str, place: str, model: str, rule: str, how: str
) -> None:
    said, document = loop(tmp_path, dialect, place, "compatible", model, how)
    assert said["status"] == 400
    assert statuses(document) == [200, 400]
    assert rows(document) == DROPPED
    assert errors(document) == [(2, rule)]
    assert peering.mended(tmp_path, 2)


@pytest.mark.parametrize("how", HOWS)
def test_openai_compatible_keeps_what_litellm_hides_in_ids(
    tmp_path: Path, how: str
) -> None:
    model = f"gemini/{MODEL}"
    said, document = loop(tmp_path, "litellm", "openai", "compatible", model, how)
    assert said["status"] == 200
    assert statuses(document) == [200, 200, 200]
    assert calls(document) == [1, 2, 0]
    assert [[fate for _, fate, _ in fates] for _, fates in rows(document)] == [
        ["exact", "exact"],
        ["exact"],
        [],
    ]
    assert not errors(document)
