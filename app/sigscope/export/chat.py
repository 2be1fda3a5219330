"""The conversation as HTML: each thread as its last step tells it, and as each step
that was refused told it."""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.conversation import Message, Part, PartKind
from sigscope.export.elements import Html, joined, tag
from sigscope.export.figures import count
from sigscope.export.records import Evidence
from sigscope.ledger import FateAt, Signature, Thread
from sigscope.reader import Reading

MOST = 20_000
"""Characters of one part that are shown."""
_FOLDED_FROM = 600
"""Characters from which tool results and instructions are folded."""
_SIGNS = {
    "exact": "✓",
    "received": "✓",
    "moved": "⇄",
    "altered": "≠",
    "cut": "✂",
    "dropped": "✗",
    "bypass": "!",
    "earlier": "«",
    "foreign": "?",
    "duplicated": "+",
    "stored": "≡",
}


def chats(evidence: Evidence) -> Iterator[Html]:
    """One block for each thread, and before it one for each of its steps that was
    refused: there one sees what was missing where."""
    for thread in evidence.ledger.threads:
        last = thread.steps[-1]
        for step in thread.steps:
            if step in evidence.refusals or step == last:
                is_open = thread.kind == "main" and step == last
                yield _chat(evidence, thread, step, is_open=is_open)


def _chat(evidence: Evidence, thread: Thread, step: int, *, is_open: bool) -> Html:
    kind = "" if thread.kind == "main" else f" ({thread.kind})"
    refused = ", which was refused" if step in evidence.refusals else ""
    title = f"Thread {thread.number}{kind}, as of step {step}{refused}"
    blocks = list(_messages(evidence, evidence.reading(step)))
    if not blocks:
        blocks = [tag("p", "The dialect is not known; the bodies are as recorded.")]
    opened = {"open": ""} if is_open else {}
    return tag("details", tag("summary", title), blocks, **opened)


def _messages(evidence: Evidence, reading: Reading) -> Iterator[Html]:
    step = reading.number
    concerning = evidence.ledger.concerning(step)
    for index, message in enumerate(reading.conversation.messages):
        badges = [badge(s, fate) for s, fate in concerning if fate.message == index]
        yield _message(message, message.pointer, badges)
    reply = reading.reply.message
    if reply:
        received = [
            tag("span", f"◆ {s.id} received", class_="badge")
            for s in evidence.ledger.received_in(step)
        ]
        yield _message(reply, f"answer of step {step}", received)
    refusal = evidence.refusals.get(step)
    if refusal:
        words = f"✗ {reading.status or ''} {refusal.text}"
        yield tag("div", tag("pre", words), class_="message error")


def badge(signature: Signature, fate: FateAt) -> Html:
    """A signature's fate: sign, id, word, and a class for the colour."""
    bad = " bad" if fate.is_lost else ""
    words = f"{_SIGNS.get(fate.fate, '·')} {signature.id} {fate.fate} ({fate.grade})"
    return tag("span", words, class_=f"badge{bad}", title=fate.note or str(fate.fate))


def _message(message: Message, place: str, badges: list[Html]) -> Html:
    head = tag(
        "header", tag("b", str(message.role)), " ", tag("code", place), " ", badges
    )
    parts = [_part(part, message) for part in message.parts]
    return tag("div", head, parts, class_=f"message {message.role}")


def _part(part: Part, message: Message) -> Html:
    if part.kind is PartKind.CALL:
        name = tag("b", f"⚒ {part.name or '?'}")
        return tag("pre", name, f"({_cut(part.arguments)})", class_="call")
    if part.kind is PartKind.THOUGHT:
        return _folded(f"reasoning, {count(len(part.text), 'character')}", part.text)
    if part.kind is PartKind.MEDIA:
        return tag("p", f"▣ {part.text or 'media'}, {part.size:,} bytes")
    if part.kind is PartKind.OPAQUE:
        return tag("p", "▪ something this dialect does not name", class_="faint")
    is_result = part.kind is PartKind.RESULT
    is_aside = is_result or message.role == "system"
    if is_aside and len(part.text) > _FOLDED_FROM:
        what = "result" if is_result else "instructions"
        return _folded(f"{what}, {count(len(part.text), 'character')}", part.text)
    return tag("pre", _cut(part.text), class_="result" if is_result else "text")


def _folded(title: str, text: str) -> Html:
    return tag("details", tag("summary", title), tag("pre", _cut(text)), class_="fold")


def _cut(text: str) -> Html:
    """Without the empty lines at its end, which reasoning often has."""
    text = text.rstrip("\r\n")
    if len(text) <= MOST:
        return joined(text)
    left = len(text) - MOST
    more = tag("i", f" … {count(left, 'more character')}")
    return joined(text[:MOST], more)
