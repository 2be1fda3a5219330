"""Holding conversations: rehearsed, written down, live over loopback."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from sigscope.engine.engine import Target
from sigscope.engine.sending.conversations import ConversationOrder, HeldConversation
from sigscope.engine.sessions.opener import open_file
from sigscope.engine.sessions.story import by_turn, retell
from sigscope.errors import InputError, UsageError, WouldOverwrite
from sigscope.exchange import header
from sigscope.upstreams.simulator import SimConfig
from sigscope.upstreams.simulator.server import Server


def held(
    order: ConversationOrder, out: Path | None = None, *, force: bool = False
) -> HeldConversation:
    holding = HeldConversation(order)
    asyncio.run(holding.hold(out, force=force))
    return holding


def test_a_rehearsal_is_a_session_with_a_story() -> None:
    holding = held(ConversationOrder(policy="zed-copilot-attempt-2"))
    assert [taken.status for taken in holding.taken] == [200, 400]
    assert len(holding.session.steps) == 2
    assert "zed-copilot-attempt-2" in holding.session.story
    assert "simulator" in holding.session.story


def test_without_a_policy_the_faithful_client_of_the_dialect_speaks() -> None:
    for dialect in ("copilot-chat", "openrouter", "litellm", "gemini"):
        holding = held(ConversationOrder(dialect=dialect))
        assert holding.policy.name == f"faithful-{dialect}"
        assert {taken.status for taken in holding.taken} == {200}


def test_equal_seeds_give_equal_files(tmp_path: Path) -> None:
    files = []
    for name, seed in (("a", "x"), ("b", "x"), ("c", "y")):
        held(ConversationOrder(dialect="gemini", seed=seed), tmp_path / name)
        files.append((tmp_path / name).read_bytes())
    assert files[0] == files[1]
    assert files[0] != files[2]


def test_the_file_opens_as_the_session_that_was_held(tmp_path: Path) -> None:
    out = tmp_path / "x.session.jsonl"
    holding = held(ConversationOrder(policy="vscode-copilot"), out)
    read = open_file(out)
    assert [s.exchange for s in read.steps] == [t.step.exchange for t in holding.taken]
    assert read.title == holding.session.title


def test_a_file_that_is_there_is_not_replaced_unasked(tmp_path: Path) -> None:
    out = tmp_path / "x.session.jsonl"
    out.write_text("precious")
    holding = HeldConversation(ConversationOrder(dialect="gemini"))
    with pytest.raises(WouldOverwrite):
        asyncio.run(holding.hold(out))
    assert out.read_text() == "precious"
    assert holding.taken == [], "nothing is sent before the file can be written"
    held(ConversationOrder(dialect="gemini"), out, force=True)
    assert len(open_file(out).steps) == 3


def test_each_step_is_in_the_file_as_soon_as_it_is_over(tmp_path: Path) -> None:
    out = tmp_path / "x.session.jsonl"
    holding = HeldConversation(ConversationOrder(dialect="gemini"))

    async def watch() -> list[int]:
        return [len(open_file(out).steps) async for _ in holding.steps(out)]

    assert asyncio.run(watch()) == [1, 2, 3]


def test_lenient_and_strict_differ_where_sources_do() -> None:
    statuses = {}
    for mode in ("strict", "lenient"):
        order = ConversationOrder(
            policy="codecompanion-copilot-unmerged",
            target=Target(simulator=SimConfig(enforce=mode)),  # type: ignore[arg-type]
            turns=("Read README.md, then read CHANGELOG.md.",),
        )
        statuses[mode] = [taken.status for taken in held(order).taken]
    assert statuses == {"strict": [200, 400], "lenient": [200, 200, 200]}


def test_a_model_that_keeps_calling_is_given_up_after_a_while() -> None:
    script = ", then ".join(f"read f{n}.md" for n in range(20))
    holding = held(ConversationOrder(dialect="gemini", turns=(script, "Thanks!")))
    assert holding.given_up == (1,)
    assert [taken.round for taken in holding.taken][-2:] == [12, 1]


@pytest.mark.parametrize(
    ("order", "error", "said"),
    [
        (
            ConversationOrder(dialect="copilot"),
            UsageError,
            "'copilot' is not one of copilot-chat",
        ),
        (ConversationOrder(policy="nobody"), UsageError, "there is no policy 'nobody'"),
        (ConversationOrder(policy="./none.toml"), InputError, "cannot be read"),
        (
            ConversationOrder(policy="faithful-gemini", dialect="litellm"),
            UsageError,
            "speaks gemini, not litellm",
        ),
        (
            ConversationOrder(policy="faithful-gemini", then="vscode-copilot"),
            UsageError,
            "vscode-copilot does not speak gemini",
        ),
    ],
)
def test_what_cannot_be_held_is_refused_at_once(
    order: ConversationOrder, error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        HeldConversation(order)


# --- Told ----------------------------------------------------------------------------


def test_what_happened_is_told_step_by_step() -> None:
    told = retell(held(ConversationOrder(policy="zed-copilot-attempt-2")))
    first, second = (one.row() for one in told)
    assert first["status"] == 200
    assert first["tool_calls"] == ["read_file"]
    assert first["reasoning_chars"] > 0
    assert len(first["received"]) == 1
    assert second["error"] == "invalid request body"
    assert second["fates"] == [
        {"signature": first["received"][0], "fate": "moved", "grade": "required"}
    ]


def test_reasoning_is_counted_on_the_wire_not_as_the_client_reads_it() -> None:
    told = retell(held(ConversationOrder(policy="roo-litellm-dummy")))
    assert told[0].reasoning_chars > 0


def test_turns_leave_side_requests_out() -> None:
    told = retell(held(ConversationOrder(policy="vscode-copilot")))
    turns = by_turn(told)
    assert [turn.statuses for turn in turns] == [(200, 200), (200,)]
    assert all(0 < (turn.share or 0) < 1 for turn in turns)


def test_a_turn_counts_what_was_lost_and_insisted_on() -> None:
    (turn,) = by_turn(
        retell(held(ConversationOrder(policy="copilot-missing-signature")))
    )
    assert len(turn.lost) == 1
    assert turn.error == "invalid request body"


# --- Live ----------------------------------------------------------------------------


async def live(
    order: ConversationOrder, settings: SimConfig
) -> tuple[HeldConversation, Server]:
    """Hold a conversation with a real server that runs meanwhile."""
    server = Server(settings, port=0)
    task = asyncio.create_task(server.run())
    try:
        await _reachable(server.port)
        target = replace(order.target, url=server.url)
        holding = HeldConversation(replace(order, target=target))
        await holding.hold()
    finally:
        server.stop()
        await task
    return holding, server


async def _reachable(port: int) -> None:
    for _ in range(200):
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.02)
            continue
        writer.close()
        await writer.wait_closed()
        return
    raise AssertionError("the server did not come up")


@pytest.mark.parametrize("dialect", ["copilot-chat", "openrouter", "litellm", "gemini"])
async def test_a_live_service_is_spoken_to_like_the_simulator(dialect: str) -> None:
    order = ConversationOrder(dialect=dialect, target=Target(key="secret"))
    settings = SimConfig(key="secret", dialect=dialect)  # type: ignore[arg-type]
    holding, server = await live(order, settings)
    assert [taken.status for taken in holding.taken] == [200, 200, 200]
    for taken in holding.taken:
        request = taken.step.exchange.request
        assert request is not None
        assert request.url.startswith(server.url)
        assert taken.step.source == "live"
    assert "live" in holding.session.story


async def test_without_its_key_a_live_service_refuses() -> None:
    order = ConversationOrder(policy="vscode-copilot")
    holding, _ = await live(order, SimConfig(key="secret", dialect="copilot-chat"))
    assert [taken.status for taken in holding.taken] == [401]


async def test_keys_reach_the_service_and_never_the_file(tmp_path: Path) -> None:
    out = tmp_path / "x.session.jsonl"
    server = Server(SimConfig(key="sesame-key-1", dialect="gemini"), port=0)
    task = asyncio.create_task(server.run())
    try:
        await _reachable(server.port)
        target = Target(url=server.url, key="sesame-key-1")
        holding = HeldConversation(ConversationOrder(dialect="gemini", target=target))
        await holding.hold(out)
    finally:
        server.stop()
        await task
    assert {taken.status for taken in holding.taken} == {200}
    assert "sesame-key-1" not in out.read_text()
    request = open_file(out).steps[0].exchange.request
    assert request is not None
    assert header(request.headers, "x-goog-api-key") == "[removed]"


async def test_where_nobody_listens_the_conversation_ends_with_a_reason() -> None:
    order = ConversationOrder(dialect="gemini", target=Target(url="http://127.0.0.1:1"))
    holding = HeldConversation(order)
    await holding.hold()
    (told,) = retell(holding)
    assert told.taken.status is None
    assert "cannot connect to 127.0.0.1:1" in (told.error or "")
