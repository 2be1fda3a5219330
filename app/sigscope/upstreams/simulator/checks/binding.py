"""What the newest Claudes bind a thinking block to: all that was said before it
(docs/wire/anthropic.md#ant-6).

What counts as a change is documented; what does not is less so. Here: where the cache
is marked does not count, a text is what it is in a list of one, and blocks of thought
count by their order alone, since the oldest may be left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Self

from sigscope.records import dataclass
from sigscope.upstreams.simulator.mint.keyring import digest
from sigscope.upstreams.simulator.records import Json, as_dict, as_list, as_text

BETA = "thinking-binding-controls-2026-08-01"
_BINDS = re.compile(
    r"claude-(?:fable|mythos)-(?P<early>\d+)(?:[-.](?P<point>\d))?(?!\d)"
    r"|claude-(?:opus|sonnet|haiku)-(?P<major>\d+)(?:[-.](?P<minor>\d))?(?!\d)"
)
_THOUGHTS = {"thinking": "signature", "redacted_thinking": "data"}


def binds(model: str) -> bool:
    """Whether a model binds its blocks: Fable and Mythos since 5.1, the others since
    5.5 (platform.claude.com/docs/en/build-with-claude/preserved-thinking)."""
    found = _BINDS.search(model)
    if found is None:
        return False
    if found["early"]:
        return (int(found["early"]), int(found["point"] or 0)) >= (5, 1)
    return (int(found["major"]), int(found["minor"] or 0)) >= (5, 5)


@dataclass(frozen=True, slots=True, kw_only=True)
class Before:
    """What stood before a message, in digests of 16 hex digits each."""

    system: str
    tools: str
    said: str
    thought: str
    """The last block of thought there; of nothing where there was none."""

    @classmethod
    def of(cls, body: dict[str, Json], end: int | None = None) -> Self:
        """Of the messages up to `end`; without one: of a whole request, as it binds the
        answer to it."""
        messages = [as_dict(entry) for entry in as_list(body.get("messages"))[:end]]
        secrets = [secret for entry in messages for secret in _secrets(entry)]
        said = [[entry.get("role"), list(_said(entry))] for entry in messages]
        return cls(
            system=_digest(_blocks(body.get("system"))),
            tools=_digest([_unmarked(tool) for tool in as_list(body.get("tools"))]),
            said=_digest(said),
            thought=digest(secrets[-1] if secrets else ""),
        )

    @classmethod
    def read(cls, text: str) -> Self | None:
        """From what `str` made of one; None for anything else."""
        parts = text.split(".")
        return cls(**dict(zip(cls.__slots__, parts, strict=True))) if text else None

    def __str__(self) -> str:
        return ".".join((self.system, self.tools, self.said, self.thought))

    def change(self, now: Self) -> str:
        """What is another now: `system`, `tools`, `messages`; empty: nothing that
        counts. A thought between others must be there; the first ones need not."""
        if now.system != self.system:
            return "system"
        if now.tools != self.tools:
            return "tools"
        is_moved = now.thought not in (self.thought, digest(""))
        return "messages" if now.said != self.said or is_moved else ""


def _secrets(entry: dict[str, Json]) -> Iterator[str]:
    for block in map(as_dict, as_list(entry.get("content"))):
        name = _THOUGHTS.get(as_text(block.get("type")))
        if name:
            yield as_text(block.get(name))


def _said(entry: dict[str, Json]) -> Iterator[Json]:
    for block in _blocks(entry.get("content")):
        if as_text(as_dict(block).get("type")) not in _THOUGHTS:
            yield block


def _blocks(content: Json) -> Sequence[Json]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [_unmarked(block) for block in as_list(content)]


def _unmarked(value: Json) -> Json:
    """Without marks of the cache."""
    if isinstance(value, list):
        return [_unmarked(member) for member in value]
    if isinstance(value, dict):
        return {k: _unmarked(v) for k, v in value.items() if k != "cache_control"}
    return value


def _digest(value: Json) -> str:
    return digest(json.dumps(value, sort_keys=True, separators=(",", ":")))
