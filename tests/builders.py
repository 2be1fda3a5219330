"""Hand-made sessions for tests: a history in, the recorded steps out.

A history is written once, the way a right request has it. `record` makes the steps that
lead to it: one for every reply in it, its request holding what came before; and a last
one with the whole history, or with what the client under test sent instead.

Values are synthetic and decode like the real ones.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sigscope.exchange import Body, Exchange, Headers, Request, Response
from sigscope.reader import Reading, read_steps
from sigscope.session import Step

Json = Any

SIG = "EhkKFwHeWwZgVZrq0IJk1XldOQlxjN0Fq9SV"
SIG_B = "EhkKFwHeWwZgyDYfm0aOaMhtoCQnDglJzhOc"
SIG_C = "EhkKFwHeWwZgAbQp3kLmVxYzr7TtUvWw1234"
SIG_CL = "EhYKBggLEAEYAhIMLn0sA6lQeuJl7PW1GAE="
SIG_CL_B = "EhYKBggLEAEYAhIMPiPoFgA5WUoziU9lGAE="
OPAQUE = "lQx0b3A+c2VjcmV0L2ZpcnN0K2VudmVsb3BlL29mK3RoaXMvdGFsaw=="
OPAQUE_B = "k8Yq9+AtWmVudmVsb3BlL25vK3R3by9vZi90aGlzK3RhbGsvdG9vIQ=="
BYPASS_RAW = "skip_thought_signature_validator"
BYPASS_B64 = "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="

URLS = {
    "copilot-chat": "https://api.githubcopilot.com/chat/completions",
    "openrouter": "https://openrouter.ai/api/v1/chat/completions",
    "litellm": "http://localhost:4000/v1/chat/completions",
    "gemini": "https://generativelanguage.googleapis.com/v1beta/models/"
    "gemini-3-pro-preview:generateContent",
    "anthropic": "https://api.anthropic.com/v1/messages",
    "gemini-openai": "https://generativelanguage.googleapis.com/v1beta/openai/chat/"
    "completions",
    "deepseek": "https://api.deepseek.com/chat/completions",
}
VERTEX = (
    "https://aiplatform.googleapis.com/v1/projects/p/locations/global/publishers/"
    "google/models/gemini-3-pro-preview:generateContent"
)
MODELS = {
    "copilot-chat": "gemini-3-pro-preview",
    "openrouter": "google/gemini-3-pro-preview",
    "litellm": "gemini-3-pro-preview",
    "gemini": "gemini-3-pro-preview",
    "anthropic": "claude-sonnet-4-20250514",
    "gemini-openai": "gemini-3-pro-preview",
    "deepseek": "deepseek-v4-flash",
}
REQUEST_HEADERS: Mapping[str, Headers] = {
    "copilot-chat": (("Copilot-Integration-Id", "vscode-chat"),),
    "anthropic": (("anthropic-version", "2023-06-01"),),
}
RESPONSE_HEADERS: Mapping[str, Headers] = {"litellm": (("x-litellm-call-id", "1"),)}

Call = tuple[str, str, dict[str, Json]]
"""(id, name, arguments)"""

LS: Call = ("call_1", "list_files", {"path": "."})
READ: Call = ("call_2", "read_file", {"path": "a.md"})
GREP: Call = ("call_3", "search", {"text": "todo"})


# --- Chat completions -----------------------------------------------------------------


def system(text: str = "You help.") -> Json:
    return {"role": "system", "content": text}


def user(text: str = "What is in a.md?") -> Json:
    return {"role": "user", "content": text}


def result(call: Call, text: str = "a.md", *, call_id: str | None = None) -> Json:
    return {"role": "tool", "tool_call_id": call_id or call[0], "content": text}


def chat_calls(*calls: Call) -> list[Json]:
    return [
        {
            "id": call_id,
            "type": "function",
            "function": {"name": name, "arguments": json.dumps(arguments)},
        }
        for call_id, name, arguments in calls
    ]


def copilot(
    *calls: Call,
    opaque: str | None = OPAQUE,
    content: Json = None,
    thought: str | None = "**Looking**\n\nI look.\n\n\n",
) -> Json:
    """An assistant message of Copilot, right in every field."""
    message: dict[str, Json] = {"role": "assistant", "content": content}
    if thought is not None:
        message["reasoning_text"] = thought
    if opaque is not None:
        message["reasoning_opaque"] = opaque
    if calls:
        message["tool_calls"] = chat_calls(*calls)
    return message


def detail(call: Call, data: str = SIG, **more: Json) -> Json:
    """An OpenRouter entry that signs a Gemini call."""
    return {
        "type": "reasoning.encrypted",
        "id": call[0],
        "format": "google-gemini-v1",
        "index": 0,
        "data": data,
        **more,
    }


def summary(text: str = "Looking around.") -> Json:
    """An OpenRouter entry without a signature."""
    return {
        "type": "reasoning.text",
        "text": text,
        "format": "google-gemini-v1",
        "index": 0,
    }


def openrouter(
    *calls: Call,
    details: Sequence[Json] | None = None,
    content: Json = None,
    reasoning: str | None = "Looking around.",
) -> Json:
    """An assistant message of OpenRouter; by default its first call is signed."""
    message: dict[str, Json] = {"role": "assistant", "content": content}
    if reasoning is not None:
        message["reasoning"] = reasoning
    if calls:
        message["tool_calls"] = chat_calls(*calls)
    entries = [summary(), detail(calls[0])] if details is None and calls else details
    if entries:
        message["reasoning_details"] = list(entries)
    return message


def litellm(
    *calls: Call,
    signatures: Sequence[str | None] = (SIG,),
    content: Json = None,
    thought: str | None = "Looking around.",
) -> Json:
    """An assistant message of LiteLLM, each call signed in its own fields."""
    message: dict[str, Json] = {"role": "assistant", "content": content}
    if thought is not None:
        message["reasoning_content"] = thought
    if calls:
        message["tool_calls"] = chat_calls(*calls)
        for call, signature in zip(message["tool_calls"], signatures, strict=False):
            if signature:
                call["provider_specific_fields"] = {"thought_signature": signature}
    elif signatures:
        message["provider_specific_fields"] = {"thought_signatures": list(signatures)}
    return message


def gemini_openai(*calls: Call, signature: str = SIG) -> Json:
    """An assistant message of Gemini's compatible endpoint, its first call signed."""
    listed = chat_calls(*calls)
    extra = {"google": {"thought_signature": signature}}
    for call in listed[:1]:
        call["extra_content"] = extra
    return {"role": "assistant", "content": None, "tool_calls": listed}


def deepseek(*calls: Call, thought: str = "I list them.", content: str = "") -> Json:
    """An assistant message of DeepSeek with its readable reasoning."""
    return {
        "role": "assistant",
        "content": content,
        "reasoning_content": thought,
        "tool_calls": chat_calls(*calls),
    }


# --- Gemini ---------------------------------------------------------------------------


def ask(text: str = "What is in a.md?") -> Json:
    return {"role": "user", "parts": [{"text": text}]}


def call_part(call: Call, signature: str | None = None) -> Json:
    call_id, name, arguments = call
    part: dict[str, Json] = {
        "functionCall": {"id": call_id, "name": name, "args": arguments}
    }
    if signature:
        part["thoughtSignature"] = signature
    return part


def text_part(
    text: str, signature: str | None = None, *, thought: bool = False
) -> Json:
    part: dict[str, Json] = {"text": text}
    if thought:
        part["thought"] = True
    if signature:
        part["thoughtSignature"] = signature
    return part


def gemini(*calls: Call, signature: str | None = SIG) -> Json:
    """A `model` content; its first call is signed."""
    parts = [
        call_part(call, signature if index == 0 else None)
        for index, call in enumerate(calls)
    ]
    return {"role": "model", "parts": parts}


def says(*parts: Json) -> Json:
    return {"role": "model", "parts": list(parts)}


def answers(*calls: Call) -> Json:
    """A `user` content with the results of calls."""
    return {
        "role": "user",
        "parts": [
            {
                "functionResponse": {
                    "id": call_id,
                    "name": name,
                    "response": {"result": "a.md"},
                }
            }
            for call_id, name, _ in calls
        ],
    }


# --- Anthropic Messages ---------------------------------------------------------------


def thinking(signature: str | None = SIG_CL, text: str = "I look around.") -> Json:
    block: dict[str, Json] = {"type": "thinking", "thinking": text}
    if signature is not None:
        block["signature"] = signature
    return block


def redacted(data: str = SIG_CL_B) -> Json:
    return {"type": "redacted_thinking", "data": data}


def tool_use(call: Call) -> Json:
    call_id, name, arguments = call
    return {"type": "tool_use", "id": call_id, "name": name, "input": arguments}


def claude(*calls: Call, signature: str | None = SIG_CL, text: str = "") -> Json:
    """An assistant message that begins with a signed block."""
    blocks = [] if signature is None else [thinking(signature)]
    if text:
        blocks.append({"type": "text", "text": text})
    return {"role": "assistant", "content": [*blocks, *map(tool_use, calls)]}


def blocks(*content: Json) -> Json:
    """An assistant message of these blocks."""
    return {"role": "assistant", "content": list(content)}


def tool_results(*calls: Call, text: str = "a.md") -> Json:
    """A user message with the results of calls."""
    return {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": call[0], "content": text}
            for call in calls
        ],
    }


# --- Exchanges ------------------------------------------------------------------------


def request_body(dialect: str, history: Sequence[Json]) -> Json:
    """A request with this history."""
    if dialect == "gemini":
        functions = [{"name": "list_files"}]
        tools = [{"functionDeclarations": functions}]
        return {"contents": list(history), "tools": tools}
    if dialect == "anthropic":
        return {
            "model": MODELS[dialect],
            "max_tokens": 4096,
            "thinking": {"type": "enabled", "budget_tokens": 2048},
            "messages": list(history),
            "tools": [{"name": "list_files", "input_schema": {"type": "object"}}],
        }
    return {
        "model": MODELS[dialect],
        "messages": list(history),
        "tools": [{"type": "function", "function": {"name": "list_files"}}],
    }


def response_body(dialect: str, reply: Json) -> Json:
    """The unstreamed response that brings a reply."""
    if dialect == "gemini":
        candidate = {"content": reply, "finishReason": "STOP", "index": 0}
        return {"candidates": [candidate], "modelVersion": MODELS[dialect]}
    if dialect == "anthropic":
        content = reply["content"]
        if isinstance(content, str):
            content = [{"type": "text", "text": content}]
        called = any(block.get("type") == "tool_use" for block in content)
        return {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": MODELS[dialect],
            "content": content,
            "stop_reason": "tool_use" if called else "end_turn",
            "usage": {"input_tokens": 9, "output_tokens": 7},
        }
    finish = "tool_calls" if reply.get("tool_calls") else "stop"
    choice = {"index": 0, "finish_reason": finish, "message": reply}
    return {"id": "r", "model": MODELS[dialect], "choices": [choice]}


def exchange(
    dialect: str,
    request: Json,
    response: Json,
    *,
    status: int | None = 200,
    url: str | None = None,
    headers: Headers = (),
    content_type: str = "application/json",
) -> Exchange:
    """One exchange; a body is bytes as they are, text, or JSON to be written."""
    return Exchange(
        request=Request(
            url=URLS[dialect] if url is None else url,
            headers=(
                *REQUEST_HEADERS.get(dialect, ()),
                ("Content-Type", "application/json"),
            ),
            body=Body(raw(request)),
        ),
        response=Response(
            status=status,
            headers=(
                *RESPONSE_HEADERS.get(dialect, ()),
                ("Content-Type", content_type),
                *headers,
            ),
            body=Body(raw(response)),
        ),
    )


def raw(body: Json) -> bytes:
    """The bytes of a body."""
    if isinstance(body, bytes):
        return body
    if isinstance(body, str):
        return body.encode()
    return json.dumps(body, ensure_ascii=False).encode()


def sse(*events: Json) -> bytes:
    """A stream of `data:` events; text stands as it is."""
    lines = (e if isinstance(e, str) else json.dumps(e) for e in events)
    return "".join(f"data: {line}\n\n" for line in lines).encode()


def is_reply(message: Json) -> bool:
    return isinstance(message, dict) and message.get("role") in ("assistant", "model")


def record(
    dialect: str,
    history: Sequence[Json],
    *,
    sent: Sequence[Json] | None = None,
    status: int = 200,
    error: Json = None,
    url: str | None = None,
) -> tuple[Reading, ...]:
    """Readings of the steps that lead to a history, and of the step that sends it.

    `sent`: what the last step sends in its place. `error`: what it is answered, with
    `status`; otherwise a short text.
    """
    steps = [
        exchange(
            dialect,
            request_body(dialect, history[:index]),
            response_body(dialect, message),
            url=url,
        )
        for index, message in enumerate(history)
        if is_reply(message) and not (index and is_reply(history[index - 1]))
    ]
    if dialect == "gemini":
        done = says(text_part("It is empty."))
    else:
        done = {"role": "assistant", "content": "It is empty."}
    last = request_body(dialect, history if sent is None else sent)
    answer = response_body(dialect, done) if error is None else error
    return read([*steps, exchange(dialect, last, answer, status=status, url=url)])


def read(exchanges: Iterable[Exchange]) -> tuple[Reading, ...]:
    """Readings of exchanges as the steps of a session."""
    return read_steps(
        Step(number=number, id=f"s{number}", exchange=item)
        for number, item in enumerate(exchanges, start=1)
    )
