"""Cases for CPC-1 to CPC-9; the wrong attempts and the cure of Zed among them."""

from __future__ import annotations

from typing import Any

from tests.unit.rules.cases import (
    ERROR,
    INFO,
    WARNING,
    Bad,
    Good,
    claude_signature,
    envelope,
    exchange,
)

from sigscope.exchange import Exchange

HOST = "https://api.githubcopilot.com"
URL = f"{HOST}/chat/completions"
HEADERS = (("copilot-integration-id", "vscode-chat"),)
GEMINI, CLAUDE = "gemini-3-pro-preview", "claude-sonnet-4.5"
E1, E2, E3 = envelope("one"), envelope("two"), envelope("three")

INVALID = {"error": {"message": "invalid request body", "code": "invalid_request_body"}}
MISSING = {
    "error": {
        "message": "Unable to submit request because function call"
        " `default_api:read_file` in the 2. content block is missing a"
        " `thought_signature`.",
        "code": "invalid_request_body",
    }
}


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def a_call(name: str, call_id: str = "") -> dict[str, Any]:
    return {
        "id": call_id or f"call_{name}",
        "type": "function",
        "function": {"name": name, "arguments": "{}"},
    }


def calls(*names: str, **more: Any) -> dict[str, Any]:
    made = [a_call(name) for name in names]
    return {"role": "assistant", "content": None, "tool_calls": made} | more


def result(name: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": f"call_{name}", "content": "fine"}


def ask(
    messages: list[Any],
    reply: Any = None,
    *,
    name: str = GEMINI,
    status: int = 200,
    url: str = URL,
    more: dict[str, Any] | None = None,
    **rest: Any,
) -> Exchange:
    body = {"model": name, "messages": messages} | (more or {})
    return exchange(url, body, reply, status=status, headers=HEADERS, **rest)


def chunk(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {"id": "r1", "model": GEMINI, "choices": [choice]}


THOUGHT = "**Looking**\n\nI will read it.\n\n"
"""What the chunks of `stream` make, joined."""


def stream(*names: str, opaque: str | None = E1, text: str = "") -> list[Any]:
    """Text of the reasoning in two chunks, then the calls with the envelope."""
    made = [a_call(name) | {"index": i} for i, name in enumerate(names)]
    last: dict[str, Any] = {"tool_calls": made} if made else {"content": ""}
    last |= {"reasoning_opaque": opaque} if opaque else {}
    return [
        chunk({"role": "assistant", "reasoning_text": "**Looking**\n\n"}),
        chunk({"reasoning_text": "I will read it.\n\n"}),
        chunk({"content": text}),
        chunk(last, "tool_calls" if made else "stop"),
    ]


HI = user("Read a.md")
SYSTEM = {"role": "system", "content": "You are an editor."}


def two_steps(
    sent: dict[str, Any],
    reply: Any = None,
    *,
    status: int = 400,
    name: str = GEMINI,
    made: tuple[str, ...] = ("read_file",),
    **more: Any,
) -> tuple[Exchange, ...]:
    """A streamed call, and the next request with `sent` for its message."""
    after = [result(each) for each in made]
    return (
        ask([SYSTEM, HI], events=stream(*made), name=name),
        ask([SYSTEM, HI, sent, *after], reply, status=status, name=name, **more),
    )


def attempt(**fields: Any) -> dict[str, Any]:
    """The message of Zed's attempts: `[]`, and the signature on the call."""
    made = a_call("read_file") | fields
    return {"role": "assistant", "content": [], "tool_calls": [made]}


IN_FUNCTION = {"name": "read_file", "arguments": "{}", "thought_signature": E1}
ATTEMPTS = {
    "attempt 1, on the call": attempt(thought_signature=E1),
    "attempt 2, inside the function": attempt(function=IN_FUNCTION),
    "attempt 3, camel case": attempt(thoughtSignature=E1),
}
WHERE = {
    "attempt 1, on the call": "thought_signature",
    "attempt 2, inside the function": "function/thought_signature",
    "attempt 3, camel case": "thoughtSignature",
}
ANSWER = "The next item on the list is the new parser."


def vscode() -> tuple[Exchange, ...]:
    """Three requests of one chat and a title request, as VS Code makes them."""
    tools = {"tools": [{"type": "function", "function": {"name": "read_file"}}]}
    turn = [
        SYSTEM,
        HI,
        calls("read_file", reasoning_opaque=E1, reasoning_text="**Looking**"),
        result("read_file"),
    ]
    closed = [SYSTEM, HI, calls("read_file"), result("read_file")]
    title = {"role": "system", "content": "Write a title for this chat."}
    return (
        ask([SYSTEM, HI], events=stream("read_file"), more=tools),
        ask(turn, events=stream(opaque=E2, text=ANSWER), more=tools),
        ask(
            [title, HI], events=stream(opaque=None, text="A title"), name="gpt-4o-mini"
        ),
        ask(
            [*closed, {"role": "assistant", "content": ANSWER}, user("Thanks!")],
            events=stream(opaque=E3, text="You're welcome!"),
            more=tools,
        ),
    )


BAD = (
    Bad(
        id="another envelope where a known one belongs",
        rule="CPC-5",
        exchanges=two_steps(calls("read_file", reasoning_opaque=envelope("another"))),
        step=2,
        pointer="/messages/2/reasoning_opaque",
        severity=WARNING,
        says=("another value stands where", "no damaged copy"),
    ),
    *(
        Bad(
            id=f"{name}: the field",
            rule="CPC-2",
            exchanges=two_steps(message, INVALID),
            step=2,
            pointer=f"/messages/2/tool_calls/0/{WHERE[name]}",
            severity=ERROR,
            says=(WHERE[name], "belongs to the message"),
            is_confirmed=True,
        )
        for name, message in ATTEMPTS.items()
    ),
    *(
        Bad(
            id=f"{name}: the message",
            rule="CPC-1",
            exchanges=two_steps(message, INVALID),
            step=2,
            pointer="/messages/2",
            severity=ERROR,
            says=(
                "reasoning_opaque",
                "step 1, event 4",
                "calls read_file",
                WHERE[name],
            ),
            is_confirmed=True,
        )
        for name, message in ATTEMPTS.items()
    ),
    Bad(
        id="in a field of the client's own invention",
        rule="CPC-2",
        exchanges=two_steps(
            attempt(function={"name": "read_file", "arguments": "{}", "blob": E1})
        ),
        step=2,
        pointer="/messages/2/tool_calls/0/function/blob",
        severity=ERROR,
        says=("function/blob", "as reasoning_opaque"),
    ),
    Bad(
        id="inside the text of the message",
        rule="CPC-1",
        exchanges=two_steps(calls("read_file", content=f"<think>{E1}</think>")),
        step=2,
        pointer="/messages/2",
        severity=WARNING,
        says=("stands inside the longer value of /messages/2/content",),
    ),
    Bad(
        id="content is an empty list, the signature is in place",
        rule="CPC-2",
        exchanges=two_steps(
            calls("read_file", content=[], reasoning_opaque=E1), INVALID
        ),
        step=2,
        pointer="/messages/2/content",
        severity=ERROR,
        says=("content is []", "null or a string"),
        is_confirmed=True,
    ),
    Bad(
        id="arguments as an object",
        rule="CPC-2",
        exchanges=(
            ask(
                [
                    HI,
                    attempt(function={"name": "read_file", "arguments": {"a": 1}})
                    | {"content": None, "reasoning_opaque": E1},
                    result("read_file"),
                ]
            ),
        ),
        step=1,
        pointer="/messages/1/tool_calls/0/function/arguments",
        severity=ERROR,
        says=("arguments is an object", "JSON text"),
        has_fix=False,
    ),
    Bad(
        id="dropped, refused in Google's words",
        rule="CPC-1",
        exchanges=two_steps(calls("read_file"), MISSING),
        step=2,
        pointer="/messages/2",
        severity=ERROR,
        says=("received in step 1, event 4", "calls read_file", "2. content block"),
        is_confirmed=True,
    ),
    Bad(
        id="dropped, nobody answered",
        rule="CPC-1",
        exchanges=two_steps(calls("read_file")),
        step=2,
        pointer="/messages/2",
        severity=WARNING,
        says=("is missing",),
    ),
    Bad(
        id="dropped, accepted",
        rule="CPC-1",
        exchanges=(
            *two_steps(calls("read_file"))[:1],
            ask(
                [SYSTEM, HI, calls("read_file"), result("read_file")],
                events=stream(opaque=E2, text=ANSWER),
            ),
        ),
        step=2,
        pointer="/messages/2",
        severity=WARNING,
        says=("behaviour may suffer",),
    ),
    Bad(
        id="dropped for an older Gemini",
        rule="CPC-1",
        exchanges=(
            ask([HI], events=stream("read_file"), name="gemini-2.5-pro"),
            ask([HI, calls("read_file"), result("read_file")], name="gemini-2.5-pro"),
        ),
        step=2,
        pointer="/messages/1",
        severity=INFO,
        says=("is missing",),
    ),
    Bad(
        id="the envelopes of two rounds exchanged",
        rule="CPC-1",
        exchanges=(
            ask([HI], events=stream("read_file")),
            ask(
                [HI, calls("read_file", reasoning_opaque=E1), result("read_file")],
                events=stream("list_dir", opaque=E2),
            ),
            ask(
                [
                    HI,
                    calls("read_file", reasoning_opaque=E2),
                    result("read_file"),
                    calls("list_dir", reasoning_opaque=E1),
                    result("list_dir"),
                ],
            ),
        ),
        step=3,
        pointer="/messages/1",
        severity=WARNING,
        says=("/messages/3/reasoning_opaque", "on another message"),
    ),
    Bad(
        id="text and calls as two messages",
        rule="CPC-1",
        exchanges=(
            ask([HI], events=stream("read_file", text="Let me look.")),
            ask(
                [
                    HI,
                    {
                        "role": "assistant",
                        "content": "Let me look.",
                        "reasoning_text": THOUGHT,
                        "reasoning_opaque": E1,
                    },
                    calls("read_file"),
                    result("read_file"),
                ],
                MISSING,
                status=400,
            ),
        ),
        step=2,
        pointer="/messages/2",
        severity=ERROR,
        says=("/messages/1", "other half"),
        is_confirmed=True,
    ),
    Bad(
        id="text and calls as two messages, and an empty list",
        rule="CPC-1",
        exchanges=(
            ask([HI], events=stream("read_file", text="Let me look.")),
            ask(
                [
                    HI,
                    {
                        "role": "assistant",
                        "content": "Let me look.",
                        "reasoning_opaque": E1,
                    },
                    calls("read_file", content=[]),
                    result("read_file"),
                ],
                INVALID,
                status=400,
            ),
        ),
        step=2,
        pointer="/messages/2",
        severity=ERROR,
        says=("other half",),
        is_confirmed=True,
    ),
    Bad(
        id="an argument that the model does not know",
        rule="CPC-3",
        exchanges=(
            ask(
                [HI],
                {
                    "error": {
                        "message": "Unrecognized request argument supplied:"
                        " reasoning_effort",
                        "code": "invalid_request_body",
                    }
                },
                status=400,
                more={"reasoning_effort": "high"},
            ),
        ),
        step=1,
        pointer="/reasoning_effort",
        severity=ERROR,
        says=("reasoning_effort", GEMINI),
        is_confirmed=True,
    ),
    Bad(
        id="Gemini 3 on its way to the Responses API",
        rule="CPC-4",
        exchanges=(
            exchange(
                f"{HOST}/responses",
                {"model": GEMINI, "messages": [user("Hi")]},
                headers=HEADERS,
            ),
        ),
        step=1,
        pointer="/model",
        severity=WARNING,
        says=(GEMINI, "/responses", "shows only there"),
    ),
    Bad(
        id="Gemini 3 through the Responses API",
        rule="CPC-4",
        exchanges=(
            exchange(
                f"{HOST}/responses",
                {"model": GEMINI, "input": [user("Hi")]},
                {
                    "error": {
                        "message": f"model {GEMINI} is not supported via Responses"
                        " API.",
                        "code": "unsupported_api_for_model",
                    }
                },
                status=400,
                headers=HEADERS,
            ),
        ),
        step=1,
        pointer="/model",
        severity=ERROR,
        says=(GEMINI, "/responses", "/chat/completions"),
        is_confirmed=True,
    ),
    Bad(
        id="the field's name for its value",
        rule="CPC-5",
        exchanges=(
            ask(
                [
                    HI,
                    calls("read_file", reasoning_opaque="reasoning_opaque"),
                    result("read_file"),
                ],
                {
                    "error": {
                        "message": "messages.1.content.0: Invalid `signature` in"
                        " `thinking` block",
                        "code": "invalid_request_body",
                    }
                },
                status=400,
                name=CLAUDE,
            ),
        ),
        step=1,
        pointer="/messages/1/reasoning_opaque",
        severity=ERROR,
        says=("field's name",),
        has_fix=False,
        is_confirmed=True,
    ),
    Bad(
        id="cut, for Gemini",
        rule="CPC-5",
        exchanges=two_steps(calls("read_file", reasoning_opaque=E1[:60])),
        step=2,
        pointer="/messages/2/reasoning_opaque",
        severity=WARNING,
        says=("was cut",),
    ),
    Bad(
        id="a raw Claude signature",
        rule="CPC-5",
        exchanges=(
            ask(
                [
                    HI,
                    calls("read_file", reasoning_opaque=claude_signature("x")),
                    result("read_file"),
                ],
                name=CLAUDE,
            ),
        ),
        step=1,
        pointer="/messages/1/reasoning_opaque",
        severity=ERROR,
        says=("by its first bytes", "Claude"),
        has_fix=False,
    ),
    Bad(
        id="a tool message whose call was trimmed away",
        rule="CPC-6",
        exchanges=(ask([HI, result("gone"), user("Go on")]),),
        step=1,
        pointer="/messages/1",
        severity=ERROR,
        says=("call_gone",),
    ),
    Bad(
        id="a result under another id, all else is paired",
        rule="CPC-6",
        exchanges=(
            ask(
                [
                    HI,
                    calls("read_file", "list_dir", reasoning_opaque=E1),
                    result("read_file"),
                    result("ls"),
                ]
            ),
        ),
        step=1,
        pointer="/messages/3",
        severity=ERROR,
        says=("call_ls", "list_dir (call_list_dir) is meant"),
    ),
    Bad(
        id="a result that stands before its call",
        rule="CPC-6",
        exchanges=(
            ask(
                [
                    HI,
                    result("read_file"),
                    calls("read_file", reasoning_opaque=E1),
                    user("Go on"),
                ]
            ),
        ),
        step=1,
        pointer="/messages/1",
        severity=ERROR,
        says=("read_file (call_read_file) comes in /messages/2",),
    ),
    Bad(
        id="a result that the request before had sent",
        rule="CPC-6",
        exchanges=(
            ask([HI], events=stream("read_file", "list_dir")),
            ask(
                [
                    HI,
                    calls("read_file", "list_dir", reasoning_opaque=E1),
                    result("read_file"),
                    result("list_dir"),
                ],
                events=stream(text="It is empty."),
            ),
            ask(
                [
                    HI,
                    calls("read_file", "list_dir", reasoning_opaque=E1),
                    result("list_dir"),
                    {"role": "assistant", "content": "It is empty."},
                    user("Thanks!"),
                ]
            ),
        ),
        step=3,
        pointer="/messages/1/tool_calls/0",
        severity=ERROR,
        says=("no tool message", "step 2 had sent one"),
    ),
    Bad(
        id="a call that nobody answered",
        rule="CPC-6",
        exchanges=(ask([HI, calls("read_file", reasoning_opaque=E1), user("Go on")]),),
        step=1,
        pointer="/messages/1/tool_calls/0",
        severity=ERROR,
        says=("read_file", "no tool message"),
        has_fix=False,
    ),
    Bad(
        id="a final answer's envelope",
        rule="CPC-7",
        exchanges=vscode(),
        step=4,
        pointer="/messages/4",
        severity=INFO,
        says=("received in step 2, event 4", "VS Code"),
    ),
    Bad(
        id="two envelopes in one response",
        rule="CPC-8",
        exchanges=(
            ask(
                [HI],
                events=[
                    chunk({"reasoning_opaque": E1, "reasoning_text": "One"}),
                    chunk({"reasoning_opaque": E2, "reasoning_text": "Two"}),
                    chunk({"content": ANSWER}, "stop"),
                ],
                name=CLAUDE,
            ),
        ),
        step=1,
        pointer="/choices/0/delta/reasoning_opaque",
        severity=INFO,
        says=("2 envelopes", "event 1", "event 2"),
        has_fix=False,
        in_response=True,
        event=2,
    ),
    Bad(
        id="finish reason error",
        rule="CPC-9",
        exchanges=(ask([HI], events=[chunk({"content": ""}), chunk({}, "error")]),),
        step=1,
        pointer="/choices/0/finish_reason",
        severity=WARNING,
        says=("finish_reason error",),
        has_fix=False,
        in_response=True,
        event=2,
    ),
    Bad(
        id="an empty stop",
        rule="CPC-9",
        exchanges=(ask([HI], events=[chunk({"content": ""}, "stop")]),),
        step=1,
        pointer="/choices/0/finish_reason",
        severity=WARNING,
        says=("says nothing",),
        has_fix=False,
        in_response=True,
        event=1,
    ),
)

GOOD = (
    Good(
        id="calls of the last message wait for their answers",
        exchanges=(ask([HI, calls("read_file", reasoning_opaque=E1)]),),
    ),
    Good(id="VS Code's four requests", exchanges=vscode()),
    Good(
        id="the final fix",
        exchanges=two_steps(calls("read_file", reasoning_opaque=E1)),
    ),
    Good(
        id="opencode's copies beside the envelope",
        exchanges=(
            ask([HI], events=stream("read_file")),
            ask(
                [
                    HI,
                    calls("read_file", reasoning_opaque=E1)
                    | {"tool_calls": [a_call("read_file") | {"reasoningOpaque": E1}]},
                    result("read_file") | {"reasoningOpaque": E1},
                ],
                status=400,
            ),
        ),
    ),
    Good(
        id="an empty string for content",
        exchanges=two_steps(calls("read_file", content="", reasoning_opaque=E1)),
    ),
    Good(
        id="parallel calls under one envelope",
        exchanges=two_steps(
            calls("read_file", "list_dir", reasoning_opaque=E1),
            made=("read_file", "list_dir"),
        ),
    ),
    Good(
        id="only the latest round of an accepted turn",
        exchanges=(
            ask([HI], events=stream("read_file")),
            ask(
                [HI, calls("read_file", reasoning_opaque=E1), result("read_file")],
                events=stream("list_dir", opaque=E2),
            ),
            ask(
                [
                    HI,
                    calls("read_file"),
                    result("read_file"),
                    calls("list_dir", reasoning_opaque=E2),
                    result("list_dir"),
                ],
                events=stream(opaque=None, text=ANSWER),
            ),
        ),
    ),
    Good(
        id="all envelopes of all turns",
        exchanges=(
            *vscode()[:2],
            ask(
                [
                    SYSTEM,
                    HI,
                    calls("read_file", reasoning_opaque=E1),
                    result("read_file"),
                    {"role": "assistant", "content": ANSWER, "reasoning_opaque": E2},
                    user("Thanks!"),
                ],
                events=stream(opaque=None, text="You're welcome!"),
            ),
        ),
    ),
    Good(
        id="the last of several envelopes",
        exchanges=(
            ask(
                [HI],
                events=[
                    chunk({"reasoning_opaque": E1}),
                    *stream("read_file", opaque=E2),
                ],
            ),
            ask([HI, calls("read_file", reasoning_opaque=E2), result("read_file")]),
        ),
    ),
)
