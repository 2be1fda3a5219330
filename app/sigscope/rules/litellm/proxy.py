"""What a LiteLLM proxy does with Gemini's signatures, as far as rules share it."""

from __future__ import annotations

from sigscope.dialects.litellm import IN_CALL_ID, MESSAGE_LIST
from sigscope.ledger import Signature
from sigscope.ledger.models import is_gemini
from sigscope.opaque import guess_origin
from sigscope.rules.base import Subject
from sigscope.rules.subject import Loss

ON_CALLS = (
    "litellm.thought_signature",
    "litellm.function.thought_signature",
    IN_CALL_ID,
)


def is_geminis(signature: Signature) -> bool:
    """Whether it came as the signature of a Gemini part; thinking blocks and server
    tools go other ways."""
    carriers = {place.sighting.carrier for place in signature.received}
    return bool(carriers & {*ON_CALLS, MESSAGE_LIST})


def signs_call(subject: Subject, loss: Loss) -> bool:
    """Whether a lost signature belongs to a tool call."""
    return bool(loss.signature.call_ids) and bool(subject.messages[loss.index].calls)


def knows_gemini(subject: Subject) -> bool:
    """Whether the model's name says that it is a Gemini. For a model that it does not
    know, 1.106.2 takes the suffix off all ids, unread [executed]; which model stands
    behind an alias a request does not tell."""
    return is_gemini(subject.reading.conversation.model)


def speaks_to_gemini(subject: Subject) -> bool:
    """Whether the proxy's target is Gemini: by the model's name, or, where it is an
    alias, by a signature that looks like Gemini's."""
    if is_gemini(subject.reading.model):
        return True
    seen = (*subject.sent, *subject.reading.received)
    return any(guess_origin(sighting.value).family == "gemini" for sighting in seen)
