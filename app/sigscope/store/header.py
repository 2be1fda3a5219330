"""The first line of a session file: what it is, and what was taken out of it.

{"sigscope":1,"id":"b0c4...","title":"Copilot, attempt 1","redaction":["secrets"],...}
"""

from __future__ import annotations

import json
import re

from sigscope.records import dataclass
from sigscope.session import Session

FORMAT = 1
"""The format this version writes. A number is never used twice."""

_MARK = re.compile(rb'\s*\{\s*"sigscope"\s*:\s*\d+\s*[,}]')
_LONGEST = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What a session file says about itself as a whole."""

    id: str
    """Unique; names the session wherever the file goes."""
    title: str = ""
    story: str = ""
    """What happened here, one paragraph of Markdown."""
    created_at: str = ""
    """RFC 3339, UTC."""
    tool: str = ""
    """Name and version of what made it: "sigscope 0.1.0"."""
    redaction: tuple[str, ...] = ()
    """What was removed before writing: "secrets", "signatures", "content"."""
    tags: tuple[str, ...] = ()
    """The user's words to find it by."""


def header_of(session: Session) -> Header:
    """The header under which a session is written."""
    return Header(
        id=session.id,
        title=session.title,
        story=session.story,
        created_at=session.created_at,
        tool=session.tool,
        redaction=session.redaction,
        tags=session.tags,
    )


def is_session(data: bytes) -> bool:
    """Whether a file that begins with these bytes is a session file, of any format.

    Some hundred bytes will do; a first line that was laid out by hand is understood
    if it is there whole.
    """
    data = data.removeprefix(b"\xef\xbb\xbf")
    if _MARK.match(data):
        return True
    line = data[:_LONGEST].lstrip().partition(b"\n")[0]
    if not line.startswith(b"{") or b'"sigscope"' not in line:
        return False
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and isinstance(value.get("sigscope"), int)
