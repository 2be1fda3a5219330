"""Carriers of chat completions: the same place in request, answer and stream, and the
wrong places that clients are known to use.

A signature in a wrong place is seen, named and shown as misplaced; the service does not
read it. Sources: the attempts told in zed-industries/zed#43024, and the wrong
placements of docs/wire/gemini-openai.md, docs/wire/openrouter.md,
docs/wire/copilot-chat.md and docs/wire/litellm.md [source code].
"""

from __future__ import annotations

from typing import Any

from sigscope.conversation import SignatureKind
from sigscope.dialects.carriers import Carrier, strays


def chat_carrier(
    name: str,
    path: str,
    kind: SignatureKind = SignatureKind.SIGNATURE,
    *,
    roles: tuple[str, ...] = ("assistant",),
    **more: Any,
) -> Carrier:
    """A carrier below the message, the same in both directions."""
    return Carrier(
        name=name,
        kind=kind,
        request=(f"/messages/*/{path}",),
        response=(f"/choices/*/message/{path}",),
        event=(f"/choices/*/delta/{path}",),
        only_roles=roles,
        **more,
    )


def chat_misplaced(
    dialect: str, *, call: tuple[str, ...], message: tuple[str, ...]
) -> tuple[Carrier, ...]:
    """Carriers that are not read: on a call, in its `function`, on the message."""
    name, calls = f"{dialect}.misplaced", "/messages/*/tool_calls/*"
    return (
        *strays(f"{name}.call", calls, *call),
        *strays(f"{name}.function", f"{calls}/function", *call),
        *strays(f"{name}.message", "/messages/*", *message),
    )
