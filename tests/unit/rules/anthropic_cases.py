"""Cases for ANT-1 to ANT-11: wrong accumulators, wrong stores, and what is right."""

from __future__ import annotations

import json
from typing import Any

from tests.unit.rules.cases import (
    ERROR,
    INFO,
    WARNING,
    Bad,
    Good,
    claude_signature,
    exchange,
    gemini_signature,
)

from sigscope.exchange import Exchange

URL = "https://api.anthropic.com/v1/messages"
COUNT = f"{URL}/count_tokens"
MODEL = "claude-sonnet-4-20250514"
S1, S2, S3 = (claude_signature(name) for name in ("one", "two", "three"))
TEXT = "The user wants a.md. I read it first.\n\nThen I answer."
ON = {"type": "enabled", "budget_tokens": 2048}
ADAPTIVE = {"type": "adaptive"}
BINDING = "claude-opus-5-5"
"""A model that binds its blocks to the conversation."""
MARKED = {
    "type": "text",
    "text": "Read a.md",
    "cache_control": {"type": "ephemeral"},
}
HEADERS = (("anthropic-version", "2023-06-01"),)


def user(*blocks: Any, text: str = "Read a.md") -> dict[str, Any]:
    return {"role": "user", "content": list(blocks) or text}


def thought(signature: str | None = S1, text: str = TEXT) -> dict[str, Any]:
    block = {"type": "thinking", "thinking": text}
    return block | ({} if signature is None else {"signature": signature})


def sealed(data: str = S2) -> dict[str, Any]:
    return {"type": "redacted_thinking", "data": data}


def use(name: str = "read_file") -> dict[str, Any]:
    return {"type": "tool_use", "id": f"toolu_{name}", "name": name, "input": {}}


def result(name: str = "read_file") -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": f"toolu_{name}", "content": "fine"}


def says(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def assistant(*blocks: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": list(blocks)}


def whole(*blocks: Any) -> dict[str, Any]:
    called = any(block["type"] == "tool_use" for block in blocks)
    return {
        "id": "msg_1", "type": "message", "role": "assistant", "model": MODEL,
        "content": list(blocks), "stop_reason": "tool_use" if called else "end_turn",
        "usage": {"input_tokens": 9, "output_tokens": 9},
    }  # fmt: skip


def events(*blocks: Any) -> list[Any]:
    """The stream that brings these blocks."""
    found: list[Any] = [{"type": "message_start", "message": whole()}]
    for index, block in enumerate(blocks):
        kind = block["type"]
        empty = {**block}
        deltas: list[Any] = []
        if kind == "thinking":
            empty |= {"thinking": "", "signature": ""}
            half = len(block["thinking"]) // 2
            deltas = [
                {"type": "thinking_delta", "thinking": block["thinking"][:half]},
                {"type": "thinking_delta", "thinking": block["thinking"][half:]},
                {"type": "signature_delta", "signature": block["signature"]},
            ]
        elif kind == "tool_use":
            empty |= {"input": {}}
            pieces = json.dumps(block["input"])
            deltas = [{"type": "input_json_delta", "partial_json": pieces}]
        found.append(
            {"type": "content_block_start", "index": index, "content_block": empty}
        )
        found += [
            {"type": "content_block_delta", "index": index, "delta": delta}
            for delta in deltas
        ]
        found.append({"type": "content_block_stop", "index": index})
    return [
        *found,
        {"type": "message_delta", "delta": {"stop_reason": "tool_use"}},
        {"type": "message_stop"},
    ]


def ask(
    messages: list[Any], reply: Any = None, *, thinking: Any = ON, url: str = URL,
    model: str = MODEL, status: int | None = 200, more: Any = None, **rest: Any,
) -> Exchange:  # fmt: skip
    body = {"model": model, "max_tokens": 4096, "messages": messages} | (more or {})
    body |= {} if thinking is None else {"thinking": thinking}
    return exchange(url, body, reply, status=status, headers=HEADERS, **rest)


def refused(text: str) -> Any:
    error = {"type": "invalid_request_error", "message": text}
    return {"type": "error", "error": error, "request_id": "req_1"}


REPLY = (thought(), use())


def loop(
    *sent: Any, reply: tuple[Any, ...] = REPLY, behind: Any = None, answer: Any = None,
    thinking: Any = ON, status: int | None = None,
) -> tuple[Exchange, ...]:  # fmt: skip
    """A streamed reply, and the next request with these messages in its place."""
    last = user(result()) if behind is None else behind
    code = status or (200 if answer is None else 400)
    return (
        ask([user()], events=events(*reply), thinking=thinking),
        ask([user(), *sent, last], answer, thinking=thinking, status=code)
        if answer is not None or status
        else ask([user(), *sent, last], thinking=thinking),
    )


INVALID = "messages.1.content.0: Invalid `signature` in `thinking` block"
EXPECTED = (
    "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found"
    " `tool_use`. When `thinking` is enabled, a final `assistant` message must start"
    " with a thinking block"
)
MODIFIED = (
    "messages.1.content.0: `thinking` or `redacted_thinking` blocks in the latest"
    " assistant message cannot be modified. These blocks must remain as they were in"
    " the original response."
)
BOUND = (
    "messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound"
    " to a different conversation. Remove the block."
)
UNPAIRED = (
    "messages.1: `tool_use` ids were found without `tool_result` blocks immediately"
    " after: toolu_read_file."
)


def closed(*sent: Any) -> tuple[Exchange, ...]:
    """A turn that is over, sent again with these blocks."""
    first = [user(), assistant(*REPLY), user(result())]
    answer = assistant(says("It is a letter, alpha."))
    changed = [user(), assistant(*sent), user(result()), answer, user(text="And?")]
    return (
        ask([user()], events=events(*REPLY)),
        ask(first, whole(says("It is a letter, alpha."))),
        ask(changed),
    )


BAD = (
    Bad(
        id="a signature that was cut",
        rule="ANT-1",
        exchanges=loop(assistant(thought(S1[:60]), use()), answer=refused(INVALID)),
        step=2,
        pointer="/messages/1/content/0/signature",
        severity=ERROR,
        says=("was cut", "60 of 92 characters kept", "step 1, event 5"),
        is_confirmed=True,
    ),
    Bad(
        id="another signature in its place",
        rule="ANT-1",
        exchanges=loop(assistant(thought(S3), use())),
        step=2,
        pointer="/messages/1/content/0/signature",
        severity=ERROR,
        says=("another value stands where",),
    ),
    Bad(
        id="signatures of two messages exchanged",
        rule="ANT-1",
        exchanges=(
            ask([user()], events=events(*REPLY)),
            ask([user(), assistant(*REPLY), user(result())],
                events=events(thought(S2, "Two."), use("list_files"))),
            ask([user(), assistant(thought(S2), use()), user(result()),
                 assistant(thought(S1, "Two."), use("list_files")),
                 user(result("list_files"))]),
        ),
        step=3,
        pointer="/messages/1/content/0/signature",
        severity=ERROR,
        says=("covers a block of another message",),
    ),
    Bad(
        id="sealed data that was altered",
        rule="ANT-1",
        exchanges=loop(
            assistant(sealed(f"X{S2[1:]}"), use()), reply=(sealed(), use())
        ),
        step=2,
        pointer="/messages/1/content/0/data",
        severity=ERROR,
        says=("data", "was altered"),
    ),
    Bad(
        id="a block without text taken for a sealed one",
        rule="ANT-1",
        exchanges=loop(
            assistant(sealed(S1), use()), reply=(thought(text=""), use())
        ),
        step=2,
        pointer="/messages/1/content/0/data",
        severity=ERROR,
        says=("as the `data` of another kind of block",),
    ),
    Bad(
        id="a signature as data of a thinking block",
        rule="ANT-1",
        exchanges=loop(
            assistant({"type": "thinking", "data": S1}, use()),
            reply=(thought(text=""), use()),
        ),
        step=2,
        pointer="/messages/1/content/0/data",
        severity=ERROR,
        says=("as the `data` of another kind of block",),
    ),
    Bad(
        id="a changed text in a closed turn",
        rule="ANT-1",
        exchanges=closed(thought(text=TEXT.strip()[:-1]), use()),
        step=3,
        pointer="/messages/1/content/0",
        severity=ERROR,
        says=("the text under", "the signature was kept"),
    ),
    Bad(
        id="Gemini's signature",
        rule="ANT-1",
        exchanges=(
            ask([user(), assistant(thought(gemini_signature("g", "ai-studio")), use()),
                 user(result())]),
        ),
        step=1,
        pointer="/messages/1/content/0/signature",
        severity=ERROR,
        says=("Gemini", "not Claude's"),
        has_fix=False,
    ),
    Bad(
        id="the block is dropped",
        rule="ANT-2",
        exchanges=loop(assistant(use()), answer=refused(EXPECTED)),
        step=2,
        pointer="/messages/1",
        severity=ERROR,
        says=("calls read_file", "it was left out"),
        is_confirmed=True,
    ),
    Bad(
        id="both blocks are dropped",
        rule="ANT-2",
        exchanges=loop(
            assistant(says("I look."), use()),
            reply=(sealed(), thought(), says("I look."), use()),
        ),
        step=2,
        pointer="/messages/1",
        severity=ERROR,
        says=("it was left out",),
    ),
    Bad(
        id="one reply stored as two messages",
        rule="ANT-2",
        exchanges=loop(
            assistant(thought(), says("I look.")), assistant(use()),
            reply=(thought(), says("I look."), use()),
        ),
        step=2,
        pointer="/messages/2",
        severity=ERROR,
        says=("does not begin with a thinking block", "several messages"),
    ),
    Bad(
        id="text before the thinking",
        rule="ANT-2",
        exchanges=loop(
            assistant(says("I look."), thought(), use()),
            reply=(thought(), says("I look."), use()),
        ),
        step=2,
        pointer="/messages/1",
        severity=ERROR,
        says=("it stands behind something else",),
    ),
    Bad(
        id="a capture that begins in the middle",
        rule="ANT-2",
        exchanges=(ask([user(), assistant(use()), user(result())]),),
        step=1,
        pointer="/messages/1",
        severity=WARNING,
        says=("the recording does not hold the response",),
        has_fix=False,
    ),
    Bad(
        id="thinking switched on within the turn",
        rule="ANT-2",
        exchanges=(
            ask([user()], events=events(use()), thinking=None),
            ask([user(), assistant(use()), user(result())]),
        ),
        step=2,
        pointer="/messages/1",
        severity=WARNING,
        says=("switched on within the turn",),
        has_fix=False,
    ),
    Bad(
        id="a text that was trimmed",
        rule="ANT-3",
        exchanges=loop(
            assistant(thought(text=TEXT.strip()), use()),
            reply=(thought(text=f"{TEXT}\n"), use()),
            answer=refused(MODIFIED),
        ),
        step=2,
        pointer="/messages/1/content/0",
        severity=ERROR,
        says=("white space counts",),
        is_confirmed=True,
    ),
    Bad(
        id="two blocks joined under one signature",
        rule="ANT-3",
        exchanges=loop(
            assistant(thought(S1, "One.Two."), use()),
            reply=(thought(S1, "One."), thought(S2, "Two."), use()),
        ),
        step=2,
        pointer="/messages/1/content/0",
        severity=ERROR,
        says=("joined under one signature",),
    ),
    Bad(
        id="one block of two left out",
        rule="ANT-3",
        exchanges=loop(
            assistant(thought(), use()), reply=(thought(), sealed(), use())
        ),
        step=2,
        pointer="/messages/1/content",
        severity=WARNING,
        says=("1 of the 2 thinking blocks received",),
    ),
    Bad(
        id="blocks in another order",
        rule="ANT-3",
        exchanges=loop(
            assistant(thought(S2, "Two."), thought(S1, "One."), use()),
            reply=(thought(S1, "One."), thought(S2, "Two."), use()),
        ),
        step=2,
        pointer="/messages/1/content",
        severity=WARNING,
        says=("another order",),
    ),
    Bad(
        id="an accumulator without signature_delta",
        rule="ANT-4",
        exchanges=loop(
            assistant(thought(None), use()),
            answer=refused("messages.1.content.0.thinking.signature: Field required"),
        ),
        step=2,
        pointer="/messages/1/content/0",
        severity=ERROR,
        says=("`signature` of this `thinking` block is not there",),
        is_confirmed=True,
    ),
    Bad(
        id="an accumulator that keeps the empty signature of the start",
        rule="ANT-4",
        exchanges=loop(assistant(thought(""), use())),
        step=2,
        pointer="/messages/1/content/0",
        severity=ERROR,
        says=("is empty",),
    ),
    Bad(
        id="a sealed block without data, in a closed turn of before",
        rule="ANT-4",
        exchanges=(
            ask([user(), assistant({"type": "redacted_thinking"}, says("Hi.")),
                 user(text="And?")]),
        ),
        step=1,
        pointer="/messages/1/content/0",
        severity=ERROR,
        says=("`data` of this `redacted_thinking` block",),
    ),
    Bad(
        id="a store that strips readable reasoning",
        rule="ANT-5",
        exchanges=loop(
            assistant(thought(text=""), use()),
            answer=refused("each thinking block must contain thinking"),
        ),
        step=2,
        pointer="/messages/1/content/0",
        severity=ERROR,
        says=("are not sent; the signature is",),
        is_confirmed=True,
    ),
    Bad(
        id="a block without the member",
        rule="ANT-5",
        exchanges=loop(assistant({"type": "thinking", "signature": S1}, use())),
        step=2,
        pointer="/messages/1/content/0",
        severity=ERROR,
        says=(),
    ),
    Bad(
        id="the system prompt tells the time",
        rule="ANT-6",
        exchanges=(
            ask([user()], events=events(*REPLY), thinking=ADAPTIVE,
                more={"system": "It is 10:02."}),
            ask([user(), assistant(*REPLY), user(result())], refused(BOUND),
                status=400, thinking=ADAPTIVE, more={"system": "It is 10:03."}),
        ),
        step=2,
        pointer="/messages/1/content/0",
        severity=ERROR,
        says=("another conversation", "`system` changed since"),
        is_confirmed=True,
    ),
    Bad(
        id="a draft to a model that binds, with another prompt",
        rule="ANT-6",
        exchanges=(
            ask([user()], events=events(*REPLY), thinking=ADAPTIVE, model=BINDING,
                more={"system": "It is 10:02."}),
            ask([user(), assistant(*REPLY), user(result())], status=None,
                thinking=ADAPTIVE, model=BINDING, more={"system": "It is 10:03."}),
        ),
        step=2,
        pointer="/messages/1/content/0",
        severity=WARNING,
        says=("`system` changed since", "31 August 2026"),
    ),
    Bad(
        id="a draft that asks for the error",
        rule="ANT-6",
        exchanges=(
            ask([user()], events=events(*REPLY), thinking=ADAPTIVE, model=BINDING),
            ask([user(text="Read b.md"), assistant(*REPLY), user(result())],
                status=None, model=BINDING, thinking={
                    **ADAPTIVE, "block_binding": {"prefix_mismatch_behavior": "error"}
                }),
        ),
        step=2,
        pointer="/messages/1/content/0",
        severity=ERROR,
        says=("message 0 changed since",),
    ),
    Bad(
        id="the model is switched",
        rule="ANT-7",
        exchanges=(
            ask([user()], events=events(*REPLY)),
            ask([user(), assistant(*REPLY), user(result())], model="claude-opus-4-7"),
        ),
        step=2,
        pointer="/messages/1/content/0",
        severity=WARNING,
        says=("claude-sonnet-4", "claude-opus-4-7"),
        has_fix=False,
    ),
    Bad(
        id="another organisation",
        rule="ANT-8",
        exchanges=(
            ask([user()], events=events(*REPLY),
                answer_headers=(("anthropic-organization-id", "a"),)),
            ask([user(), assistant(*REPLY), user(result())], refused(INVALID),
                status=400, answer_headers=(("anthropic-organization-id", "b"),)),
        ),
        step=2,
        pointer="/messages/1/content/0",
        severity=WARNING,
        says=("step 1", "another organisation"),
        has_fix=False,
    ),
    Bad(
        id="a remark before the results",
        rule="ANT-9",
        exchanges=loop(
            assistant(*REPLY), behind=user(says("By the way:"), result()),
            answer=refused(UNPAIRED),
        ),
        step=2,
        pointer="/messages/1/content/1",
        severity=ERROR,
        says=("read_file", "behind other blocks"),
        is_confirmed=True,
    ),
    Bad(
        id="text behind the call",
        rule="ANT-9",
        exchanges=loop(assistant(*REPLY, says("I look."))),
        step=2,
        pointer="/messages/1/content/1",
        severity=ERROR,
        says=("text stands behind call read_file",),
    ),
    Bad(
        id="text behind the call, where no user speaks first",
        rule="ANT-9",
        exchanges=(
            ask([assistant(use(), says("I look.")), user(result())],
                refused(UNPAIRED), status=400, thinking=None),
        ),
        step=1,
        pointer="/messages/0/content/0",
        severity=ERROR,
        says=("text stands behind call read_file",),
        is_confirmed=True,
    ),
    Bad(
        id="a call that was cancelled",
        rule="ANT-9",
        exchanges=loop(assistant(*REPLY), behind=user(text="Stop.")),
        step=2,
        pointer="/messages/1/content/1",
        severity=ERROR,
        says=("is not answered in the next message",),
        has_fix=False,
    ),
    Bad(  # accepted in a cassette of pydantic-ai's test_tool_search, refused elsewhere
        id="parallel calls in messages of their own",
        rule="ANT-9",
        exchanges=(
            ask([user(), assistant(says("I look."), use()), assistant(use("now")),
                 user(result(), result("now"))]),
        ),
        step=1,
        pointer="/messages/1/content/1",
        severity=WARNING,
        says=("is not answered in the next message",),
        has_fix=False,
    ),
    Bad(
        id="results in messages of their own",
        rule="ANT-9",
        exchanges=(
            ask([user(), assistant(use(), use("now")), user(result()),
                 user(result("now"))]),
        ),
        step=1,
        pointer="/messages/3/content/0",
        severity=WARNING,
        says=("answers no call of the message before it",),
        has_fix=False,
    ),
    Bad(
        id="a history trimmed at a result",
        rule="ANT-9",
        exchanges=(ask([user(result()), user(text="And?")]),),
        step=1,
        pointer="/messages/0/content/0",
        severity=ERROR,
        says=("answers no call of the message before it",),
    ),
    Bad(
        id="a count that was refused",
        rule="ANT-10",
        exchanges=(
            ask([user()], events=events(*REPLY)),
            ask([user(), assistant(use()), user(result())], refused(EXPECTED),
                status=400, url=COUNT),
        ),
        step=2,
        pointer="",
        severity=ERROR,
        says=("counting was refused in the words of ANT-2",),
        has_fix=False,
    ),
    Bad(
        id="a prefill with thinking",
        rule="ANT-11",
        exchanges=(
            ask([user()], whole(thought(), says("It is"))),
            ask([user(), assistant(thought(), says("It is"))], thinking=None),
        ),
        step=2,
        pointer="/messages/1/content/0",
        severity=ERROR,
        says=("thinking is off",),
    ),
    Bad(
        id="accepted all the same",
        rule="ANT-2",
        exchanges=(
            ask([user()], events=events(*REPLY)),
            ask([user(), assistant(use()), user(result())], whole(says("Alpha."))),
        ),
        step=2,
        pointer="/messages/1",
        severity=INFO,
        says=("The service accepted it this time",),
    ),
)  # fmt: skip

GOOD = (
    Good(id="blocks as they came", exchanges=loop(assistant(*REPLY))),
    Good(
        id="sealed and interleaved blocks",
        exchanges=loop(
            assistant(sealed(), thought(text=""), use()),
            reply=(sealed(), thought(text=""), use()),
        ),
    ),
    Good(id="a closed turn without its blocks", exchanges=closed(use())),
    Good(
        id="another prompt, accepted: the account is not bound",
        exchanges=(
            ask([user()], events=events(*REPLY), thinking=ADAPTIVE, model=BINDING,
                more={"system": "It is 10:02."}),
            ask([user(), assistant(*REPLY), user(result())], whole(says("Fine.")),
                thinking=ADAPTIVE, model=BINDING, more={"system": "It is 10:03."}),
        ),
        rules=("ANT-6",),
    ),
    Good(
        id="a draft in which only a mark of the cache went on",
        exchanges=(
            ask([user(MARKED)], events=events(*REPLY), thinking=ADAPTIVE,
                model=BINDING),
            ask([user(), assistant(*REPLY), user(result())], status=None,
                thinking=ADAPTIVE, model=BINDING),
        ),
        rules=("ANT-6",),
    ),
    Good(
        id="a draft to an older model, with another prompt",
        exchanges=(
            ask([user()], events=events(*REPLY), more={"system": "It is 10:02."}),
            ask([user(), assistant(*REPLY), user(result())], status=None,
                more={"system": "It is 10:03."}),
        ),
        rules=("ANT-6",),
    ),
    Good(
        id="adaptive thinking without the block",
        exchanges=loop(assistant(use()), thinking=ADAPTIVE),
        rules=("ANT-2",),
    ),
    Good(
        id="thinking switched off within the turn",
        exchanges=(
            ask([user()], events=events(*REPLY)),
            ask([user(), assistant(*REPLY), user(result())], thinking=None),
        ),
    ),
    Good(
        id="a second round that does not think",
        exchanges=(
            ask([user()], events=events(*REPLY)),
            ask([user(), assistant(*REPLY), user(result())],
                events=events(use("list_files"))),
            ask([user(), assistant(*REPLY), user(result()),
                 assistant(use("list_files")), user(result("list_files"))]),
        ),
    ),
    Good(
        id="cache control on the blocks around",
        exchanges=loop(
            assistant(thought(), {**use(), "cache_control": {"type": "ephemeral"}})
        ),
    ),
    Good(
        id="a remark behind the results",
        exchanges=loop(assistant(*REPLY), behind=user(result(), says("Go on."))),
    ),
    Good(
        id="one model by two names",
        exchanges=(
            ask([user()], events=events(*REPLY), model="claude-sonnet-4"),
            ask([user(), assistant(*REPLY), user(result())],
                model="us.anthropic.claude-sonnet-4-20250514-v1:0"),
        ),
    ),
    Good(
        id="a compatible service that signs nothing",
        exchanges=(
            ask([user()], whole({"type": "thinking", "thinking": "Hm."}, use())),
            ask([user(), assistant({"type": "thinking", "thinking": "Hm."}, use()),
                 user(result())], whole(says("Fine."))),
        ),
    ),
)  # fmt: skip
