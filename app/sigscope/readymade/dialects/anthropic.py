"""Messages: what clients do to thinking blocks, and how they come back
(docs/wire/anthropic.md#wrong-placements)."""

from __future__ import annotations

from collections.abc import Callable

from sigscope.conversation import Json, Message
from sigscope.dialects.anthropic_blocks import (
    SECRETS,
    is_thought,
    kind_of,
    with_thinking,
)
from sigscope.dialects.leaves import json_of
from sigscope.edits.records import Edit
from sigscope.readymade.context import Context
from sigscope.readymade.draft import Draft
from sigscope.readymade.held import Bearer
from sigscope.readymade.records import Rows, ready_edits
from sigscope.readymade.repertoire import Repertoire
from sigscope.readymade.rewriter import Change, on_each, reply_entries

_SHOWN = 12
"""Characters of a text that is cut short."""


def _blocks(draft: Draft, index: int) -> list[Json]:
    """The blocks of a message, to be changed; none where its content is no list."""
    found = draft.message(index).get("content")
    return found if isinstance(found, list) else []


def _on_thoughts(change: Callable[[dict[str, Json]], None]) -> Change:
    """Change every thinking block of a message."""

    def make(draft: Draft, context: Context, bearer: Bearer) -> None:
        for block in _blocks(draft, bearer.index):
            if is_thought(block):
                change(block)

    return make


def _without(draft: Draft, bearer: Bearer) -> None:
    blocks = _blocks(draft, bearer.index)
    for number in range(len(blocks) - 1, -1, -1):
        if is_thought(blocks[number]) and len(blocks) > 1:
            del blocks[number]


def _drop(draft: Draft, context: Context, bearer: Bearer) -> None:
    """No thinking; a message of nothing else keeps it, since none may be empty."""
    _without(draft, bearer)


def drop_closed_turns(context: Context) -> tuple[Edit, ...] | None:
    """No thinking but that of the current turn."""
    draft = Draft(context)
    for bearer in context.bearers:
        if bearer.index < context.conversation.turn_start:
            _without(draft, bearer)
    return draft.edits() or None


def _restore(draft: Draft, context: Context, bearer: Bearer) -> None:
    """The thinking as it was received, in its places."""
    brought = reply_entries(bearer, "content")
    message = draft.message(bearer.index)
    sent = message.get("content")
    if not any(map(is_thought, brought)) or not isinstance(sent, list):
        return
    kept = {_verified(block): block for block in sent if is_thought(block)}
    made = [
        kept.get(_verified(block), block) if is_thought(block) else block
        for block in brought
    ]
    sent[:] = with_thinking(sent, made)


def _verified(block: dict[str, Json]) -> str:
    """All that has to be as it came."""
    return json_of([block.get(key) for key in ("type", "thinking", *SECRETS.values())])


def _unsign(block: dict[str, Json]) -> None:
    block.pop("signature", None)


def _trim(block: dict[str, Json]) -> None:
    if isinstance(block.get("thinking"), str):
        block["thinking"] = block["thinking"].strip()


def _shorten(block: dict[str, Json]) -> None:
    text = block.get("thinking")
    if isinstance(text, str) and len(text) > _SHOWN:
        block["thinking"] = f"{text[:_SHOWN]}..."


def _strip(block: dict[str, Json]) -> None:
    if block.get("thinking"):
        block["thinking"] = ""


def _seal(block: dict[str, Json]) -> None:
    """A block taken for a sealed one, as VS Code did with those without a text."""
    if kind_of(block) == "thinking" and "signature" in block:
        value = block["signature"]
        block.clear()
        block |= {"type": "redacted_thinking", "data": value}


def _as_text(block: dict[str, Json]) -> None:
    text = block.get("thinking")
    if isinstance(text, str) and text:
        block.clear()
        block |= {"type": "text", "text": f"<think>{text}</think>"}


def _behind(draft: Draft, context: Context, bearer: Bearer) -> None:
    """Text before the thinking."""
    blocks = _blocks(draft, bearer.index)
    lead = next((n for n, b in enumerate(blocks) if not is_thought(b)), 0)
    calls = next((n for n, b in enumerate(blocks) if kind_of(b) == "tool_use"), -1)
    if 0 < lead < calls:
        blocks[:] = [*blocks[lead:calls], *blocks[:lead], *blocks[calls:]]


def _last_first(draft: Draft, context: Context, bearer: Bearer) -> None:
    """Several thinking blocks in another order."""
    blocks = _blocks(draft, bearer.index)
    places = [n for n, block in enumerate(blocks) if is_thought(block)]
    turned = [blocks[n] for n in reversed(places)]
    for place, block in zip(places, turned, strict=True):
        blocks[place] = block


def thinking_off(context: Context) -> tuple[Edit, ...] | None:
    """No `thinking` in the request: what its history has of it is not looked at."""
    draft = Draft(context)
    if isinstance(draft.body, dict):
        draft.body.pop("thinking", None)
    return draft.edits() or None


def remark_first(context: Context) -> tuple[Edit, ...] | None:
    """A remark of the user before the results of the last calls."""
    draft = Draft(context)
    answered = [i for i, m in enumerate(context.conversation.messages) if m.results]
    if answered:
        remark = {"type": "text", "text": "By the way:"}
        _blocks(draft, answered[-1]).insert(0, remark)
    return draft.edits() or None


def split(context: Context) -> tuple[Edit, ...] | None:
    """Each reply with text and calls in two messages: all else, then the calls."""
    draft = Draft(context)
    for index in reversed(range(len(context.conversation.messages))):
        if not _is_both(context.conversation.messages[index]):
            continue
        message = draft.message(index)
        blocks = _blocks(draft, index)
        calls = [block for block in blocks if kind_of(block) == "tool_use"]
        blocks[:] = [block for block in blocks if kind_of(block) != "tool_use"]
        second = {"role": message["role"], "content": calls}
        draft.items.insert(draft.position(index) + 1, second)
    return draft.edits() or None


def _is_both(message: Message) -> bool:
    return bool(message.calls) and bool(message.text)


def merge(context: Context) -> tuple[Edit, ...] | None:
    """Neighbouring messages of the assistant are one."""
    draft = Draft(context)
    messages = context.conversation.messages
    for index in range(len(messages) - 1, 0, -1):
        one, other = messages[index - 1], messages[index]
        if one.role is not other.role or not (one.calls or other.calls):
            continue
        first, second = _blocks(draft, index - 1), _blocks(draft, index)
        if first and second:
            first.extend(second)
            del draft.items[draft.position(index)]
    return draft.edits() or None


_GUIDE = "docs.claude.com/en/docs/build-with-claude/extended-thinking"
_ROWS: Rows = (
    (
        "thinking-dropped",
        "thinking blocks left out of every message",
        "mistake",
        "anomalyco/opencode#3077, mastra-ai/mastra#7799; docs/wire/anthropic.md#ant-2",
        on_each(_drop),
    ),
    (
        "thinking-of-closed-turns-dropped",
        "thinking blocks of the current turn only (said to be harmless)",
        "variant",
        f"{_GUIDE} [docs]; docs/wire/anthropic.md#po-2",
        drop_closed_turns,
    ),
    (
        "thinking-back",
        "thinking blocks as they were received, in their places",
        "cure",
        f"{_GUIDE} [docs]; docs/wire/anthropic.md#po-1",
        on_each(_restore),
    ),
    (
        "unsigned",
        "thinking blocks without their signatures",
        "mistake",
        "openclaw/openclaw#120596; docs/wire/anthropic.md#ant-4",
        on_each(_on_thoughts(_unsign)),
    ),
    (
        "text-trimmed",
        "white space at the ends of thinking texts taken away",
        "mistake",
        "anthropics/claude-code#63404; docs/wire/anthropic.md#ant-3",
        on_each(_on_thoughts(_trim)),
    ),
    (
        "text-shortened",
        "thinking texts cut short, their signatures kept",
        "mistake",
        "bigduu/Bamboo-agent#529; docs/wire/anthropic.md#ant-3",
        on_each(_on_thoughts(_shorten)),
    ),
    (
        "text-stripped",
        "thinking texts left empty, their signatures kept",
        "mistake",
        "eclipse-theia/theia#18044; docs/wire/anthropic.md#ant-5",
        on_each(_on_thoughts(_strip)),
    ),
    (
        "as-sealed",
        "signatures sent as the data of sealed blocks",
        "mistake",
        "microsoft/vscode#320196; docs/wire/anthropic.md#wr-5",
        on_each(_on_thoughts(_seal)),
    ),
    (
        "as-text",
        "thinking sent as visible text",
        "mistake",
        "agentscope-ai/agentscope-java#2400; docs/wire/anthropic.md#wr-1",
        on_each(_on_thoughts(_as_text)),
    ),
    (
        "text-first",
        "text before the thinking of its message",
        "mistake",
        f"{_GUIDE} [docs]; docs/wire/anthropic.md#ant-2",
        on_each(_behind),
    ),
    (
        "turned-round",
        "several thinking blocks in another order",
        "mistake",
        f"{_GUIDE} [docs]; docs/wire/anthropic.md#ant-3",
        on_each(_last_first),
    ),
    (
        "thinking-off",
        "thinking switched off for this request: blocks are not looked at",
        "cure",
        f"{_GUIDE} [docs]; docs/wire/anthropic.md#by-1",
        thinking_off,
    ),
    (
        "remark-first",
        "a remark before the results of the last calls",
        "mistake",
        "docs.claude.com/en/docs/agents-and-tools/tool-use [docs];"
        " docs/wire/anthropic.md#ant-9",
        remark_first,
    ),
)

REPERTOIRE = Repertoire(
    dialect="anthropic",
    ready=ready_edits(("anthropic",), _ROWS, "anthropic."),
    split=split,
    merge=merge,
    restore=on_each(_restore),
)
