"""VCR.py: a cassette that it recorded is read, and one that we wrote is played."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.peers import peering
from tests.peers.peering import Row, rows, statuses

KEPT: list[Row] = [
    (1, ((2, "exact", "required"), (3, "exact", "required"))),
    (2, ((3, "exact", "required"),)),
    (3, ()),
]
LOST: list[Row] = [(1, ((2, "dropped", "required"),))]
FATES = [("all", KEPT, [200, 200, 200]), ("known", LOST, [200, 400])]


def play(folder: Path, cassette: Path, mode: str, how: str, url: str) -> object:
    return peering.talk(
        folder,
        "vcrpy",
        "vcr_play.py",
        str(cassette),
        mode,
        "gemini-3-pro-preview",
        how,
        OPENAI_BASE_URL=url,
    )


@pytest.mark.parametrize(("how", "expected", "answers"), FATES)
def test_a_recorded_cassette_is_read(
    tmp_path: Path, how: str, expected: list[Row], answers: list[int]
) -> None:
    cassette = tmp_path / "real.yaml"
    with peering.simulating(tmp_path, "copilot-chat") as simulator:
        play(tmp_path, cassette, "once", how, simulator)
    file = tmp_path / "imported.session.jsonl"
    assert peering.sigscope(tmp_path, "import", cassette, "--out", file).code == 0
    document = peering.load(file)
    assert statuses(document) == answers
    assert rows(document) == expected


@pytest.mark.parametrize(("how", "expected", "answers"), FATES)
def test_an_exported_cassette_plays(
    tmp_path: Path, how: str, expected: list[Row], answers: list[int]
) -> None:
    with (
        peering.simulating(tmp_path, "copilot-chat") as simulator,
        peering.recording(tmp_path, "--upstream", simulator) as recorder,
    ):
        live = peering.talk(
            tmp_path,
            "vcrpy",
            "openai_tools.py",
            "gemini-3-pro-preview",
            how,
            OPENAI_BASE_URL=recorder.url,
        )
        document = recorder.document()
    assert rows(document) == expected
    cassette = tmp_path / "ours.yaml"
    written = peering.sigscope(
        tmp_path, "export", recorder.file, "--to", "vcr", "--out", cassette
    )
    assert written.code == 0
    assert play(tmp_path, cassette, "none", how, simulator) == live
