"""What a recording tells the simulator that stands in for its service."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests import builders as b
from tests.unit.rules.anthropic_cases import (
    ADAPTIVE,
    BINDING,
    BOUND,
    REPLY,
    ask,
    assistant,
    events,
    refused,
    result,
    says,
    user,
    whole,
)

from sigscope.edits.apply import apply_to_request
from sigscope.engine.sending.simulation import config_for, predict
from sigscope.engine.sessions.document import Document
from sigscope.session import Session, Step
from sigscope.upstreams.simulator import SimConfig

TOLD = {
    "1.90.0": "1.90.0",
    "1.81.0-stable.1": "1.81.0",
    "nightly": "1.106.2",
    None: "1.106.2",
}


@pytest.mark.parametrize("told", TOLD)
def test_a_recorded_proxy_is_imitated_in_its_own_version(told: str | None) -> None:
    reading = b.record("litellm", [b.user(), b.litellm(b.LS), b.result(b.LS)])[-1]
    response = reading.exchange.response
    assert response is not None
    others = [line for line in response.headers if line[0] != "x-litellm-version"]
    headers = (*others, *([("x-litellm-version", told)] if told else []))
    exchange = replace(reading.exchange, response=replace(response, headers=headers))
    made = Document(Session(id="m", steps=[Step(number=1, id="1", exchange=exchange)]))
    config = config_for(made, made.reading(1), SimConfig(enforce="lenient"))
    assert config.litellm_version == TOLD[told]
    assert (config.dialect, config.enforce) == ("litellm", "lenient")


def clocked(answer: object, status: int) -> Document:
    """A session whose system prompt tells the time, with the second answer."""
    first = ask(
        [user()],
        events=events(*REPLY),
        thinking=ADAPTIVE,
        model=BINDING,
        more={"system": "It is 10:02."},
    )
    second = ask(
        [user(), assistant(*REPLY), user(result())],
        answer,
        status=status,
        thinking=ADAPTIVE,
        model=BINDING,
        more={"system": "It is 10:03."},
    )
    steps = [
        Step(number=number, id=str(number), exchange=exchange)
        for number, exchange in enumerate((first, second), start=1)
    ]
    return Document(Session(id="m", steps=steps))


def test_a_session_whose_account_is_bound_reproduces_it_and_confirms_the_fix() -> None:
    made = clocked(refused(BOUND), 400)
    config = config_for(made, made.reading(2))
    request = made.reading(2).exchange.request
    assert request is not None
    said = predict(config, request, "")
    assert said is not None
    assert (said.status, said.rule) == (400, "ANT-6")
    (finding,) = made.findings
    mended = predict(config, apply_to_request(finding.fix or (), request), "")
    assert mended is not None
    assert mended.status == 200


def test_a_session_whose_account_is_not_bound_is_not_refused() -> None:
    made = clocked(whole(says("Fine.")), 200)
    request = made.reading(2).exchange.request
    assert request is not None
    said = predict(config_for(made, made.reading(2)), request, "")
    assert said is not None
    assert said.status == 200
