"""A title and tags given later."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tests.unit.store.samples import HEADER, make_step

from sigscope.session import Note
from sigscope.store import SessionFile, SessionWriter, open_session
from sigscope.store.models import AboutLine


def test_the_last_title_and_tags_count(tmp_path: Path) -> None:
    path = str(tmp_path / "a.session.jsonl")
    with SessionWriter.create(path, HEADER) as writer:
        writer.append_about("First", ["x"], "t1")
        writer.append_step(make_step())
        writer.append_about("Second", [], "t2")
    session = open_session(path)
    assert (session.title, session.tags) == ("Second", ())
    assert len(session.steps) == 1
    assert session.problems == ()


def test_a_file_that_is_followed_gets_the_new_title(tmp_path: Path) -> None:
    path = str(tmp_path / "a.session.jsonl")
    with SessionWriter.create(path, HEADER) as writer:
        file = SessionFile(path)
        assert file.session.title == "A title"
        writer.append_about("Another", ["x", "y"], "t")
        file.poll()
    assert (file.session.title, file.session.tags) == ("Another", ("x", "y"))


def test_secrets_in_titles_tags_and_notes_never_reach_the_disk(tmp_path: Path) -> None:
    path = tmp_path / "a.session.jsonl"
    key = "sk-proj-" + "aB3dE5fG7hJ9kL1m" * 3
    other = key.replace("a", "c")
    tagged = replace(HEADER, tags=("zed", f"with {key}", f"with {other}"))
    with SessionWriter.create(str(path), tagged) as writer:
        writer.append_about(f"with {key}", ["zed", key, other], "t")
        writer.append_note(Note(text=f"it was {key}", at="t"))
        assert writer.removed == {"OpenAI key": 6}
    written = path.read_bytes()
    assert key.encode() not in written
    assert other.encode() not in written
    stars = "sk-proj-" + "*" * (len(key) - 8)
    # Both have become the same word, which stands once.
    assert open_session(str(path)).tags == ("zed", stars)


def test_what_is_written_fits_the_model(tmp_path: Path) -> None:
    path = tmp_path / "a.session.jsonl"
    with SessionWriter.create(str(path), HEADER) as writer:
        writer.append_about("T", ["x"], "2026-11-21T03:14:15Z")
    line = path.read_bytes().splitlines()[1]
    about = AboutLine.model_validate_json(line)
    assert (about.title, about.tags, about.at) == ("T", ("x",), "2026-11-21T03:14:15Z")
