"""Which reply a message of a request is, where agents do the same again."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests import builders as b

from sigscope.exchange import Exchange
from sigscope.ledger import Fate, build_ledger
from sigscope.rules.runner import check_session

Json = Any
CALLS = [(f"call_{number}", "list_files", {}) for number in range(4)]
MAKERS = {
    "copilot-chat": (b.copilot, b.result),
    "openrouter": (b.openrouter, b.result),
    "gemini": (b.gemini, b.answers),
    "anthropic": (b.claude, b.tool_results),
}


def turn(dialect: str, number: int) -> list[Json]:
    """A call that all turns make, signed by its own signature; and its result."""
    answer, result = MAKERS[dialect]
    text = json.dumps(answer(CALLS[number]))
    for value in (b.OPAQUE, b.SIG, b.SIG_CL):
        text = text.replace(value, f"{value[:20]}{number:04}{value[24:]}")
    return [json.loads(text), result(CALLS[number])]


def asked(dialect: str, history: list[Json], reply: Json) -> Exchange:
    request = b.request_body(dialect, history)
    return b.exchange(dialect, request, b.response_body(dialect, reply))


def without_ids(history: list[Json]) -> list[Json]:
    """As Gemini's API had it at first."""
    text = json.dumps(history)
    for call_id, *_ in CALLS:
        text = text.replace(f'"id": "{call_id}", ', "")
    found: list[Json] = json.loads(text)
    return found


@pytest.mark.parametrize(
    ("dialect", "has_ids"), [*((name, True) for name in MAKERS), ("gemini", False)]
)
def test_what_stood_in_a_request_is_no_reply_to_it(dialect: str, has_ids: bool) -> None:
    """The recording begins within a conversation, whose beginning goes on changing."""
    first = b.ask if dialect == "gemini" else b.user
    old, new = turn(dialect, 1), turn(dialect, 2)
    if not has_ids:
        old, new = without_ids(old), without_ids(new)
    readings = b.read(
        [
            asked(dialect, [first("At noon."), *old], new[0]),
            asked(dialect, [first("At one."), *old, *new], turn(dialect, 3)[0]),
        ]
    )
    ledger = build_ledger(readings)
    assert [(link.step, link.messages) for link in ledger.links[2]] == [(1, (3,))]
    fates = {(fate.step, fate.fate) for s in ledger.signatures for fate in s.fates}
    assert fates == {(1, Fate.EARLIER), (2, Fate.EARLIER), (2, Fate.EXACT)}
    assert check_session(readings, ledger, {}) == ()


def test_of_one_id_for_all_the_second_is_the_second() -> None:
    """A client that writes its own ids and loses the signatures."""
    plain = json.dumps([*turn("copilot-chat", 1), *turn("copilot-chat", 2)])
    plain = plain.replace("call_1", "call").replace("call_2", "call")
    lost = [
        {key: value for key, value in message.items() if key != "reasoning_opaque"}
        for message in json.loads(plain)
    ]
    histories = [[], lost[:2], lost]
    readings = b.read(
        asked("copilot-chat", [b.user(f"{n}"), *history], turn("copilot-chat", n)[0])
        for n, history in enumerate(histories, start=1)
    )
    links = build_ledger(readings).links[3]
    assert [(link.step, link.messages) for link in links] == [(1, (1,)), (2, (3,))]


def test_of_calls_without_ids_each_is_the_reply_in_whose_place_it_stands() -> None:
    """A client that loses the signatures of an agent that does the same again."""
    call = {"functionCall": {"name": "ls", "args": {}}}
    signed = [{**call, "thoughtSignature": value * 30} for value in ("AAAA", "BBBB")]
    back = [
        {"role": "model", "parts": [call]},
        {"role": "user", "parts": [{"functionResponse": {"name": "ls"}}]},
    ]
    histories = [[], back, [*back, *back]]
    readings = b.read(
        asked("gemini", [b.says(b.text_part("Look")), *history], b.says(part))
        for history, part in zip(histories, [*signed, signed[0]], strict=True)
    )
    links = build_ledger(readings).links[3]
    assert [(link.step, link.messages) for link in links] == [(1, (1,)), (2, (3,))]


@pytest.mark.parametrize("dialect", ["copilot-chat", "openrouter"])
def test_a_call_that_was_made_again_is_no_part_of_the_reply_that_made_it_first(
    dialect: str,
) -> None:
    """The answer in between is not in the recording."""
    again = json.loads(json.dumps(turn(dialect, 1)).replace("call_1", "call_9"))
    for name in ("reasoning_opaque", "reasoning_details"):
        again[0].pop(name, None)
    done = {"role": "assistant", "content": "There is an a.md, as I said."}
    history = [*turn(dialect, 1), done, b.user("2")]
    readings = b.read(
        [
            asked(dialect, [b.user("1")], turn(dialect, 1)[0]),
            asked(dialect, [b.user("1"), *turn(dialect, 1)], done),
            asked(dialect, [b.user("1"), *history, *again], done),
        ]
    )
    ledger = build_ledger(readings)
    held = [(link.step, link.messages) for link in ledger.links[3]]
    assert held == [(1, (1,)), (2, (3,))]
    assert [thread.steps for thread in ledger.threads] == [(1, 2, 3)]
