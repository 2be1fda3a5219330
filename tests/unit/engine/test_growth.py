"""A session file that others append to."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.tui.story import story

from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.growth import GrowingFile, can_grow
from sigscope.engine.settings.places import shipped
from sigscope.errors import InputError
from sigscope.exchange import Body, Exchange, Request
from sigscope.runs import Run, Verdict
from sigscope.session import Session, Step
from sigscope.store import SessionWriter, open_session, save_session

STORY = story()


def begun(tmp_path: Path, steps: int) -> Path:
    path = tmp_path / "s.session.jsonl"
    save_session(replace(STORY, steps=STORY.steps[:steps]), str(path))
    return path


def test_what_is_appended_is_news_and_only_that(tmp_path: Path) -> None:
    path = begun(tmp_path, 2)
    watcher = GrowingFile(str(path))
    assert not watcher.look({1, 2}, ())
    with SessionWriter.reopen(str(path)) as writer:
        writer.append_step(STORY.steps[2])
        writer.append_run(run(1, step=2))
    news = watcher.look({1, 2}, ())
    assert [step.number for step in news.steps] == [3]
    assert [made.number for made in news.runs] == [1]
    assert not watcher.look({1, 2, 3}, {1})


def test_what_was_written_before_the_first_look_is_news_too(tmp_path: Path) -> None:
    path = begun(tmp_path, 4)
    news = GrowingFile(str(path)).look({1, 3}, ())
    assert [step.number for step in news.steps] == [2, 4]


def test_what_is_known_need_not_be_in_the_file(tmp_path: Path) -> None:
    """Where the recorder had to begin a new one."""
    path = tmp_path / "s-again.session.jsonl"
    save_session(replace(STORY, steps=STORY.steps[2:3]), str(path))
    news = GrowingFile(str(path)).look({1, 2}, ())
    assert [step.number for step in news.steps] == [3]


def test_a_line_that_is_being_written_waits_for_its_end(tmp_path: Path) -> None:
    path = begun(tmp_path, 1)
    whole = begun_bytes(tmp_path)
    watcher = GrowingFile(str(path))
    start = path.stat().st_size
    with path.open("ab") as file:
        file.write(whole[start : start + 40])
        file.flush()
        news = watcher.look({1}, ())
        assert not news
        assert "goes on just now" in news.problems[0].message
        file.write(whole[start + 40 :])
        file.flush()
    news = watcher.look({1}, ())
    assert [step.number for step in news.steps] == [2]
    assert news.problems == ()


def begun_bytes(tmp_path: Path) -> bytes:
    """The file of two steps, which begins like that of one."""
    other = tmp_path / "two.session.jsonl"
    save_session(replace(STORY, steps=STORY.steps[:1]), str(other))
    with SessionWriter.reopen(str(other)) as writer:
        writer.append_step(STORY.steps[1])
    return other.read_bytes()


def test_a_file_that_was_replaced_is_told(tmp_path: Path) -> None:
    path = begun(tmp_path, 1)
    watcher = GrowingFile(str(path))
    path.unlink()
    save_session(STORY, str(path))
    assert watcher.look({1}, ()).was_replaced


def test_a_file_that_is_gone_cannot_be_followed(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        GrowingFile(str(tmp_path / "none.session.jsonl"))


def test_only_session_files_of_the_users_own_can_grow(tmp_path: Path) -> None:
    bundled = next(shipped("sessions").glob("*.session.jsonl"))
    assert can_grow(open_session(str(begun(tmp_path, 1))))
    assert not can_grow(open_session(str(bundled)))
    assert not can_grow(Session(id="x", path="a.har", format="har"))
    assert not can_grow(Session(id="x"))


# --- The document that grows ----------------------------------------------------------


def test_a_grown_document_keeps_what_was_read_and_sees_what_is_new() -> None:
    document = Document(replace(STORY, steps=STORY.steps[:2], runs=[]))
    first = document.reading(1)
    lost = document.ledger.signatures[0].fate_in(3)
    grown = document.grown([STORY.steps[2], STORY.steps[0]], [])
    assert lost is None
    assert [step.number for step in grown.steps] == [1, 2, 3]
    assert [step.number for step in document.steps] == [1, 2]
    assert grown.reading(1) is first
    fate = grown.ledger.signatures[0].fate_in(3)
    assert fate is not None
    assert fate.fate == "exact"
    assert grown.grown([], []) is grown


def test_runs_are_shared_sorted_and_never_twice() -> None:
    document = Document(replace(STORY, runs=[run(2, step=2)]))
    assert document.grown([], [run(1, step=2), run(2, step=2)]) is document
    assert [made.number for made in document.runs] == [1, 2]


def test_a_step_without_a_dialect_gets_the_one_that_a_later_step_tells() -> None:
    plain = chat_step(1, [{"role": "user", "content": "Hi"}])
    signed = {"role": "assistant", "content": "Hm", "reasoning_opaque": "x" * 40}
    telling = chat_step(2, [{"role": "user", "content": "Hi"}, signed])
    document = Document(Session(id="x", steps=(plain,)))
    assert document.reading(1).dialect is None
    assert document.reading(1).conversation.messages == ()
    grown = document.grown([telling], [])
    assert grown.reading(1).dialect is grown.reading(2).dialect is not None
    assert len(grown.reading(1).conversation.messages) == 1
    assert document.reading(1).conversation.messages == ()


def chat_step(number: int, messages: list[dict[str, str]]) -> Step:
    """A step on a host that tells nothing."""
    body = Body(json.dumps({"model": "m", "messages": messages}).encode())
    request = Request(url="https://gateway.example/chat/completions", body=body)
    return Step(number=number, id=f"s{number}", exchange=Exchange(request=request))


def run(number: int, *, step: int) -> Run:
    return Run(
        number=number,
        step=step,
        upstream="simulator",
        exchange=STORY.steps[0].exchange,
        predicted=200,
        status=200,
        verdict=Verdict.GONE,
        at="2026-11-21T03:14:15Z",
    )
