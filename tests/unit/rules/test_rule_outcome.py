"""Messages never contradict the record: each claim depends on what was recorded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from tests import builders as b
from tests.unit.rules.cases import Bad, Bench, Good, bench
from tests.unit.rules.gemini_cases import HI, ask, refused
from tests.unit.rules.test_rule_cases import BAD, GOOD

from sigscope.exchange import Body, Exchange, Response
from sigscope.rules.outcome import Outcome, all_the_same, goes_on, outcome_of

SAYS_ACCEPTED = (
    r"accepted (it|the request)|was accepted by|request pass(es|ed)"
    r"|under status 2\d\d"
)
SAYS_REFUSED = r"was refused|refused this|refused all the same|refuses"
SAYS_CERTAIN = r"cannot verify|the request passes"

FORBIDDEN = {
    "a status of success": rf"{SAYS_REFUSED}|{SAYS_CERTAIN}|no status was recorded",
    "a refusal": SAYS_ACCEPTED + r"|the model (continues|started)",
    "a rate limit": SAYS_ACCEPTED + r"|the model (continues|started)|refused all",
    "an answer without a status": rf"{SAYS_ACCEPTED}|{SAYS_REFUSED}|{SAYS_CERTAIN}",
    "no answer": SAYS_ACCEPTED + rf"|{SAYS_REFUSED}|the model (continues|started)",
}
"""What the record holds of a step, and the words that would contradict it."""

LIMIT = Response(
    status=429,
    headers=(("content-type", "application/json"),),
    body=Body(b'{"error": {"message": "Slow down, please", "code": 429}}'),
)
ODD = Response(
    status=400,
    headers=(("content-type", "application/json"),),
    body=Body(b'{"error": {"message": "Nobody knows this sentence"}}'),
)


def answered(case: Bad | Good, record: str) -> list[Exchange] | None:
    """The case's exchanges, its last step with this record; None where it has no
    answer to take."""
    found = list(case.exchanges)
    step = case.step - 1 if isinstance(case, Bad) else len(found) - 1
    good = found[0].response
    if good is None or good.status != 200:
        return None
    response: Response | None = {
        "a status of success": good,
        "a refusal": ODD,
        "a rate limit": LIMIT,
        "an answer without a status": replace(good, status=None),
        "no answer": None,
    }[record]
    found[step] = replace(found[step], response=response)
    return found


def messages(found: Bench, step: int) -> Iterator[tuple[str, str]]:
    for finding in found.findings(step):
        if not finding.is_echo and not finding.in_response:
            yield finding.rule, finding.message
    for signature in found.ledger.signatures:
        fate = signature.fate_in(step)
        if fate is not None:
            yield "ledger", fate.note


@pytest.mark.slow
@pytest.mark.parametrize("record", FORBIDDEN)
def test_no_message_contradicts_the_record(record: str) -> None:
    wrong, looked_at = [], 0
    for case in (*BAD, *GOOD):
        exchanges = answered(case, record)
        if exchanges is None:
            continue
        step = case.step if isinstance(case, Bad) else len(exchanges)
        for rule, message in messages(bench(exchanges), step):
            looked_at += 1
            if re.search(FORBIDDEN[record], message):
                wrong.append((case.id, rule, message))
    assert looked_at > 50
    assert wrong == []


@pytest.mark.parametrize(
    ("answer", "status", "outcome"),
    [
        ({"candidates": [{"content": {"parts": [{"text": "a"}]}}]}, 200, "accepted"),
        ({"candidates": [{"content": {"parts": [{"text": "a"}]}}]}, None, "answered"),
        (refused("No."), 400, "refused"),
        (refused("No."), 200, "refused"),
        (refused("Thought signature is not valid"), 500, "refused"),
        ({"error": {"message": "slow down"}}, 429, "unknown"),
        ({"error": {"message": "who are you"}}, 401, "unknown"),
        ({"error": {"message": "at lunch"}}, 503, "unknown"),
        (None, 200, "unknown"),
    ],
)
def test_the_record_decides_how_a_request_fared(
    answer: Any, status: Any, outcome: str
) -> None:
    subject = bench([ask([HI], answer, status=status)]).subject(1)
    assert outcome_of(subject) is Outcome(outcome)
    assert ("accepted" in all_the_same(subject)) == (outcome == "accepted")
    goes = outcome in ("accepted", "answered")
    assert ("would" not in goes_on(subject)) == goes


def test_a_signature_inside_a_longer_value_is_not_called_unread() -> None:
    """Two envelopes of one response, joined in the very field that Copilot reads."""
    deltas = [
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"index": 0, **b.chat_calls(b.LS)[0]}],
            "reasoning_opaque": b.OPAQUE,
        },
        {"reasoning_opaque": b.OPAQUE_B},
    ]
    stream = b.sse(
        *({"choices": [{"index": 0, "delta": delta}]} for delta in deltas), "[DONE]"
    )
    joined = b.copilot(b.LS, opaque=b.OPAQUE + b.OPAQUE_B)
    found = bench(
        [
            b.exchange(
                "copilot-chat",
                b.request_body("copilot-chat", [b.user()]),
                stream,
                content_type="text/event-stream",
            ),
            b.exchange(
                "copilot-chat",
                b.request_body("copilot-chat", [b.user(), joined, b.result(b.LS)]),
                {"error": {"message": "no", "code": "invalid_request_body"}},
                status=400,
            ),
        ]
    )
    told = [message for _, message in messages(found, 2)]
    assert any(
        "inside the longer value of /messages/1/reasoning_opaque" in said
        for said in told
    )
    assert not any("not read" in said for said in told)


def _of_model(exchange: Exchange, name: str) -> Exchange:
    assert exchange.request is not None
    assert exchange.response is not None

    def renamed(body: Body) -> Body:
        return Body(body.raw.replace(b.MODELS["litellm"].encode(), name.encode()))

    return replace(
        exchange,
        request=replace(exchange.request, body=renamed(exchange.request.body)),
        response=replace(exchange.response, body=renamed(exchange.response.body)),
    )


@pytest.mark.parametrize(
    ("model", "stamped"),
    [
        ("gemini/gemini-2.5-flash", False),
        ("vertex_ai/gemini-2.5-pro", False),
        ("gemini/gemini-3-pro-preview", True),
        ("house-model", True),
    ],
)
def test_a_stand_in_of_the_proxy_is_told_only_where_it_puts_one(
    model: str, stamped: bool
) -> None:
    """LiteLLM signs unsigned calls for Gemini 3 and for names of its own, and leaves
    those to older models bare (BerriAI/litellm 1.106.2, executed)."""
    reply = {
        **b.copilot(b.LS, opaque=None, thought=None),
        "tool_calls": [
            {
                **b.chat_calls(b.LS)[0],
                "provider_specific_fields": {"thought_signature": b.SIG},
            }
        ],
    }
    bare = {**reply, "tool_calls": b.chat_calls(b.LS)}
    name = model.rpartition("/")[2]
    steps = b.record(
        "litellm",
        [b.user(), reply, b.result(b.LS)],
        sent=[b.user(), bare, b.result(b.LS)],
    )
    found = bench([_of_model(reading.exchange, name) for reading in steps])
    told = [message for _, message in messages(found, len(steps))]
    assert told
    assert any("bypass of its own" in said for said in told) == stamped
    assert any("stamps a bypass" in said for said in told) == stamped
