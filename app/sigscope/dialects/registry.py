"""Which dialects there are, and which one an exchange speaks."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from sigscope import extensions
from sigscope.dialects.anthropic import Anthropic
from sigscope.dialects.base import Dialect, Match, Probe
from sigscope.dialects.carriers import Carrier
from sigscope.dialects.copilot_chat import CopilotChat
from sigscope.dialects.deepseek import DeepSeek
from sigscope.dialects.gemini import Gemini
from sigscope.dialects.gemini_openai import GeminiOpenAI
from sigscope.dialects.litellm import LiteLLM
from sigscope.dialects.openrouter import OpenRouter
from sigscope.dialects.responses import Responses
from sigscope.dialects.services import SERVICES as KNOWN
from sigscope.dialects.services import Service

_OWN: tuple[Dialect, ...] = (
    CopilotChat(),
    OpenRouter(),
    LiteLLM(),
    Gemini(),
    Responses(),
    Anthropic(),
    GeminiOpenAI(),
    DeepSeek(),
)


def _refuse(dialect: Dialect) -> str:
    """Why a dialect of others cannot be taken; "" if it can: it is asked once about an
    exchange with nothing in it."""
    if any(dialect.name == own.name for own in _OWN):
        return f"there is a dialect {dialect.name!r} already"
    if not _NAME.fullmatch(dialect.name):
        return f"{dialect.name!r} is no name: small letters, digits and -, at most 40"
    dialect.match(Probe())
    dialect.has_shape(Probe())
    if not (dialect.title and dialect.family and dialect.table):
        return f"{dialect.name} lacks a title, a family or carriers"
    dialect.conversation({}, "")
    dialect.assembler()
    return ""


_NAME = re.compile(r"[a-z][a-z0-9-]{0,39}")
DIALECTS: tuple[Dialect, ...] = (
    *_OWN,
    *extensions.stage("read", Dialect, _refuse),  # type: ignore[type-abstract]
)
"""In order of preference where two are equally sure."""
SERVICES: tuple[Service, ...] = tuple(
    dict.fromkeys((*KNOWN, *(s for dialect in DIALECTS for s in dialect.services)))
)
"""Whose APIs are known, whether or not a dialect reads them."""
SERVICE_NAMES = frozenset(name for service in SERVICES for name in service.names)
"""What they are called in files of agents."""
KEY_HEADERS = frozenset(service.key_header for service in SERVICES)
"""Headers that may hold a user's key."""
DECIDING_HEADERS = frozenset(
    name for service in SERVICES for name in service.deciding_headers
)
"""Headers by which one or another service decides, other than keys."""


def recognise(
    probe: Probe, dialects: Sequence[Dialect] = DIALECTS
) -> tuple[Dialect | None, Match]:
    """The dialect that is surest; None where none fits. Bodies are looked at where
    nothing else makes sure."""
    sure = _surest(probe, dialects, Match.ANSWERED)
    return sure if sure[0] else _surest(probe, dialects, Match.NO)


def _surest(
    probe: Probe, dialects: Sequence[Dialect], beaten: Match
) -> tuple[Dialect | None, Match]:
    """Of those that are surer than what is `beaten`."""
    best: tuple[Dialect | None, Match] = (None, beaten)
    for dialect in dialects:
        try:
            match = dialect.match(probe, best[1])
        except Exception as error:
            if not extensions.blamed(dialect, error):
                raise
            continue
        if match > best[1]:
            best = (dialect, match)
    return best


@lru_cache(maxsize=256)
def service_at(host: str, services: tuple[Service, ...] = SERVICES) -> Service | None:
    """Whose API is served at a host, given in lower case; None where nobody's known."""
    return next((service for service in services if service.is_at(host)), None)


def named(name: str, dialects: Sequence[Dialect] = DIALECTS) -> Dialect | None:
    """The dialect of this name; None if there is none."""
    return next((dialect for dialect in dialects if dialect.name == name), None)


def extended(
    more: Mapping[str, Sequence[Carrier]],
    services: Mapping[str, tuple[Service, ...]] | None = None,
) -> tuple[Dialect, ...]:
    """All dialects; those that are named know more carriers, more services, or both."""
    return tuple(
        _knowing(
            dialect,
            more.get(dialect.name, ()),
            (services or {}).get(dialect.name, ()),
        )
        for dialect in DIALECTS
    )


def _knowing(
    dialect: Dialect, carriers: Sequence[Carrier], services: tuple[Service, ...]
) -> Dialect:
    if not carriers and not services:
        return dialect
    made = type(dialect)(carriers)
    if services:
        made.services = (*services, *dialect.services)
    return made
