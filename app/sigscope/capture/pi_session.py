"""Sessions of pi, on which OpenClaw and others are built: one message a line.

    {"type":"session","id":"...","cwd":"..."}
    {"type":"message","id":"b","parentId":"a","message":{"role":"user","content":"..."}}
    {"type":"message","id":"c","parentId":"b","message":{"role":"assistant",
     "api":"anthropic-messages","provider":"...","model":"...","content":[
      {"type":"thinking","thinking":"...","thinkingSignature":"..."},
      {"type":"toolCall","id":"...","name":"...","arguments":{}}]}}
    {"type":"message","message":{"role":"toolResult","toolCallId":"...","content":[...]}}
    {"type":"compaction","summary":"..."}

and what it prints with `--mode json` or `rpc`, where a message that is whole is told by

    {"type":"message_end","message":{"role":"assistant","api":"...","content":[...]}}

Each answer names the API that it came by, so its form on the wire is known: that of the
last answer is given to all, as pi does. No line tells where a request began: the
messages become one, the answer they end with its response. A compaction begins another.
Of a tree, the branch of the last line counts.
Source: badlogic/pi-mono, packages/ai/src/types.ts and providers/transform-messages.ts,
anthropic.ts, google-shared.ts, openai-responses-shared.ts, 2026-03.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sigscope.capture.base import Imported
from sigscope.capture.entries import import_talks
from sigscope.capture.retelling import FORMS, Form, Message, retold
from sigscope.capture.shape import mapping, text
from sigscope.capture.source import Source
from sigscope.capture.values import utc_time
from sigscope.session import Problem

_ROLES = frozenset({"user", "assistant", "toolResult"})
_BROKEN = frozenset({"error", "aborted"})
"""How an answer stopped that pi never sends again."""
_WHOLE = frozenset({"message", "message_end"})
"""`type` of the lines that bring a message."""
_PRINTED = frozenset({"agent_start", "turn_start"})
"""`type` of lines that are printed, and never kept."""
_LOOKED_AT = 50
"""Lines among which there must be a message; others come before it."""


def recognise(source: Source) -> bool:
    """Whether the first lines begin such a session and bring a message."""
    if source.is_folder or source.first != "{" or not source.json_error:
        return False
    lines = [mapping(line.tree) for line in source.json_lines[:_LOOKED_AT]]
    is_begun = bool(lines) and lines[0].get("type") == "session"
    is_printed = any(text(line.get("type")) in _PRINTED for line in lines)
    return (is_begun or is_printed) and any(_message_of(line) for line in lines)


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
        lambda talk: retold(*talk, agent="pi"),
        problems,
        none="the session holds no answer",
    )


def _known_talks(
    branch: list[Message], problems: list[Problem]
) -> Iterator[tuple[list[Message], Message, Form, str | None]]:
    """With the last answer of each, its form, and when it began."""
    for begun, talk in _talks(branch):
        answers = [each for each in talk if each["role"] == "assistant"]
        api = text(answers[-1].get("api")) if answers else ""
        form = FORMS.get(api)
        if form is None:
            told = "a conversation without an answer; left out"
            if api:
                told = f"a conversation by {api!r}, whose form is not known; left out"
            problems.append(Problem(message=told))
        else:
            yield talk, answers[-1], form, begun


def _message_of(line: Message) -> Message:
    """The message of a line; empty if it has none, or none that is sent."""
    message = mapping(line.get("message"))
    is_one = text(line.get("type")) in _WHOLE and text(message.get("role")) in _ROLES
    return message if is_one and "content" in message else {}


def _is_message(line: Message) -> bool:
    return bool(_message_of(line))


def _is_broken(line: Message) -> bool:
    return text(_message_of(line).get("stopReason")) in _BROKEN


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
