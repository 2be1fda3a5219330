"""How the text of a body is known among those of its file, and how it begins."""

from __future__ import annotations

from collections.abc import Hashable

from sigscope.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class TextOrigin:
    """One text. Agents resend what they sent before, and a file that tells it by that
    knows how a body begins without putting it together."""

    name: Hashable
    """Names the text; nothing else has that name as long as somebody holds it."""
    before: Hashable | None = None
    """The name of an earlier one that it begins like; None where none is known."""
    size: int = 0
    """Bytes that the two have in common, from the first on."""
    rest: bytes = b""
    """What follows them."""
