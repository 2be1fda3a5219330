"""Ids of calls, as the vendors of the models make them."""

from __future__ import annotations

from collections.abc import Callable

from sigscope.upstreams.simulator.mint.draws import LETTERS, LOWER, Draws

CallId = Callable[[int, str, Draws], str]
"""Makes the id of a call from its number in the reply, its name, and chance."""


def google_id(number: int, name: str, draws: Draws) -> str:
    """Gemini 3's own."""
    return draws.word(8, LOWER)


def claude_id(number: int, name: str, draws: Draws) -> str:
    """Anthropic's."""
    return f"toolu_01{draws.word(22)}"


def openai_id(number: int, name: str, draws: Draws) -> str:
    """OpenAI's, and what most who copy it make."""
    return f"call_{draws.word(24, LETTERS)}"
