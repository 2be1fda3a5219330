"""A known mistake, ready to be made."""

from sigscope.edits.records import Edit, Op
from sigscope.readymade.context import Context
from sigscope.readymade.records import Ready


def _dropped(context: Context) -> tuple[Edit, ...] | None:
    body = context.reading.request_json
    messages = body.get("messages", []) if isinstance(body, dict) else []
    found = [
        Edit(op=Op.DROP, pointer=f"/messages/{index}/acme_state")
        for index, message in enumerate(messages)
        if isinstance(message, dict) and "acme_state" in message
    ]
    return tuple(found) or None


EDITS = (
    Ready(
        name="acme.state-dropped",
        title="acme_state is sent back nowhere",
        dialects=("acme",),
        kind="mistake",
        source="docs.acme.example/state",
        make=_dropped,
    ),
)
