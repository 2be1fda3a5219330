"""Captures as clients and gateways that nobody showed us may write them.

Other hosts and base paths, key order, indent and extra fields; CRLF, `event:` names,
comments, a BOM, content codings; several choices, empty deltas, calls without index.
Each is recognised, assembled, and its signature followed into the next request.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from tests.builders import (
    GREP,
    LS,
    OPAQUE,
    READ,
    SIG,
    SIG_B,
    answers,
    ask,
    call_part,
    copilot,
    detail,
    litellm,
    openrouter,
    request_body,
    response_body,
    result,
    says,
    summary,
    text_part,
    user,
)

from sigscope.exchange import Body, Exchange, Headers, Request, Response
from sigscope.ledger import build_ledger
from sigscope.reader import read_steps
from sigscope.session import Step

Json = Any
SSE = "text/event-stream; charset=utf-8"
DONE: Json = {"role": "assistant", "content": "It is empty."}


def stream(events: Sequence[Json], *, end: str = "\r\n", name: str = "") -> bytes:
    """Lines ended as other servers do, with names, ids, comments, and no blanks."""
    lines = []
    for number, event in enumerate(events):
        text = event if isinstance(event, str) else json.dumps(event)
        lines += [
            ": keep-alive",
            *([f"event: {name}", f"id: {number}"] if name else ()),
        ]
        lines += [f"data:{text}", ""]
    return b"\xef\xbb\xbf" + (end.join(lines) + end).encode()


def backwards(value: Json) -> Json:
    """The same JSON with every object's members in the other order."""
    if isinstance(value, dict):
        return {key: backwards(value[key]) for key in reversed(value)}
    return [backwards(v) for v in value] if isinstance(value, list) else value


def sent(
    url: str, body: Json, answer: Json, kind: str, *headers: tuple[str, str]
) -> Exchange:
    extra = {"x_unknown": [None, {"a": 1}], **backwards(body)}
    raw = answer if isinstance(answer, bytes) else json.dumps(answer, indent=3).encode()
    return Exchange(
        request=Request(url=url, body=Body(json.dumps(extra, indent="\t").encode())),
        response=Response(
            status=200, headers=(("content-type", kind), *headers), body=Body(raw)
        ),
    )


@dataclass(frozen=True, kw_only=True)
class Style:
    """Two exchanges, and what should be seen of the first."""

    dialect: str
    url: str
    first: Json
    second: Json
    answer: Json
    last: Json
    kind: str = SSE
    headers: Headers = ()
    events: int | None = None
    """Number of the event that brings the signature; None: not streamed."""
    pointer: str
    sent_at: tuple[str, ...]
    calls: tuple[str | None, ...] = (LS[0],)


def chunk(**delta: Json) -> Json:
    finish = delta.pop("finish", None)
    choice = {"logprobs": None, "finish_reason": finish, "delta": delta, "index": 0}
    return {"usage": None, "choices": [choice], "system_fingerprint": "f"}


def bare(*calls: Any) -> list[Json]:
    """Calls as pieces of a stream, without `index`."""
    return [
        {
            "function": {"arguments": json.dumps(call[2]), "name": call[1]},
            "id": call[0],
            "type": "function",
        }
        for call in calls
    ]


# --- Copilot --------------------------------------------------------------------------

COPILOT_EVENTS = [
    chunk(role="assistant", content="", reasoning_text="I "),
    chunk(reasoning_text="look"),
    chunk(),
    chunk(content=None, tool_calls=bare(LS), reasoning_opaque=OPAQUE),
    chunk(finish="tool_calls"),
    {"choices": [], "usage": {"total_tokens": 3}},
    "[DONE]",
]


def copilot_at(url: str, **more: Any) -> Style:
    wire = {
        "answer": stream(COPILOT_EVENTS, name="chunk"),
        "events": 4,
        "pointer": "/choices/0/delta/reasoning_opaque",
        **more,
    }
    return Style(
        dialect="copilot-chat",
        url=url,
        first=request_body("copilot-chat", [user()]),
        second=request_body(
            "copilot-chat", [user(), copilot(LS, thought="I look"), result(LS)]
        ),
        last=response_body("copilot-chat", DONE),
        sent_at=("/messages/1/reasoning_opaque",),
        **wire,
    )


# --- OpenRouter -----------------------------------------------------------------------


def routed(**delta: Json) -> Json:
    choice = {"native_finish_reason": None, "delta": delta, "index": 0}
    return {"provider": "Google", "choices": [choice]}


def thought(text: str) -> Json:
    return {**summary(text), "text": text}


OTHER_CHOICE = {
    "provider": "Google",
    "choices": [{"index": 1, "delta": {"content": "or", "reasoning_details": []}}],
}
OPENROUTER_EVENTS = [
    routed(role="assistant", content=""),
    routed(reasoning="Loo", reasoning_details=[thought("Loo")]),
    routed(reasoning="king", reasoning_details=[thought("king")]),
    routed(content="", reasoning_details=[]),
    routed(tool_calls=bare(LS)),
    routed(tool_calls=bare(READ)),
    routed(reasoning_details=[detail(LS)]),
    OTHER_CHOICE,
    routed(content=""),
    "[DONE]",
]


def openrouter_at(url: str) -> Style:
    entries = [thought("Looking"), detail(LS)]
    reply = openrouter(LS, READ, details=entries, reasoning="Looking")
    history = [user(), reply, result(LS), result(READ)]
    return Style(
        dialect="openrouter",
        url=url,
        first=request_body("openrouter", [user()]),
        second=request_body("openrouter", history),
        answer=stream(OPENROUTER_EVENTS, end="\n"),
        events=7,
        pointer="/choices/0/delta/reasoning_details/0/data",
        last={"provider": "Google", **response_body("openrouter", DONE)},
        sent_at=("/messages/1/reasoning_details/1/data",),
        calls=(LS[0], READ[0]),
    )


# --- LiteLLM --------------------------------------------------------------------------

IN_ID = (f"call_7__thought__{SIG}", LS[1], LS[2])
FIELDS = {"thought_signature": SIG}


def litellm_at(url: str, model: str, headers: Headers = ()) -> Style:
    reply = litellm(IN_ID, signatures=())
    events = [
        chunk(role="assistant", content="", provider_specific_fields=None),
        chunk(reasoning_content="plan"),
        chunk(tool_calls=[{**bare(IN_ID)[0], "provider_specific_fields": FIELDS}]),
        chunk(finish="tool_calls"),
        "[DONE]",
    ]
    return Style(
        dialect="litellm",
        url=url,
        headers=headers,
        first={"model": model, "messages": [user()]},
        second={"model": model, "messages": [user(), reply, result(IN_ID)]},
        answer=stream(events),
        events=3,
        pointer="/choices/0/delta/tool_calls/0/provider_specific_fields"
        "/thought_signature",
        last=response_body("litellm", DONE),
        sent_at=("/messages/1/tool_calls/0/id", "/messages/2/tool_call_id"),
        calls=(IN_ID[0],),
    )


# --- Gemini ---------------------------------------------------------------------------


def nameless(content: Json) -> Json:
    """A content whose calls and results have no ids."""
    found = json.loads(json.dumps(content))
    for part in found["parts"]:
        for key in ("functionCall", "functionResponse"):
            if key in part:
                del part[key]["id"]
    return found


def snake(value: Json) -> Json:
    text = json.dumps(value)
    for old, new in (
        ("functionCall", "function_call"),
        ("functionResponse", "function_response"),
        ("thoughtSignature", "thought_signature"),
    ):
        text = text.replace(old, new)
    return json.loads(text)


def partial(*parts: Json, **more: Json) -> Json:
    content = {"parts": list(parts), "role": "model"}
    return {"candidates": [{"content": content, "index": 0, **more}]}


PARTIALS = [
    partial(text_part("plan", thought=True)),
    partial(*nameless(says(call_part(LS, SIG), call_part(READ)))["parts"]),
    {**partial({"text": ""}, finishReason="STOP"), "usageMetadata": {}},
]
HISTORY = [
    ask(),
    nameless(says(call_part(LS, SIG), call_part(READ))),
    nameless(answers(LS, READ)),
]
MODEL = "gemini-3-flash-preview"
STUDIO = f"https://generativelanguage.googleapis.com/v1beta/models/{MODEL}"
VERTEX = (
    "https://europe-west4-aiplatform.googleapis.com/v1/projects/p/locations/"
    f"europe-west4/publishers/google/models/{MODEL}@001"
)
CODE_ASSIST = "https://cloudcode-pa.googleapis.com/v1internal"


def gemini_at(url: str, **more: Any) -> Style:
    wire = {
        "first": {"contents": [ask()]},
        "second": {"contents": HISTORY},
        "answer": stream(PARTIALS),
        "pointer": "/candidates/0/content/parts/0/thoughtSignature",
        "last": response_body("gemini", says(text_part("It is empty."))),
        "sent_at": ("/contents/1/parts/0/thoughtSignature",),
        **more,
    }
    return Style(dialect="gemini", url=url, events=2, calls=(None, None), **wire)


STYLES = {
    "copilot, gzip and CRLF": copilot_at(
        "https://api.enterprise.githubcopilot.com/chat/completions",
        answer=gzip.compress(stream(COPILOT_EVENTS, name="chunk")),
        headers=(("Content-Encoding", "gzip"), ("Transfer-Encoding", "chunked")),
    ),
    "copilot, CR only": copilot_at(
        "https://api.individual.githubcopilot.com/chat/completions",
        answer=stream(COPILOT_EVENTS, end="\r"),
    ),
    "copilot, a local proxy": copilot_at("http://localhost:4141/v1/chat/completions"),
    "copilot, whole": copilot_at(
        "https://api.business.githubcopilot.com/chat/completions",
        answer=response_body("copilot-chat", copilot(LS, thought="I look")),
        kind="application/json",
        events=None,
        pointer="/choices/0/message/reasoning_opaque",
    ),
    "openrouter": openrouter_at("https://openrouter.ai/api/v1/chat/completions"),
    "openrouter, a gateway": openrouter_at("https://gw.corp/or/v1/chat/completions"),
    "litellm, /v1": litellm_at("http://p:4000/v1/chat/completions", "gemini/g-3-pro"),
    "litellm, a prefix": litellm_at("https://x.corp/litellm/chat/completions", "alias"),
    "litellm, a deployment": litellm_at(
        "http://p:4000/openai/deployments/g3/chat/completions?api-version=1",
        "vertex_ai/gemini-3-pro-preview",
        (("x-litellm-version", "1.80.5"),),
    ),
    "gemini, a JSON array": gemini_at(
        f"{STUDIO}:streamGenerateContent",
        answer=json.dumps(PARTIALS, indent=2).encode(),
        kind="application/json; charset=UTF-8",
    ),
    "vertex, snake case and URL-safe": gemini_at(
        f"{VERTEX}:streamGenerateContent?alt=sse",
        second={
            "contents": snake(
                [HISTORY[0], nameless(says(call_part(LS, SIG), call_part(READ)))]
            )
            + snake(HISTORY[2:])
        },
        sent_at=("/contents/1/parts/0/thought_signature",),
    ),
    "gemini, behind a prefix": gemini_at(
        f"https://gw.corp/gemini/v1beta/models/{MODEL}:streamGenerateContent?alt=sse"
    ),
    "code assist": gemini_at(
        f"{CODE_ASSIST}:streamGenerateContent?alt=sse",
        first={"project": "p", "model": MODEL, "request": {"contents": [ask()]}},
        second={"project": "p", "model": MODEL, "request": {"contents": HISTORY}},
        answer=stream([{"response": one, "traceId": "t"} for one in PARTIALS]),
        pointer="/response/candidates/0/content/parts/0/thoughtSignature",
        sent_at=("/request/contents/1/parts/0/thoughtSignature",),
    ),
}


@pytest.mark.parametrize("name", sorted(STYLES))
def test_a_style_nobody_showed_us_is_read_all_the_same(name: str) -> None:
    style = STYLES[name]
    exchanges = [
        sent(style.url, style.first, style.answer, style.kind, *style.headers),
        sent(style.url, style.second, style.last, "application/json"),
    ]
    readings = read_steps(
        Step(number=number, id=str(number), exchange=one)
        for number, one in enumerate(exchanges, start=1)
    )
    assert [r.dialect.name if r.dialect else None for r in readings] == [
        style.dialect,
        style.dialect,
    ]
    first = readings[0].reply.message
    assert first is not None
    assert tuple(call.call_id for call in first.calls) == style.calls
    assert [call.name for call in first.calls][:1] == [LS[1]]
    assert all(json.loads(call.arguments) for call in first.calls)
    ledger = build_ledger(readings)
    (signature,) = ledger.signatures
    place = signature.received[0].sighting
    assert (place.event, place.pointer) == (style.events, style.pointer)
    assert tuple(p.sighting.pointer for p in signature.sent) == style.sent_at
    assert [str(fate.fate) for fate in signature.fates] == ["exact"]
    assert [thread.steps for thread in ledger.threads] == [(1, 2)]


def test_thought_text_of_pieces_is_joined_and_of_other_choices_left_out() -> None:
    style = STYLES["openrouter"]
    (reading,) = read_steps(
        [
            Step(
                number=1,
                id="1",
                exchange=sent(style.url, style.first, style.answer, SSE),
            )
        ]
    )
    assert reading.reply.message is not None
    assert reading.reply.message.thoughts == "Looking"
    assert reading.reply.message.text == ""


def test_a_signature_of_another_candidate_is_not_the_conversation_s() -> None:
    beside = {**response_body("gemini", says(call_part(GREP, SIG_B)))["candidates"][0]}
    body = response_body("gemini", says(call_part(LS, SIG)))
    body["candidates"].insert(0, {**beside, "index": 1})
    url = f"{STUDIO}:generateContent"
    exchanges = [
        sent(url, {"contents": [ask()]}, body, "application/json"),
        sent(
            url,
            {"contents": [ask(), says(call_part(LS, SIG)), answers(LS)]},
            response_body("gemini", says(text_part("ok"))),
            "application/json",
        ),
    ]
    ledger = build_ledger(
        read_steps(
            Step(number=n, id=str(n), exchange=e) for n, e in enumerate(exchanges, 1)
        )
    )
    graded = {
        s.value: (str(f.fate), str(f.grade)) for s in ledger.signatures for f in s.fates
    }
    assert graded == {
        SIG: ("exact", "required"),
        SIG_B: ("dropped", "not applicable"),
    }
