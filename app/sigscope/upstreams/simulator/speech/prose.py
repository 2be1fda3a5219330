"""The words of the simulated model: summaries of thoughts, raw thoughts, answers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sigscope.upstreams.simulator.mint.draws import Draws
from sigscope.upstreams.simulator.talk import HeardTalk, Result

_BEFORE_CALLS = (
    (
        "Considering the Request",
        "I'm working out what is being asked for. It cannot be answered from what I "
        "have seen so far, so I need to look at {subject} first.",
    ),
    (
        "Choosing a Tool",
        "I've compared the tools on offer. Calling {tool} is the direct way to what I "
        "need, and nothing else has to happen before it.",
    ),
    (
        "Preparing the Call",
        "I'm settling the arguments for {tool} now. Once the result is here I will "
        "check that it covers the question before I answer.",
    ),
)
_BEFORE_ANSWER = (
    (
        "Reading the Result",
        "I have what {tool} returned. I'm going through it for the part that bears on "
        "the question and setting the rest aside.",
    ),
    (
        "Wording the Answer",
        "The relevant passage is clear. I'm keeping the answer short and saying where "
        "it comes from.",
    ),
)
_BEFORE_TALK = (
    (
        "Assessing the Message",
        "I'm considering what the user wants here. No tool is needed for it.",
    ),
    (
        "Composing a Reply",
        "A short and friendly reply fits. I'm leaving room for further questions.",
    ),
)
_RAW = (
    "Okay, let me think about this from the start.",
    "The user wants something about {subject}, so what do I actually know?",
    "I do not see my earlier reasoning, so I have to reconstruct it.",
    "Wait, did I already look at this? There is a call in the history, but not why.",
    "Let me go through the possibilities one by one.",
    "Option A: answer directly from what is in front of me.",
    "Option B: call {tool} and see whether the result says more.",
    "Hmm, option B costs a round, but option A may be wrong.",
    "Let me re-read the question once more before deciding.",
    "Actually, the wording suggests that the user expects me to check.",
    "So I would check, compare with what was said before, and then answer.",
    "Self-correction: I should not repeat all of this to the user.",
    "Then again, it may help to be explicit about the steps.",
    "Final decision: do the obvious thing and keep it brief.",
)
_THANKS = (
    "You're welcome! Let me know if you have any other questions about it.",
    "You're welcome! If anything else comes up, I'm happy to take a look.",
    "Glad to help! Let me know if you want me to look at anything else.",
)
_STOP = frozenset(
    re.findall(
        r"\w+",
        "a an and are at be can do for from get give have how i in is it its make me "
        "my of on one only or please read tell that the then there this to use what "
        "where which with you your",
    )
)


def thoughts(talk: HeardTalk, tool: str, subject: str, draws: Draws) -> tuple[str, ...]:
    """Two or three summaries, each ending in its own newlines, as on the wire."""
    stock: tuple[tuple[str, str], ...]
    if tool and not talk.results:
        stock = _BEFORE_CALLS
    elif talk.results:
        stock = _BEFORE_CALLS[1:] if tool else _BEFORE_ANSWER
    else:
        stock = _BEFORE_TALK
    count = 2 + draws.below(len(stock) - 1) if len(stock) > 2 else len(stock)
    used = f"`{tool or (talk.results[-1].name if talk.results else 'a tool')}`"
    return tuple(
        f"**{heading}**\n\n{text.format(subject=subject, tool=used)}\n\n\n"
        for heading, text in stock[:count]
    )


def raw_reasoning(subject: str, tool: str) -> str:
    """What stands in the answer when summaries have faded."""
    used = f"`{tool}`" if tool else "a tool"
    return " ".join(text.format(subject=subject, tool=used) for text in _RAW)


def thanks(draws: Draws) -> str:
    return draws.pick(_THANKS)


def title(words: str) -> str:
    """A short title for a conversation, for the clients' side requests."""
    quoted = re.findall(r"[\w.'-]+", words.split(":")[-1])
    kept = [word for word in quoted if word.lower() not in _STOP][:5]
    return " ".join(word[:1].upper() + word[1:] for word in kept) or "New Conversation"


def announcement(subject: str) -> str:
    """What stands beside a call where the model says what it will do."""
    return f"I will look at {subject} first.\n"


def answer(talk: HeardTalk, draws: Draws) -> str:
    """An answer that uses what the tools returned."""
    if not talk.results:
        return _opinion(talk.question, draws)
    lines = [_finding(result, talk.question) for result in talk.results]
    if len(lines) == 1:
        return lines[0]
    return "Here is what I found:\n\n" + "\n".join(f"- {line}" for line in lines)


def pieces(text: str, length: int) -> list[str]:
    """Cut at spaces into pieces of about that length, as tokens arrive in lumps."""
    words = re.findall(r"\S*\s+|\S+", text)
    cut: list[str] = []
    for word in words:
        if cut and len(cut[-1]) + len(word) <= length:
            cut[-1] += word
        else:
            cut.append(word)
    return cut


def _finding(result: Result, question: str) -> str:
    source = _source(result)
    if not result.text.strip():
        return f"`{source}` returned nothing."
    if names := _listing(result.text):
        return f"`{source}` names {len(names)} entries: {', '.join(names)}."
    line = relevant_line(result.text, question)
    return f"According to `{source}`: {line}"


def _listing(text: str) -> list[str]:
    """The entries of a list of files; empty if the text is no such list."""
    names = text.split("\n")
    is_list = len(names) > 1 and all(name and " " not in name for name in names)
    return names if is_list else []


def _source(result: Result) -> str:
    if isinstance(result.arguments, dict):
        for value in result.arguments.values():
            if isinstance(value, str) and "." in value and " " not in value:
                return value if value.strip("./") else result.name
    return result.name or "the tool"


def relevant_line(text: str, question: str) -> str:
    """The line of a result that bears on the question most.

    Under a heading that shares a word with the question, the first item that is not
    done yet; else the line that shares most words with it; else the first.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    keywords = _keywords(question)
    for number, line in enumerate(lines):
        if line.startswith("#") and keywords & _keywords(line):
            items = [item for item in lines[number + 1 :] if _is_open_item(item)]
            if items:
                return _plain(items[0])
    best = max(lines, key=lambda line: len(keywords & _keywords(line)))
    return _plain(best if keywords & _keywords(best) else lines[0])


def _is_open_item(line: str) -> bool:
    return bool(re.match(r"(?:[-*+]|\d+[.)])\s+(?!\[x\])", line, re.IGNORECASE))


def _plain(line: str) -> str:
    bare = re.sub(r"^(?:#+|[-*+]|\d+[.)])\s+(?:\[.\]\s+)?", "", line)
    return bare[:200].rstrip(".") + "."


def _keywords(text: str) -> set[str]:
    words = re.findall(r"[a-z0-9]+", text.lower())
    return {word[:6] for word in words if word not in _STOP}


def _opinion(question: str, draws: Draws) -> str:
    subject = " ".join(question.split())[:80].rstrip(" .?!") or "this"
    opening = draws.pick(("In short", "Put simply", "As far as I can tell"))
    return (
        f"{opening}, on “{subject}”: there is no single answer, but the usual one "
        "holds here. Start with the simplest case, check it, and go on from there. If "
        "you tell me more about what you have in mind, I can be more specific."
    )


def subject_of(files: Sequence[str], question: str) -> str:
    """What a turn is about, for the thoughts."""
    if files:
        return " and ".join(f"`{name}`" for name in files)
    words = " ".join(question.split())[:60]
    return f"“{words}”" if words else "the request"
