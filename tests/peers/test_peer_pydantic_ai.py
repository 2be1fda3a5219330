"""pydantic-ai with three of its models, through `sigscope run`."""

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
    folder: Path, dialect: str, provider: str, model: str, how: str
) -> tuple[Any, Document]:
    python = peering.tool("pydantic-ai", "python")
    script = peering.CLIENTS / "pydantic_ai_tools.py"
    service = {"google": "gemini"}.get(provider, provider)
    done, document = peering.run_client(
        folder,
        dialect,
        service,
        (python, script, provider, model, how),
        *("--env", "OPENROUTER_BASE_URL=openrouter"),
    )
    assert done.code == 0, done.err
    return json.loads(done.out), document


@pytest.mark.parametrize("how", HOWS)
@pytest.mark.parametrize(
    ("dialect", "provider", "model"),
    [
        ("gemini", "google", MODEL),
        ("openrouter", "openrouter", f"google/{MODEL}"),
    ],
)
def test_a_model_of_the_service_sends_every_signature_back(
    tmp_path: Path, dialect: str, provider: str, model: str, how: str
) -> None:
    said, document = loop(tmp_path, dialect, provider, model, how)
    assert said["status"] == 200
    assert "Buy milk." in said["text"]
    assert {r.is_streamed for r in document.readings} == {how == "stream"}
    assert statuses(document) == [200, 200, 200]
    assert calls(document) == [1, 2, 0]
    assert rows(document) == NOTHING_LOST
    assert document.findings == ()


@pytest.mark.parametrize(
    ("dialect", "model", "rule"),
    [
        ("copilot-chat", MODEL, "CPC-1"),
        ("openrouter", f"google/{MODEL}", "ORT-1"),
    ],
)
def test_the_openai_model_drops_what_it_does_not_know(
    tmp_path: Path, dialect: str, model: str, rule: str
) -> None:
    said, document = loop(tmp_path, dialect, "openai", model, "stream")
    assert said["status"] == 400
    assert statuses(document) == [200, 400]
    assert rows(document) == DROPPED
    assert errors(document) == [(2, rule)]
    assert peering.mended(tmp_path, 2)


def test_a_whole_answer_of_copilot_is_not_read(tmp_path: Path) -> None:
    """It says no `object`, as reported in caozhiyuan/copilot-api#247: the loop ends
    before anything could be sent back, and nothing is wrong on the wire."""
    said, document = loop(tmp_path, "copilot-chat", "openai", MODEL, "whole")
    assert "Input should be 'chat.completion'" in said["unread"]
    assert statuses(document) == [200]
    assert rows(document) == [(1, ())]
    assert document.findings == ()
