"""Lines that say what steps speak."""

from __future__ import annotations

from pathlib import Path

from tests.unit.store.samples import HEADER, make_step

from sigscope.session import Session, Spoken
from sigscope.store import SessionFile, SessionWriter, open_session, save_session
from sigscope.store.models import SpokenLine, schema

LINE = Spoken(dialect="litellm", at="2026-11-21T03:14:15Z", step=1)
ENDPOINT = Spoken(
    dialect="openrouter", at="t", endpoint="https://h/gw/v1", by="profile x",
    is_service=True,
)  # fmt: skip


def test_what_was_said_is_read_again_in_its_order(tmp_path: Path) -> None:
    path = str(tmp_path / "a.session.jsonl")
    with SessionWriter.create(path, HEADER) as writer:
        file = SessionFile(path)
        writer.append_step(make_step())
        writer.append_spoken(LINE)
        writer.append_spoken(ENDPOINT)
        file.poll()
    assert file.session.spoken == [LINE, ENDPOINT]
    assert file.session.problems == ()
    copy = str(tmp_path / "b.session.jsonl")
    save_session(open_session(path), copy)
    assert open_session(copy).spoken == [LINE, ENDPOINT]


def test_the_line_fits_the_published_schema(tmp_path: Path) -> None:
    path = tmp_path / "a.session.jsonl"
    with SessionWriter.create(str(path), HEADER) as writer:
        writer.append_spoken(ENDPOINT)
    line = SpokenLine.model_validate_json(path.read_bytes().splitlines()[1])
    assert (line.dialect, line.endpoint, line.service) == (
        "openrouter", "https://h/gw/v1", True
    )  # fmt: skip
    assert "SpokenLine" in schema()["$defs"]


def test_a_key_in_an_address_does_not_reach_the_disk(tmp_path: Path) -> None:
    path = tmp_path / "a.session.jsonl"
    key = "hunter2hunter2"
    save_session(
        Session(
            id="x",
            spoken=[
                Spoken(dialect="litellm", at="t", endpoint=f"https://me:{key}@h/v1")
            ],
        ),
        str(path),
    )
    assert key.encode() not in path.read_bytes()
