"""Reasoning fades with every turn whose signatures stay away."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sim_client import Client, clock

from sigscope.upstreams.simulator import SimConfig, create_app
from sigscope.upstreams.simulator.mint.shapes import BYPASS_B64
from sigscope.upstreams.simulator.speech.fading import SHARES, fade, share_left
from sigscope.upstreams.simulator.speech.script import ScriptedReply

Spoil = Callable[[dict[str, Any]], None]


def dummies(body: dict[str, Any]) -> None:
    """Zoo-Code: signatures discarded, the dummy on every call."""
    for message in body["messages"]:
        message.pop("provider_specific_fields", None)
        for call in message.get("tool_calls", []):
            call["id"] = call["id"].split("__thought__")[0]
            fields = {"thought_signature": BYPASS_B64}
            call["provider_specific_fields"] = fields
        if "tool_call_id" in message:
            message["tool_call_id"] = message["tool_call_id"].split("__thought__")[0]


def message_level(body: dict[str, Any]) -> None:
    """Zoo-Code#736: the list echoed on the message, nothing on the calls."""
    kept = [m.get("provider_specific_fields") for m in body["messages"]]
    dummies(body)
    for message, fields in zip(body["messages"], kept, strict=True):
        for call in message.get("tool_calls", []):
            del call["provider_specific_fields"]
        if fields:
            message["provider_specific_fields"] = fields


def per_call(body: dict[str, Any]) -> None:
    """The echo that works: each call's own field."""
    for message in body["messages"]:
        message.pop("provider_specific_fields", None)
        for call in message.get("tool_calls", []):
            call["id"] = call["id"].split("__thought__")[0]
        if "tool_call_id" in message:
            message["tool_call_id"] = message["tool_call_id"].split("__thought__")[0]


async def shares(
    spoil: Spoil | None, question: str = "Read a.md", turns: int = 8, **settings: Any
) -> list[float]:
    """Per turn, the share of the answer's characters that were reasoning."""
    app = create_app(SimConfig(**settings), clock=clock)
    client = Client(app, "litellm", model="gemini-3.5-flash", spoil=spoil)
    found = []
    for _ in range(turns):
        said = await client.turn(question)
        assert said.status == 200
        found.append(len(said.thoughts) / (len(said.thoughts) + len(said.text)))
    return found


async def test_with_dummies_summaries_vanish_over_eight_turns() -> None:
    found = await shares(dummies)
    assert found == sorted(found, reverse=True)
    assert found[0] > 0.7
    assert found[-1] == 0
    assert len(set(found)) == 8


async def test_raw_reasoning_moves_into_the_answer() -> None:
    app = create_app(SimConfig(), clock=clock)
    client = Client(app, "litellm", spoil=dummies)
    said = [await client.turn("Read a.md") for _ in range(8)]
    lengths = [len(one.text) for one in said]
    assert lengths == sorted(lengths)
    assert "Wait, did I already look at this?" in said[-1].text
    assert said[-1].text.endswith("According to `a.md`: alpha is the first letter.")
    assert said[0].text == "According to `a.md`: alpha is the first letter."
    shown = [entry["summary_share"] for entry in app.log()["requests"]]
    assert shown[0] == 1.0
    assert shown[-1] == 0.0


async def test_with_genuine_signatures_it_stays_healthy() -> None:
    for spoil in (None, per_call):
        found = await shares(spoil)
        assert min(found) > 0.7


async def test_the_message_level_echo_does_not_help_turns_with_calls() -> None:
    found = await shares(message_level)
    assert found[-1] == 0


async def test_the_message_level_echo_helps_plain_answers() -> None:
    found = await shares(message_level, "Thanks!")
    assert min(found) > 0.6
    assert (await shares(per_call, "Thanks!"))[-1] == 0


async def test_it_recovers_when_signatures_come_back() -> None:
    app = create_app(SimConfig(), clock=clock)
    client = Client(app, "litellm", spoil=dummies)
    for _ in range(4):
        await client.turn("Read a.md")
    assert app.log()["requests"][-1]["lost_turns"] == 3
    client.spoil = None
    await client.turn("Read a.md")
    assert app.log()["requests"][-1]["lost_turns"] == 0


async def test_fading_can_be_switched_off() -> None:
    found = await shares(dummies, fades=False)
    assert min(found) > 0.7


@pytest.mark.parametrize(
    ("dialect", "lost"), [("copilot-chat", 0), ("openrouter", 0), ("gemini", 0)]
)
async def test_elsewhere_closed_turns_may_go_without(dialect: str, lost: int) -> None:
    """VS Code sends nothing of earlier turns, and all is well."""

    def forget(body: dict[str, Any]) -> None:
        entries = body.get("messages") or body["contents"]
        for message in entries[:4] if len(entries) > 4 else []:
            for key in ("reasoning_opaque", "reasoning_details"):
                message.pop(key, None)
            for part in message.get("parts", []):
                part.pop("thoughtSignature", None)

    app = create_app(SimConfig(), clock=clock)
    client = Client(app, dialect, spoil=forget)
    for _ in range(3):
        assert (await client.turn("Read a.md")).status == 200
    assert app.log()["requests"][-1]["lost_turns"] == lost


async def test_bypassed_closed_turns_are_lost_natively_too() -> None:
    def bypass(body: dict[str, Any]) -> None:
        for content in body["contents"]:
            for part in content["parts"]:
                if "functionCall" in part and "thoughtSignature" in part:
                    part["thoughtSignature"] = BYPASS_B64

    app = create_app(SimConfig(), clock=clock)
    client = Client(app, "gemini", spoil=bypass)
    for _ in range(3):
        await client.turn("Read a.md")
    assert app.log()["requests"][-1]["lost_turns"] == 2


def test_the_curve_starts_whole_falls_and_ends_at_nothing() -> None:
    assert [share_left(n) for n in range(8)] == list(SHARES)
    assert list(SHARES) == sorted(set(SHARES), reverse=True)
    assert (share_left(0), share_left(7), share_left(99)) == (1.0, 0.0, 0.0)


def test_a_reply_without_thoughts_does_not_fade() -> None:
    titled = ScriptedReply(text="A Title", signed=False)
    assert fade(titled, 9) is titled
    whole = ScriptedReply(thoughts=("hm",), text="x", raw="raw")
    assert fade(whole, 0) is whole
