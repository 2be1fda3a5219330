"""What is a disagreement, and what is taken out before it is shown to strangers."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from sigscope.engine.engine import Engine
from sigscope.engine.sessions.calibration import calibrate, disagreement, is_live
from sigscope.engine.sessions.document import Document
from sigscope.exchange import Body, Exchange, Request, Response
from sigscope.runs import RulesVoice, Run, Verdict

SESSION = Path(__file__).parents[3] / "sessions/zed-copilot-attempt-1.session.jsonl"
LIVE = "https://acme.openai.azure.com/openai/v1/chat/completions?key=1&api-version=2"


def run(document: Document, **changed: object) -> Run:
    request = document.request(2)
    found = Run(
        number=1,
        step=2,
        upstream=LIVE,
        exchange=Exchange(
            request=replace(request, url=LIVE),
            response=Response(status=400, body=Body(b"{}")),
        ),
        predicted=200,
        contradiction="the simulator foretold 200, the service answered 400",
        status=400,
        verdict=Verdict.DIFFERENT,
        at="2026-01-01T00:00:00Z",
    )
    return replace(found, **changed)  # type: ignore[arg-type]


def opened() -> Document:
    return Engine().open(SESSION)


def with_run(made: Run) -> Document:
    document = opened()
    document.session.runs.append(made)
    return document


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({}, "the simulator foretold 200; 400 came"),
        ({"contradiction": ""}, ""),
        ({"verdict": Verdict.UNCLEAR}, ""),
        (
            {"contradiction": "", "rules": RulesVoice(says="accepts")},
            "the rules find nothing against it; 400 came",
        ),
        ({"contradiction": "", "rules": RulesVoice(says="warns")}, ""),
    ],
    ids=["simulator", "as foretold", "no evidence", "rules", "a doubt"],
)
def test_only_an_answer_that_tells_something_disagrees(
    changed: dict[str, object], said: str
) -> None:
    assert disagreement(run(opened(), **changed)) == said


def test_a_simulator_is_no_judge() -> None:
    made = run(opened())
    assert is_live(made)
    assert not is_live(replace(made, upstream="simulator"))
    response = Response(status=400, headers=(("x-sigscope-simulator", "1"),))
    other = replace(made.exchange, response=response)
    assert not is_live(replace(made, exchange=other))


def test_hosts_of_somebodys_own_and_keys_in_urls_are_taken_out() -> None:
    found = calibrate([("mine", with_run(run(opened())))])
    assert found.session is not None
    (made,) = found.session.runs
    assert made.upstream == (
        "https://x.openai.azure.com/openai/v1/chat/completions?api-version=2"
    )
    assert found.removed["host, project or query of a URL"]


def test_ids_of_users_are_taken_out_and_the_rest_is_spelled_as_it_was() -> None:
    made = run(opened())
    request = made.exchange.request
    assert request is not None
    body = b'{"user": "u-123",  "model":"m", "n":1.50}'
    sent = Request(url=LIVE, body=Body(body))
    found = calibrate(
        [("a", with_run(replace(made, exchange=replace(made.exchange, request=sent))))]
    )
    assert found.session is not None
    shown = found.session.runs[0].exchange.request
    assert shown is not None
    assert b"u-123" not in shown.body.raw
    assert b'"n":1.50' in shown.body.raw
    assert json.loads(shown.body.raw) == {"model": "m", "n": 1.5}


def test_steps_after_the_run_stay_behind_and_a_run_counts_once() -> None:
    document = with_run(replace(run(opened()), step=1))
    found = calibrate([("a", document), ("again", document)])
    assert found.session is not None
    assert [step.number for step in found.session.steps] == [1]
    assert len(found.cases) == 1
    assert found.session.story == ""
    assert found.session.notes == []


def test_a_run_brings_those_along_that_it_was_made_from() -> None:
    document = opened()
    first = run(document, contradiction="")
    document.session.runs += [first, replace(first, number=2), replace(first, number=3)]
    at = "2026-01-01T00:00:04Z"
    document.session.runs.append(run(document, number=4, parent=2, at=at))
    found = calibrate([("mine", document)])
    assert found.session is not None
    assert [(made.number, made.parent) for made in found.session.runs] == [
        (1, None),
        (2, 1),
    ]
