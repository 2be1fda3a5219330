"""What each field of a policy does to chat completions requests on the wire."""

from __future__ import annotations

from typing import Any

import pytest
from rehearsals import (
    BOTH,
    ONE_BY_ONE,
    READ,
    THANKS,
    assistants,
    body,
    changed,
    hold,
    signatures,
    tool_messages,
)

from sigscope.converse.loop import TalkStep
from sigscope.converse.policy import SignatureWrite
from sigscope.opaque import THOUGHT_SEPARATOR

COPILOT = "faithful-copilot-chat"
ROUTER = "faithful-openrouter"
LITELLM = "faithful-litellm"
STAND_IN = "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="


def second(name: str, turn: str = READ, **sections: Any) -> tuple[TalkStep, TalkStep]:
    """The first two exchanges of a conversation under a changed policy."""
    held = hold(changed(name, **sections), [turn])
    return held[0], held[1]


# --- Place and name ------------------------------------------------------------------


def test_a_faithful_client_puts_text_and_envelope_on_the_message() -> None:
    first, then = second(COPILOT)
    (message,) = assistants(then)
    assert message == {
        "role": "assistant",
        "content": None,
        "tool_calls": message["tool_calls"],
        "reasoning_text": first.heard.thoughts,
        "reasoning_opaque": signatures(first)[0],
    }


@pytest.mark.parametrize(
    ("write", "where"),
    [
        (SignatureWrite(on="message", path="reasoningOpaque"), ("reasoningOpaque",)),
        (SignatureWrite(on="message", path="a/b"), ("a", "b")),
        (
            SignatureWrite(on="calls", path="thought_signature"),
            ("tool_calls", 0, "thought_signature"),
        ),
        (
            SignatureWrite(on="first-call", path="function/thoughtSignature"),
            ("tool_calls", 0, "function", "thoughtSignature"),
        ),
        (
            SignatureWrite(on="message", path="listed", form="list"),
            ("listed", 0),
        ),
    ],
)
def test_the_signature_stands_where_the_policy_writes_it(
    write: SignatureWrite, where: tuple[Any, ...]
) -> None:
    first, then = second(COPILOT, write=(write,))
    found: Any = assistants(then)[0]
    for key in where:
        found = found[key]
    assert found == signatures(first)[0]


def test_it_may_stand_on_the_tool_message() -> None:
    first, then = second(COPILOT, write=(SignatureWrite(on="results", path="x"),))
    assert tool_messages(then)[0]["x"] == signatures(first)[0]
    assert "x" not in assistants(then)[0]


def test_it_may_stand_on_the_next_assistant_message() -> None:
    policy = changed(
        COPILOT,
        write=(SignatureWrite(on="next-message", path="late"),),
    )
    held = hold(policy, [ONE_BY_ONE], enforce="lenient")
    one, two = assistants(held[2])
    assert "late" not in one
    assert two["late"] == signatures(held[0])[0]


def test_it_may_stand_on_every_call_or_on_its_own_only() -> None:
    first, then = second(LITELLM, BOTH)
    own = [
        call.get("provider_specific_fields")
        for call in assistants(then)[0]["tool_calls"]
    ]
    assert own == [{"thought_signature": signatures(first)[-1]}, None]
    every = (
        SignatureWrite(on="calls", path="provider_specific_fields/thought_signature"),
    )
    first, then = second(LITELLM, BOTH, write=every)
    calls = assistants(then)[0]["tool_calls"]
    assert all("provider_specific_fields" in call for call in calls)


def test_it_may_stand_in_the_call_id_and_its_results_reference() -> None:
    first, then = second(
        LITELLM, write=(SignatureWrite(on="id"),), shape={"call_ids": "plain"}
    )
    (call,) = assistants(then)[0]["tool_calls"]
    plain, _, value = call["id"].partition(THOUGHT_SEPARATOR)
    assert value == signatures(first)[0]
    assert tool_messages(then)[0]["tool_call_id"] == call["id"]
    assert then.status == 200
    assert first.heard.calls[0].call_id.startswith(plain)


def test_entries_go_back_whole_and_in_order() -> None:
    first, then = second(ROUTER)
    assert assistants(then)[0]["reasoning_details"] == [
        one.entry for one in first.heard.captured
    ]
    kinds = [entry["type"] for entry in assistants(then)[0]["reasoning_details"]]
    assert kinds == ["reasoning.text", "reasoning.encrypted"]


def test_a_place_for_answers_is_not_used_for_calls() -> None:
    held = hold(LITELLM, [READ, THANKS])
    calls, answer = assistants(held[2])
    assert "provider_specific_fields" not in calls
    assert answer["provider_specific_fields"] == {
        "thought_signatures": signatures(held[1])
    }


def test_a_place_for_calls_is_not_used_for_answers() -> None:
    write = (SignatureWrite(on="message", path="reasoning_opaque", when="calls"),)
    held = hold(changed(COPILOT, write=write), [READ, THANKS])
    calls, answer = assistants(held[2])
    assert "reasoning_opaque" in calls
    assert "reasoning_opaque" not in answer


def test_without_a_place_nothing_is_sent() -> None:
    _, then = second(COPILOT, write=())
    assert set(assistants(then)[0]) == {
        "role",
        "content",
        "tool_calls",
        "reasoning_text",
    }


# --- Shape ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("way", "content"), [("null", None), ("empty-list", []), ("empty-string", "")]
)
def test_content_beside_calls_alone_is_what_the_policy_says(
    way: str, content: Any
) -> None:
    _, then = second(COPILOT, shape={"content_without_text": way})
    assert assistants(then)[0]["content"] == content


def test_content_may_be_left_out() -> None:
    _, then = second(COPILOT, shape={"content_without_text": "absent"})
    assert "content" not in assistants(then)[0]


def test_content_is_the_text_where_there_is_text() -> None:
    first, then = second(COPILOT, ONE_BY_ONE, shape={"content_without_text": "absent"})
    assert first.heard.text
    assert assistants(then)[0]["content"] == first.heard.text


@pytest.mark.parametrize("field", ["reasoning_text", "reasoning", "extra/thoughts"])
def test_reasoning_text_is_sent_in_the_field_the_policy_names(field: str) -> None:
    first, then = second(COPILOT, shape={"thoughts": field})
    found: Any = assistants(then)[0]
    for key in field.split("/"):
        found = found[key]
    assert found == first.heard.thoughts


def test_reasoning_text_may_stay_at_home() -> None:
    _, then = second(COPILOT, shape={"thoughts": ""})
    assert "reasoning_text" not in assistants(then)[0]


def test_a_split_reply_is_two_messages_the_signature_on_the_first() -> None:
    first, then = second(COPILOT, ONE_BY_ONE, shape={"stored": "split"})
    words, calls = assistants(then)
    assert words["content"] == first.heard.text
    assert words["reasoning_opaque"] == signatures(first)[0]
    assert "tool_calls" not in words
    assert set(calls) == {"role", "content", "tool_calls"}
    assert then.status == 400


def test_merging_makes_the_split_reply_one_again() -> None:
    shape = {"stored": "split", "merged": True}
    _, then = second(COPILOT, ONE_BY_ONE, shape=shape)
    _, whole = second(COPILOT, ONE_BY_ONE)
    (message,) = assistants(then)
    assert message == {**assistants(whole)[0], "tool_calls": message["tool_calls"]}
    assert then.status == 200


def test_parallel_calls_may_be_messages_of_their_own() -> None:
    first, then = second(COPILOT, BOTH, shape={"parallel": "split"})
    assert len(first.heard.calls) == 2
    roles = [message["role"] for message in body(then)["messages"]]
    assert roles == ["system", "user", "assistant", "assistant", "tool", "tool"]
    one, two = assistants(then)
    assert "reasoning_opaque" in one
    assert "reasoning_opaque" not in two
    assert "reasoning_text" not in two


def test_parallel_calls_may_be_interleaved_with_their_results() -> None:
    _, then = second(COPILOT, BOTH, shape={"parallel": "interleaved"})
    messages = body(then)["messages"]
    roles = [message["role"] for message in messages]
    assert roles == ["system", "user", "assistant", "tool", "assistant", "tool"]
    for call, result in ((messages[2], messages[3]), (messages[4], messages[5])):
        assert call["tool_calls"][0]["id"] == result["tool_call_id"]


def test_call_ids_are_kept_cut_or_cut_in_results_only() -> None:
    ids = {}
    for way in ("kept", "plain", "plain-in-results"):
        _, then = second("openai-litellm", shape={"call_ids": way})
        call_id = assistants(then)[0]["tool_calls"][0]["id"]
        ids[way] = (
            THOUGHT_SEPARATOR in call_id,
            THOUGHT_SEPARATOR in tool_messages(then)[0]["tool_call_id"],
            then.status,
        )
    assert ids == {
        "kept": (True, True, 200),
        "plain": (False, False, 200),
        "plain-in-results": (True, False, 500),
    }


# --- What of several, and of earlier turns -------------------------------------------


@pytest.mark.parametrize(
    ("scope", "carrying"),
    [
        ("all", [True, True, True]),
        ("current-turn", [False, False, True]),
        ("last-message", [False, False, True]),
    ],
)
def test_signatures_of_earlier_turns_are_sent_or_not(
    scope: str, carrying: list[bool]
) -> None:
    policy = changed(COPILOT, history={"signatures": scope})
    held = hold(policy, [READ, READ])
    sent = ["reasoning_opaque" in message for message in assistants(held[3])]
    assert sent == carrying


def test_only_the_last_message_s_signature_is_not_enough_for_a_second_round() -> None:
    policy = changed(COPILOT, history={"signatures": "last-message"})
    held = hold(policy, [ONE_BY_ONE])
    assert [t.status for t in held] == [200, 200, 400]
    assert ["reasoning_opaque" in m for m in assistants(held[2])] == [False, True]


def test_signatures_of_answers_may_be_let_go() -> None:
    held = hold(changed(COPILOT, history={"answers": False}), [READ, THANKS])
    assert ["reasoning_opaque" in m for m in assistants(held[2])] == [True, False]


def test_a_short_memory_sends_the_latest_entries_only() -> None:
    held = hold(changed(COPILOT, history={"messages": 2}), [THANKS] * 3)
    roles = [message["role"] for message in body(held[2])["messages"]]
    assert roles == ["system", "assistant", "user"]


def test_results_without_their_call_are_kept_or_dropped() -> None:
    roles = {}
    for way in ("kept", "dropped"):
        policy = changed(COPILOT, history={"messages": 3, "orphans": way})
        held = hold(policy, [READ, THANKS])
        roles[way] = [message["role"] for message in body(held[2])["messages"]]
    assert roles == {
        "kept": ["system", "tool", "assistant", "user"],
        "dropped": ["system", "assistant", "user"],
    }


# --- Spelling and bypasses ----------------------------------------------------------


@pytest.mark.parametrize(
    ("way", "status"),
    [
        ("kept", 200),
        ("url-safe", 200),
        ("standard", 200),
        ("encoded-again", 400),
        ("cut", 400),
        ("ellipsis", 400),
        ("name", 400),
    ],
)
def test_the_spelling_of_a_signature_decides_whether_it_is_taken(
    way: str, status: int
) -> None:
    first, then = second(COPILOT, value={"form": way})
    sent = assistants(then)[0]["reasoning_opaque"]
    assert (sent == signatures(first)[0]) == (way in ("kept", "standard"))
    assert then.status == status


def test_entries_are_spelled_too() -> None:
    first, then = second(ROUTER, value={"form": "cut", "length": 20})
    sent = assistants(then)[0]["reasoning_details"][-1]["data"]
    assert sent == signatures(first)[-1][:20]


def stamped(turn: str, **bypass: Any) -> list[Any]:
    path = "provider_specific_fields/thought_signature"
    _, then = second(LITELLM, turn, bypass={"path": path, **bypass})
    fields = [
        call.get("provider_specific_fields")
        for call in assistants(then)[0]["tool_calls"]
    ]
    return [one and one["thought_signature"] for one in fields]


def test_a_stand_in_on_all_calls_covers_genuine_signatures() -> None:
    assert stamped(BOTH, calls="all") == [STAND_IN, STAND_IN]


def test_a_stand_in_on_unsigned_calls_leaves_genuine_ones() -> None:
    first, second_ = stamped(BOTH, calls="unsigned")
    assert first not in (STAND_IN, None)
    assert second_ == STAND_IN


def test_a_stand_in_for_the_first_unsigned_call_is_not_needed_here() -> None:
    assert stamped(BOTH, calls="first-unsigned")[1] is None
    assert stamped(BOTH, calls="never")[1] is None


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("raw", "skip_thought_signature_validator"),
        ("base64", STAND_IN),
        ("raw-2", "context_engineering_is_the_way_to_go"),
        ("base64-2", "Y29udGV4dF9lbmdpbmVlcmluZ19pc190aGVfd2F5X3RvX2dv"),
    ],
)
def test_stand_ins_have_four_spellings(value: str, text: str) -> None:
    assert stamped(READ, calls="all", value=value) == [text]


def test_openrouter_s_stand_in_is_one_entry_for_the_first_call() -> None:
    first, then = second(
        ROUTER,
        BOTH,
        bypass={
            "calls": "all",
            "value": "raw",
            "path": "reasoning_details",
            "form": "entries",
        },
    )
    assert assistants(then)[0]["reasoning_details"] == [
        {
            "type": "reasoning.encrypted",
            "data": "skip_thought_signature_validator",
            "id": first.heard.calls[0].call_id,
            "format": "google-gemini-v1",
            "index": 0,
        }
    ]


def test_stand_ins_may_be_for_the_current_turn_only() -> None:
    policy = changed(
        LITELLM,
        write=(),
        bypass={"calls": "all", "path": "stamp", "scope": "current-turn"},
    )
    held = hold(policy, [READ, READ])
    assert ["stamp" in m["tool_calls"][0] for m in assistants(held[3])[::2]] == [
        False,
        True,
    ]
