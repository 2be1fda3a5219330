"""The proxy as the real 1.106.2 is, cell by cell; `make test-peers` measures it."""

from __future__ import annotations

import json
from itertools import product
from typing import Any

import pytest
from tests.each import each
from tests.unit.simulator import litellm_cells as cells

from sigscope.upstreams.simulator import Anchor, Judgement, SimConfig, judge

REAL: dict[str, Any] = json.loads(cells.MEASURED.read_text())
CONFIG = SimConfig(
    dialect="litellm",
    genuine={cells.FIRST: Anchor(), cells.SECOND: Anchor()},
    litellm_version="1.106.2",
)
each_way = pytest.mark.parametrize("stream", [False, True], ids=["json", "stream"])


def judged(body: Any, config: SimConfig = CONFIG) -> Judgement:
    found = judge(config, "/v1/chat/completions", json.dumps(body).encode())
    assert found is not None
    return found


def test_every_cell_was_measured() -> None:
    named = [f"{model}: {name}" for model in cells.MODELS for name in cells.CELLS]
    assert list(REAL["cells"]) == named


@each(product(REAL["cells"], [False, True]))
def test_what_goes_upstream_is_what_the_real_proxy_sends(row: tuple[str, bool]) -> None:
    """Each cell, as JSON and as a stream."""
    cell, stream = row
    model, name = cell.split(": ", 1)
    verdict = judged(cells.body_of(name, model, stream=stream))
    if "failure" in REAL["cells"][cell]:
        assert [verdict.status, verdict.body] == REAL["cells"][cell]["failure"]
    else:
        assert verdict.upstream == REAL["cells"][cell]


@each_way
@pytest.mark.parametrize("model", cells.MODELS)
def test_googles_refusal_is_wrapped_as_the_real_proxy_wraps_it(
    model: str, stream: bool
) -> None:
    """Its words aside: the real one was refused in others than this request is."""
    verdict = judged(cells.body_of("call, not base64", model, stream=stream))
    way = "stream" if stream else "json"
    status, body = REAL["refusals"][f"{model}: {way}"]
    assert verdict.error is not None
    words = json.dumps(verdict.error)[1:-1]
    said = repr(words)[1:-1] if stream else words
    message = body["error"]["message"].replace("Corrupted thought signature.", said)
    assert (verdict.status, verdict.body) == (
        status,
        {"error": body["error"] | {"message": message}},
    )


@pytest.mark.parametrize("cell", ["call, number", "list, number"])
@pytest.mark.parametrize("model", cells.MODELS)
def test_google_refuses_a_number_that_the_proxy_hands_on(cell: str, model: str) -> None:
    verdict = judged(cells.body_of(cell, model, stream=False))
    assert verdict.status == 400
    assert "(TYPE_BYTES), 7" in str(verdict.error)


def test_twins_for_gemini_2_5_end_in_two_results_for_one_call() -> None:
    verdict = judged(cells.body_of("twins", "gemini-2.5-pro", stream=False))
    assert "number of function response parts" in str(verdict.error)


@pytest.mark.parametrize(
    ("version", "upstream"),
    [("1.90.0", "Vertex_ai_betaException BadRequestError - b'"), ("1.106.2", "b'{")],
)
def test_older_proxies_wrap_otherwise(version: str, upstream: str) -> None:
    config = SimConfig(dialect="litellm", litellm_version=version)
    body = cells.body_of("call, not base64", "gemini-3-pro-preview", stream=True)
    error = judged(body, config).body["error"]
    assert upstream in error["message"]
    assert error["type"] == (None if version == "1.90.0" else "invalid_request_error")


@pytest.mark.parametrize(
    ("stream", "said"),
    [
        (False, "litellm.BadRequestError: Vertex_aiException BadRequestError - {"),
        (True, "b'{"),
    ],
)
def test_vertex_is_named_as_the_real_proxy_names_it(stream: bool, said: str) -> None:
    """Measured with a service account of our own on loopback."""
    config = SimConfig(dialect="litellm", surface="vertex")
    body = cells.body_of("call, not base64", "gemini-3-pro-preview", stream=stream)
    assert judged(body, config).body["error"]["message"].startswith(said)
