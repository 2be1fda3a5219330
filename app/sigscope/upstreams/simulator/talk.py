"""What the simulated model hears of a conversation: the same for all dialects."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from sigscope.records import dataclass
from sigscope.upstreams.simulator.contents import (
    Content,
    ContentPart,
    current_turn,
    turn_starts,
)
from sigscope.upstreams.simulator.records import Json, as_dict, as_list, as_text

_ASIDES = ("system-reminder", "environment_context", "current_datetime")
"""What Claude Code, Codex and Copilot CLI put beside the user's words."""
_ASIDE = re.compile(rf"<({'|'.join(_ASIDES)})>")
HEARD = 20_000
"""Characters of a question that are heard; what it asks for stands in them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A function the client offers."""

    name: str
    description: str = ""
    schema: Json = None
    """JSON Schema of the arguments; Gemini's upper-case types included."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What a tool answered in the current turn."""

    name: str
    arguments: Json
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HeardTalk:
    """The conversation up to the reply that is owed."""

    system: str = ""
    question: str = ""
    """The last user message with ordinary content, without what an agent put beside
    it."""
    rounds: int = 0
    """Tool rounds of the current turn that were answered."""
    results: tuple[Result, ...] = ()
    tools: tuple[Tool, ...] = ()
    choice: str = "auto"
    """auto, none, required, or the name of the tool to call."""
    turns: int = 1
    """Turns so far, this one included."""
    replies: int = 0
    """Replies of the model so far; messages that follow one another are one."""


def hear(
    contents: Sequence[Content],
    *,
    system: str = "",
    tools: Sequence[Tool] = (),
    choice: str = "auto",
) -> HeardTalk:
    """Read a conversation out of translated contents."""
    starts = turn_starts(contents)
    turn = current_turn(contents)
    question = ""
    if starts:
        parts = contents[starts[-1]].parts
        said = _said("\n".join(part.text for part in parts if part.kind == "text"))
        question = said[:HEARD]
    results = [
        Result(name=part.name, arguments=arguments, text=_said(part.text))
        for part, arguments in _answered(contents[turn:])
    ]
    return HeardTalk(
        system=system,
        question=question,
        rounds=_rounds(contents[turn:]),
        results=tuple(results),
        tools=tuple(tools),
        choice=choice,
        turns=max(1, len(starts)),
        replies=_replies(contents),
    )


def _said(text: str) -> str:
    """A text without asides; as it is where it holds nothing else."""
    bare = _without_asides(text)
    return bare.strip() if bare != text and bare.strip() else text


def _without_asides(text: str) -> str:
    """In one pass: what is opened a thousand times and never closed is looked for
    once."""
    kept: list[str] = []
    place = at = 0
    endless: set[str] = set()
    while found := _ASIDE.search(text, at):
        tag, at = found[1], found.end()
        end = -1 if tag in endless else text.find(f"</{tag}>", at)
        if end < 0:
            endless.add(tag)
            continue
        kept.append(text[place : found.start()])
        place = at = end + len(f"</{tag}>")
    return "".join([*kept, text[place:]])


def _answered(contents: Sequence[Content]) -> Iterator[tuple[ContentPart, Json]]:
    """Results, and the arguments of their calls. Clients that send no ids answer calls
    of one name in the order in which they were made."""
    asked: dict[str, list[Json]] = {}
    for content in contents:
        for part in content.parts:
            key = part.call_id or part.name
            if part.kind == "call":
                asked.setdefault(key, []).append(part.arguments)
            elif part.kind == "result":
                waiting = asked.get(key)
                yield part, waiting.pop(0) if waiting else None


def _rounds(contents: Sequence[Content]) -> int:
    answered = [False, *(content.has("result") for content in contents)]
    return sum(now and not was for was, now in pairwise(answered))


def _replies(contents: Sequence[Content]) -> int:
    is_model = [False, *(content.role == "model" for content in contents)]
    return sum(now and not was for was, now in pairwise(is_model))


def openai_tools(body: Json) -> tuple[tuple[Tool, ...], str]:
    """Tools and tool choice of a chat completions request."""
    tools = []
    for entry in as_list(as_dict(body).get("tools")):
        function = as_dict(as_dict(entry).get("function"))
        if name := as_text(function.get("name")):
            tools.append(
                Tool(
                    name=name,
                    description=as_text(function.get("description")),
                    schema=function.get("parameters"),
                )
            )
    choice = as_dict(body).get("tool_choice")
    named = as_text(as_dict(as_dict(choice).get("function")).get("name"))
    return tuple(tools), named or as_text(choice) or "auto"


def gemini_tools(body: Json) -> tuple[tuple[Tool, ...], str]:
    """Tools and calling mode of a generateContent request."""
    tools = []
    for entry in as_list(as_dict(body).get("tools")):
        holder = as_dict(entry)
        declared = holder.get(
            "functionDeclarations", holder.get("function_declarations")
        )
        for function in map(as_dict, as_list(declared)):
            if name := as_text(function.get("name")):
                schema = next(
                    (
                        function[key]
                        for key in (
                            "parameters",
                            "parametersJsonSchema",
                            "parameters_json_schema",
                        )
                        if key in function
                    ),
                    None,
                )
                text = as_text(function.get("description"))
                tools.append(Tool(name=name, description=text, schema=schema))
    settings = as_dict(
        as_dict(body).get("toolConfig", as_dict(body).get("tool_config"))
    )
    calling = settings.get(
        "functionCallingConfig", settings.get("function_calling_config")
    )
    mode = as_text(as_dict(calling).get("mode")).upper()
    return tuple(tools), {"NONE": "none", "ANY": "required"}.get(mode, "auto")
