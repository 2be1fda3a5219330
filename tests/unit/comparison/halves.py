"""Requests to compare."""

from __future__ import annotations

from typing import Any

from tests.builders import (
    LS,
    READ,
    SIG,
    answers,
    ask,
    copilot,
    exchange,
    gemini,
    openrouter,
    request_body,
    result,
    system,
    user,
)

from sigscope.comparison import Half, half_of
from sigscope.jsontext import JsonText
from sigscope.reader import Reading

CHAT = [system(), user(), copilot(LS), result(LS), copilot(READ), result(READ)]
ROUTED = [system(), user(), openrouter(LS), result(LS), openrouter(READ), result(READ)]
NATIVE = [ask(), gemini(LS), answers(LS), gemini(READ, signature=SIG), answers(READ)]

OF = {"copilot-chat": CHAT, "openrouter": ROUTED, "gemini": NATIVE}


def half(dialect: str, history: list[Any], title: str = "") -> Half:
    """A request in a dialect, with this history."""
    made = exchange(dialect, request_body(dialect, history), {})
    return half_of(Reading(made, number=1), title)


def plain(body: bytes) -> Half:
    """A body of no dialect."""
    return Half(text=JsonText(body))


def again(old: Half, body: bytes, dialect: str) -> Half:
    """A request whose body was changed, read anew."""
    return half_of(Reading(exchange(dialect, body, {}), number=1))
