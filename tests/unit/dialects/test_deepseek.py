"""DeepSeek: recognised, and its readable reasoning followed as what goes back."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.rules.cases import bench
from tests.unit.rules.deepseek_cases import (
    DONE,
    FINE,
    HI,
    MISSING,
    OFF,
    PIECES,
    THOUGHT,
    calls,
    then,
)

from sigscope.conversation import SignatureKind
from sigscope.dialects.base import Match, Probe
from sigscope.dialects.registry import recognise
from sigscope.ledger import Fate, Grade
from sigscope.ledger.records import FateAt

CHAT = {"model": "deepseek-v4-flash", "messages": []}
COUNTED = {"choices": [], "usage": {"prompt_cache_hit_tokens": 0}}


@pytest.mark.parametrize(
    ("url", "body", "response", "match"),
    [
        ("https://api.deepseek.com/beta/chat/completions", {}, None, Match.HOST),
        ("/chat/completions", CHAT, None, Match.ASKED),
        ("", CHAT, COUNTED, Match.ANSWERED),
        ("", None, COUNTED | {"model": "deepseek-reasoner"}, Match.ANSWERED),
    ],
)
def test_it_is_known_by_host_model_and_counts(
    url: str, body: Any, response: Any, match: Match
) -> None:
    given = Probe(url=url, request=lambda: body, response=lambda: response)
    dialect, found = recognise(given)
    assert dialect is not None
    assert (dialect.name, found) == ("deepseek", match)


def test_a_proxy_that_passes_its_counts_on_is_not_deepseek() -> None:
    asked = {"model": "litellm_proxy/deepseek/deepseek-chat", "messages": []}
    given = Probe(request=lambda: asked, response=lambda: COUNTED)
    dialect, _ = recognise(given)
    assert dialect is not None
    assert dialect.name == "litellm"


GATEWAY = "https://llm.example/proxy/v1/chat/completions"
OWN = {
    "choices": [{"index": 0, "message": {}, "logprobs": None}],
    "usage": {"prompt_cache_hit_tokens": 0},
    "system_fingerprint": "fp_0123456789_prod0820_fp8_kvcache",
}


def test_its_own_answer_tells_it_behind_a_host_that_nobody_knows() -> None:
    given = Probe(url=GATEWAY, request=lambda: CHAT, response=lambda: OWN)
    dialect, found = recognise(given)
    assert dialect is not None
    assert (dialect.name, found) == ("deepseek", Match.ANSWERED)


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        (CHAT, COUNTED),
        (CHAT, OWN | {"choices": [{"index": 0, "message": {}}]}),
        (CHAT, OWN | {"system_fingerprint": "fp_0123456789"}),
        (CHAT, OWN | {"usage": {}}),
        ({"model": "team-default", "messages": []}, OWN),
    ],
    ids=["only counts", "no null", "another print", "no counts", "another model"],
)
def test_less_than_all_of_it_does_not(asked: Any, answered: Any) -> None:
    given = Probe(url=GATEWAY, request=lambda: asked, response=lambda: answered)
    assert recognise(given) == (None, Match.NO)


def met(*sent: Any, **answered: Any) -> FateAt:
    """What became of the reasoning in a second request."""
    exchanges = then(*sent, **({"answer": FINE, "status": 200} | answered))
    signature, *_ = bench(exchanges).ledger.signatures
    assert signature.kind is SignatureKind.TEXT
    assert signature.value == THOUGHT
    assert signature.received[0].sighting.event == 1 + len(PIECES)
    fate = signature.fate_in(2)
    assert fate is not None
    return fate


def test_all_pieces_joined_are_the_one_text_that_goes_back() -> None:
    fate = met(calls(reasoning_content=THOUGHT), DONE)
    assert (fate.fate, fate.grade) == (Fate.EXACT, Grade.REQUIRED)


@pytest.mark.parametrize(
    "text",
    [PIECES[0], PIECES[-1], "\n".join(PIECES), THOUGHT * 2],
    ids=["the first piece", "the last", "joined with new lines", "added twice"],
)
def test_what_a_wrong_accumulator_makes_is_not_what_came(text: str) -> None:
    assert met(calls(reasoning_content=text), DONE).fate is not Fate.EXACT


def test_it_is_wanted_in_closed_turns_too() -> None:
    answer = {"role": "assistant", "content": "a.md"}
    fate = met(calls(), DONE, answer, HI, answer=MISSING, status=400)
    assert (fate.fate, fate.grade) == (Fate.DROPPED, Grade.REQUIRED)


def test_a_request_that_does_not_think_insists_on_nothing() -> None:
    assert met(calls(), DONE, more=OFF).grade is Grade.OPTIONAL
