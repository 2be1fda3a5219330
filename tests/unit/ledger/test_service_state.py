"""What is sealed on the Messages and the Responses API, and is no reasoning."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from tests.builders import blocks, exchange, request_body, response_body, sse

from sigscope.engine.sessions.document import Document
from sigscope.ledger import Grade
from sigscope.session import Session, Step

COMPACTED, ADVICE, OUTPUT, FOUND, PLACE, THOUGHT = (
    f"E{letter}" + letter * 58 for letter in "abcdef"
)
BLOCKS: list[dict[str, Any]] = [
    {"type": "compaction", "content": "So far.", "encrypted_content": COMPACTED},
    {"type": "thinking", "thinking": "I search.", "signature": THOUGHT},
    {
        "type": "advisor_tool_result",
        "tool_use_id": "srvtoolu_1",
        "content": {"type": "advisor_redacted_result", "encrypted_content": ADVICE},
    },
    {
        "type": "code_execution_tool_result",
        "tool_use_id": "srvtoolu_2",
        "content": {
            "type": "encrypted_code_execution_result",
            "content": [],
            "encrypted_stdout": OUTPUT,
            "return_code": 0,
            "stderr": "",
        },
    },
    {
        "type": "web_search_tool_result",
        "tool_use_id": "srvtoolu_3",
        "content": [
            {
                "type": "web_search_result",
                "url": "https://a.example",
                "title": "A",
                "encrypted_content": FOUND,
            }
        ],
    },
    {
        "type": "text",
        "text": "As A says.",
        "citations": [
            {
                "type": "web_search_result_location",
                "url": "https://a.example",
                "cited_text": "c",
                "encrypted_index": PLACE,
            }
        ],
    },
]
STATE = {COMPACTED, ADVICE, OUTPUT, FOUND}
"""A citation's place is none."""
ASKED = {"role": "user", "content": "hi"}


def without_state() -> list[dict[str, Any]]:
    kept = copy.deepcopy(BLOCKS)
    del kept[0]["encrypted_content"], kept[5]["citations"], kept[2:5]
    return kept


def events() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [
        {
            "type": "message_start",
            "message": {"id": "msg_1", "role": "assistant", "content": []},
        }
    ]
    for index, block in enumerate(BLOCKS):
        begun, pieces = block, []
        if block["type"] == "compaction":
            begun = {"type": "compaction", "content": None, "encrypted_content": None}
            pieces = [{**block, "type": "compaction_delta"}]
        elif block["type"] == "text":
            begun = {"type": "text", "text": "", "citations": []}
            cited = block["citations"][0]
            pieces = [{"type": "citations_delta", "citation": cited}]
        start = {"type": "content_block_start", "content_block": begun}
        told = [{"type": "content_block_delta", "delta": each} for each in pieces]
        found += [{**each, "index": index} for each in (start, *told)]
    return found


def document(back: list[dict[str, Any]], *, streams: bool = False) -> Document:
    """A first answer brings all, and a second request takes back this."""
    whole = response_body("anthropic", blocks(*BLOCKS))
    brought: Any = sse(*events()) if streams else whole
    sent = [ASKED, blocks(*back), ASKED]
    steps = [
        exchange("anthropic", request_body("anthropic", [ASKED]), brought),
        exchange(
            "anthropic",
            request_body("anthropic", sent),
            response_body("anthropic", blocks({"type": "text", "text": "Good."})),
        ),
    ]
    numbered = enumerate(steps, start=1)
    made = (Step(number=n, id=f"s{n}", exchange=each) for n, each in numbered)
    return Document(Session(id="x", steps=tuple(made)))


@pytest.mark.parametrize("streams", [False, True])
def test_it_is_followed_from_the_answer_to_the_next_request(streams: bool) -> None:
    found = document(BLOCKS, streams=streams)
    fates = {s.value: [f.fate.value for f in s.fates] for s in found.ledger.signatures}
    assert fates == {value: ["exact"] for value in (*STATE, THOUGHT)}
    assert not found.findings


@pytest.mark.parametrize("streams", [False, True])
def test_its_loss_is_told_and_no_rule_speaks_of_it(streams: bool) -> None:
    found = document(without_state(), streams=streams)
    lost = {s.value: s.fates for s in found.ledger.signatures if s.value != THOUGHT}
    assert lost.keys() == STATE
    for (fate,) in lost.values():
        assert fate.fate.value == "dropped"
        assert fate.grade is Grade.OPTIONAL
    assert not found.findings


def test_it_does_not_stand_in_for_thinking_that_is_missing() -> None:
    kept = [block for block in BLOCKS if block["type"] != "thinking"]
    assert not [f for f in document(kept).findings if f.severity.value == "error"]


def test_a_member_of_that_name_in_another_block_is_none() -> None:
    other = {"type": "text", "text": "t", "encrypted_content": "E" + "g" * 58}
    found = document([*BLOCKS, other])
    assert {s.value for s in found.ledger.signatures} == {*STATE, THOUGHT}


def told(*values: str) -> dict[str, Any]:
    """An item in which another agent says what only the service reads."""
    parts = [{"type": "encrypted_content", "encrypted_content": v} for v in values]
    return {"type": "agent_message", "id": "am_1", "content": parts}


@pytest.mark.parametrize("streams", [False, True])
def test_what_other_agents_say_is_followed_on_the_responses_api(streams: bool) -> None:
    head = {"object": "response", "id": "resp_1", "model": "gpt-x"}
    answer: Any = head | {"output": [told(ADVICE, OUTPUT)]}
    if streams:
        done = {"type": "response.output_item.done", "output_index": 0}
        end = {"type": "response.completed", "response": answer}
        answer = sse(done | {"item": told(ADVICE, OUTPUT)}, end)
    url = "https://api.openai.com/v1/responses"
    sent = ([ASKED], [ASKED, told(ADVICE), ASKED])
    answers = (answer, head | {"id": "resp_2", "output": []})
    pair = [
        exchange("", {"model": "gpt-x", "input": asked}, brought, url=url)
        for asked, brought in zip(sent, answers, strict=True)
    ]
    made = (Step(number=n, id=f"s{n}", exchange=e) for n, e in enumerate(pair, start=1))
    found = Document(Session(id="x", steps=tuple(made)))
    fates = {s.value: [f.fate.value for f in s.fates] for s in found.ledger.signatures}
    assert fates == {ADVICE: ["exact"], OUTPUT: ["dropped"]}
    assert not found.findings
