"""What a recording tells the simulator that stands in for its service."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests import builders as b

from sigscope.engine.sending.simulation import config_for
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
