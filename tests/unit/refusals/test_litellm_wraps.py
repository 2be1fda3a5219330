"""What a real LiteLLM 1.106.2 made of Google's 400 is read through its wrapping."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.unit.simulator import litellm_cells as cells

from sigscope.dialects.registry import DIALECTS
from sigscope.exchange import Body, Exchange, Request, Response
from sigscope.reader import Reading
from sigscope.refusals import Refusal
from sigscope.refusals.reader import read_refusal

REAL: dict[str, Any] = json.loads(cells.MEASURED.read_text())
JSON = (("content-type", "application/json"),)
FAILED = [name for name, found in REAL["cells"].items() if "failure" in found]


def refusal(request: Any, status: int, answer: Any) -> tuple[Reading, Refusal]:
    """Read an answer of the proxy, whose headers the recording does not hold."""
    made = Exchange(
        request=Request(
            url="http://127.0.0.1:4000/v1/chat/completions",
            headers=JSON,
            body=Body(json.dumps(request).encode()),
        ),
        response=Response(
            status=status, headers=JSON, body=Body(json.dumps(answer).encode())
        ),
    )
    reading = Reading(made, number=1, dialects=DIALECTS)
    found = read_refusal(reading)
    assert found is not None
    return reading, found


@pytest.mark.parametrize("cell", REAL["refusals"])
def test_googles_words_are_found_in_json_and_in_bytes(cell: str) -> None:
    model, way = cell.split(": ")
    body = cells.body_of("call", model, stream=way == "stream")
    reading, found = refusal(body, *REAL["refusals"][cell])
    assert reading.dialect is not None
    assert reading.dialect.name == "litellm"
    assert (found.status, found.text) == (400, "Corrupted thought signature.")
    assert [match.rule for match in found.matches] == ["GEM-4"]


@pytest.mark.parametrize("cell", FAILED)
def test_the_proxys_own_failures_are_found(cell: str) -> None:
    model, name = cell.split(": ", 1)
    body = cells.body_of(name, model, stream=False)
    _, found = refusal(body, *REAL["cells"][cell]["failure"])
    is_unreadable = "Unable to convert" in found.text
    assert [match.rule for match in found.matches] == (
        [] if is_unreadable else ["LLM-3"]
    )
