"""Conversations held in tests: policies made by changing a faithful one."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sigscope.converse.client import Client
from sigscope.converse.loader import load_policy
from sigscope.converse.loop import Talk, TalkStep, talk
from sigscope.converse.policy import Policy
from sigscope.converse.stage import Stage
from sigscope.upstreams.simulator import SimConfig

READ = (
    "Read the README (only make ONE tool call) and tell me what the next item on"
    " roadmap is"
)
BOTH = "Read README.md and CHANGELOG.md and tell me whether they agree."
ONE_BY_ONE = "Read docs/setup.md, then read docs/routes.md, and sum them up."
THANKS = "Thanks!"


def changed(name: str, **sections: Any) -> Policy:
    """A shipped policy with fields of its sections, or whole fields, changed.

    changed("faithful-gemini", shape={"parallel": "split"}, stream=False)
    """
    policy = load_policy(name)
    for key, value in sections.items():
        old = getattr(policy, key)
        is_section = isinstance(value, dict)
        policy = replace(
            policy, **{key: replace(old, **value) if is_section else value}
        )
    return policy


def hold(
    policy: Policy | str,
    turns: Sequence[str] = (READ, THANKS),
    *,
    then: Policy | None = None,
    rounds: int = 12,
    **config: Any,
) -> list[TalkStep]:
    """Hold a conversation with the simulator; every exchange."""
    policy = load_policy(policy) if isinstance(policy, str) else policy
    client = Client(policy)
    settings = SimConfig(dialect=client.dialect, **{"seed": "test", **config})
    stage = Stage(settings, "2026-01-01T09:00:00Z")
    plan = Talk(
        client=client,
        turns=turns,
        upstream=stage,
        world=stage,
        then=then,
        rounds=rounds,
    )

    async def collect() -> list[TalkStep]:
        return [taken async for taken in talk(plan)]

    return asyncio.run(collect())


def body(taken: TalkStep) -> Any:
    """The JSON a request carried."""
    request = taken.step.exchange.request
    assert request is not None
    return json.loads(request.body.raw)


def assistants(taken: TalkStep) -> list[dict[str, Any]]:
    """Assistant messages of a chat completions request."""
    return [m for m in body(taken)["messages"] if m["role"] == "assistant"]


def tool_messages(taken: TalkStep) -> list[dict[str, Any]]:
    """Tool messages of a chat completions request."""
    return [m for m in body(taken)["messages"] if m["role"] == "tool"]


def models(taken: TalkStep) -> list[list[dict[str, Any]]]:
    """Parts of each model content of a Gemini request."""
    return [c["parts"] for c in body(taken)["contents"] if c["role"] == "model"]


def signatures(taken: TalkStep) -> list[str]:
    """What the client captured of a reply, in order."""
    return [one.value for one in taken.heard.captured]


def statuses(held: Sequence[TalkStep]) -> list[int | None]:
    """Status of each exchange."""
    return [taken.status for taken in held]
