"""When Claude insists on its thinking: the open turn, a budget, calls."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from tests import builders as b

from sigscope.exchange import Exchange
from sigscope.ledger import build_ledger
from sigscope.ledger.records import Fate, FateAt

Json = Any
LOOP = [b.user(), b.claude(b.LS), b.tool_results(b.LS)]
REDACTED = [
    b.user(),
    b.blocks(b.redacted(), b.thinking(), b.tool_use(b.LS)),
    b.tool_results(b.LS),
]


def steps(
    history: list[Json], sent: list[Json], *, status: int = 400, **more: Json
) -> list[Exchange]:
    reply = next(message for message in history if b.is_reply(message))
    before = history[: history.index(reply)]
    first = b.exchange(
        "anthropic",
        b.request_body("anthropic", before),
        b.response_body("anthropic", reply),
    )
    body = {**b.request_body("anthropic", sent), **more}
    refused = {"type": "error", "error": {"type": "api_error", "message": "down"}}
    return [first, b.exchange("anthropic", body, refused, status=status)]


def fates(history: list[Json], sent: list[Json], **more: Json) -> list[FateAt]:
    ledger = build_ledger(b.read(steps(history, sent, **more)))
    found = [signature.fate_in(2) for signature in ledger.signatures]
    return [fate for fate in found if fate is not None]


def without(history: list[Json], *kinds: str) -> list[Json]:
    sent = copy.deepcopy(history)
    for message in sent:
        if message["role"] == "assistant":
            message["content"] = [
                block for block in message["content"] if block["type"] not in kinds
            ]
    return sent


def test_what_is_sent_as_it_came_is_exact() -> None:
    assert [f.fate for f in fates(LOOP, LOOP)] == [Fate.EXACT]
    assert [f.fate for f in fates(REDACTED, REDACTED)] == [Fate.EXACT, Fate.EXACT]


def test_inside_a_tool_loop_with_a_budget_it_is_required() -> None:
    (fate,) = fates(LOOP, without(LOOP, "thinking"))
    assert (fate.fate, fate.grade.value) == (Fate.DROPPED, "required")
    assert fate.is_lost


def test_sealed_blocks_are_as_dear_as_readable_ones() -> None:
    sealed, signed = fates(REDACTED, without(REDACTED, "redacted_thinking"))
    assert (sealed.fate, sealed.is_lost) == (Fate.DROPPED, True)
    assert signed.fate is Fate.EXACT


@pytest.mark.parametrize(
    "thinking", [None, {"type": "disabled"}, {"type": "adaptive"}, "odd"]
)
def test_without_a_budget_nothing_insists(thinking: Json) -> None:
    (fate,) = fates(LOOP, without(LOOP, "thinking"), thinking=thinking)
    assert (fate.fate, fate.grade.value) == (Fate.DROPPED, "optional")


def test_a_closed_turn_may_go_without() -> None:
    history = [*LOOP, b.blocks({"type": "text", "text": "Empty."}), b.user("And now?")]
    (fate,) = fates(LOOP, without(history, "thinking"))
    assert (fate.grade.value, fate.note) == ("optional", "its turn is over")


def test_an_answer_without_calls_may_go_without() -> None:
    answer = b.blocks(b.thinking(), {"type": "text", "text": "There is nothing in it."})
    history = [b.user(), answer, b.user("And now?")]
    (fate,) = fates(history, without(history, "thinking"))
    assert (fate.fate, fate.grade.value) == (Fate.DROPPED, "optional")


def test_what_the_service_took_it_did_not_insist_on() -> None:
    readings = b.record("anthropic", LOOP, sent=without(LOOP, "thinking"))
    (signature,) = build_ledger(readings).signatures
    fate = signature.fate_in(2)
    assert fate is not None
    assert (fate.grade.value, fate.is_lost) == ("optional", False)


def test_blocks_of_two_steps_of_a_turn_are_told_apart() -> None:
    second = b.claude(b.READ, signature=b.SIG_CL_B)
    history = [*LOOP, second, b.tool_results(b.READ)]
    swapped = copy.deepcopy(history)
    first_block, second_block = swapped[1]["content"][0], swapped[3]["content"][0]
    first_block["signature"], second_block["signature"] = b.SIG_CL_B, b.SIG_CL
    readings = b.record("anthropic", history, sent=swapped)
    notes = [s.fate_in(3) for s in build_ledger(readings).signatures]
    assert [note.fate for note in notes if note] == [Fate.MOVED, Fate.MOVED]


def test_a_signature_is_altered_or_cut_wherever_it_is_damaged() -> None:
    for value, fate in ((b.SIG_CL[:-9], Fate.CUT), (f"X{b.SIG_CL[1:]}", Fate.ALTERED)):
        sent = json.loads(json.dumps(LOOP).replace(b.SIG_CL, value))
        (found,) = fates(LOOP, sent)
        assert found.fate is fate
