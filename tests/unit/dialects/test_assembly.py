"""Streams put together: the body that an unstreamed call would have sent."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.builders import SIG, SIG_B

from sigscope.dialects.anthropic_stream import AnthropicAssembler
from sigscope.dialects.assembly import Assembler, Effect
from sigscope.dialects.chat_stream import ChatAssembler
from sigscope.dialects.copilot_chat import CopilotChat
from sigscope.dialects.gemini_stream import GeminiAssembler
from sigscope.dialects.litellm import LiteLLMAssembler
from sigscope.dialects.openrouter import OpenRouterAssembler
from sigscope.pointer import resolve

CopilotAssembler = CopilotChat().assembler

ASSEMBLERS = (
    ChatAssembler,
    CopilotAssembler,
    OpenRouterAssembler,
    LiteLLMAssembler,
    GeminiAssembler,
    AnthropicAssembler,
)


def feed(assembler: Assembler, *events: Any) -> Assembler:
    for number, event in enumerate(events, start=1):
        assembler.feed(number, event)
    return assembler


def delta(**fields: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": fields}]}


def message(assembler: Assembler) -> dict[str, Any]:
    found: dict[str, Any] = assembler.body["choices"][0]["message"]
    return found


def call(**fields: Any) -> dict[str, Any]:
    return delta(tool_calls=[fields])


def test_copilot_joins_thoughts_with_nothing_between_and_keeps_the_envelope() -> None:
    done = feed(
        CopilotAssembler(),
        delta(role="assistant", content=None, reasoning_text="**A**\n\n\n"),
        delta(content=None, reasoning_text="**B**\n\n\n"),
        delta(content="I will "),
        delta(content="look."),
        {
            "choices": [
                {
                    "index": 0,
                    "finish_reason": "tool_calls",
                    "delta": {
                        "content": None,
                        "tool_calls": [
                            {
                                "index": 0,
                                "id": "call_1",
                                "type": "function",
                                "function": {"name": "ls", "arguments": "{}"},
                            }
                        ],
                        "reasoning_opaque": "T3BhcXVl",
                    },
                }
            ],
            "usage": {"reasoning_tokens": 7},
        },
    )
    assert message(done) == {
        "role": "assistant",
        "content": "I will look.",
        "reasoning_text": "**A**\n\n\n**B**\n\n\n",
        "tool_calls": [
            {
                "id": "call_1",
                "type": "function",
                "function": {"name": "ls", "arguments": "{}"},
            }
        ],
        "reasoning_opaque": "T3BhcXVl",
    }
    assert done.body["choices"][0]["finish_reason"] == "tool_calls"
    assert done.body["usage"] == {"reasoning_tokens": 7}


def test_copilot_keeps_the_last_of_several_envelopes() -> None:
    done = feed(
        CopilotAssembler(), delta(reasoning_opaque="A"), delta(reasoning_opaque="B")
    )
    assert message(done)["reasoning_opaque"] == "B"


def test_arguments_come_in_pieces_by_index() -> None:
    done = feed(
        ChatAssembler(),
        call(index=0, id="a", function={"name": "f", "arguments": ""}),
        call(index=1, id="b", function={"name": "g", "arguments": "{"}),
        call(index=0, function={"arguments": '{"x":'}),
        call(index=1, function={"arguments": "}"}),
        call(index=0, function={"arguments": "1}"}),
    )
    calls = message(done)["tool_calls"]
    assert [(c["id"], c["function"]["arguments"]) for c in calls] == [
        ("a", '{"x":1}'),
        ("b", "{}"),
    ]


def test_calls_without_an_index_are_told_apart_by_id() -> None:
    done = feed(
        ChatAssembler(),
        call(id="a", function={"name": "f", "arguments": "{}"}),
        call(id="b", function={"name": "g", "arguments": "{}"}),
    )
    assert [c["id"] for c in message(done)["tool_calls"]] == ["a", "b"]


def test_parallel_calls_that_all_claim_index_0_stay_apart() -> None:
    done = feed(
        ChatAssembler(),
        call(index=0, id="a", function={"name": "f", "arguments": "{}"}),
        call(index=0, id="b", function={"name": "g", "arguments": "{}"}),
    )
    assert [c["id"] for c in message(done)["tool_calls"]] == ["a", "b"]


def entry(**fields: Any) -> dict[str, Any]:
    return delta(reasoning_details=[fields])


def test_openrouter_never_merges_text_and_encrypted_of_one_index() -> None:
    done = feed(
        OpenRouterAssembler(),
        entry(type="reasoning.text", text="Let ", index=0, format="google-gemini-v1"),
        entry(type="reasoning.text", text="me see", index=0),
        entry(type="reasoning.encrypted", data="QUJD", id="call_1", index=0),
    )
    assert message(done)["reasoning_details"] == [
        {
            "type": "reasoning.text",
            "text": "Let me see",
            "index": 0,
            "format": "google-gemini-v1",
        },
        {"type": "reasoning.encrypted", "data": "QUJD", "id": "call_1", "index": 0},
    ]


def test_openrouter_takes_the_signature_that_is_not_empty() -> None:
    done = feed(
        OpenRouterAssembler(),
        entry(type="reasoning.text", text="", signature="", index=0),
        entry(type="reasoning.text", text="hm", index=0),
        entry(type="reasoning.text", signature="U2ln", index=0),
    )
    assert message(done)["reasoning_details"][0]["signature"] == "U2ln"
    at = "/choices/0/message/reasoning_details/0/signature"
    assert done.writes[at][-1].event == 3


def test_openrouter_keeps_whole_data_without_ids_apart() -> None:
    done = feed(
        OpenRouterAssembler(),
        entry(type="reasoning.encrypted", data=SIG, index=0),
        entry(type="reasoning.encrypted", data=SIG_B[:20], index=0),
        entry(type="reasoning.encrypted", data=SIG_B[20:], index=0),
    )
    data = [e["data"] for e in message(done)["reasoning_details"]]
    assert data == [SIG, SIG_B]


def test_openrouter_keeps_encrypted_entries_of_different_ids_apart() -> None:
    done = feed(
        OpenRouterAssembler(),
        entry(type="reasoning.encrypted", data="QQ", id="a", index=0),
        entry(type="reasoning.encrypted", data="Qg", id="b", index=0),
        entry(type="reasoning.encrypted", data="Qw", id="b", index=0),
    )
    data = [e["data"] for e in message(done)["reasoning_details"]]
    assert data == ["QQ", "QgQw"]


def test_litellm_lists_every_signature_of_the_response() -> None:
    def fields(*signatures: str) -> dict[str, Any]:
        return delta(provider_specific_fields={"thought_signatures": [*signatures]})

    done = feed(LiteLLMAssembler(), fields("A"), delta(content="x"), fields("B"))
    found = message(done)["provider_specific_fields"]["thought_signatures"]
    assert found == ["A", "B"]


def partial(*parts: Any, **more: Any) -> dict[str, Any]:
    content = {"role": "model", "parts": list(parts)}
    return {"candidates": [{"content": content, "index": 0}], **more}


def test_gemini_appends_parts_and_never_joins_a_signed_one() -> None:
    done = feed(
        GeminiAssembler(),
        partial({"text": "Plan", "thought": True}),
        partial({"text": "ning", "thought": True}),
        partial({"text": "The answer "}),
        partial({"text": "is 42."}),
        partial({"text": "", "thoughtSignature": "U2ln"}),
        partial(modelVersion="gemini-3", usageMetadata={"thoughtsTokenCount": 3}),
    )
    assert done.body["candidates"][0]["content"]["parts"] == [
        {"text": "Planning", "thought": True},
        {"text": "The answer is 42."},
        {"text": "", "thoughtSignature": "U2ln"},
    ]
    assert done.body["modelVersion"] == "gemini-3"


def test_gemini_calls_of_two_events_stay_two_parts() -> None:
    def fc(name: str) -> dict[str, Any]:
        return {"functionCall": {"name": name, "args": {}}}

    signed = {**fc("a"), "thoughtSignature": "U2ln"}
    done = feed(GeminiAssembler(), partial(signed), partial(fc("b")))
    assert done.body["candidates"][0]["content"]["parts"] == [signed, fc("b")]


def test_each_event_tells_what_it_wrote_and_each_field_who_wrote_it() -> None:
    done = CopilotAssembler()
    done.feed(1, delta(role="assistant", content="a"))
    wrote = done.feed(2, delta(content="b", reasoning_opaque="x"))
    assert {(w.pointer, w.effect) for w in wrote} == {
        ("/choices/0/message/content", Effect.TEXT),
        ("/choices/0/message/reasoning_opaque", Effect.SIGNATURE),
    }
    authors = done.authors("/choices/0/message/content")
    assert [write.event for write in authors] == [1, 2]


ODD = st.recursive(
    st.none() | st.booleans() | st.integers(-1, 3) | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["choices", "delta", "index", "tool_calls", "function", "arguments",
                 "id", "name", "content", "reasoning_details", "type", "data", "text",
                 "candidates", "parts", "usage", "provider_specific_fields", "role",
                 "thought_signatures", "signature", "response", "message", "thought"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=25,
)  # fmt: skip


@given(st.lists(ODD, max_size=4), st.sampled_from(ASSEMBLERS))
def test_odd_shapes_never_fail_and_every_write_can_be_found(
    events: list[Any], kind: type[Assembler]
) -> None:
    done = feed(kind(), *events)
    for pointer in done.writes:
        resolve(done.body, pointer)


PIECES = st.recursive(
    st.none() | st.booleans() | st.integers(0, 3) | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["id", "name", "index", "content", "x", "function"]),
            inner,
            max_size=3,
        )
    ),
    max_leaves=6,
)


@given(
    st.sampled_from(ASSEMBLERS),
    st.lists(
        st.dictionaries(
            st.sampled_from(
                ["content", "tool_calls", "provider_specific_fields", "thinking", "x"]
            ),
            PIECES,
            max_size=3,
        ),
        max_size=4,
    ),
)
def test_an_event_stays_as_it_was_whatever_is_added_to_what_it_brought(
    kind: type[Assembler], deltas: list[dict[str, Any]]
) -> None:
    events = [{"choices": [{"index": 0, "delta": fields}]} for fields in deltas]
    events += [{"candidates": [{"content": {"parts": [fields]}}]} for fields in deltas]
    before = copy.deepcopy(events)
    feed(kind(), *events)
    assert events == before


def test_a_list_of_signatures_grows_in_the_body_and_not_in_the_event() -> None:
    first = delta(provider_specific_fields={"thought_signatures": ["a"]})
    second = delta(provider_specific_fields={"thought_signatures": ["b"]})
    done = feed(LiteLLMAssembler(), first, second)
    fields = message(done)["provider_specific_fields"]
    assert fields == {"thought_signatures": ["a", "b"]}
    assert first == delta(provider_specific_fields={"thought_signatures": ["a"]})


def test_a_deep_value_is_copied_without_recursion() -> None:
    deep: Any = 0
    for _ in range(5000):
        deep = [deep]
    done = feed(ChatAssembler(), delta(x=deep))
    assert message(done)["x"] is not deep
