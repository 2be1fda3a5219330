"""A recorded step that is continued under a policy."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest

from sigscope.converse.shapes import SHAPES
from sigscope.converse.speeches.registry import named
from sigscope.edits.records import Edit, Op
from sigscope.engine.engine import Engine, Target
from sigscope.engine.sending.conversations import ConversationOrder, HeldConversation
from sigscope.engine.sending.fork import Fork
from sigscope.engine.sending.orders import Order
from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.opener import open_file
from sigscope.errors import UsageError
from sigscope.session import Spoken

SESSIONS = Path(__file__).parents[3] / "sessions"
REFUSED = {
    "anthropic": "anthropic-thinking-dropped",
    "copilot-chat": "copilot-missing-signature",
    "deepseek": "deepseek-reasoning-dropped",
    "gemini": "gemini-split-calls",
    "gemini-openai": "gemini-openai-typed-client",
    "openrouter": "zed-openrouter-never-emitted",
    "responses": "responses-dropped-reasoning",
}
ACCEPTED = {"litellm": "zoo-litellm-per-call-echo", "gemini": "gemini-parallel"}


def opened(name: str) -> Document:
    return Document(open_file(SESSIONS / f"{name}.session.jsonl"))


def fixes(document: Document, step: int) -> tuple[Edit, ...]:
    found = (edit for f in document.findings_of(step) for edit in f.fix or ())
    return tuple(dict.fromkeys(found))


def continued(
    fork: Fork, policy: str = "", out: Path | None = None, shape: int = 0
) -> HeldConversation:
    turns = SHAPES[shape].turns(3, fork.tool)
    holding = HeldConversation(
        ConversationOrder(policy=policy, turns=turns, fork=fork, seed="fork")
    )
    asyncio.run(holding.hold(out))
    return holding


@pytest.mark.parametrize(("dialect", "name"), REFUSED.items())
def test_a_refused_step_goes_on_with_its_fix_and_not_without(
    dialect: str, name: str
) -> None:
    document = opened(name)
    fork = Fork(document, 2, fixes(document, 2))
    assert fork.dialect == dialect
    holding = continued(fork)
    assert {taken.status for taken in holding.taken} == {200}
    assert holding.taken[-1].turn == 4
    bare = continued(Fork(document, 2))
    assert [taken.status for taken in bare.taken] == [document.reading(2).status]


@pytest.mark.parametrize(("dialect", "name"), ACCEPTED.items())
def test_an_accepted_step_goes_on_in_every_shape(dialect: str, name: str) -> None:
    fork = Fork(opened(name), 2)
    assert fork.dialect == dialect
    for shape in range(1, 4):
        holding = continued(fork, shape=shape)
        assert {taken.status for taken in holding.taken} == {200}


def test_what_was_recorded_stays_to_the_byte_and_the_policy_writes_behind_it() -> None:
    document = opened("copilot-missing-signature")
    edits = fixes(document, 2)
    first, second, *_ = continued(Fork(document, 2, edits)).taken
    sent = document.edited(2, edits)
    assert first.step.exchange.request == sent
    assert second.step.exchange.request is not None
    body = second.step.exchange.request.body.raw
    shared = sent.body.raw.partition(b'],"stream"')[0]
    assert body.startswith(shared)
    messages = json.loads(body)["messages"]
    assert [m["role"] for m in messages[-2:]] == ["assistant", "user"]
    assert messages[-2]["reasoning_opaque"]


def test_a_policy_that_loses_signatures_loses_those_of_what_follows() -> None:
    document = opened("copilot-missing-signature")
    fork = Fork(document, 2, fixes(document, 2))
    holding = continued(fork, "copilot-missing-signature")
    assert [taken.status for taken in holding.taken] == [200, 200, 400]


async def test_a_run_that_was_made_from_a_run_is_gone_on_from() -> None:
    document = opened("copilot-missing-signature")
    whole = fixes(document, 2)
    rest, null = whole[:-1], whole[-1:]
    for edits, parent in ((null, None), (rest, 1)):
        order = Order(step=2, edits=edits, parent=parent)
        async for _ in Engine().replay(document, order, Target()):
            pass
    fork = Fork(document, 2, parent=2)
    assert fork.words == "as in run 2"
    assert fork.ground.first.body == document.run(2).exchange.request.body  # type: ignore[union-attr]
    holding = HeldConversation(ConversationOrder(turns=fork.turns(3), fork=fork))
    await holding.hold()
    assert {taken.status for taken in holding.taken} == {200}
    asked = holding.taken[1].step.exchange.request
    assert asked is not None
    assert b'"reasoning_opaque"' in asked.body.raw.partition(b'"tool_call_id"')[0]
    more = Fork(document, 2, null, parent=1)
    assert more.words.startswith("as in run 1, and with these edits: ")


def test_the_same_fork_twice_is_two_sessions() -> None:
    fork = Fork(opened("gemini-parallel"), 2)
    one, other = continued(fork), continued(fork)
    assert one.session.id != other.session.id
    sent = [[t.step.exchange.request for t in held.taken] for held in (one, other)]
    assert sent[0] == sent[1]


def test_the_edits_may_be_those_of_the_first_request_alone() -> None:
    document = opened("copilot-missing-signature")
    fork = Fork(document, 2, fixes(document, 2), keeps_edits=False)
    holding = continued(fork)
    recorded = json.loads(document.request(2).body.raw)["messages"]
    request = holding.taken[1].step.exchange.request
    assert request is not None
    assert json.loads(request.body.raw)["messages"][: len(recorded)] == recorded


def test_the_file_tells_where_it_comes_from(tmp_path: Path) -> None:
    document = opened("gemini-split-calls")
    out = tmp_path / "on.session.jsonl"
    holding = continued(Fork(document, 2, fixes(document, 2)), out=out)
    session = open_file(out)
    assert [step.number for step in session.steps] == list(range(1, 8))
    assert len({step.id for step in session.steps}) == 7
    assert session.steps[0].exchange == document.steps[0].exchange
    origin = "step 2 of gemini-split-calls.session.jsonl"
    assert origin in session.story
    assert origin in session.title
    assert document.session.id in session.notes[0].text
    assert session.notes[0].step == 2
    assert holding.session.id == session.id


def test_its_ids_do_not_collide_with_those_that_came_along() -> None:
    renamed = open_file(SESSIONS / "gemini-sequential.session.jsonl")
    first, *rest = renamed.steps
    renamed.steps = (replace(first, id="s2"), *rest)
    holding = continued(Fork(Document(renamed), 2))
    ids = [step.id for step in holding.session.steps]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize(
    "name", ["copilot-missing-signature", "gemini-parallel", "claude-code-tool-loop"]
)
@pytest.mark.parametrize("stream", [True, False])
def test_a_stream_is_asked_for_as_the_api_wants_it(name: str, stream: bool) -> None:
    fork = Fork(opened(name), 1)
    request = fork.ground.opening(named(fork.dialect), stream=stream)
    dialect = fork.reading.dialect
    assert dialect is not None
    told = dialect.conversation(json.loads(request.body.raw), request.url)
    assert told.streams is stream
    assert (request == fork.document.request(1)) is (stream is fork.streams)


def test_a_text_as_the_whole_input_becomes_a_list_that_can_grow() -> None:
    document = opened("responses-dropped-reasoning")
    edit = Edit(op=Op.SET, pointer="/input", value='"Read README.md"')
    session = open_file(SESSIONS / "responses-dropped-reasoning.session.jsonl")
    step = session.steps[0]
    exchange = replace(step.exchange, request=document.edited(1, (edit,)))
    session.steps = (replace(step, exchange=exchange),)
    holding = continued(Fork(Document(session), 1))
    assert {taken.status for taken in holding.taken} == {200}
    request = holding.taken[1].step.exchange.request
    assert request is not None
    assert json.loads(request.body.raw)["input"][0]["content"] == "Read README.md"


def test_a_policy_of_another_api_is_refused_with_the_way_to_one_that_fits() -> None:
    fork = Fork(opened("gemini-parallel"), 1)
    with pytest.raises(UsageError, match="--list --dialect gemini"):
        HeldConversation(ConversationOrder(policy="zed-copilot-final-fix", fork=fork))


def test_only_what_was_said_of_steps_that_come_along_is_kept() -> None:
    document = opened("gemini-split-calls")
    said = [
        Spoken(dialect="gemini", at="2026-01-01T00:00:00Z", step=step)
        for step in (None, 1, 2, 3)
    ]
    document.session = replace(document.session, spoken=said)
    fork = Fork(document, 2, fixes(document, 2))
    made = fork.provenance(replace(document.session, spoken=[]))
    assert [each.step for each in made.spoken] == [None, 1, 2]
