"""Wrong places that clients of chat completions are known to use, as carriers.

A signature there is seen, named and shown as misplaced; the service does not read it.
Sources: the attempts told in zed-industries/zed#43024, and the wrong placements of
docs/wire/gemini-openai.md, docs/wire/openrouter.md, docs/wire/copilot-chat.md and
docs/wire/litellm.md [source code].
"""

from __future__ import annotations

from sigscope.conversation import SignatureKind
from sigscope.dialects.carriers import Carrier


def chat_misplaced(
    dialect: str, *, call: tuple[str, ...], message: tuple[str, ...]
) -> tuple[Carrier, ...]:
    """Carriers that are not read: on a call, in its `function`, on the message."""
    places = {
        "call": ("/messages/*/tool_calls/*", call),
        "function": ("/messages/*/tool_calls/*/function", call),
        "message": ("/messages/*", message),
    }
    return tuple(
        Carrier(
            name=f"{dialect}.misplaced.{place}.{field.replace('/', '.')}",
            kind=SignatureKind.SIGNATURE,
            request=(f"{prefix}/{field}",),
            is_read=False,
        )
        for place, (prefix, fields) in places.items()
        for field in fields
    )
