"""What the simulated model does next: call tools, answer, thank, or name a title.

Deterministic and stateless: a plan is read from the last user message, and the tool
rounds already answered say how far it has been carried out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import field, replace

from sigscope.records import dataclass
from sigscope.upstreams.simulator.config import Move
from sigscope.upstreams.simulator.mint.draws import Draws
from sigscope.upstreams.simulator.records import Json, as_dict
from sigscope.upstreams.simulator.speech import prose
from sigscope.upstreams.simulator.speech.arguments import Material, build_arguments
from sigscope.upstreams.simulator.talk import HeardTalk, Tool

_FILE = re.compile(
    r"(?<![\w/.])(?:[\w.-]+/)*[\w-]*[A-Za-z_][\w-]*\.[A-Za-z][A-Za-z0-9]{0,7}\b"
    r"|\b(?:README|LICENSE|CHANGELOG|Makefile|Dockerfile)\b(?!\.)"
)
_NO_NAME = re.compile(r"[\w./-]{200,}")
"""Too long for a name of a file: base64, and what else is pasted."""
_NOT_FILES = frozenset({"e.g", "i.e", "a.k.a", "etc"})
_IN_ORDER = re.compile(r"\b(?:then|after that|afterwards)\b", re.IGNORECASE)
_ONE_BY_ONE = re.compile(r"one (?:after the other|by one|at a time)", re.IGNORECASE)
_AT_ONCE = re.compile(r"\bboth\b|at the same time|in parallel|at once", re.IGNORECASE)
_ONLY_ONE = tuple(
    re.compile(words, re.IGNORECASE)
    for words in (r"\b(?:only|just)\b", r"\bone\b", r"\bcall")
)
"""What a sentence has, in this order."""
_SMALL_TALK = re.compile(
    r"\s*(?:thanks?|thank you|thx|cheers|great|perfect|nice|ok(?:ay)?|hi|hello|hey|bye)"
    r"\b[^?]{0,40}$",
    re.IGNORECASE,
)
_TITLE = re.compile(
    r"\b(?:pithy|short|brief|concise|generate|write|create|provide|suggest)\b"
    r"[^.\n]{0,60}\btitles?\b|\btitles?\b[^.\n]{0,40}\b(?:conversation|chat|thread)",
    re.IGNORECASE,
)
_READS = ("read", "open", "view", "cat", "fetch", "get", "load", "show")
_LONG = 24
"""How many answers a long one is made of, besides the first."""
_SHELLS = ("exec", "shell", "bash", "command", "terminal")


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A function call of a reply; ids are the wire's business."""

    name: str
    arguments: dict[str, Json]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptedReply:
    """What the model says, before any dialect."""

    thoughts: tuple[str, ...] = ()
    """Summaries, in the lumps in which they arrive."""
    text: str = ""
    calls: tuple[Call, ...] = ()
    raw: str = field(default="", repr=False)
    """Unsummarised reasoning, which surfaces when reasoning was lost."""
    signed: bool = True
    """Whether the model thought: replies without thoughts carry no signature."""
    finish: str = ""
    """An abnormal finish reason; empty for the normal one."""


def compose(
    talk: HeardTalk, draws: Draws, script: Sequence[Move] = ()
) -> ScriptedReply:
    """The next reply: of the script where there is one, else what the user's words
    ask for."""
    if is_title_request(talk):
        return ScriptedReply(text=prose.title(talk.question), signed=False)
    if script:
        return _scripted(talk, draws, script)
    rounds = plan(talk)
    if talk.rounds < len(rounds):
        calls = rounds[talk.rounds]
        announce = len(rounds) > 1 and talk.rounds == 0
        return _calling(talk, calls, announce, draws)
    return _answering(talk, draws)


def _scripted(talk: HeardTalk, draws: Draws, script: Sequence[Move]) -> ScriptedReply:
    move = script[talk.replies] if talk.replies < len(script) else "text"
    calls = _moved(talk, move)
    if calls:
        return _calling(talk, calls, talk.replies == 0, draws)
    reply = _answering(talk, draws)
    if move != "long":
        return reply
    more = (prose.answer(talk, draws.child(f"long {n}")) for n in range(_LONG))
    return replace(reply, text="\n\n".join([reply.text, *more]))


def _moved(talk: HeardTalk, move: Move) -> list[Call]:
    """The calls of one move of a script; none where it makes none, or cannot."""
    if move in ("text", "long") or not talk.tools or talk.choice == "none":
        return []
    named = [tool for tool in talk.tools if tool.name == talk.choice]
    calls = _calls(talk.question, named or list(talk.tools), needed=True)
    if move == "calls":
        # One after the other, so that not every round calls the same.
        return [calls[talk.replies % len(calls)]]
    if len(calls) > 1:
        return calls[:2]
    tool = next(tool for tool in talk.tools if tool.name == calls[0].name)
    return [_call(tool, talk.question, name) for name in ("a.md", "b.md")]


def _answering(talk: HeardTalk, draws: Draws) -> ScriptedReply:
    subject = prose.subject_of(_files(talk.question), talk.question)
    small = not talk.results and bool(_SMALL_TALK.match(talk.question))
    return ScriptedReply(
        thoughts=prose.thoughts(talk, "", subject, draws),
        text=prose.thanks(draws) if small else prose.answer(talk, draws),
        raw=prose.raw_reasoning(subject, ""),
    )


def is_title_request(talk: HeardTalk) -> bool:
    """Whether a client asks for a title on the side: no tools, and it says so."""
    if talk.tools or talk.results:
        return False
    return bool(_TITLE.search(talk.system) or _TITLE.search(talk.question))


def plan(talk: HeardTalk) -> list[list[Call]]:
    """The tool rounds this turn takes: calls of one round are made together."""
    if not talk.tools or talk.choice == "none":
        return []
    named = [tool for tool in talk.tools if tool.name == talk.choice]
    forced = bool(named) or talk.choice == "required"
    if _SMALL_TALK.match(talk.question) and not forced:
        return []
    tools = named or list(talk.tools)
    rounds = [
        calls
        for number, clause in enumerate(_IN_ORDER.split(talk.question))
        if (calls := _calls(clause, tools, needed=number == 0))
    ]
    if _ONE_BY_ONE.search(talk.question):
        rounds = [[call] for calls in rounds for call in calls]
    if any(map(_asks_for_one, talk.question.split("."))):
        rounds = [rounds[0][:1]]
    return rounds


def _asks_for_one(sentence: str) -> bool:
    place = 0
    for words in _ONLY_ONE:
        found = words.search(sentence, place)
        if found is None:
            return False
        place = found.end()
    return True


def _calling(
    talk: HeardTalk, calls: Sequence[Call], announce: bool, draws: Draws
) -> ScriptedReply:
    tool = calls[0].name
    files = [
        value
        for call in calls
        for value in call.arguments.values()
        if isinstance(value, str) and _FILE.fullmatch(value)
    ]
    subject = prose.subject_of(files, talk.question)
    return ScriptedReply(
        thoughts=prose.thoughts(talk, tool, subject, draws),
        text=prose.announcement(subject) if announce else "",
        calls=tuple(calls),
        raw=prose.raw_reasoning(subject, tool),
    )


def _calls(clause: str, tools: Sequence[Tool], *, needed: bool) -> list[Call]:
    """The calls one clause of the message asks for."""
    files = _files(clause)
    reader = _reader(tools) if files else None
    if reader:
        return [_call(reader, clause, name) for name in files]
    scored = sorted(tools, key=lambda tool: -_score(tool, clause))
    liked = [tool for tool in scored if _score(tool, clause) > 0]
    if _AT_ONCE.search(clause) and liked:
        if len(liked) == 1:
            return [_call(liked[0], clause, name) for name in ("a.md", "b.md")]
        return [_call(tool, clause, "") for tool in tools if tool in liked]
    if liked or needed:
        return [_call(scored[0], clause, "")]
    return []


def _call(tool: Tool, words: str, file: str) -> Call:
    arguments = build_arguments(tool.schema, Material.read(words, file))
    return Call(name=tool.name, arguments=arguments)


def _files(text: str) -> list[str]:
    found = [match.group() for match in _FILE.finditer(_NO_NAME.sub(" ", text))]
    unique = dict.fromkeys(name for name in found if name.lower() not in _NOT_FILES)
    return [name + ".md" if name == "README" else name for name in unique]


def _reader(tools: Sequence[Tool]) -> Tool | None:
    """The tool that reads files, if one does: one made for it, or else a shell."""

    def fitness(tool: Tool) -> int:
        words = _words(tool.name)
        takes = tool.schema is None or as_dict(tool.schema).get("properties")
        if "image" in words or not takes:
            return 0
        reads = any(word in _READS for word in words)
        files = any(word.startswith("file") for word in words)
        return 4 * reads + 2 * files + any(word in _SHELLS for word in words)

    best = max(tools, key=fitness)
    return best if fitness(best) else None


def _score(tool: Tool, clause: str) -> int:
    said = {word[:5] for word in _words(clause)}
    name = {word[:5] for word in _words(tool.name)}
    about = {word[:5] for word in _words(tool.description) if len(word) > 3}
    return 3 * len(said & name) + len(said & about)


def _words(text: str) -> list[str]:
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)
    return re.findall(r"[a-z]+", spaced.lower())
