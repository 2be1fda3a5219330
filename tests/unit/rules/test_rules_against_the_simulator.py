"""Two independent voices: what the simulator refuses, a rule names, and mends.

Healthy sessions, each spoilt by every ready-made edit that fits it. The simulator knows
no rule, and no rule knows the simulator; where they differ, one of them is wrong.
"""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.rules import (
    copilot_chat_cases,
    gemini_cases,
    litellm_cases,
    openrouter_cases,
)
from tests.unit.rules.cases import bench, mended

from sigscope.engine.sending.simulation import config_for, default_path, predict
from sigscope.engine.sessions.document import Document
from sigscope.exchange import Exchange
from sigscope.readymade import Context, Ready, applicable
from sigscope.rules.base import Severity
from sigscope.session import Session, Step

pytestmark = pytest.mark.slow

Exchanges = tuple[Exchange, ...]
SERIOUS = {Severity.ERROR, Severity.WARNING}


def gemini(base: str) -> Exchanges:
    """Parallel calls, an answer, and a call of the next turn."""
    g = gemini_cases
    turn = [g.HI, g.model(*g.PARALLEL), g.RESULTS]
    text = {"text": "It is empty, as far as I can see.", "thoughtSignature": g.S3}
    closed = [*turn, g.model(text), g.user("And b.md?")]
    again = g.call("ls", g.S2, "c3")
    last = [*closed, g.model(again), {"role": "user", "parts": [g.result("ls", "c3")]}]
    return (
        g.ask([g.HI], g.answer(*g.PARALLEL), base=base),
        g.ask(turn, g.answer(text), base=base),
        g.ask(closed, g.answer(again), base=base),
        g.ask(last, base=base),
    )


def copilot(content: str | None, *names: str) -> Exchanges:
    """Calls under one envelope, with or without a text before them."""
    c = copilot_chat_cases
    sent = c.calls(*names, content=content, reasoning_opaque=c.E1)
    after = [c.result(name) for name in names]
    return (
        c.ask([c.SYSTEM, c.HI], events=c.stream(*names, text=content or "")),
        c.ask([c.SYSTEM, c.HI, sent, *after]),
    )


def openrouter() -> Exchanges:
    o = openrouter_cases
    summary = o.SUMMARY | {"format": "google-gemini-v1", "id": None}
    entries = [summary, *o.OURS]
    return o.two_steps(entries, entries, made=("ls", "cat"))


def litellm(*, in_id: bool) -> Exchanges:
    m = litellm_cases
    if not in_id:
        return m.two_steps(m.calls(m.a_call("ls", m.S1)), None)
    sent = m.calls(m.a_call("ls", None, m.LONG))
    return m.two_steps(sent, None, brought=m.LS_WITH_ID, answers=m.LONG)


SESSIONS = {
    "gemini on AI Studio": gemini(gemini_cases.STUDIO),
    "gemini on Vertex": gemini(gemini_cases.VERTEX),
    "copilot, text and calls": copilot("Let me look.", "read_file", "list_dir"),
    "copilot, a call": copilot(None, "read_file"),
    "openrouter": openrouter(),
    "litellm, in the field": litellm(in_id=False),
    "litellm, in the id": litellm(in_id=True),
}


def status_of(exchanges: Any) -> int | None:
    """What the simulator would answer to the last request."""
    steps = [Step(number=n, id=str(n), exchange=e) for n, e in enumerate(exchanges, 1)]
    document = Document(Session(id="test", steps=steps))
    reading = document.reading(len(steps))
    assert reading.exchange.request is not None
    config = config_for(document, reading)
    found = predict(config, reading.exchange.request, default_path(reading))
    return found.status if found else None


def spoilt(exchanges: Exchanges) -> list[tuple[Ready, list[Exchange]]]:
    found = bench(exchanges)
    context = Context(
        reading=found.readings[-1],
        ledger=found.ledger,
        readings={reading.number: reading for reading in found.readings},
    )
    return [
        (ready, mended(exchanges, len(exchanges), edits))
        for ready, edits in applicable(context)
    ]


each_session = pytest.mark.parametrize("name", SESSIONS)


@each_session
def test_what_the_simulator_takes_as_it_is_no_rule_minds(name: str) -> None:
    exchanges = SESSIONS[name]
    assert status_of(exchanges) == 200
    assert bench(exchanges).findings(len(exchanges)) == []


@each_session
def test_what_the_simulator_refuses_a_rule_names_and_mends(name: str) -> None:
    last = len(SESSIONS[name])
    silent, wrong, unmended = [], [], []
    for ready, exchanges in spoilt(SESSIONS[name]):
        findings = bench(exchanges).findings(last)
        serious = [finding for finding in findings if finding.severity in SERIOUS]
        status = status_of(exchanges)
        if status != 200 and not serious:
            silent.append(ready.name)
        if status == 200 and any(f.severity is Severity.ERROR for f in serious):
            wrong.append(ready.name)
        edits = [edit for finding in findings for edit in finding.fix or ()]
        if status_of(mended(exchanges, last, edits)) != 200:
            unmended.append(ready.name)
    assert (silent, wrong, unmended) == ([], [], [])
