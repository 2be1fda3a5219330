"""Edits that were not sent outlive the program; secrets in them do not."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from tests.permissions import permissions_apply

from sigscope.edits.records import Edit, Op
from sigscope.engine.engine import Engine
from sigscope.engine.sessions.drafts import Drafts, unsent
from sigscope.engine.settings.places import shipped
from sigscope.errors import InputError
from sigscope.runs import Run, Verdict
from sigscope.session import Session
from sigscope.store.private import open_private

NULL = Edit(op=Op.SET, pointer="/messages/2/content", value="null", label="null")
LIST = Edit(op=Op.SET, pointer="/messages/2/content", value="[]", label="[]")
KEY = Edit(
    op=Op.HEADER, name="Authorization", value="Bearer ghu_0123456789abcdefghijklmnop"
)


@pytest.fixture
def session() -> Session:
    path = shipped("sessions") / "copilot-missing-signature.session.jsonl"
    return Engine().open(path).session


def test_where_nothing_can_be_written_what_was_kept_is_still_there(
    session: Session, tmp_path: Path
) -> None:
    drafts = Drafts(tmp_path)
    drafts.keep(session, {(2, None): (NULL,)})
    drafts.close()
    (path,) = tmp_path.iterdir()
    path.chmod(0o400)
    tmp_path.chmod(0o500)
    try:
        with permissions_apply():
            again = Drafts(tmp_path)
            assert again.kept(session) == {(2, None): (NULL,)}
            with pytest.raises(InputError, match="cannot be written"):
                again.keep(session, {(2, None): (LIST,)})
            again.close()
            assert Drafts(tmp_path).kept(session) == {(2, None): (NULL,)}
    finally:
        tmp_path.chmod(0o700)


def test_what_is_kept_comes_back_as_it_was(session: Session, tmp_path: Path) -> None:
    drafts = Drafts(tmp_path / "new" / "folder")
    assert drafts.keep(session, {(2, None): (NULL,)}) == 0
    ((base, edits),) = drafts.kept(session).items()
    assert (base, edits) == ((2, None), (NULL,))
    assert edits[0].label == "null"


def test_keeping_replaces_and_keeping_nothing_drops(
    session: Session, tmp_path: Path
) -> None:
    drafts = Drafts(tmp_path)
    drafts.keep(session, {(2, None): (NULL,)})
    drafts.keep(session, {(1, None): (NULL,)})
    assert list(drafts.kept(session)) == [(1, None)]
    drafts.keep(session, {})
    assert not list(tmp_path.iterdir())
    drafts.drop(session)


def test_an_edit_with_a_secret_is_left_out_and_counted(
    session: Session, tmp_path: Path
) -> None:
    drafts = Drafts(tmp_path)
    assert drafts.keep(session, {(2, None): (NULL, KEY)}) == 1
    assert drafts.kept(session) == {(2, None): (NULL,)}
    assert "ghu_" not in "".join(p.read_text() for p in tmp_path.iterdir())
    assert drafts.keep(session, {(2, None): (KEY,)}) == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"drafts": 3}', '{"drafts": [{"step": "x"}]}',
     '{"drafts": [{"step": 2, "run": null, "edits": [{"op": "fly"}]}]}', "\x00",
     '{"drafts": [{"step": 1e999, "run": null, "edits": []}]}'],
)  # fmt: skip
def test_a_file_that_cannot_be_read_is_as_if_it_were_not_there(
    session: Session, tmp_path: Path, text: str
) -> None:
    drafts = Drafts(tmp_path)
    drafts.keep(session, {(2, None): (NULL,)})
    drafts.close()
    (path,) = tmp_path.iterdir()
    path.write_text(text)
    assert Drafts(tmp_path).kept(session) == {}


def test_what_a_newer_version_kept_stays_for_it(
    session: Session, tmp_path: Path
) -> None:
    drafts = Drafts(tmp_path)
    drafts.keep(session, {(2, None): (NULL,)})
    drafts.close()
    (path,) = tmp_path.iterdir()
    newer = path.read_text().replace('"format": 1', '"format": 2')
    path.write_text(newer)
    drafts = Drafts(tmp_path)
    assert drafts.kept(session) == {}
    drafts.keep(session, {(1, None): (LIST,)})
    drafts.drop(session)
    assert path.read_text() == newer


@pytest.mark.parametrize(
    "row", [3, {"step": 3, "run": None, "edits": [{"op": "fly"}]}, {"step": "[" * 9**6}]
)
def test_one_that_cannot_be_read_takes_no_other_along(
    session: Session, tmp_path: Path, row: object
) -> None:
    drafts = Drafts(tmp_path)
    drafts.keep(session, {(1, None): (LIST,), (2, None): (NULL,)})
    drafts.close()
    (path,) = tmp_path.iterdir()
    whole = json.loads(path.read_text())
    whole["drafts"].insert(1, row)
    path.write_text(json.dumps(whole))
    found = Drafts(tmp_path).kept(session)
    assert found == {(1, None): (LIST,), (2, None): (NULL,)}


def test_drafts_of_steps_and_runs_that_are_not_there_are_left_alone(
    session: Session, tmp_path: Path
) -> None:
    drafts = Drafts(tmp_path)
    drafts.keep(session, {(99, None): (NULL,), (2, 99): (NULL,), (2, None): (NULL,)})
    assert list(drafts.kept(session)) == [(2, None)]


def test_drafts_of_a_step_that_is_not_there_wait_until_it_is_again(
    session: Session, tmp_path: Path
) -> None:
    drafts = Drafts(tmp_path)
    drafts.keep(session, {(1, None): (NULL,), (2, None): (NULL,)})
    drafts.close()
    cut = replace(session, steps=session.steps[:1])
    again = Drafts(tmp_path)
    assert list(again.kept(cut)) == [(1, None)]
    again.keep(cut, {(1, None): (NULL,)})
    again.keep(cut, {})
    again.drop(cut)
    again.close()
    drafts = Drafts(tmp_path)
    assert list(drafts.kept(session)) == [(2, None)]
    drafts.drop(session)
    assert not list(tmp_path.iterdir())


def test_another_session_has_drafts_of_its_own(
    session: Session, tmp_path: Path
) -> None:
    drafts = Drafts(tmp_path)
    drafts.keep(session, {(2, None): (NULL,)})
    other = replace(session, path="/elsewhere.jsonl")
    assert drafts.kept(other) == {}


def test_a_folder_that_cannot_be_made_is_an_input_error(
    session: Session, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError):
        Drafts(tmp_path / "file").keep(session, {(2, None): (NULL,)})


def test_what_a_run_was_made_with_was_sent() -> None:
    engine = Engine()
    path = shipped("sessions") / "copilot-missing-signature.session.jsonl"
    exchange = engine.open(path).steps[1].exchange
    run = Run(
        number=1,
        step=2,
        edits=(NULL, KEY),
        upstream="simulator",
        exchange=exchange,
        at="",
        predicted=None,
        status=200,
        verdict=Verdict.GONE,
    )
    drafts = {(2, None): (KEY, NULL), (3, None): (NULL,), (4, None): ()}
    assert unsent(drafts, [run]) == {(3, None): (NULL,)}
    assert unsent({(2, 1): (KEY, NULL)}, [run]), "of the run, not of the step"


def test_what_another_program_is_at_is_not_taken_and_not_overwritten(
    session: Session, tmp_path: Path
) -> None:
    one, other = Drafts(tmp_path), Drafts(tmp_path)
    one.keep(session, {(2, None): (NULL,)})
    assert other.kept(session) == {}
    other.keep(session, {(2, None): (LIST,)})
    other.drop(session)
    other.close()
    assert one.kept(session) == {(2, None): (NULL,)}
    one.close()
    assert Drafts(tmp_path).kept(session) == {(2, None): (NULL,)}


def test_what_another_program_left_meanwhile_is_not_dropped(
    session: Session, tmp_path: Path
) -> None:
    one, other = Drafts(tmp_path), Drafts(tmp_path)
    other.keep(session, {(2, None): (NULL,)})
    assert one.kept(session) == {}
    other.close()  # it was killed, say
    one.keep(session, {(2, None): (LIST,)})
    one.drop(session)
    assert Drafts(tmp_path).kept(session) == {(2, None): (NULL,)}


def test_what_two_programs_left_comes_back_the_later_on_top(
    session: Session, tmp_path: Path
) -> None:
    programs = [Drafts(tmp_path), Drafts(tmp_path)]
    for drafts, edit in zip(programs, (NULL, LIST), strict=True):
        drafts.keep(session, {(2, None): (edit,)})
        for path in tmp_path.iterdir():
            os.utime(path, ns=(path.stat().st_mtime_ns - 10**9,) * 2)
    for drafts in programs:
        drafts.close()
    next_one = Drafts(tmp_path)
    assert next_one.found(session) == (((2, None), (NULL,)), ((2, None), (LIST,)))
    assert next_one.kept(session) == {(2, None): (LIST,)}
    next_one.keep(session, {(2, None): (LIST,)})
    next_one.close()
    assert len(Drafts(tmp_path).found(session)) == 2, "the other one's are still there"


def test_what_was_taken_over_is_in_one_file(session: Session, tmp_path: Path) -> None:
    first = Drafts(tmp_path)
    first.keep(session, {(2, None): (NULL,)})
    first.close()
    second = Drafts(tmp_path)
    kept = second.kept(session)
    second.keep(session, kept)
    assert len(list(tmp_path.iterdir())) == 1
    second.keep(session, {})
    assert not list(tmp_path.iterdir()), "sent or undone: there is nothing to keep"


def test_drafts_are_for_the_user_alone_and_what_a_kill_left_goes_away(
    session: Session, tmp_path: Path
) -> None:
    drafts = Drafts(tmp_path / "new")
    drafts.keep(session, {(2, None): (NULL,)})
    (path,) = (tmp_path / "new").iterdir()
    assert path.stat().st_mode & 0o777 == 0o600
    torn = path.with_name(f".{path.name}")
    torn.write_text("{")
    drafts.close()
    assert Drafts(tmp_path / "new").kept(session) == {(2, None): (NULL,)}
    assert not torn.exists()


def test_who_opens_the_session_while_one_writes_takes_nothing_away(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def open_slowly(path: Path, flags: int) -> int:
        fd = open_private(path, flags)
        monkeypatch.undo()
        other.found(session)
        return fd

    one, other = Drafts(tmp_path), Drafts(tmp_path)
    monkeypatch.setattr("sigscope.engine.sessions.drafts.open_private", open_slowly)
    one.keep(session, {(2, None): (NULL,)})
    assert other.kept(session) == {}, "the other one is at them"
    one.close()
    assert other.kept(session) == {(2, None): (NULL,)}


def test_the_same_file_by_another_name_has_the_same_drafts(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert session.path
    drafts = Drafts(tmp_path)
    drafts.keep(session, {(2, None): (NULL,)})
    drafts.close()
    path = Path(session.path)
    monkeypatch.chdir(path.parent)
    relative = replace(session, path=path.name)
    assert Drafts(tmp_path).kept(relative) == {(2, None): (NULL,)}
