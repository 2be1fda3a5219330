"""No rule fails, whatever stands where something else belongs."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.jsonplaces import places, with_value
from tests.unit.rules.cases import Bench, bench
from tests.unit.rules.tables import DIALECT_TABLES

from sigscope.conversation import Json
from sigscope.exchange import Body, Exchange

CASES = [case for table in DIALECT_TABLES for case in table.BAD]
ODD: list[Json] = [
    None,
    True,
    0,
    1e300,
    "",
    "x",
    "\ud800",
    [],
    {},
    [[]],
    [None],
    {"": []},
]


def failures(found: Bench) -> list[str]:
    return [f.message for f in found.all_findings() if "this rule failed" in f.message]


def broken_request(old: Exchange, draw: Any) -> Exchange:
    assert old.request is not None
    body = json.loads(old.request.body.raw)
    at = draw(st.sampled_from(list(places(body))))
    raw = json.dumps(with_value(body, at, draw(st.sampled_from(ODD)))).encode()
    return replace(old, request=replace(old.request, body=Body(raw)))


def broken_response(old: Exchange, draw: Any) -> Exchange:
    if old.response is None or not old.response.body.raw.startswith(b"{"):
        return old
    body = json.loads(old.response.body.raw)
    at = draw(st.sampled_from(list(places(body))))
    raw = json.dumps(with_value(body, at, draw(st.sampled_from(ODD)))).encode()
    return replace(old, response=replace(old.response, body=Body(raw)))


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_value_of_the_wrong_type_makes_no_rule_fail(data: Any) -> None:
    case = data.draw(st.sampled_from(CASES))
    exchanges = list(case.exchanges)
    number = data.draw(st.integers(0, len(exchanges) - 1))
    breaker = data.draw(st.sampled_from([broken_request, broken_response]))
    exchanges[number] = breaker(exchanges[number], data.draw)
    assert failures(bench(exchanges)) == []


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(CASES), st.integers(0, 400))
def test_a_torn_request_makes_no_rule_fail(case: Any, end: int) -> None:
    exchanges = list(case.exchanges)
    last = exchanges[-1]
    assert last.request is not None
    torn = replace(last.request, body=Body(last.request.body.raw[:end]))
    exchanges[-1] = replace(last, request=torn)
    assert failures(bench(exchanges)) == []


@pytest.mark.slow
def test_a_step_without_a_request_or_a_response_makes_no_rule_fail() -> None:
    for case in CASES:
        halves = [
            half
            for exchange in case.exchanges
            for half in (
                replace(exchange, request=None),
                replace(exchange, response=None),
            )
        ]
        assert failures(bench(halves)) == []
