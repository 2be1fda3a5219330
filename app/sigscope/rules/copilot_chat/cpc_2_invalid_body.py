"""The body has a shape that Copilot refuses: `content: []`, a signature inside the
call or its `function`, a value of the wrong type.

Why it matters: 400 {"error": {"message": "invalid request body", "code":
"invalid_request_body"}}, which names no node.
Bad:  {"content": [], "tool_calls": [{"function": {"thought_signature": "XLn4..."}}]}
Good: {"content": null, "tool_calls": ["..."], "reasoning_opaque": "XLn4..."}
False alarms: the report mended place and `[]` in one go, so neither is proven alone.
A signature in a wrong place on the message itself is not part of the report: it warns.
A copy in `reasoningOpaque`, beside the envelope in its place, is what opencode sends
with each call and its result: a remark.
An accepted request earns remarks.
Fix: null for `[]` beside tool calls; the signature goes to its message if it belongs
there, else away. None where the right value is not known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sigscope.conversation import Json, Role, Sighting
from sigscope.opaque import fingerprint, sha256
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.fixes import send_back
from sigscope.rules.kinds.misplaced import Misplaced
from sigscope.rules.kinds.split import content_fix, merging
from sigscope.rules.outcome import all_the_same
from sigscope.rules.places import misplaced
from sigscope.rules.words import kind_of

_COPY = "/reasoningOpaque"


def check(subject: Subject) -> Iterator[Claim]:
    """Wrong shapes in the order of the messages, then misplaced signatures."""
    accepted = all_the_same(subject)
    for index in subject.odd(_is_odd):
        raw, at = subject.reading.entries[index], subject.messages[index].pointer
        if (
            problem := _content_problem(subject, index, raw.get("content"))
        ) is not None:
            has_calls = _is_beside_calls(subject, index)
            fix = content_fix(subject, index) if has_calls else ()
            yield Claim(f"{at}/content", problem + accepted, fix=fix or None)
        for below, said in _calls_problems(raw.get("tool_calls")):
            yield Claim(f"{at}/tool_calls{below}", said + accepted)
    in_place = frozenset(s.value for s in subject.sent if s.is_read)
    copies = []
    for sighting in misplaced(subject):
        is_copy = sighting.pointer.endswith(_COPY) and sighting.value in in_place
        if is_copy:
            copies.append(sighting)
        else:
            yield MISPLACED.claim(subject, sighting)
    if copies:
        yield _copied(subject, copies)


def _is_odd(raw: Json) -> bool:
    """Whether the content or the calls of a message are of a wrong shape."""
    if not isinstance(raw, dict):
        return False
    content, calls = raw.get("content"), raw.get("tool_calls")
    if content == [] or not (content is None or isinstance(content, str | list)):
        return True
    if not isinstance(calls, list):
        return calls is not None
    return any(_call_problem(call) is not None for call in calls)


def _is_beside_calls(subject: Subject, index: int) -> bool:
    message = subject.messages[index]
    return message.role is Role.ASSISTANT and bool(message.calls)


def _content_problem(subject: Subject, index: int, content: Json) -> str | None:
    """What is wrong with the content of a message; None if nothing is."""
    if content == []:
        if _is_beside_calls(subject, index):
            return "content is [] beside tool calls; Copilot wants null or a string"
        return f"content of this {subject.messages[index].role} message is []"
    if content is None or isinstance(content, str | list):
        return None
    return (
        f"content is {kind_of(content)}, where a string, null or a list of parts"
        " belongs"
    )


def _calls_problems(calls: Json) -> Iterator[tuple[str, str]]:
    """Where below `tool_calls`, and what, is of the wrong type."""
    if calls is not None and not isinstance(calls, list):
        yield "", f"tool_calls is {kind_of(calls)}, not a list"
        return
    for number, call in enumerate(calls or ()):
        problem = _call_problem(call)
        if problem is not None:
            yield f"/{number}{problem[0]}", problem[1]


def _call_problem(call: Json) -> tuple[str, str] | None:
    """Where in a call, and what, is of the wrong type; None if nothing is."""
    if not isinstance(call, dict):
        return "", f"this call is {kind_of(call)}, not an object"
    function = call.get("function")
    if not isinstance(function, dict):
        return "", "this call has no function object"
    if not isinstance(call.get("id"), str):
        return "", "this call has no id"
    for key in ("name", "arguments"):
        value = function.get(key)
        if not isinstance(value, str):
            hint = "; it is JSON text, not JSON" if key == "arguments" else ""
            below = f"/function/{key}" if key in function else "/function"
            return below, f"{key} is {kind_of(value)}, where a string belongs{hint}"
    return None


MISPLACED = Misplaced(
    words="where Copilot knows no such field; it belongs to the message, as"
    " reasoning_opaque",
    why="Copilot knows no such field",
    give=lambda subject, loss: merging(subject, loss) or send_back(subject, loss),
    worst=lambda place: None if place.startswith("tool_calls/") else Severity.WARNING,
)


def _copied(subject: Subject, copies: Sequence[Sighting]) -> Claim:
    """One remark for a request: an agent sends a copy for each call of its history."""
    first, *more = copies
    count = f" (and {len(more)} more)" if more else ""
    return Claim(
        first.pointer,
        f"a copy of reasoning_opaque {fingerprint(first.value)}{count} stands in"
        " reasoningOpaque beside the one in its place; Copilot does not read it"
        + all_the_same(subject),
        signature=sha256(first.value),
        worst=Severity.INFO,
    )


RULE = Rule(
    code="CPC-2",
    name="invalid-body",
    page=__doc__,
    severity=Severity.ERROR,
    confidence=Confidence.REPORTED,
    dialects=("copilot-chat",),
    checked_on="2026-11-21",
    source=(
        "zed-industries/zed#43024, microsoft/vscode-copilot-chat, "
        "olimorris/codecompanion.nvim#2419 [client's notes] [contested]"
    ),
    check=check,
)
