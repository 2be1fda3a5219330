"""A session: steps as recorded, runs made from them, and notes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from sigscope.exchange import Exchange
from sigscope.records import dataclass
from sigscope.runs import Run

WAITING = "held"
"""Source of a step that is still to come: its request waits for a decision. Only on
screen, never in a file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One recorded exchange."""

    number: int
    """Counts all exchanges of the session from 1, in the order they began."""
    id: str
    """Unique in the session, kept when sessions are merged or split."""
    exchange: Exchange
    title: str = ""
    """What the maker of the session calls it; usually empty."""
    source: str = ""
    """Where it came from: "recorded", "simulated", "har", "vcr" ..."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A remark of the user or of a tool, kept in the file."""

    text: str
    at: str
    """RFC 3339, UTC."""
    step: int | None = None
    """The step it is about; None: the whole session."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """What somebody says that a step, or all of an endpoint, speaks."""

    dialect: str
    """Its name; empty: what was said before is taken back."""
    at: str
    """RFC 3339, UTC."""
    step: int | None = None
    """The step it is about; None: those of the endpoint."""
    endpoint: str = ""
    """Origin and path up to the API's own part; empty for recordings that name none."""
    by: str = ""
    """Who says so, if not the user: "run --upstream openrouter"."""
    is_service: bool = False
    """What the service was called where it was named; less than what is seen of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Something that could not be read. The rest was."""

    message: str
    where: str = ""
    """"line 12", "entry 3", "1-req.json" ..."""


@dataclass(slots=True, kw_only=True)
class Session:
    """All that a file holds. Grows while it is recorded or debugged."""

    id: str
    title: str = ""
    story: str = ""
    """What happened here, for the reader; one paragraph of Markdown."""
    created_at: str = ""
    tool: str = ""
    """Name and version of what made it: "sigscope 0.1.0"."""
    redaction: tuple[str, ...] = ()
    """What was removed before writing: "secrets", "signatures", "content"."""
    tags: tuple[str, ...] = ()
    """The user's words to find it by, each once."""
    path: str | None = None
    """The file it was read from, or is written to."""
    format: str = "session"
    """The format it was read from: "session", "har", "vcr", ..."""
    steps: Sequence[Step] = ()
    runs: list[Run] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    spoken: list[Spoken] = field(default_factory=list)
    """In the order it was said; the last word about a step or endpoint counts."""
    problems: tuple[Problem, ...] = ()
    """What could not be read; empty for a healthy file."""
