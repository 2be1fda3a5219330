"""Sessions built in code for the tests of the rules, and what a rule should say.

Nothing here is recorded traffic: signatures are made from their names, with the outer
bytes that docs/wire/fingerprints.md describes.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sigscope.edits.apply import apply_to_request
from sigscope.edits.records import Edit
from sigscope.exchange import Body, Exchange, Request, Response
from sigscope.ledger import Ledger, build_ledger
from sigscope.reader import Reading, read_steps
from sigscope.refusals import Refusal
from sigscope.refusals.reader import read_refusal
from sigscope.rules.base import Finding, Rule, Severity, Subject
from sigscope.rules.registry import RULES
from sigscope.rules.runner import check_step
from sigscope.session import Step

KEYS = {"ai-studio": "0c39d6c7", "vertex": "8f3d6b5f", "unknown": "de5b0660"}


# --- Signatures -----------------------------------------------------------------------


def gemini_signature(name: str, surface: str = "unknown") -> str:
    """One of Gemini 3's form: 12 len 0a len 01 key ciphertext."""
    sealed = (
        b"\x01" + bytes.fromhex(KEYS[surface]) + hashlib.sha512(name.encode()).digest()
    )
    inner = b"\x0a" + bytes([len(sealed)]) + sealed
    return base64.b64encode(b"\x12" + bytes([len(inner)]) + inner).decode()


def envelope(name: str) -> str:
    """One of Copilot's form: no pattern at all."""
    return base64.b64encode(b"\xff" + hashlib.sha512(name.encode()).digest()).decode()


def claude_signature(name: str) -> str:
    """One with the fields 2 and 3 of Claude's outer shape."""
    inner = hashlib.sha512(name.encode()).digest()
    return base64.b64encode(
        b"\x12" + bytes([len(inner)]) + inner + b"\x18\x01"
    ).decode()


def urlsafe(signature: str) -> str:
    """The same bytes in the other alphabet."""
    return signature.translate(str.maketrans("+/", "-_"))


BYPASS = "skip_thought_signature_validator"
BYPASS_64 = base64.b64encode(BYPASS.encode()).decode()


# --- Exchanges ------------------------------------------------------------------------

JSON = ("content-type", "application/json")
SSE = ("content-type", "text/event-stream")


def exchange(
    url: str,
    body: Any,
    answer: Any = None,
    *,
    status: int | None = 200,
    headers: Sequence[tuple[str, str]] = (),
    answer_headers: Sequence[tuple[str, str]] = (),
    events: Sequence[Any] | None = None,
) -> Exchange:
    """One exchange; `events` makes the answer a stream. No answer: nobody answered."""
    request = Request(url=url, headers=(JSON, *headers), body=_body(body))
    if events is not None:
        data = "".join(f"data: {json.dumps(event)}\n\n" for event in events)
        response = Response(
            status=status,
            headers=(SSE, *answer_headers),
            body=Body((data + "data: [DONE]\n\n").encode()),
        )
    elif answer is not None:
        response = Response(
            status=status, headers=(JSON, *answer_headers), body=_body(answer)
        )
    else:
        return Exchange(request=request)
    return Exchange(request=request, response=response)


def _body(value: Any) -> Body:
    return Body(json.dumps(value).encode())


# --- A session under test -------------------------------------------------------------


@dataclass(frozen=True)
class Bench:
    """A session read through, ready for the rules."""

    readings: tuple[Reading, ...]
    ledger: Ledger
    refusals: Mapping[int, Refusal]
    _found: dict[int, list[Finding]] = field(default_factory=dict)

    def subject(self, step: int) -> Subject:
        return Subject(
            reading=self.readings[step - 1],
            ledger=self.ledger,
            readings={reading.number: reading for reading in self.readings},
            error=self.refusals.get(step),
        )

    def findings(self, step: int, rules: Sequence[Rule] = RULES) -> list[Finding]:
        if rules is not RULES:
            return check_step(self.subject(step), rules)
        if step not in self._found:
            self._found[step] = check_step(self.subject(step), rules)
        return self._found[step]

    def all_findings(self) -> list[Finding]:
        return [f for reading in self.readings for f in self.findings(reading.number)]


def bench(exchanges: Sequence[Exchange]) -> Bench:
    """Read a session."""
    readings = read_steps(
        [Step(number=n, id=str(n), exchange=e) for n, e in enumerate(exchanges, 1)]
    )
    refusals = {r.number: found for r in readings if (found := read_refusal(r))}
    return Bench(readings=readings, ledger=build_ledger(readings), refusals=refusals)


def mended(
    exchanges: Sequence[Exchange], step: int, edits: Sequence[Edit]
) -> list[Exchange]:
    """The session with one request edited and everything else as it was."""
    found = list(exchanges)
    old = found[step - 1]
    assert old.request is not None
    found[step - 1] = replace(old, request=apply_to_request(edits, old.request))
    return found


# --- What a rule should say -----------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Bad:
    """A session in which a rule has something to say."""

    id: str
    rule: str
    exchanges: tuple[Exchange, ...]
    step: int
    """The step it speaks of."""
    pointer: str
    severity: Severity
    says: tuple[str, ...]
    """Pieces of the message that name this case."""
    has_fix: bool = True
    event: int | None = None
    in_response: bool = False
    is_confirmed: bool = False


@dataclass(frozen=True, kw_only=True)
class Good:
    """A session in which rules keep silent."""

    id: str
    exchanges: tuple[Exchange, ...]
    rules: tuple[str, ...] = ()
    """Rules that say nothing; empty: no rule warns or worse."""


ERROR, WARNING, INFO = Severity.ERROR, Severity.WARNING, Severity.INFO
