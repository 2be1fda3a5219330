"""What requests of the Responses API did with reasoning items."""

from __future__ import annotations

from typing import Any

import pytest
from tests.builders import exchange, read
from tests.unit.dialects.test_responses import (
    CALL,
    EARLY,
    FINAL,
    LAST,
    SAID,
    URL,
    USER,
    reasoning,
    response,
    sse,
    stream,
)

from sigscope.exchange import Exchange
from sigscope.ledger import Ledger, build_ledger
from sigscope.ledger.lanes import ConversationLane

Json = Any
RESULT = {"type": "function_call_output", "call_id": "call_1", "output": "Hello"}
ANSWER = response({**SAID, "id": "msg_2"}, id="resp_2")
ENDED = {**SAID, "id": "msg_2"}


def signature(number: int) -> str:
    return f"{LAST[:20]}{number:04}{LAST[24:]}"


def first(blob: str = LAST, **asked: Json) -> Exchange:
    return exchange(
        "responses", {"model": "gpt-5", "input": [USER], **asked},
        sse(stream(blob=blob)), url=URL, content_type="text/event-stream",
    )  # fmt: skip


def second(*items: Json, status: int = 200, answer: Json = ANSWER,
           **more: Json) -> Exchange:  # fmt: skip
    asked = {"model": "gpt-5", "input": [USER, *items, RESULT], **more}
    return exchange("responses", asked, answer, url=URL, status=status)


def ledger(*exchanges: Exchange) -> Ledger:
    return build_ledger(read(exchanges))


def fates(found: Ledger) -> dict[str, list[tuple[int, str, str]]]:
    names = {EARLY: "early", FINAL: "final", LAST: "last"}
    return {
        names.get(s.value, "?"): [(f.step, str(f.fate), str(f.grade)) for f in s.fates]
        for s in found.signatures
    }


REFUSED: Json = {"error": {"message": "no", "type": "invalid_request_error"}}


def test_the_blob_of_the_finished_item_comes_back_and_no_other_is_missed() -> None:
    assert fates(ledger(first(), second(reasoning(), SAID, CALL))) == {
        "early": [(2, "dropped", "superseded")],
        "final": [(2, "exact", "required")],
        "last": [(2, "dropped", "superseded")],
    }


def test_the_blob_of_the_last_event_is_as_good() -> None:
    found = fates(ledger(first(), second(reasoning(LAST), SAID, CALL)))
    assert found["last"][0][1] == "exact"
    assert found["final"] == [(2, "dropped", "superseded")]


def test_the_early_blob_is_no_replay_of_the_finished_one() -> None:
    sent = second(reasoning(EARLY), SAID, CALL, status=400, answer=REFUSED)
    found = fates(ledger(first(), sent))
    assert found["final"] == [(2, "dropped", "optional")]
    assert found["early"] == [(2, "exact", "superseded")]


def test_a_reasoning_item_is_missed_where_its_follower_keeps_its_id() -> None:
    sent = second(SAID, CALL, status=400, answer=REFUSED)
    assert fates(ledger(first(), sent))["final"] == [(2, "dropped", "required")]
    bare = [{k: v for k, v in item.items() if k != "id"} for item in (SAID, CALL)]
    sent = second(*bare, status=400, answer=REFUSED)
    assert fates(ledger(first(), sent))["final"] == [(2, "dropped", "optional")]


def test_an_altered_blob_is_altered_and_a_cut_one_cut() -> None:
    sent = second(reasoning(FINAL[:-8] + "AAAAAAA="), SAID, CALL)
    assert fates(ledger(first(), sent))["final"][0][1] == "altered"
    sent = second(reasoning(FINAL[:40]), SAID, CALL)
    assert fates(ledger(first(), sent))["final"][0][1] == "cut"


def test_what_is_moved_onto_the_message_is_not_where_it_belongs() -> None:
    sent = second({**SAID, "encrypted_content": FINAL}, CALL)
    assert fates(ledger(first(), sent))["final"][0][1] == "moved"


def test_an_id_alone_is_enough_where_the_answer_is_stored() -> None:
    bare = {"type": "reasoning", "id": "rs_1", "summary": []}
    kept = fates(ledger(first(store=True), second(bare, SAID, CALL)))
    assert kept["final"] == [(2, "stored", "not applicable")]
    gone = fates(ledger(first(store=False), second(bare, SAID, CALL)))
    assert gone["final"][0][1] == "dropped"


def go_on(name: str, number: int, **more: Json) -> Exchange:
    asked = {"model": "gpt-5", "input": [RESULT], "previous_response_id": name}
    said = {**SAID, "id": f"msg_{number}"}
    return exchange(
        "responses", asked, response(said, id=f"resp_{number}", **more), url=URL
    )


def test_a_chain_is_followed_and_what_the_service_keeps_is_not_lost() -> None:
    found = ledger(first(), go_on("resp_1", 2), go_on("resp_2", 3))
    assert [thread.steps for thread in found.threads] == [(1, 2, 3)]
    assert fates(found)["final"] == [
        (2, "stored", "not applicable"), (3, "stored", "not applicable"),
    ]  # fmt: skip
    note = found.signatures[1].fates[1].note
    assert note == "the service keeps it: the request goes on from resp_2"


def long_chain(steps: int) -> list[Exchange]:
    """Each request goes on from the answer before; each third one is refused once."""
    made = [first(store=True)]
    for number in range(2, steps + 1):
        named = {"previous_response_id": f"resp_{number - 1}", "store": True}
        asked = {"model": "gpt-5", "input": [RESULT], **named}
        if number == 2:
            asked["previous_response_id"] = response()["id"]
        if number % 3 == 0:
            made.append(exchange("responses", asked, REFUSED, url=URL, status=429))
        item = {**reasoning(signature(number)), "id": f"rs_{number}"}
        call = {**CALL, "id": f"fc_{number}", "call_id": f"call_{number}"}
        told = response(item, call, id=f"resp_{number}")
        made.append(exchange("responses", asked, told, url=URL))
    return made


def test_of_a_long_chain_only_what_is_new_is_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    noted: list[object] = []
    note = ConversationLane.note

    def counted(self: ConversationLane, *args: Any, **told: Any) -> None:
        noted.append(args)
        note(self, *args, **told)

    monkeypatch.setattr(ConversationLane, "note", counted)
    found = ledger(*long_chain(30))
    assert len(noted) < 4 * 40
    assert max(len(one.stretches) for one in found.signatures) < 25


def test_what_is_said_of_a_chain_names_the_answer_that_each_step_goes_on_from() -> None:
    found = ledger(*long_chain(7))
    (second,) = (s for s in found.signatures if s.value == signature(2))
    told = [(fate.step, str(fate.fate), fate.note[-6:]) for fate in second.fates]
    assert told == [
        (3, "stored", "resp_2"),
        (4, "stored", "resp_2"),
        (5, "stored", "resp_3"),
        (6, "stored", "resp_4"),
        (7, "stored", "resp_5"),
        (8, "stored", "resp_5"),
        (9, "stored", "resp_6"),
    ]
    worded = [([*part.steps], part.fate.note[-6:]) for part in second.worded]
    assert [step for steps, _ in worded for step in steps] == [*range(3, 10)]
    assert {note: steps[0] for steps, note in reversed(worded)} == {
        "resp_2": 3, "resp_3": 5, "resp_4": 6, "resp_5": 7, "resp_6": 9,
    }  # fmt: skip
    for step, _, note in told:
        fate = second.fate_in(step)
        assert fate is not None
        assert (fate.step, fate.note[-6:]) == (step, note)


def test_a_conversation_that_the_service_keeps_is_followed_too() -> None:
    begun = first(conversation="conv_1")
    on = exchange(
        "responses",
        {"model": "gpt-5", "input": [RESULT], "conversation": {"id": "conv_1"}},
        response({**SAID, "id": "msg_2"}, id="resp_2"),
        url=URL,
    )
    other = exchange(
        "responses",
        {"model": "gpt-5", "input": [USER], "conversation": "conv_2"},
        response({**SAID, "id": "msg_3"}, id="resp_3"),
        url=URL,
    )
    found = ledger(begun, on, other)
    assert [thread.steps for thread in found.threads] == [(1, 2), (3,)]
    assert fates(found)["final"] == [(2, "stored", "not applicable")]


def test_an_answer_that_nobody_keeps_is_not_called_stored() -> None:
    lost = {"error": {"code": "previous_response_not_found", "message": "no"}}
    asked = {"model": "gpt-5", "input": [RESULT], "previous_response_id": "resp_1"}
    events = stream()
    events[-1]["response"]["store"] = False
    begun = exchange("responses", {"input": [USER]}, sse(events), url=URL,
                     content_type="text/event-stream")  # fmt: skip
    refused = exchange("responses", asked, lost, url=URL, status=400)
    assert fates(ledger(begun, refused))["final"] == [(2, "dropped", "not applicable")]


def test_a_chain_that_names_an_answer_from_before_stands_alone() -> None:
    found = ledger(first(), go_on("resp_0", 2))
    assert [thread.steps for thread in found.threads] == [(1,), (2,)]


def test_pieces_of_an_answer_are_found_each_for_itself() -> None:
    readings = read([first(), second(reasoning(), SAID, CALL)])
    (link,) = build_ledger(readings).links[2]
    assert link.messages == (1, 2, 3)
