"""Gemini generateContent on AI Studio and Vertex (docs/wire/gemini.md)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote

from sigscope.conversation import (
    Conversation,
    Json,
    Message,
    Part,
    PartKind,
    Reply,
    Role,
    SignatureKind,
    Usage,
)
from sigscope.dialects.assembly import Assembler
from sigscope.dialects.base import Dialect, Match, Probe
from sigscope.dialects.carriers import Carrier, stray
from sigscope.dialects.gemini_stream import GeminiAssembler
from sigscope.dialects.histories import Histories
from sigscope.dialects.homes import OnPart
from sigscope.dialects.leaves import json_of, text_of
from sigscope.dialects.litellm import LITELLM
from sigscope.dialects.media import gemini_media, told
from sigscope.dialects.services import (
    AI_STUDIO,
    VERTEX,
    Service,
    Variable,
)

_PATH = re.compile(
    r"/models/(?:[^:]*/)?(?P<model>[^/:]+):(?:stream)?[gG]enerateContent/?$"
)
"""Gateways put a vendor before the model: `/models/google/gemini-3-pro:...`."""
_WRAPPED_PATH = re.compile(r":(?:stream)?[gG]enerateContent/?$")
"""Code Assist: `/v1internal:generateContent`, the body under `request`."""
_OTHER_VERB = re.compile(
    r":[A-Za-z]+/?$|/(?:cachedContents|batches|files|interactions)(?:/|$)"
)
"""Paths of Google's other methods, whose bodies hold `contents` too."""

ROLES = {
    "user": Role.USER,
    "model": Role.ASSISTANT,
    "function": Role.TOOL,
    "tool": Role.TOOL,
    "system": Role.SYSTEM,
}


def _both_spellings(path: str) -> tuple[str, ...]:
    """A place below a part, in plain and in wrapped (Code Assist) bodies."""
    return tuple(f"{root}/contents/*/parts/*/{path}" for root in ("", "/request"))


def _answer(path: str) -> tuple[str, ...]:
    return tuple(
        f"{root}/candidates/*/content/parts/*/{path}" for root in ("", "/response")
    )


CARRIERS = (
    Carrier(
        name="gemini.thoughtSignature",
        kind=SignatureKind.SIGNATURE,
        request=_both_spellings("thoughtSignature"),
        response=_answer("thoughtSignature"),
        event=_answer("thoughtSignature"),
    ),
    Carrier(
        name="gemini.thought_signature",
        kind=SignatureKind.SIGNATURE,
        request=_both_spellings("thought_signature"),
        response=_answer("thought_signature"),
        event=_answer("thought_signature"),
    ),
    *(
        stray(f"gemini.misplaced.{field.replace('/', '.')}", *_both_spellings(field))
        for field in (
            "functionCall/thoughtSignature",
            "functionCall/thought_signature",
            "function_call/thought_signature",
            "functionResponse/thoughtSignature",
            "functionResponse/thought_signature",
            "function_response/thought_signature",
            "extra_content/google/thought_signature",
        )
    ),
    *(
        stray(
            f"gemini.misplaced.content.{field}",
            *(f"{root}/contents/*/{field}" for root in ("", "/request")),
        )
        for field in ("thoughtSignature", "thought_signature")
    ),
)


CODE_ASSIST = Service(
    name="code-assist",
    title="Gemini Code Assist",
    hosts=("cloudcode-pa.googleapis.com", "*-cloudcode-pa.googleapis.com"),
    path=re.compile(r"/v1internal:"),
    key_variable=Variable("GOOGLE_ACCESS_TOKEN", "an access token of Gemini CLI"),
)
"""What Gemini CLI asks after a login with Google (source: google-gemini/gemini-cli,
packages/core/src/code_assist)."""


class Gemini(Dialect):
    """`:generateContent` and `:streamGenerateContent`."""

    name = "gemini"
    title = "Gemini generateContent"
    family = "generate-content"
    services = (AI_STUDIO, VERTEX, CODE_ASSIST, LITELLM)
    default_path = "/v1beta/models/{model}:{method}"
    default_key_header = "x-goog-api-key"
    """AI Studio's imitators take what it takes."""
    joined_roles = None
    carriers = CARRIERS
    home = OnPart(
        key="thoughtSignature",
        spellings={
            "thought_signature": "thought_signature",
            "function_call": "thought_signature",
        },
        empty={"text": ""},
    )
    operation = re.compile(r"/(?:models/.*|v1internal)(?::|%3[Aa])[A-Za-z]+/?$")

    def has_shape(self, probe: Probe) -> bool:
        return _asks(probe) or _answers(probe)

    def match(self, probe: Probe, beaten: Match = Match.NO) -> Match:
        path = unquote(probe.path)  # some HTTP libraries write the colon as %3A
        if _WRAPPED_PATH.search(path):
            return Match.PATH
        if beaten >= Match.ANSWERED or _OTHER_VERB.search(path):
            return Match.NO
        is_gateway = path not in ("", "/")  # has a path of its own
        asks = _asks(probe)
        if (asks or not is_gateway) and _answers(probe):
            return Match.ANSWERED
        return Match.ASKED if asks else Match.NO

    def assembler(self) -> Assembler:
        return GeminiAssembler()

    def history(self, body: Json) -> tuple[str, list[Json]]:
        inner, root = _unwrap(body, "request")
        contents = inner.get("contents")
        return f"{root}/contents", contents if isinstance(contents, list) else []

    def message(self, item: Json, at: str) -> Message:
        return _message(item, at)

    def conversation(
        self, body: Json, url: str, histories: Histories | None = None
    ) -> Conversation:
        inner, _ = _unwrap(body, "request")
        generation = _PATH.search(unquote(url.partition("?")[0]))
        model = inner.get("model", body.get("model") if isinstance(body, dict) else "")
        model = model if isinstance(model, str) else ""
        return Conversation(
            messages=self.messages(body, histories),
            model=generation["model"] if generation else model.rpartition("/")[2],
            tools=tuple(_tool_names(inner.get("tools"))),
            streams="streamGenerateContent" in url,
        )

    def reply(self, body: Json) -> Reply:
        inner, root = _unwrap(body, "response")
        candidate, at = _first_candidate(inner, root)
        content = candidate.get("content")
        message = None
        if isinstance(content, dict) and content:
            message = _message({"role": "model", **content}, f"{at}/content")
        finish = candidate.get("finishReason")
        return Reply(
            message=message,
            finish=finish if isinstance(finish, str) else None,
            model=text_of(inner.get("modelVersion")),
            response_id=text_of(inner.get("responseId")),
            usage=_usage(inner.get("usageMetadata")),
            has_error="error" in inner,
        )


def _asks(probe: Probe) -> bool:
    request = _unwrap(probe.request, "request")[0]
    contents = request.get("contents")
    if not isinstance(contents, list) or "messages" in request:
        return False
    # Other services have a member of this name too.
    is_told = probe.path not in ("", "/")
    return not is_told or any(isinstance(c, dict) and "parts" in c for c in contents)


def _answers(probe: Probe) -> bool:
    answers = (_unwrap(answer, "response")[0] for answer in probe.answers)
    return any(
        isinstance(answer.get("candidates"), list)
        or "usageMetadata" in answer
        or "promptFeedback" in answer
        for answer in answers
    )


def _unwrap(body: Json, key: str) -> tuple[dict[str, Json], str]:
    """The object that counts, and its pointer: Code Assist wraps both directions."""
    if not isinstance(body, dict):
        return {}, ""
    inner = body.get(key)
    names = ("contents", "candidates", "usageMetadata", "error")
    if isinstance(inner, dict) and not any(name in body for name in names):
        return inner, f"/{key}"
    return body, ""


def _message(content: Json, at: str) -> Message:
    if not isinstance(content, dict):
        part = Part(kind=PartKind.OPAQUE, pointer=at, text=json_of(content))
        return Message(role=Role.OTHER, pointer=at, parts=(part,))
    raw = content.get("parts")
    parts = tuple(
        _part(part, f"{at}/parts/{index}")
        for index, part in enumerate(raw if isinstance(raw, list) else ())
    )
    role = ROLES.get(text_of(content.get("role")) or "user", Role.OTHER)
    if role is Role.USER and parts and all(p.kind is PartKind.RESULT for p in parts):
        role = Role.TOOL
    return Message(role=role, pointer=at, parts=parts)


def _shown(result: dict[str, Json], at: str) -> Iterator[str]:
    """Media that a function answers with, beside its JSON."""
    parts = result.get("parts")
    for part in parts if isinstance(parts, list) else ():
        for key in _MEDIA:
            if isinstance(part, dict) and isinstance(part.get(key), dict):
                yield f"\n{told(gemini_media(part[key], at))}"


_MEDIA = ("inlineData", "inline_data", "fileData", "file_data")


def _part(part: Json, at: str) -> Part:
    if not isinstance(part, dict):
        return Part(kind=PartKind.OPAQUE, pointer=at, text=json_of(part))
    call = part.get("functionCall", part.get("function_call"))
    if isinstance(call, dict):
        return Part(
            kind=PartKind.CALL,
            pointer=at,
            call_id=text_of(call.get("id")) or None,
            name=text_of(call.get("name")) or None,
            arguments=json_of(call.get("args", {})),
        )
    result = part.get("functionResponse", part.get("function_response"))
    if isinstance(result, dict):
        return Part(
            kind=PartKind.RESULT,
            pointer=at,
            call_id=text_of(result.get("id")) or None,
            name=text_of(result.get("name")) or None,
            text=json_of(result.get("response")) + "".join(_shown(result, at)),
        )
    if isinstance(part.get("text"), str):
        kind = PartKind.THOUGHT if part.get("thought") is True else PartKind.TEXT
        return Part(kind=kind, pointer=at, text=part["text"])
    for key in _MEDIA:
        if isinstance(part.get(key), dict):
            return gemini_media(part[key], at)
    return Part(kind=PartKind.OPAQUE, pointer=at, text=json_of(part))


def _first_candidate(inner: dict[str, Json], root: str) -> tuple[dict[str, Json], str]:
    candidates = inner.get("candidates")
    for position, candidate in enumerate(
        candidates if isinstance(candidates, list) else ()
    ):
        if isinstance(candidate, dict) and candidate.get("index", 0) in (0, None):
            return candidate, f"{root}/candidates/{position}"
    return {}, f"{root}/candidates/0"


def _usage(usage: Json) -> Usage:
    """`candidatesTokenCount` excludes the thoughts, so both are the completion."""
    if not isinstance(usage, dict):
        return Usage()
    counts = {
        key: value if isinstance(value, int) else None for key, value in usage.items()
    }
    said, thought = counts.get("candidatesTokenCount"), counts.get("thoughtsTokenCount")
    completion = (
        None if said is None and thought is None else (said or 0) + (thought or 0)
    )
    return Usage(
        prompt=counts.get("promptTokenCount"),
        completion=completion,
        reasoning=thought,
        total=counts.get("totalTokenCount"),
        cached=counts.get("cachedContentTokenCount"),
    )


def _tool_names(tools: Json) -> Iterator[str]:
    for tool in tools if isinstance(tools, list) else ():
        if not isinstance(tool, dict):
            continue
        functions = tool.get("functionDeclarations", tool.get("function_declarations"))
        for function in functions if isinstance(functions, list) else ():
            if isinstance(function, dict) and isinstance(function.get("name"), str):
                yield function["name"]
