"""Who goes on from a recorded step, for how long, and where it is kept."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from sigscope.converse.loader import set_own_folder
from sigscope.edits.records import Edit
from sigscope.engine.engine import Engine
from sigscope.engine.sending.continuation import Continuation, outcome_words
from sigscope.engine.sending.fork import Fork
from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.opener import open_file
from sigscope.errors import UsageError

SESSIONS = Path(__file__).parents[3] / "sessions"
NAME = "copilot-missing-signature"


def going_on(name: str = NAME, *, fixed: bool = True) -> Continuation:
    document = Document(open_file(SESSIONS / f"{name}.session.jsonl"))
    found = (edit for f in document.findings_of(2) for edit in f.fix or ())
    edits: tuple[Edit, ...] = tuple(dict.fromkeys(found)) if fixed else ()
    return Continuation(Fork(document, 2, edits))


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SIGSCOPE_DATA_DIR", str(tmp_path))
    return tmp_path


def test_the_faithful_client_is_first_and_all_speak_the_dialect() -> None:
    policies = going_on().policies
    assert policies[0].name == "faithful-copilot-chat"
    assert len(policies) > 3
    assert all("copilot-chat" in policy.dialects for policy in policies)


def test_ones_own_are_offered_by_name_and_a_broken_one_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sigscope.converse.loader._own", [])
    set_own_folder(tmp_path)
    (tmp_path / "mine.toml").write_text('extends = "copilot-missing-signature"\n')
    (tmp_path / "torn.toml").write_text("about = \n")
    continuation = going_on()
    assert [policy.name for policy in continuation.policies][1] == "mine"
    (problem,) = continuation.problems
    assert problem.startswith("policy torn is not offered: ")


@pytest.mark.parametrize("turns", ["1", "5", "50"])
def test_numbers_of_turns_are_taken(turns: str) -> None:
    assert not Continuation.problem_of(turns)


@pytest.mark.parametrize("turns", ["", "0", "51", "-1", "five", "٣", "9" * 5000])
def test_other_words_are_not(turns: str) -> None:
    assert Continuation.problem_of(turns) == "a conversation goes on for 1 to 50 turns"


def test_it_is_kept_under_a_free_name_and_tells_where_it_comes_from(
    data: Path,
) -> None:
    continuation = going_on()
    holding = continuation.held_by("faithful-copilot-chat", 3)
    asyncio.run(holding.hold())
    assert outcome_words(holding).endswith("requests, all accepted")
    assert outcome_words(holding).startswith("3 turns in ")
    one = continuation.keep(Engine(), holding)
    other = continuation.keep(Engine(), holding)
    assert one != other
    assert one.parent == other.parent == data / "sessions"
    kept = Engine().open(one)
    origin = f"step 2 of {NAME}.session.jsonl"
    assert kept.session.title.startswith(origin)
    (note,) = kept.session.notes
    assert note.text.startswith(f"Continues {origin}")
    recorded = continuation.fork.document.step(1).exchange
    assert kept.step(1).exchange.request == recorded.request
    assert len(kept.steps) == 1 + len(holding.taken)


def test_what_is_refused_is_said_with_its_turn_and_kept_too(data: Path) -> None:
    continuation = going_on(fixed=False)
    holding = continuation.held_by("faithful-copilot-chat", 3)
    asyncio.run(holding.hold())
    assert outcome_words(holding) == "refused in turn 1, step 2: 400"
    assert continuation.keep(Engine(), holding).exists()


def test_of_what_was_not_held_nothing_is_kept(data: Path) -> None:
    continuation = going_on()
    holding = continuation.held_by("", 3)
    assert outcome_words(holding) == "nothing was sent"
    with pytest.raises(UsageError, match="nothing was sent yet"):
        continuation.keep(Engine(), holding)
    assert not list(data.iterdir())


def test_a_client_of_another_api_does_not_go_on() -> None:
    with pytest.raises(UsageError, match="step 2 speaks copilot-chat"):
        going_on().held_by("faithful-gemini", 3)
