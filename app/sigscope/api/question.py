"""One request, one answer: what exported pytest files stand on."""

from sigscope.engine.sending.question import (
    Anchor,
    Answer,
    Service,
    ask,
    edited,
    is_live,
    request,
)

__all__ = ["Anchor", "Answer", "Service", "ask", "edited", "is_live", "request"]
