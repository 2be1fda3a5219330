"""What an open session tells, as plain data.

Words such as "dropped", "required", "error" and "gone" are those of the JSON of
`sigscope ledger --json`, `check --json` and `replay --json`, with the same meaning.
A later version may add members and words; it takes none away (docs/python-api.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sigscope.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One recorded exchange."""

    number: int
    """From 1, in the order in which they began."""
    dialect: str | None
    """The API that it speaks, "copilot-chat"; None where that is not known: then the
    step is not judged."""
    service: str | None
    """Whose API, where that is told: "vertex", "azure"."""
    model: str | None
    status: int | None
    """None where no answer was recorded."""
    error: str | None
    """What the answer says is wrong, its innermost text."""
    thread: int | None
    """Steps with one number continue one another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a signature stands."""

    step: int
    pointer: str
    """JSON Pointer into the body, or into the JSON of the event."""
    event: int | None = None
    """Number of the event of a streamed answer, from 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fate:
    """What one later request did with a signature."""

    step: int
    fate: str
    """"exact", "dropped", "moved", "altered", "cut", "bypass" ..."""
    grade: str
    """Whether the service insists: "required", "optional", "superseded", "not
    applicable"."""
    note: str
    """Half a sentence for people; empty where there is nothing to add."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """One signature, with where it came from and what became of it."""

    id: str
    """First digits of its SHA-256."""
    sha256: str
    kind: str
    chars: int
    origin: str
    """"received", "earlier", "foreign", "bypass"."""
    received: Place | None
    """None where no recorded answer brought it."""
    sent: tuple[Place, ...]
    fates: tuple[Fate, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What a rule says of one node of one step."""

    rule: str
    """`sigscope explain CPC-1` tells all about it."""
    severity: str
    """"error", "warning", "info"."""
    confidence: str
    step: int
    pointer: str
    """Of the request; of the answer where `in_response`."""
    in_response: bool
    message: str
    fix: tuple[Mapping[str, Any], ...] | None
    """Edits that mend it, all together, as `replay` takes them; None where no cure is
    certain."""
    is_confirmed: bool
    """Whether the recorded answer says the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A step that was sent again."""

    number: int | None
    """In the session's file; None where the run was not kept."""
    step: int
    upstream: str
    """"simulator", or the URL that was asked."""
    predicted: int | None
    """Status the simulator foretold; None where it does not know the service."""
    status: int | None
    """Status that came; None where no answer came."""
    error: str | None
    verdict: str
    """"reproduced", "gone", "different", "unclear"."""
    reason: str
    """Why this verdict, where it does not say it all."""
