"""A conversation that an agent keeps in a form of its own, in that of its API again.

    {"role":"user","content":[{"type":"text","text":"..."}]}
    {"role":"assistant","api":"anthropic-messages","provider":"...","model":"...",
     "content":[{"type":"thinking","thinking":"...","thinkingSignature":"..."},
                {"type":"toolCall","id":"...","name":"...","arguments":{}}]}
    {"role":"toolResult","toolCallId":"...","toolName":"...","content":[...]}

These are the messages of pi, into which those of others are put. Each answer names the
API that it came by: that of the last is given to all. No agent tells where a request
began: the messages become one, the answer they end with its response.
Source: badlogic/pi-mono, packages/ai/src/types.ts and providers/transform-messages.ts,
anthropic.ts, google-shared.ts, openai-responses-shared.ts, openai-completions.ts,
amazon-bedrock.ts, 2026-03.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from sigscope.capture.shape import Tree, mapping, sequence, text
from sigscope.capture.source import parse_json
from sigscope.capture.values import json_bytes
from sigscope.exchange import Body, Exchange, Request, Response
from sigscope.records import dataclass

KEPT = (
    "request: put together from the messages that {} keeps, in the form of the API that"
    " the answers came by; what it sent of them, with which system prompt and tools, is"
    " not in a session. Whether a signature was lost or changed cannot be told: record"
    " the traffic (sigscope run -- {})"
)
LEFT_OUT = (
    "request: {} calls without their result, or results without their call, are left"
    " out: what was sent in their place is not kept"
)
OF_OTHERS = (
    "request: {} signed blocks of other models than the last stand in it without their"
    " signature, as pi sends them"
)
_SIGNED = frozenset({"textSignature", "thinkingSignature", "thoughtSignature"})
_JOINT = "|"
"""Between the id of a call and that of its item, where the Responses API has two."""

Message = dict[str, Tree]


@dataclass(frozen=True, slots=True)
class Form:
    """How an API spells a conversation."""

    entries: Callable[[list[Message], Message], list[Tree]]
    """Of these messages, for the model of the one given."""
    asked: str
    """The member of a request that has them."""
    answered: Callable[[list[Tree], str], dict[str, Tree]]
    """The body of an answer with these entries, of a model so called."""


def retold(
    talk: list[Message], last: Message, form: Form, begun: str | None, agent: str
) -> Exchange:
    """The exchange that a conversation ends with; `last` is its last answer. Raises
    ValueError where it cannot be written."""
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
        remarks=(KEPT.format(agent, agent), *_remarks(sent, last, left)),
    )


def _remarks(sent: list[Message], last: Message, left: int) -> Iterator[str]:
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


def _turns(
    talk: list[Message],
    last: Message,
    block_of: Callable[[dict[str, Tree]], Tree],
    result_of: Callable[[Message], Tree],
) -> list[Tree]:
    """Messages of two roles with a list of blocks each; results that follow one another
    are one of the user's."""
    found: list[Tree] = []
    results: list[Tree] = []
    for message in talk:
        if message["role"] == "toolResult":
            if not results:
                found.append({"role": "user", "content": results})
            results.append(result_of(message))
            continue
        results = []
        is_models = message["role"] == "assistant"
        said = _said(message, last) if is_models else _blocks(message)
        content = [block_of(block) for block in said if not _is_blank(block)]
        if content:
            role = "assistant" if is_models else "user"
            found.append({"role": role, "content": content})
    return found


def _is_blank(block: dict[str, Tree]) -> bool:
    return block.get("type") == "text" and not text(block.get("text")).strip()


# --- Anthropic ----------------------------------------------------------------------


def _messages(talk: list[Message], last: Message) -> list[Tree]:
    return _turns(talk, last, _anthropic, _anthropic_result)


def _anthropic_result(message: Message) -> Tree:
    return {
        "type": "tool_result",
        "tool_use_id": message.get("toolCallId"),
        "content": [_anthropic(block) for block in _blocks(message)],
        "is_error": bool(message.get("isError")),
    }


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
    key = "error" if message.get("isError") else "output"
    return {"name": message.get("toolName"), "response": {key: _text(message)}}


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
            call = text(message.get("toolCallId")).partition(_JOINT)[0]
            told = {"call_id": call, "output": _text(message)}
            found.append({"type": "function_call_output", **told})
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


# --- Chat completions ---------------------------------------------------------------


def _chat(talk: list[Message], last: Message) -> list[Tree]:
    found: list[Tree] = []
    for message in talk:
        if message["role"] == "toolResult":
            told: Tree = {
                "role": "tool",
                "tool_call_id": message.get("toolCallId"),
                "content": _text(message),
            }
            found.append(told)
        elif message["role"] == "assistant":
            found.append(_chat_answer(list(_said(message, last))))
        else:
            parts: Tree = [_chat_part(block) for block in _blocks(message)]
            found.append({"role": "user", "content": parts})
    return found


def _text(message: Message) -> str:
    return "\n".join(text(block.get("text")) for block in _blocks(message, "text"))


def _chat_part(block: dict[str, Tree]) -> Tree:
    if block.get("type") != "image":
        return {"type": "text", "text": text(block.get("text"))}
    media, data = _image(block)
    return {"type": "image_url", "image_url": {"url": f"data:{media};base64,{data}"}}


def _chat_answer(said: list[dict[str, Tree]]) -> Tree:
    """The signature of a thought is the member that it came in, that of a call the
    entry of `reasoning_details` that signs it, written out."""
    told = [block for block in said if block.get("type") == "text"]
    content = "".join(text(block.get("text")) for block in told)
    made: dict[str, Tree] = {"role": "assistant", "content": content or None}
    thoughts = [block for block in said if block.get("type") == "thinking"]
    if thoughts:
        member = text(thoughts[0].get("thinkingSignature"))
        made[member] = "\n".join(text(block.get("thinking")) for block in thoughts)
    calls = [block for block in said if block.get("type") == "toolCall"]
    if calls:
        made["tool_calls"] = [
            {
                "id": call.get("id"),
                "type": "function",
                "function": {
                    "name": call.get("name"),
                    "arguments": json.dumps(
                        call.get("arguments") or {}, ensure_ascii=False
                    ),
                },
            }
            for call in calls
        ]
    read = [parse_json(text(call.get("thoughtSignature"))) for call in calls]
    details: Tree = [entry for entry, error in read if not error and mapping(entry)]
    return made | {"reasoning_details": details} if details else made


def _completion(entries: list[Tree], model: str) -> dict[str, Tree]:
    message: Tree = entries[0] if entries else {"role": "assistant", "content": None}
    choices: Tree = [{"index": 0, "message": message}]
    return {"object": "chat.completion", "model": model, "choices": choices}


# --- Converse -----------------------------------------------------------------------


def _converse(talk: list[Message], last: Message) -> list[Tree]:
    return _turns(talk, last, _block, _result)


def _result(message: Message) -> Tree:
    result: Tree = {
        "toolUseId": message.get("toolCallId"),
        "content": [{"text": _text(message)}],
        "status": "error" if message.get("isError") else "success",
    }
    return {"toolResult": result}


def _block(block: dict[str, Tree]) -> Tree:
    kind = block.get("type")
    if kind == "thinking":
        signed = {"text": block.get("thinking")}
        signed["signature"] = block.get("thinkingSignature")
        return {"reasoningContent": {"reasoningText": signed}}
    if kind == "toolCall":
        arguments = block.get("arguments") or {}
        call = {"toolUseId": block.get("id"), "name": block.get("name")}
        return {"toolUse": call | {"input": arguments}}
    if kind == "image":
        media, data = _image(block)
        format_ = media.partition("/")[2]
        return {"image": {"format": format_, "source": {"bytes": data}}}
    return {"text": text(block.get("text"))}


def _output(entries: list[Tree], model: str) -> dict[str, Tree]:
    message: Tree = entries[0] if entries else {"role": "assistant", "content": []}
    return {"output": {"message": message}, "stopReason": "end_turn"}


ANTHROPIC = Form(_messages, "messages", _message)
_GEMINI = Form(_contents, "contents", _candidate)
_RESPONSES = Form(_items, "input", _response)
FORMS = {
    "anthropic-messages": ANTHROPIC,
    "azure-openai-responses": _RESPONSES,
    "bedrock-converse-stream": Form(_converse, "messages", _output),
    "google-generative-ai": _GEMINI,
    "google-gemini-cli": _GEMINI,
    "google-vertex": _GEMINI,
    "openai-codex-responses": _RESPONSES,
    "openai-completions": Form(_chat, "messages", _completion),
    "openai-responses": _RESPONSES,
}
"""By the API that an answer names."""
