"""Sessions of pi, on which OpenClaw and others are built: one message a line.

    {"type":"session","id":"...","cwd":"..."}
    {"type":"message","id":"b","parentId":"a","message":{"role":"user","content":"..."}}
    {"type":"message","id":"c","parentId":"b","message":{"role":"assistant",
     "api":"anthropic-messages","provider":"...","model":"...","content":[
      {"type":"thinking","thinking":"...","thinkingSignature":"..."},
      {"type":"toolCall","id":"...","name":"...","arguments":{}}]}}
    {"type":"message","message":{"role":"toolResult","toolCallId":"...","content":[...]}}
    {"type":"compaction","summary":"..."}

Each answer names the API that it came by, so its form on the wire is known: that of the
last answer is given to all, as pi does. No line tells where a request began: the
messages become one, the answer they end with its response. A compaction begins another.
Of a tree, the branch of the last line counts.
Source: badlogic/pi-mono, packages/ai/src/types.ts and providers/transform-messages.ts,
anthropic.ts, google-shared.ts, openai-responses-shared.ts, 2026-03.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator

from sigscope.capture.base import Imported
from sigscope.capture.entries import import_talks
from sigscope.capture.shape import Tree, mapping, sequence, text
from sigscope.capture.source import Source, parse_json
from sigscope.capture.values import json_bytes, utc_time
from sigscope.exchange import Body, Exchange, Request, Response
from sigscope.records import dataclass
from sigscope.session import Problem

KEPT = (
    "request: put together from the messages that pi keeps, in the form of the API that"
    " the answers came by; what it sent of them, with which system prompt and tools, is"
    " not in a session. Whether a signature was lost or changed cannot be told: record"
    " the traffic (sigscope run -- pi)"
)
LEFT_OUT = (
    "request: {} calls without their result, or results without their call, are left"
    " out: what was sent in their place is not kept"
)
OF_OTHERS = (
    "request: {} signed blocks of other models than the last stand in it without their"
    " signature, as pi sends them"
)
_ROLES = frozenset({"user", "assistant", "toolResult"})
_BROKEN = frozenset({"error", "aborted"})
"""How an answer stopped that pi never sends again."""
_SIGNED = frozenset({"textSignature", "thinkingSignature", "thoughtSignature"})
_LOOKED_AT = 50
"""Lines among which there must be a message; others come before it."""
_JOINT = "|"
"""Between the id of a call and that of its item, where the Responses API has two."""

Message = dict[str, Tree]


@dataclass(frozen=True, slots=True)
class _Form:
    """How an API spells a conversation."""

    entries: Callable[[list[Message], Message], list[Tree]]
    """Of these messages, for the model of the one given."""
    asked: str
    """The member of a request that has them."""
    answered: Callable[[list[Tree], str], dict[str, Tree]]
    """The body of an answer with these entries, of a model so called."""


def recognise(source: Source) -> bool:
    """Whether the first lines begin such a session and bring a message."""
    if source.is_folder or source.first != "{" or not source.json_error:
        return False
    lines = [mapping(line.tree) for line in source.json_lines[:_LOOKED_AT]]
    is_begun = bool(lines) and lines[0].get("type") == "session"
    return is_begun and any(_message_of(line) for line in lines)


def read(source: Source) -> Imported:
    """One exchange for each conversation. Raises InputError where there is none."""
    trees, problems = source.read_lines()
    lines = list(map(mapping, trees))
    branch = _branch(lines)
    if others := sum(map(_is_message, lines)) - sum(map(_is_message, branch)):
        told = f"{others} messages of other branches; left out"
        problems.append(Problem(message=told))
    if broken := sum(map(_is_broken, branch)):
        told = f"{broken} answers that broke off; left out, as pi never sends them"
        problems.append(Problem(message=told))
    return import_talks(
        source,
        _known_talks(branch, problems),
        lambda talk: _exchange(*talk),
        problems,
        none="the session holds no answer",
    )


def _known_talks(
    branch: list[Message], problems: list[Problem]
) -> Iterator[tuple[list[Message], Message, _Form, str | None]]:
    """With the last answer of each, its form, and when it began."""
    for begun, talk in _talks(branch):
        answers = [each for each in talk if each["role"] == "assistant"]
        api = text(answers[-1].get("api")) if answers else ""
        form = _FORMS.get(api)
        if form is None:
            told = f"a conversation by {api!r}, whose form is not known; left out"
            problems.append(Problem(message=told))
        else:
            yield talk, answers[-1], form, begun


def _message_of(line: Message) -> Message:
    """The message of a line; empty if it has none, or none that is sent."""
    message = mapping(line.get("message"))
    is_one = line.get("type") == "message" and text(message.get("role")) in _ROLES
    return message if is_one and "content" in message else {}


def _is_message(line: Message) -> bool:
    return bool(_message_of(line))


def _is_broken(line: Message) -> bool:
    return _message_of(line).get("stopReason") in _BROKEN


def _branch(lines: list[Message]) -> list[Message]:
    """The lines from the last one up to the root; all, where they make no tree."""
    by_id = {text(line["id"]): line for line in lines if "parentId" in line}
    if not by_id:
        return lines
    found: list[Message] = []
    at = next(reversed(by_id))
    while at in by_id:
        line = by_id.pop(at)
        found.append(line)
        at = text(line.get("parentId"))
    return found[::-1]


def _talks(lines: Iterable[Message]) -> Iterator[tuple[str | None, list[Message]]]:
    """Between two compactions: when it began, and its messages."""
    begun: str | None = None
    talk: list[Message] = []
    for line in lines:
        if line.get("type") == "compaction" and talk:
            yield begun, talk
            begun, talk = None, []
        message = _message_of(line)
        if message and not _is_broken(line):
            begun = begun or utc_time(line.get("timestamp"))
            talk.append(message)
    if talk:
        yield begun, talk


def _exchange(
    talk: list[Message], last: Message, form: _Form, begun: str | None
) -> Exchange:
    is_answered = talk[-1] is last
    sent, left = _paired(talk[:-1] if is_answered else talk)
    model = text(last.get("model"))
    request = response = None
    if entries := form.entries(sent, last):
        named: dict[str, Tree] = {"model": model} if form.asked != "contents" else {}
        request = Request(body=Body(json_bytes(named | {form.asked: entries})))
    if is_answered:
        body = form.answered(form.entries([last], last), model)
        response = Response(body=Body(json_bytes(body)))
    return Exchange(
        request=request,
        response=response,
        started_at=begun,
        remarks=tuple(_remarks(sent, last, left)),
    )


def _remarks(sent: list[Message], last: Message, left: int) -> Iterator[str]:
    yield KEPT
    if left:
        yield LEFT_OUT.format(left)
    others = [each for each in sent if _is_of_another(each, last)]
    signed = [
        block for each in others for block in _blocks(each) if _SIGNED & block.keys()
    ]
    if signed:
        yield OF_OTHERS.format(len(signed))


def _paired(talk: list[Message]) -> tuple[list[Message], int]:
    """Without calls that have no result, and results of no call; and how many."""
    called = {text(c.get("id")) for each in talk for c in _blocks(each, "toolCall")}
    told = {text(each.get("toolCallId")) for each in talk} - {""}
    both = called & told
    found: list[Message] = []
    left = 0
    for each in talk:
        if each["role"] == "toolResult" and text(each.get("toolCallId")) not in both:
            left += 1
            continue
        lone = [c for c in _blocks(each, "toolCall") if text(c.get("id")) not in both]
        left += len(lone)
        content = sequence(each["content"])
        kept: Tree = [block for block in content if block not in lone]
        found.append(each | {"content": kept} if lone else each)
    return found, left


def _blocks(message: Message, kind: str = "") -> list[dict[str, Tree]]:
    """Its blocks; a text alone as one."""
    content = message.get("content")
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    found = map(mapping, sequence(content))
    return [block for block in found if not kind or block.get("type") == kind]


def _said(message: Message, last: Message) -> Iterator[dict[str, Tree]]:
    """The blocks of an answer as the model of `last` gets them: what another thought
    comes as text, without its signatures."""
    is_same = not _is_of_another(message, last)
    for block in _blocks(message):
        thought = text(block.get("thinking"))
        is_signed = bool(text(block.get("thinkingSignature")))
        if block.get("type") != "thinking" or (is_same and is_signed):
            yield block if is_same else _unsigned(block)
        elif thought.strip() and not block.get("redacted"):
            yield {"type": "text", "text": thought}


def _is_of_another(message: Message, last: Message) -> bool:
    names = ("provider", "api", "model")
    is_same = all(message.get(name) == last.get(name) for name in names)
    return message["role"] == "assistant" and not is_same


def _unsigned(block: dict[str, Tree]) -> dict[str, Tree]:
    return {key: value for key, value in block.items() if key not in _SIGNED}


def _image(block: dict[str, Tree]) -> tuple[str, str]:
    return text(block.get("mimeType")), text(block.get("data"))


# --- Anthropic ----------------------------------------------------------------------


def _messages(talk: list[Message], last: Message) -> list[Tree]:
    found: list[Tree] = []
    results: list[Tree] = []
    for message in talk:
        if message["role"] == "toolResult":
            if not results:
                found.append({"role": "user", "content": results})
            results.append(
                {
                    "type": "tool_result",
                    "tool_use_id": message.get("toolCallId"),
                    "content": [_anthropic(block) for block in _blocks(message)],
                    "is_error": bool(message.get("isError")),
                }
            )
            continue
        results = []
        is_models = message["role"] == "assistant"
        said = _said(message, last) if is_models else _blocks(message)
        content = [_anthropic(block) for block in said if not _is_blank(block)]
        if content:
            role = "assistant" if is_models else "user"
            found.append({"role": role, "content": content})
    return found


def _is_blank(block: dict[str, Tree]) -> bool:
    return block.get("type") == "text" and not text(block.get("text")).strip()


def _anthropic(block: dict[str, Tree]) -> Tree:
    kind = block.get("type")
    if kind == "thinking" and block.get("redacted"):
        return {"type": "redacted_thinking", "data": block.get("thinkingSignature")}
    if kind == "thinking":
        signature = block.get("thinkingSignature")
        return {
            "type": "thinking",
            "thinking": text(block.get("thinking")),
            "signature": signature,
        }
    if kind == "toolCall":
        name, arguments = block.get("name"), block.get("arguments") or {}
        return {
            "type": "tool_use",
            "id": block.get("id"),
            "name": name,
            "input": arguments,
        }
    if kind == "image":
        media, data = _image(block)
        source: Tree = {"type": "base64", "media_type": media, "data": data}
        return {"type": "image", "source": source}
    return {"type": "text", "text": text(block.get("text"))}


def _message(entries: list[Tree], model: str) -> dict[str, Tree]:
    content = sequence(mapping(entries[0]).get("content")) if entries else []
    return {"type": "message", "role": "assistant", "model": model, "content": content}


# --- Gemini -------------------------------------------------------------------------


def _contents(talk: list[Message], last: Message) -> list[Tree]:
    found: list[Tree] = []
    results: list[Tree] = []
    for message in talk:
        if message["role"] == "toolResult":
            if not results:
                found.append({"role": "user", "parts": results})
            results.append({"functionResponse": _function_response(message)})
            continue
        results = []
        is_models = message["role"] == "assistant"
        said = _said(message, last) if is_models else _blocks(message)
        parts = [_part(block) for block in said if not _is_blank(block)]
        if parts:
            found.append({"role": "model" if is_models else "user", "parts": parts})
    return found


def _function_response(message: Message) -> Tree:
    said = "\n".join(text(block.get("text")) for block in _blocks(message, "text"))
    key = "error" if message.get("isError") else "output"
    return {"name": message.get("toolName"), "response": {key: said}}


def _part(block: dict[str, Tree]) -> Tree:
    kind = block.get("type")
    if kind == "image":
        media, data = _image(block)
        return {"inlineData": {"mimeType": media, "data": data}}
    part: dict[str, Tree] = {"text": text(block.get("text"))}
    signature = block.get("textSignature")
    if kind == "thinking":
        part = {"thought": True, "text": text(block.get("thinking"))}
        signature = block.get("thinkingSignature")
    elif kind == "toolCall":
        arguments = block.get("arguments") or {}
        part = {"functionCall": {"name": block.get("name"), "args": arguments}}
        signature = block.get("thoughtSignature")
    return part | {"thoughtSignature": signature} if signature else part


def _candidate(entries: list[Tree], model: str) -> dict[str, Tree]:
    content: Tree = entries[0] if entries else {"role": "model", "parts": []}
    return {"candidates": [{"content": content}], "modelVersion": model}


# --- Responses ----------------------------------------------------------------------


def _items(talk: list[Message], last: Message) -> list[Tree]:
    found: list[Tree] = []
    for message in talk:
        if message["role"] == "toolResult":
            said = "\n".join(text(b.get("text")) for b in _blocks(message, "text"))
            call = text(message.get("toolCallId")).partition(_JOINT)[0]
            found.append(
                {"type": "function_call_output", "call_id": call, "output": said}
            )
        elif message["role"] == "assistant":
            items = (_item(block) for block in _said(message, last))
            found += [item for item in items if item is not None]
        else:
            parts: Tree = [_input_part(block) for block in _blocks(message)]
            found.append({"role": "user", "content": parts})
    return found


def _input_part(block: dict[str, Tree]) -> Tree:
    if block.get("type") != "image":
        return {"type": "input_text", "text": text(block.get("text"))}
    media, data = _image(block)
    return {"type": "input_image", "image_url": f"data:{media};base64,{data}"}


def _item(block: dict[str, Tree]) -> Tree:
    """A signature here is the whole reasoning item, written out."""
    kind = block.get("type")
    if kind == "thinking":
        item, error = parse_json(text(block.get("thinkingSignature")))
        return None if error else item
    if kind == "toolCall":
        call, _, name = text(block.get("id")).partition(_JOINT)
        arguments = json.dumps(block.get("arguments") or {}, ensure_ascii=False)
        named: dict[str, Tree] = {"id": name} if name else {}
        kept: dict[str, Tree] = {"name": block.get("name"), "arguments": arguments}
        return {"type": "function_call", **named, "call_id": call, **kept}
    said: Tree = [{"type": "output_text", "text": text(block.get("text"))}]
    return {"type": "message", "role": "assistant", "content": said}


def _response(entries: list[Tree], model: str) -> dict[str, Tree]:
    return {"object": "response", "model": model, "output": entries}


_ANTHROPIC = _Form(_messages, "messages", _message)
_GEMINI = _Form(_contents, "contents", _candidate)
_RESPONSES = _Form(_items, "input", _response)
_FORMS = {
    "anthropic-messages": _ANTHROPIC,
    "azure-openai-responses": _RESPONSES,
    "google-generative-ai": _GEMINI,
    "google-gemini-cli": _GEMINI,
    "google-vertex": _GEMINI,
    "openai-codex-responses": _RESPONSES,
    "openai-responses": _RESPONSES,
}
"""By the API that an answer names. Of `openai-completions` it depends on the service
where the thoughts go; `bedrock-converse-stream` has no dialect here."""
