"""What the simulator says about a request."""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum
from typing import Any

from sigscope.records import dataclass

Json = Any
"""A parsed JSON document. Nothing is assumed of it that was not asked first."""


class Standing(StrEnum):
    """What a signature in a request turned out to be."""

    GENUINE = "genuine"
    """Minted here (or received in the recording), for the place it stands on."""
    ALTERED = "altered"
    """Minted here, some bytes changed since."""
    CUT = "cut"
    """A proper prefix of one that was minted here, or ends in an ellipsis."""
    MISPLACED = "misplaced"
    """Genuine, but minted for another call or text."""
    FOREIGN = "foreign"
    """Minted by another surface, service, model family or account, or not known."""
    BYPASS = "bypass"
    """One of the documented literals, raw or in base64."""
    NOT_BASE64 = "not-base64"
    """Cannot be decoded at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignatureJudgement:
    """One signature found in a request."""

    pointer: str
    """JSON Pointer in the request body; a `__thought__` suffix is in the id there."""
    fingerprint: str
    """As everywhere in sigscope: first 6 hex digits of SHA-256 of the text."""
    chars: int
    """Length of the text."""
    standing: Standing
    read: bool = True
    """Whether the service looks at this place at all."""
    minted_for: str = ""
    """What it was minted for, in words; empty if not known."""
    found_on: str = ""
    """What it stands on, in words."""
    note: str = ""
    """Why, where the standing does not say it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why a request is not answered. The first offender only."""

    message: str
    """The innermost error text."""
    rule: str = ""
    """Rule id of docs/rules; empty where it has none."""
    source: str = ""
    """Where the text comes from."""
    status: int = 400
    pointer: str = ""
    """The offending node in the request body; empty for the whole request."""
    code: str = ""
    """The service's own error code or status word."""
    violations: tuple[tuple[str, str], ...] = ()
    """Google's field violations: field and description."""
    position: int | None = None
    """The index the text counts with, as printed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What this service answers to a request, known without sending it."""

    dialect: str
    """Empty where no dialect has that path."""
    model: str = ""
    """The model that answers."""
    surface: str = ""
    """Google's surface behind it; empty for other vendors."""
    streams: bool = False
    status: int
    rule: str = ""
    """Rule id that refused it; empty if accepted, or none knows it."""
    error: str | None = None
    """The innermost error text; None if accepted."""
    body: Json = None
    """The whole error body as parsed JSON; None if accepted."""
    pointer: str = ""
    """The offending node in the request body; empty for none or the whole."""
    source: str = ""
    """Where the error text comes from."""
    signatures: tuple[SignatureJudgement, ...] = ()
    """Every signature of the request, in document order of the carriers."""
    upstream: Json = None
    """The request a gateway would have sent to Google; None if it sends none."""
    lost_turns: int = 0
    """Closed turns whose reasoning did not come back; fading counts these."""
    notes: tuple[str, ...] = field(default=())
    """What a reader should know: contested rules, ignored places."""


def as_dict(value: Json) -> dict[str, Json]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: Json) -> list[Json]:
    """The value if it is an array, else an empty one."""
    return value if isinstance(value, list) else []


def as_text(value: Json) -> str:
    """The value if it is a string, else an empty one."""
    return value if isinstance(value, str) else ""
