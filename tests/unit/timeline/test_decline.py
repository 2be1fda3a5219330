"""Quiet damage: whether reasoning fades, from where on, and why."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.unit.rules.cases import Exchange, bench
from tests.unit.rules.litellm_cases import answer, ask, listed, user

from sigscope.engine.engine import Engine
from sigscope.timeline.decline import Cause, Decline, Sureness, decline_of

SESSIONS = Path(__file__).parents[3] / "sessions"
_NEAR = [parent / "shared" / "corpus" for parent in Path(__file__).resolve().parents]
CORPUS = Path(
    os.environ.get("SIGSCOPE_CORPUS") or next(filter(Path.is_dir, _NEAR), ".")
)
INDEX = CORPUS / "index.json"
FADES = ((90, 60), (40, 200), (0, 900))
STEADY = ((90, 60), (90, 70), (95, 80))


def session(name: str) -> Decline:
    engine = Engine()
    return engine.decline(engine.open(SESSIONS / f"{name}.session.jsonl"))


def chat(
    replies: Sequence[tuple[int, int]],
    *,
    signed: bool = False,
    back: Sequence[int] = (),
) -> list[Exchange]:
    """Turns with so many characters of summary and of text; the answers of turns in
    `back` get their signature back."""
    history: list[Any] = []
    found = []
    for turn, (summary, text) in enumerate(replies):
        history = [*history, user(f"Question number {turn}, please")]
        signature = f"EhkKFwHeWwZgVZrq0IJk1XldOQlxjN0Fq{turn}SV"
        said: dict[str, Any] = {
            "role": "assistant",
            "content": f"{turn}" * text,
            "reasoning_content": "s" * summary,
        }
        mark = listed(signature) if signed else {}
        found.append(ask(history, answer({**said, **mark})))
        kept = {"role": "assistant", "content": said["content"]}
        history = [*history, {**kept, **mark} if turn in back else kept]
    return found


def decline(exchanges: list[Exchange]) -> Decline:
    found = bench(exchanges)
    return decline_of(found.readings, found.ledger)


def test_stand_ins_are_the_likely_cause_and_the_fix_is_named() -> None:
    found = session("zoo-litellm-dummy")
    assert found.fading is not None
    assert (found.turn, found.fading.change.step) == (3, 6)
    assert (found.cause, found.sureness) == (Cause.STAND_INS, Sureness.LIKELY)
    assert found.is_against
    assert found.advice[0].startswith("LLM-1: restore thought_signature")
    assert [turn.genuine for turn in found.turns] == [0] * 8
    assert [turn.stand_ins for turn in found.turns] == list(range(1, 9))
    assert [turn.missing for turn in found.turns] == list(range(8))


def test_a_mended_client_does_not_fade() -> None:
    found = session("zoo-litellm-per-call-echo")
    assert found.fading is None
    assert found.cause is None
    assert not found.is_against
    assert [turn.genuine for turn in found.turns] == list(range(1, 16, 2))
    assert {turn.stand_ins + turn.missing for turn in found.turns} == {0}


@pytest.mark.parametrize(
    ("back", "cause", "sureness"),
    [
        ((), Cause.NOT_RETURNED, Sureness.LIKELY),
        ((0, 1, 2), Cause.NOT_SIGNATURES, Sureness.UNKNOWN),
    ],
    ids=["none went back", "all went back"],
)
def test_the_cause_is_read_from_what_went_back(
    back: tuple[int, ...], cause: Cause, sureness: Sureness
) -> None:
    found = decline(chat(FADES, signed=True, back=back))
    assert found.turn == 2
    assert (found.cause, found.sureness) == (cause, sureness)
    assert found.is_against is (cause is Cause.NOT_RETURNED)
    assert found.advice


def test_where_no_signature_came_nobody_is_blamed() -> None:
    found = decline(chat(FADES))
    assert found.cause is Cause.NONE_CAME
    assert not found.is_against


def test_steady_reasoning_is_no_decline_though_signatures_are_lost() -> None:
    found = decline(chat(STEADY, signed=True))
    assert found.fading is None
    assert [turn.missing for turn in found.turns] == [0, 1, 2]


def test_a_session_without_steps_has_no_turns() -> None:
    assert decline([]).turns == ()


def recordings() -> list[str]:
    if not INDEX.is_file():
        return []
    index = json.loads(INDEX.read_text(encoding="utf-8"))
    return [str(entry["file"]) for entry in index["files"]]


@pytest.mark.skipif(not INDEX.is_file(), reason="no corpus here")
@pytest.mark.parametrize("file", recordings())
def test_real_sessions_are_not_said_to_fade(file: str) -> None:
    engine = Engine()
    found = engine.decline(engine.open(CORPUS / file))
    assert found.fading is None
    assert not found.is_against


@pytest.mark.parametrize(
    "path", sorted(SESSIONS.glob("*.jsonl")), ids=lambda path: path.name.split(".")[0]
)
def test_of_the_bundled_sessions_those_that_lose_every_turn_fade(path: Path) -> None:
    engine = Engine()
    fades = path.name.startswith(("zoo-litellm-dummy", "zoo-litellm-message-echo"))
    assert engine.decline(engine.open(path)).is_against is fades
