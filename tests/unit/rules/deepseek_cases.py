"""Cases for DSK-1 to DSK-4, and for SES-4: what happens to reasoning_content."""

from __future__ import annotations

from typing import Any

from tests.unit.rules.cases import ERROR, INFO, WARNING, Bad, Good, exchange

from sigscope.exchange import Exchange

URL = "https://api.deepseek.com/chat/completions"
V4, V32, R1 = "deepseek-v4-flash", "deepseek-v3.2", "deepseek-reasoner"
HI = {"role": "user", "content": "Read a.md"}
PIECES = ("I need ", "the list ", "before I answer.")
THOUGHT = "".join(PIECES)


def said(message: str) -> dict[str, Any]:
    code = "invalid_request_error"
    return {"error": {"message": message, "type": code, "param": None, "code": code}}


MISSING = said(
    "The `reasoning_content` in the thinking mode must be passed back to the API."
)
MISSING_V32 = said(
    "Missing `reasoning_content` field in the assistant message at message index 1. For"
    " more information, please refer to x"
)
NOT_TAKEN = said(
    "The reasoning_content is an intermediate result for display purposes only and will"
    " not be included in the context for inference."
)
CALL = {"id": "c1", "type": "function", "function": {"name": "ls", "arguments": "{}"}}
DONE = {"role": "tool", "tool_call_id": "c1", "content": "a.md"}


TWIN = "https://api.deepseek.com/anthropic/v1/messages"
TWIN_THOUGHT = {"type": "thinking", "thinking": THOUGHT, "signature": "c2lnbmVk"}
TWIN_USE = {"type": "tool_use", "id": "c1", "name": "ls", "input": {}}
TWIN_CALL = {"role": "assistant", "content": [TWIN_USE]}
TWIN_WHOLE = {"role": "assistant", "content": [TWIN_THOUGHT, TWIN_USE]}
TWIN_DONE = {
    "role": "user",
    "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "a.md"}],
}
TWIN_SAID = {"role": "assistant", "content": "It is a.md."}
TWIN_ANSWER = {
    "id": "msg_1", "type": "message", "role": "assistant", "model": V4,
    "content": [TWIN_THOUGHT, TWIN_USE], "stop_reason": "tool_use",
    "usage": {"input_tokens": 9, "output_tokens": 9},
}  # fmt: skip
TWIN_MISSING = said(
    "The `content[].thinking` in the thinking mode must be passed back to the API."
)


def twin(
    messages: list[Any], reply: Any = None, *, status: int | None = 200,
    url: str = TWIN, **more: Any,
) -> Exchange:  # fmt: skip
    """A request to DeepSeek's twin of Anthropic's API."""
    body = {"model": V4, "max_tokens": 4096, "messages": messages, **more}
    headers = (("anthropic-version", "2023-06-01"),)
    return exchange(url, body, reply, status=status, headers=headers)


def calls(**more: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": "", "tool_calls": [CALL]} | more


def stream(*thoughts: str) -> list[Any]:
    deltas: list[Any] = [{"role": "assistant", "reasoning_content": ""}]
    deltas += [{"content": None, "reasoning_content": text} for text in thoughts]
    deltas += [{"tool_calls": [CALL | {"index": 0}]}]
    choices = [{"index": 0, "delta": delta} for delta in deltas]
    choices.append({"index": 0, "delta": {}, "finish_reason": "tool_calls"})
    return [{"id": "r1", "model": V4, "choices": [choice]} for choice in choices]


def ask(
    messages: list[Any],
    answer: Any = None,
    *,
    model: str = V4,
    more: dict[str, Any] | None = None,
    **rest: Any,
) -> Exchange:
    body = {"model": model, "messages": messages} | (more or {})
    return exchange(URL, body, answer, **rest)


def then(
    *sent: Any,
    answer: Any = MISSING,
    status: int = 400,
    model: str = V4,
    came: tuple[str, ...] = PIECES,
    more: dict[str, Any] | None = None,
) -> tuple[Exchange, ...]:
    """A streamed call, and a request with these messages behind the user's."""
    return (
        ask([HI], events=stream(*came), model=model),
        ask([HI, *sent], answer, status=status, model=model, more=more),
    )


FINE = {"id": "r2", "model": V4, "choices": [{"index": 0, "message": HI}]}
OFF = {"thinking": {"type": "disabled"}}
ANSWER = {"role": "assistant", "content": "a.md", "reasoning_content": "So."}

BAD = [
    Bad(
        id="at the twin of Anthropic's API, the thinking is dropped",
        rule="DSK-2",
        exchanges=(
            twin([HI], TWIN_ANSWER),
            twin([HI, TWIN_CALL, TWIN_DONE], TWIN_MISSING, status=400),
        ),
        step=2,
        pointer="/messages/1",
        severity=ERROR,
        says=("no thinking block", "ls"),
        is_confirmed=True,
    ),
    Bad(
        id="about to be sent to the twin, in a closed turn",
        rule="DSK-2",
        exchanges=(
            twin([HI], TWIN_ANSWER),
            twin([HI, TWIN_CALL, TWIN_DONE, TWIN_SAID, HI], status=None),
        ),
        step=2,
        pointer="/messages/1",
        severity=ERROR,
        says=("no thinking block",),
    ),
    Bad(
        id="V3.2 names the message",
        rule="DSK-1",
        exchanges=then(calls(), DONE, answer=MISSING_V32, model=V32),
        step=2,
        pointer="/messages/1",
        severity=ERROR,
        says=("calls ls", "is missing"),
        is_confirmed=True,
    ),
    Bad(
        id="dropped by an SDK with OpenAI's types",
        rule="DSK-2",
        exchanges=then(calls(), DONE),
        step=2,
        pointer="/messages/1",
        severity=ERROR,
        says=("calls ls", "is missing"),
        is_confirmed=True,
    ),
    Bad(
        id="of a closed turn",
        rule="DSK-2",
        exchanges=then(calls(), DONE, ANSWER, HI),
        step=2,
        pointer="/messages/1",
        severity=ERROR,
        says=("is missing",),
        is_confirmed=True,
    ),
    Bad(
        id="under OpenRouter's name",
        rule="DSK-2",
        exchanges=then(calls(reasoning=THOUGHT), DONE),
        step=2,
        pointer="/messages/1",
        severity=ERROR,
        says=("stands in another place",),
        is_confirmed=True,
    ),
    Bad(
        id="the answer reasoned nothing, and null is no text",
        rule="DSK-2",
        exchanges=then(calls(reasoning_content=None), DONE, came=()),
        step=2,
        pointer="/messages/1",
        severity=ERROR,
        says=("the recorded answer has none",),
        is_confirmed=True,
    ),
    Bad(
        id="nobody recorded the answer",
        rule="DSK-2",
        exchanges=(ask([HI, calls(), DONE]),),
        step=1,
        pointer="/messages/1",
        severity=ERROR,
        says=("does not hold the response",),
    ),
    Bad(
        id="accepted all the same",
        rule="DSK-2",
        exchanges=then(calls(), DONE, answer=FINE, status=200),
        step=2,
        pointer="/messages/1",
        severity=WARNING,
        says=("accepted it this time",),
    ),
    Bad(
        id="the first reasoner takes none",
        rule="DSK-3",
        exchanges=then(ANSWER, HI, answer=NOT_TAKEN, model=R1),
        step=2,
        pointer="/messages/1/reasoning_content",
        severity=ERROR,
        says=("takes no reasoning_content",),
        is_confirmed=True,
    ),
    Bad(
        id="outputs between the calls",
        rule="DSK-4",
        exchanges=(
            exchange(
                "https://api.deepseek.com/responses",
                {
                    "model": V4,
                    "input": [
                        {"type": "function_call", "call_id": "a", "name": "ls",
                         "arguments": "{}"},
                        {"type": "function_call_output", "call_id": "a",
                         "output": "1"},
                    ],
                },
                said("No tool output found for tool call a."),
                status=400,
            ),
        ),
        step=1,
        pointer="/input/0",
        severity=ERROR,
        says=("all calls of a step first",),
        has_fix=False,
        is_confirmed=True,
    ),
    Bad(
        id="an accumulator keeps the last piece",
        rule="SES-4",
        exchanges=then(
            calls(reasoning_content=PIECES[-1]), DONE, answer=FINE, status=200
        ),
        step=2,
        pointer="/messages/1/reasoning_content",
        severity=INFO,
        says=("16 characters", f"{len(THOUGHT)} of step 1"),
    ),
    Bad(
        id="an accumulator joins the pieces with new lines",
        rule="SES-4",
        exchanges=then(
            calls(reasoning_content="\n".join(PIECES)), DONE, answer=FINE, status=200
        ),
        step=2,
        pointer="/messages/1/reasoning_content",
        severity=INFO,
        says=("other white space",),
    ),
    Bad(
        id="a filler in place of it",
        rule="SES-4",
        exchanges=then(calls(reasoning_content=""), DONE, answer=FINE, status=200),
        step=2,
        pointer="/messages/1/reasoning_content",
        severity=INFO,
        says=("is empty", f"step 1 brought {len(THOUGHT)} characters"),
    ),
    Bad(
        id="an accumulator cuts it",
        rule="SES-4",
        exchanges=then(
            calls(reasoning_content=THOUGHT[:-8]), DONE, answer=FINE, status=200
        ),
        step=2,
        pointer="/messages/1/reasoning_content",
        severity=INFO,
        says=("characters",),
    ),
]  # fmt: skip
GOOD = [
    Good(
        id="the twin of Anthropic's API, thinking turned off",
        exchanges=(
            twin([HI], TWIN_ANSWER),
            twin(
                [HI, TWIN_CALL, TWIN_DONE], status=None, thinking={"type": "disabled"}
            ),
        ),
        rules=("DSK-2",),
    ),
    Good(
        id="the twin of Anthropic's API, blocks as they came",
        exchanges=(
            twin([HI], TWIN_ANSWER),
            twin([HI, TWIN_WHOLE, TWIN_DONE], status=None),
        ),
        rules=("DSK-2",),
    ),
    Good(
        id="Anthropic itself, a closed turn without its thinking",
        exchanges=(
            twin([HI], TWIN_ANSWER, url="https://api.anthropic.com/v1/messages"),
            twin(
                [HI, TWIN_CALL, TWIN_DONE, TWIN_SAID, HI],
                status=None,
                url="https://api.anthropic.com/v1/messages",
            ),
        ),
        rules=("DSK-2",),
    ),
    Good(
        id="as received, in the next turn as well",
        exchanges=then(
            calls(reasoning_content=THOUGHT), DONE, ANSWER, HI, answer=FINE, status=200
        ),
    ),
    Good(
        id="an empty text where the answer reasoned nothing",
        exchanges=then(
            calls(reasoning_content=""), DONE, came=(), answer=FINE, status=200
        ),
    ),
    Good(
        id="thinking turned off",
        rules=("DSK-1", "DSK-2"),
        exchanges=then(calls(), DONE, answer=FINE, status=200, more=OFF),
    ),
    Good(
        id="of an answer without calls nothing is wanted",
        exchanges=then(
            calls(reasoning_content=THOUGHT),
            DONE,
            {"role": "assistant", "content": "a.md"},
            HI,
            answer=FINE,
            status=200,
        ),
    ),
    Good(
        id="under both names, as some SDKs send it",
        exchanges=then(
            calls(reasoning_content=THOUGHT, reasoning=THOUGHT),
            DONE,
            answer=FINE,
            status=200,
        ),
    ),
]
