"""Tools that a service of the Responses API runs by itself: their calls are items of
the answer, nobody answers them (platform.openai.com/docs/guides/tools)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sigscope.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltIn:
    """One such tool."""

    kind: str
    """The type of its items."""
    prefix: str
    """How their ids begin."""
    states: tuple[str, ...]
    """What a stream tells between their beginning and their end."""
    members: Callable[[str], dict[str, Any]]
    """What an item says besides, of the user's question."""


_SEARCHING = ("in_progress", "searching", "completed")
_WEB = BuiltIn(
    kind="web_search_call",
    prefix="ws",
    states=_SEARCHING,
    members=lambda question: {"action": {"type": "search", "query": question}},
)
_FILES = BuiltIn(
    kind="file_search_call",
    prefix="fs",
    states=_SEARCHING,
    members=lambda question: {"queries": [question], "results": None},
)
_CODE = BuiltIn(
    kind="code_interpreter_call",
    prefix="ci",
    states=("in_progress", "interpreting", "completed"),
    members=lambda question: {
        "code": "print(6 * 7)",
        "container_id": "cntr_1",
        "outputs": None,
    },
)
BUILT_IN = {
    "web_search": _WEB,
    "web_search_preview": _WEB,
    "file_search": _FILES,
    "code_interpreter": _CODE,
}
"""By the type with which a request offers them."""
KINDS = {tool.kind: tool for tool in BUILT_IN.values()}
"""By the type of their items."""
