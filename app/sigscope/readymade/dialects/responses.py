"""Responses: what clients do to items, ids and sealed values, and what mends it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from sigscope.conversation import Json, Message, Role
from sigscope.dialects.services import CODEX, COPILOT
from sigscope.edits.records import Edit, Op
from sigscope.readymade.context import Context
from sigscope.readymade.records import Make, Rows, ready_edits
from sigscope.readymade.repertoire import Repertoire

MADE_UP = "rs_0000000000000000000000000000000000000000000000ff"
"""An id of the right form that no service gave."""
_INCLUDE = "reasoning.encrypted_content"
_SOURCE = "platform.openai.com/docs/guides/reasoning [docs]"
Found = tuple[Message, dict[str, Json]]


def _items(context: Context) -> list[Found]:
    found = zip(context.conversation.messages, context.reading.entries, strict=True)
    return [(message, item) for message, item in found if isinstance(item, dict)]


def _reasoning(context: Context) -> list[Found]:
    return [(m, item) for m, item in _items(context) if m.bears_reasoning]


def _others(context: Context) -> list[Found]:
    """Items of answers beside the reasoning, with ids."""
    return [
        (m, item)
        for m, item in _items(context)
        if m.role is Role.ASSISTANT and not m.bears_reasoning and item.get("id")
    ]


def _set(pointer: str, value: Json, label: str) -> Edit:
    text = json.dumps(value, ensure_ascii=False)
    return Edit(op=Op.SET, pointer=pointer, value=text, label=label)


def _drop(pointer: str, label: str) -> Edit:
    return Edit(op=Op.DROP, pointer=pointer, label=label)


def _made(make: Callable[[Context], Iterator[Edit]]) -> Make:
    def edits(context: Context) -> tuple[Edit, ...] | None:
        return tuple(make(context)) or None

    return edits


def _without(key: str, among: Callable[[Context], list[Found]]) -> Make:
    """A member of items left out."""
    return _made(
        lambda context: (
            _drop(f"{message.pointer}/{key}", f"without its {key}")
            for message, item in among(context)
            if key in item
        )
    )


def _no_reasoning(context: Context) -> Iterator[Edit]:
    for message, _ in _reasoning(context):
        yield _drop(message.pointer, "the reasoning item is left out")


def _cold(context: Context) -> Iterator[Edit]:
    yield from _no_reasoning(context)
    for message, _ in _others(context):
        yield _drop(f"{message.pointer}/id", "without its id")


def _renamed(context: Context) -> Iterator[Edit]:
    for number, (message, item) in enumerate(_reasoning(context)):
        if item.get("id") and item.get("encrypted_content"):
            name = f"{MADE_UP[:-2]}{number:02x}"
            yield _set(f"{message.pointer}/id", name, "an id of the client's own")


def _behind(context: Context) -> Iterator[Edit]:
    """Each reasoning item behind the item that stands after it."""
    messages = context.conversation.messages
    for index, message in enumerate(messages[:-1]):
        if message.bears_reasoning and not messages[index + 1].bears_reasoning:
            later = messages[index + 2 :]
            above = message.pointer.rpartition("/")[0]
            target = later[0].pointer if later else f"{above}/-"
            yield Edit(
                op=Op.MOVE,
                pointer=target,
                source=message.pointer,
                label="behind what it led to",
            )


def _unfollowed(context: Context) -> Iterator[Edit]:
    """What reasoning led to is left out, with its results."""
    messages = context.conversation.messages
    gone: set[str | None] = set()
    for index, message in enumerate(messages):
        is_led = index > 0 and messages[index - 1].bears_reasoning
        if is_led and message.role is Role.ASSISTANT and not message.bears_reasoning:
            gone.update(call.call_id for call in message.calls)
            yield _drop(message.pointer, "what the reasoning led to")
        elif any(result.call_id in gone for result in message.results):
            yield _drop(message.pointer, "the result of a call that is left out")


def _results(context: Context) -> list[Found]:
    kinds = ("function_call_output", "custom_tool_call_output")
    return [(m, item) for m, item in _items(context) if item.get("type") in kinds]


def _unanswered(context: Context) -> Iterator[Edit]:
    for message, _ in _results(context)[-1:]:
        yield _drop(message.pointer, "the output is left out")


def _uncalled(context: Context) -> Iterator[Edit]:
    """The calls of the last round left out, their outputs kept."""
    last = [item.get("call_id") for _, item in _results(context)[-1:]]
    for message in context.conversation.messages:
        if any(call.call_id in last for call in message.calls):
            yield _drop(message.pointer, "the call is left out")


def _misnamed(context: Context) -> Iterator[Edit]:
    for message, item in _results(context)[-1:]:
        name = f"{item.get('call_id')}_2"
        yield _set(f"{message.pointer}/call_id", name, "an id that no call has")


def _early(context: Context) -> Iterator[Edit]:
    """The value of the unfinished item in place of the finished one's."""
    for link in context.ledger.links.get(context.reading.number, ()):
        brought = context.ledger.received_in(link.step)
        early = {s.received[0].sighting.anchor.part: s for s in brought
                 if s.is_provisional}  # fmt: skip
        for signature in brought:
            other = early.get(signature.received[0].sighting.anchor.part)
            if other is None or signature.is_provisional:
                continue
            for sighting in context.reading.sent:
                if sighting.value == signature.value:
                    label = "of the unfinished item"
                    yield _set(sighting.pointer, other.value, label)


def _restored(context: Context) -> Iterator[Edit]:
    """Every reasoning item as received: where it is, or before what it led to."""
    here = {str(item.get("id")): message for message, item in _reasoning(context)}
    for link in context.ledger.links.get(context.reading.number, ()):
        body = context.readings[link.step].response_json
        output = body.get("output") if isinstance(body, dict) else ()
        messages = [context.conversation.messages[index] for index in link.messages]
        thoughts: list[dict[str, Json]] = []
        for item in output if isinstance(output, list) else ():
            if not isinstance(item, dict):
                continue
            if item.get("type") == "reasoning":
                thoughts.append(item)
                continue
            led = next((m for m in messages if _is_item(m, item)), None)
            for thought in thoughts if led else ():
                assert led is not None
                yield from _put_back(context, here, thought, led)
            thoughts = []


def _put_back(
    context: Context,
    here: dict[str, Message],
    thought: dict[str, Json],
    led: Message,
) -> Iterator[Edit]:
    found = here.get(str(thought.get("id")))
    if found is not None:
        index = context.conversation.messages.index(found)
        if context.reading.entries[index] != thought:
            yield _set(found.pointer, thought, "as received")
        return
    messages = context.conversation.messages
    place = messages.index(led)
    if place and messages[place - 1].bears_reasoning:
        before = messages[place - 1].pointer
        yield _set(before, thought, "as received")
        return
    text = json.dumps(thought, ensure_ascii=False)
    yield Edit(op=Op.INSERT, pointer=led.pointer, value=text, label="as received")


def _is_item(message: Message, item: dict[str, Json]) -> bool:
    calls = [call.call_id for call in message.calls]
    if calls:
        return item.get("call_id") in calls
    return item.get("type") == "message" and message.role is Role.ASSISTANT


def _asking(key: str, value: Json, label: str) -> Make:
    def make(context: Context) -> tuple[Edit, ...] | None:
        body = context.body
        if not isinstance(body, dict) or body.get(key) == value:
            return None
        if context.reading.service in (CODEX.name, COPILOT.name):
            return None  # they store nothing
        return (_set(f"/{key}", value, label),)

    return make


def _included(context: Context) -> tuple[Edit, ...] | None:
    body = context.body
    have = body.get("include") if isinstance(body, dict) else None
    have = have if isinstance(have, list) else []
    if _INCLUDE in have:
        return None
    return (_set("/include", [*have, _INCLUDE], "ask for sealed reasoning"),)


def _unknown_answer(context: Context) -> tuple[Edit, ...] | None:
    if not context.conversation.continues:
        return None
    made_up = "resp_0000000000000000000000000000000000000000000000ff"
    return (_set("/previous_response_id", made_up, "an answer that nobody gave"),)


_ROWS: Rows = (
    (
        "restore",
        "reasoning items as received, each before what it led to",
        "cure",
        f"{_SOURCE}; docs/wire/responses.md#policy",
        _made(_restored),
    ),
    (
        "drop-reasoning",
        "reasoning items left out, the ids of what they led to kept",
        "mistake",
        "continuedev/continue#12620; docs/wire/responses.md#rsp-2",
        _made(_no_reasoning),
    ),
    (
        "start-cold",
        "reasoning items left out, and the ids of what they led to; reasoning is lost",
        "cure",
        f"{_SOURCE}; docs/wire/responses.md#bypass",
        _made(_cold),
    ),
    (
        "drop-sealed",
        "`encrypted_content` left out of reasoning items, their ids kept",
        "mistake",
        "vercel/ai#12689; docs/wire/responses.md#rsp-4",
        _without("encrypted_content", _reasoning),
    ),
    (
        "drop-reasoning-ids",
        "reasoning items without their ids",
        "variant",
        "vercel/ai#12689; docs/wire/responses.md#rsp-11",
        _without("id", _reasoning),
    ),
    (
        "drop-other-ids",
        "texts and calls without their ids",
        "variant",
        "openai/codex; docs/wire/responses.md#policy",
        _without("id", _others),
    ),
    (
        "renamed-items",
        "reasoning items under ids of the client's own",
        "mistake",
        "openclaw/openclaw#71333; docs/wire/responses.md#rsp-5",
        _made(_renamed),
    ),
    (
        "reasoning-behind",
        "reasoning items behind what they led to",
        "mistake",
        f"{_SOURCE}; docs/wire/responses.md#wrong-placements",
        _made(_behind),
    ),
    (
        "drop-what-follows",
        "what reasoning items led to left out, with its results",
        "mistake",
        "vercel/ai#7099; docs/wire/responses.md#rsp-1",
        _made(_unfollowed),
    ),
    (
        "drop-output",
        "the last output of a call left out",
        "mistake",
        "bytedance/trae-agent#245; docs/wire/responses.md#rsp-14",
        _made(_unanswered),
    ),
    (
        "drop-call",
        "the last call that was answered left out, its output kept",
        "mistake",
        "microsoft/vscode#320060; docs/wire/responses.md#rsp-14",
        _made(_uncalled),
    ),
    (
        "misnamed-output",
        "the last output under a `call_id` that no call has",
        "mistake",
        "james-6-23/codex2api#414; docs/wire/responses.md#rsp-14",
        _made(_misnamed),
    ),
    (
        "early-value",
        "the sealed value of output_item.added, not that of output_item.done",
        "mistake",
        "docs/wire/responses.md#wrong-placements",
        _made(_early),
    ),
    (
        "unknown-answer",
        "`previous_response_id` names an answer that nobody gave",
        "mistake",
        "maximhq/bifrost#2441; docs/wire/responses.md#rsp-8",
        _unknown_answer,
    ),
    (
        "include-sealed",
        "sealed reasoning asked for",
        "cure",
        f"{_SOURCE}; docs/wire/responses.md#carriers",
        _included,
    ),
    (
        "store",
        "the service asked to keep its answers",
        "variant",
        "platform.openai.com/docs/guides/conversation-state [docs]",
        _asking("store", True, "keep the answer"),
    ),
    (
        "no-store",
        "the service asked not to keep its answers",
        "variant",
        "platform.openai.com/docs/guides/conversation-state [docs]",
        _asking("store", False, "do not keep the answer"),
    ),
)

REPERTOIRE = Repertoire(
    dialect="responses",
    ready=ready_edits(("responses",), _ROWS, "responses."),
    restore=_made(_restored),
)
