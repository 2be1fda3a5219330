"""Ids of the keys that seal signatures of Gemini."""

from __future__ import annotations

from typing import Literal

from sigscope.records import dataclass

Surface = Literal["ai-studio", "vertex"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SealingKey:
    """A row of the key ids: whose key sealed a signature of Gemini."""

    row: str
    surface: Surface
    seen: str
    """When, as months."""
    dates: str
    """When, as days."""


KEYS = {
    "d1ed8a6f": SealingKey(
        row="key-1",
        surface="ai-studio",
        seen="September to November 2025",
        dates="2025-09-10 to 2025-11-21",
    ),
    "72c8da7c": SealingKey(
        row="key-2",
        surface="ai-studio",
        seen="November 2025 to January 2026",
        dates="2025-11-27 to 2026-01-30",
    ),
    "be3ef6fb": SealingKey(
        row="key-3",
        surface="ai-studio",
        seen="February 2026 to spring 2026",
        dates="2026-02-17 to spring 2026",
    ),
    "0c39d6c7": SealingKey(
        row="key-4",
        surface="ai-studio",
        seen="April to July 2026",
        dates="2026-04-26 to 2026-07-03",
    ),
    "114d320f": SealingKey(
        row="key-5",
        surface="ai-studio",
        seen="July to August 2026",
        dates="2026-07-08 to 2026-08-05",
    ),
    "8f3d6b5f": SealingKey(
        row="key-6",
        surface="vertex",
        seen="February to July 2026",
        dates="2026-02-17 to 2026-07-28",
    ),
}
"""By the hex of their ids (docs/wire/fingerprints.md, "Key ids"). A key that is merely
old expires nothing: whether old ones are still taken is not known."""

SURFACES: dict[str, str] = {"ai-studio": "AI Studio", "vertex": "Vertex"}
