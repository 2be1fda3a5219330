"""Folders of bodies whose names do not tell which answer is whose.

    6f1c2b9e-....request.json       {"model": ..., "system": [...], "messages": [...]}
    req_011Cf7....response.json     {"type": "message", "content": [...], ...}

Claude Code writes them for OTEL_LOG_RAW_API_BODIES=file:FOLDER: every session, and
every side request of one, into the same folder, requests under random names, answers
under the id of the service. The steps go by the times of the files. An answer belongs
to the request whose history ends where the next one has it: the next one names the id
(`cc_prev_req`), or has its signature, call or text in its last turn of the model. Where
none does, it is that of the last open request of its model.
Source: code.claude.com, "Monitoring"; skywalking.apache.org, AI Sessionizer, "Claude
Code Provider Bodies Internals" (read 2026-11).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from sigscope.capture.bare import response_of
from sigscope.capture.base import Imported
from sigscope.capture.shape import Tree, mapping, sequence, text
from sigscope.capture.source import LARGEST, Source, parse_json, read_file, unpacked
from sigscope.errors import InputError
from sigscope.exchange import Body, Exchange, Request
from sigscope.records import dataclass
from sigscope.session import Problem
from sigscope.utf8 import to_text

_ASKED = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.request\.json", re.I)
_ANSWERED = re.compile(r"(?P<id>[\w-]+)\.response\.json", re.I)
_BEFORE = re.compile(r"\bcc_prev_req=([\w-]+)")
"""In the first block of the system's words."""
_MOST_FILES = 100_000

_OPEN = (
    "which request it answers is not in the files: it is taken to be that of the last"
    " one of its model that had no answer"
)
_TOO_MUCH = (
    "its bodies have 1 GiB or more; at most 1 GiB is read. Move those of the session in"
    " question to a folder of their own"
)
_NO_TIMES = (
    "the files' times are not those of writing (copied?): the steps go by the length of"
    " their history"
)


@dataclass(slots=True)
class _Asked:
    """A request, and what it tells of the call before it."""

    path: Path
    moment: int
    """When its file was written, in nanoseconds."""
    raw: bytes
    model: str
    length: int
    """Messages."""
    before: str
    """The id of the answer before it; empty where it names none."""
    holds: frozenset[str]
    """What stands in its last turn of the model."""
    place: int
    """Of that turn among the messages."""
    answer: _Answered | None = None
    is_guessed: bool = False


@dataclass(frozen=True, slots=True)
class _Answered:
    """An answer."""

    path: Path
    moment: int
    raw: bytes
    model: str
    id: str
    holds: frozenset[str]


def recognise(source: Source) -> bool:
    """Whether a folder holds such a request."""
    if not source.is_folder:
        return False
    return any(_ASKED.fullmatch(path.name) for path in _files(source.path))


def read(source: Source) -> Imported:
    """Every request with its answer. Raises InputError where none can be read."""
    problems: list[Problem] = []
    asked: list[_Asked] = []
    answered: list[_Answered] = []
    room = LARGEST
    for path in _files(source.path):
        answer = _ANSWERED.fullmatch(path.name)
        if answer is None and _ASKED.fullmatch(path.name) is None:
            continue
        try:
            raw, moment = unpacked(read_file(path), str(path)), path.stat().st_mtime_ns
        except (InputError, OSError) as error:
            told = error.problem if isinstance(error, InputError) else str(error)
            problems.append(Problem(message=f"{told}; left out", where=path.name))
            continue
        if answer is None:
            asked.append(_request(path, moment, raw))
        else:
            answered.append(_response(path, moment, raw, answer["id"]))
        room -= len(raw)
        if room < 0:
            raise InputError(_TOO_MUCH, path=source.name)
    if not asked:
        raise InputError("none of its requests can be read", path=source.name)
    problems += _put_together(asked, answered)
    exchanges = tuple(map(_exchange, asked))
    return Imported(
        exchanges=exchanges,
        title=source.path.resolve().name,
        problems=tuple(problems),
    )


def _files(folder: Path) -> list[Path]:
    found: list[Path] = []
    try:
        for path in folder.iterdir():
            if path.name.endswith(".json") and path.is_file():
                found.append(path)
            if len(found) >= _MOST_FILES:
                break
    except OSError:
        return []
    return sorted(found)


def _request(path: Path, moment: int, raw: bytes) -> _Asked:
    parts = mapping(parse_json(to_text(raw))[0])
    messages = sequence(parts.get("messages"))
    turns = [
        place
        for place, message in enumerate(messages)
        if mapping(message).get("role") == "assistant"
    ]
    place = turns[-1] if turns else 0
    last = mapping(messages[place]) if turns else {}
    system = sequence(parts.get("system"))[:1]
    before = _BEFORE.search("".join(text(mapping(b).get("text")) for b in system))
    return _Asked(
        path,
        moment,
        raw,
        text(parts.get("model")),
        len(messages),
        before[1] if before else "",
        frozenset(_marks(last.get("content"))),
        place,
    )


def _response(path: Path, moment: int, raw: bytes, name: str) -> _Answered:
    parts = mapping(parse_json(to_text(raw))[0])
    model, holds = text(parts.get("model")), frozenset(_marks(parts.get("content")))
    return _Answered(path, moment, raw, model, name, holds)


def _marks(content: Tree) -> Iterator[str]:
    """By what a turn is known again: signatures, ids of calls; else its text."""
    blocks = [mapping(block) for block in sequence(content)]
    marks = [text(b.get(key)) for b in blocks for key in ("signature", "id")]
    told = [mark for mark in marks if len(mark) > 8 and not mark.startswith("<")]
    yield from told or [text(block.get("text")) for block in blocks if "text" in block]
    if isinstance(content, str):
        yield content


def _put_together(
    asked: list[_Asked], answered: Sequence[_Answered]
) -> Iterator[Problem]:
    """Give each answer to its request, and sort these; what is to be told of it."""
    asked.sort(key=lambda each: (each.moment, each.length))
    followers = _followers(asked, answered)
    by_length: dict[int, list[_Asked]] = {}
    for request in asked:
        by_length.setdefault(request.length, []).append(request)
    is_dated = True
    # Of those that nobody names, one could take the request of one that is named.
    for answer in sorted(answered, key=lambda each: each.id not in followers):
        follower = followers.get(answer.id)
        alike = by_length.get(follower.place, []) if follower else []
        found = _open(answer, alike) or _open(answer, asked)
        if not found:
            told = "no request is there that it could answer; left out"
            yield Problem(message=told, where=answer.path.name)
            continue
        before = [each for each in found if each.moment <= answer.moment]
        request = (before or found)[-1]
        request.answer = answer
        request.is_guessed = follower is None and len(found) > 1
        is_dated &= follower is None or request.moment <= follower.moment
    if not is_dated:
        asked.sort(key=lambda each: each.length)
        yield Problem(message=_NO_TIMES)


def _followers(
    asked: Sequence[_Asked], answered: Sequence[_Answered]
) -> dict[str, _Asked]:
    """By the id of an answer, the first request that goes on from it."""
    found = {each.before: each for each in reversed(asked) if each.before}
    holding: dict[str, _Asked] = {}
    for request in sorted(asked, key=lambda each: -each.length):
        holding.update(dict.fromkeys(request.holds, request))
    for answer in answered:
        known = [holding[mark] for mark in answer.holds if mark in holding]
        if known:
            found.setdefault(answer.id, known[0])
    return found


def _open(answer: _Answered, asked: Sequence[_Asked]) -> list[_Asked]:
    return [each for each in asked if each.answer is None and _alike(each, answer)]


def _alike(request: _Asked, answer: _Answered) -> bool:
    """Whether the models are one: a request may leave out the date."""
    ours, theirs = request.model.partition("[")[0], answer.model
    return not theirs or theirs.startswith(ours) or ours.startswith(theirs)


def _exchange(asked: _Asked) -> Exchange:
    answer = asked.answer
    names = asked.path.name + (f" and {answer.path.name}" if answer else "")
    remarks = (f"read from {names}", *([_OPEN] if asked.is_guessed else []))
    return Exchange(
        request=Request(url="", body=Body(asked.raw)),
        response=response_of(answer.raw) if answer else None,
        remarks=remarks,
    )
