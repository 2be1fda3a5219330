"""Wrong places that clients of chat completions are known to use, as carriers.

A signature there is seen, named and shown as misplaced; the service does not read it.
Sources: the attempts of seed 000, dialects.md 2(e), 3(e), 4(e), 6(c), [source code].
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
