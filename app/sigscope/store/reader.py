"""Reading session files: at once as far as a list of steps needs, the rest on demand.

Opening reads the file once, checks each line's sum, and parses the heads: about 5 ms a
megabyte. Whatever cannot be read becomes a `Problem`, and the rest is read.
"""

from __future__ import annotations

import json
from bisect import insort
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

import pydantic_core
from pydantic import BaseModel, ValidationError

from sigscope.errors import InputError
from sigscope.runs import Run
from sigscope.session import Note, Problem, Session, Step
from sigscope.store.decode import decode_note, decode_run, decode_step, explain
from sigscope.store.exchanges import read_exchange
from sigscope.store.header import is_session
from sigscope.store.lines import head_of, is_as_written
from sigscope.store.migrate import Migration
from sigscope.store.models import (
    HeaderLine,
    NoteLine,
    RunHead,
    RunLine,
    StepHead,
    StepLine,
)
from sigscope.store.space import BodySpace
from sigscope.store.tail import Line, Tail

Model = TypeVar("Model", bound=BaseModel)

_HEADS: dict[str, type[StepHead | RunHead | NoteLine]] = {
    "step": StepHead,
    "run": RunHead,
    "note": NoteLine,
}
_LINES: dict[str, type[StepHead | RunHead | NoteLine]] = {
    "step": StepLine,
    "run": RunLine,
    "note": NoteLine,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """What one `poll` brought."""

    steps: tuple[Step, ...] = ()
    runs: tuple[Run, ...] = ()
    notes: tuple[Note, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.steps or self.runs or self.notes)


@dataclass(slots=True)
class _New:
    steps: list[Step] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)


def open_session(path: str) -> Session:
    """Read a session file. Raises `InputError` where it is none, or none can be read."""
    return SessionFile(path).session


class SessionFile:
    """A session file, opened for reading and followed as it grows."""

    def __init__(self, path: str) -> None:
        """Raises `InputError` where this is no session file, or of a newer format."""
        self._tail = Tail(path)
        self.space = BodySpace()
        self.removed: Counter[str] = Counter()
        """Secrets that were taken out before writing, by kind."""
        self.unknown: Counter[str] = Counter()
        """Lines of types that a newer version wrote, by type; they were left out."""
        self._problems: list[Problem] = []
        self._steps: dict[int, str] = {}
        self._runs: dict[int, str] = {}
        self._migration = Migration(self._format(path), path=path)
        steps: list[Step] = []
        self._step_list = steps
        self.session = Session(id="", path=path, steps=steps)
        self._has_header = False
        self.poll()

    @property
    def is_current(self) -> bool:
        """Whether the file is of the present format, so that it can be appended to."""
        return not self._migration.is_needed

    @property
    def was_replaced(self) -> bool:
        """Whether another file stands at the path now; open that one anew."""
        return self._tail.was_replaced

    @property
    def ends_in_newline(self) -> bool:
        """False after a line that was broken off, or lacks its newline."""
        size = self._tail.size
        return size == 0 or self._tail.read(size - 1, 1) == b"\n"

    def has_step(self, number: int) -> bool:
        return number in self._steps

    def has_run(self, number: int) -> bool:
        return number in self._runs

    def poll(self) -> Growth:
        """Read what was appended since, and add it to the session.

        A last line without its end is a problem until it is completed.
        """
        new = _New()
        if self._tail.was_cut:
            self._note("the file was cut short while it was open", "")
        else:
            for line in self._tail.lines():
                self._take(line, new)
            self._take_rest(new)
        self._publish()
        return Growth(
            steps=tuple(new.steps), runs=tuple(new.runs), notes=tuple(new.notes)
        )

    def _format(self, path: str) -> int:
        """The format number of the file, which has to begin as a session file."""
        start = self._tail.read(0, min(self._tail.size, 1024 * 1024))
        if not start.strip():
            raise InputError("is empty, not a session", path=path)
        if not is_session(start):
            raise InputError(
                "is not a sigscope session: its first line is no session header",
                path=path,
            )
        text = start.partition(b'"sigscope"')[2].partition(b":")[2].lstrip()
        digits = text[: len(text) - len(text.lstrip(b"0123456789"))]
        return int(digits[:9] or b"0")

    def _take_rest(self, new: _New) -> None:
        rest = self._tail.rest
        if not rest.data.strip():
            return
        if is_as_written(rest.data) or _is_object(rest.data):
            self._tail.take_rest()
            self._take(rest, new)

    def _take(self, line: Line, new: _New) -> None:
        data = line.data.strip()
        where = f"line {line.number}"
        try:
            if not self._has_header:
                self._has_header = True
                self._take_header(data.removeprefix(b"\xef\xbb\xbf"))
            else:
                self._take_record(line, data, where, new)
        except ValidationError as error:
            self._note(explain(error), where)
        except (ValueError, InputError, RecursionError) as error:
            self._note(_unreadable(data, error), where)

    def _take_header(self, data: bytes) -> None:
        if self._migration.is_needed:
            data = json.dumps(self._migration.convert(_parse(data))).encode()
        header = HeaderLine.model_validate_json(data)
        session = self.session
        session.id, session.title = header.id, header.title
        session.story, session.created_at = header.story, header.created_at
        session.tool, session.redaction = header.tool, header.redaction

    def _take_record(self, line: Line, data: bytes, where: str, new: _New) -> None:
        written = is_as_written(data)
        if written is False:
            self._note("was changed after it was written", where)
        kind = _written_kind(data) if written and self.is_current else None
        if kind:
            model: BaseModel = _HEADS[kind].model_validate_json(head_of(data))
            source = None
        else:
            value = self._migration.convert(_parse(data))
            name = value.get("type")
            if not isinstance(name, str) or name not in _LINES:
                self._leave_out(name, value, where)
                return
            source = json.dumps(value).encode() if not self.is_current else None
            model = _LINES[name].model_validate_json(source or data)
        self._add(model, line, source, where, new)

    def _add(
        self, model: BaseModel, line: Line, source: bytes | None, where: str, new: _New
    ) -> None:
        if isinstance(model, NoteLine):
            note = decode_note(model)
            self.session.notes.append(note)
            new.notes.append(note)
            return
        assert isinstance(model, StepHead | RunHead)
        known = self._steps if isinstance(model, StepHead) else self._runs
        if model.number in known:
            self._note(
                f"is {model.type} {model.number} once more, which"
                f" {known[model.number]} is already; it was left out",
                where,
            )
            return
        known[model.number] = where
        self.removed.update(model.removed)
        fetch = partial(self._tail.read, line.offset, len(line.data))
        exchange, problems = read_exchange(
            model, fetch if source is None else lambda: source, where, self.space
        )
        for problem in problems:
            self._note(problem, where)
        if isinstance(model, StepHead):
            step = decode_step(model, exchange)
            insort(self._step_list, step, key=lambda each: each.number)
            new.steps.append(step)
        else:
            run = decode_run(model, exchange)
            insort(self.session.runs, run, key=lambda each: each.number)
            new.runs.append(run)

    def _leave_out(self, name: object, value: dict[str, Any], where: str) -> None:
        if isinstance(name, str):
            self.unknown[name] += 1
        elif "sigscope" in value:
            self._note("is a second header; were two sessions joined?", where)
        else:
            self._note("is neither a step nor a run nor a note", where)

    def _note(self, message: str, where: str) -> None:
        problem = Problem(message=message, where=where)
        if problem not in self._problems:
            self._problems.append(problem)

    def _publish(self) -> None:
        problems = list(self._problems)
        rest = self._tail.rest
        if rest.data.strip():
            problems.append(
                Problem(
                    message=f"breaks off after {len(rest.data)} bytes: writing stopped"
                    " there, or goes on just now",
                    where=f"line {rest.number}",
                )
            )
        self.session.problems = tuple(problems)


def _written_kind(data: bytes) -> str | None:
    """The type of a line that begins as sigscope writes it."""
    if not data.startswith(b'{"type":"'):
        return None
    kind = data[9 : data.find(b'"', 9)].decode("ascii", "replace")
    return kind if kind in _HEADS else None


def _parse(data: bytes) -> dict[str, Any]:
    value = pydantic_core.from_json(data)
    if not isinstance(value, dict):
        raise ValueError("it is no JSON object")
    return value


def _is_object(data: bytes) -> bool:
    if not data.rstrip().endswith(b"}"):
        return False
    try:
        return isinstance(pydantic_core.from_json(data), dict)
    except ValueError:
        return False


def _unreadable(data: bytes, error: Exception) -> str:
    if isinstance(error, InputError):
        return error.problem
    if data.startswith(b"{") and not data.endswith(b"}"):
        return f"breaks off after {len(data)} bytes and was left out"
    return f"cannot be read and was left out: {error}"
