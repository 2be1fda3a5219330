"""When a service of the Responses API insists on a reasoning item.

Sources: OpenAI's guides "Reasoning models" (keeping reasoning items in context) and
"Conversation state"; docs/wire/responses.md.
"""

from __future__ import annotations

from sigscope.conversation import PartKind
from sigscope.ledger.policy import Case, Policy
from sigscope.ledger.records import Grade, Signature
from sigscope.reader import Reading


def grade(case: Case) -> tuple[Grade, str]:
    """Only beside a follower that keeps the id it came with (RSP-2): without ids the
    service cannot tell what is missing (RSP-10)."""
    if _is_early(case.signature):
        return Grade.SUPERSEDED, "the finished item brought another"
    if not case.is_sent:
        if any(not _is_early(other) for other in case.siblings):
            return Grade.SUPERSEDED, "the item was sent as another event brought it"
        if case.siblings:
            return Grade.OPTIONAL, "the blob of the unfinished item was sent instead"
        if not _is_first(case):
            return Grade.SUPERSEDED, "an earlier event brought this item"
    if not _keeps_ids(case):
        return Grade.OPTIONAL, "accepted without it where its reply's ids are dropped"
    if stores(case.reply) is False:
        return Grade.OPTIONAL, "its reply is not stored, so nothing can miss it"
    return Grade.REQUIRED, "what it led to is sent with the id it came with"


def is_stored(case: Case) -> bool:
    """Whether the item is sent by its id alone, of an answer that the service keeps."""
    if stores(case.reply) is not True:
        return False
    named = {name for message in case.held for name in message.item_ids}
    return any(part.item_id in named for part in case.anchor_parts)


def stores(reply: Reading) -> bool | None:
    """Whether the service keeps an answer: as the answer tells, else as its request
    asked; None where neither tells."""
    if reply.reply.is_stored is not None:
        return reply.reply.is_stored
    body = reply.request_json
    asked = body.get("store") if isinstance(body, dict) else None
    return asked if isinstance(asked, bool) else None


def _is_early(signature: Signature) -> bool:
    return signature.is_provisional


def _is_first(case: Case) -> bool:
    """Whether no earlier event brought the same item finished, with another blob."""
    part = case.signature.received[0].sighting.anchor.part
    same = [
        sighting.value
        for sighting in case.reply.received
        if sighting.anchor.part == part and not sighting.is_provisional
    ]
    return part is None or not same or same[0] == case.signature.value


def _keeps_ids(case: Case) -> bool:
    """Whether a text or call of the reply comes back with its own id."""
    message = case.reply.reply.message
    issued = {
        part.item_id
        for part in (message.parts if message else ())
        if part.kind in (PartKind.CALL, PartKind.TEXT) and part.item_id
    }
    held = (name for message in case.held for name in message.item_ids)
    return not issued.isdisjoint(held)


POLICY = Policy(dialect="responses", grade=grade, is_stored=is_stored)
