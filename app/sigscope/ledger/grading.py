"""Whether a service insists on a signature: the policies of the dialects.

A policy answers for one signature and one request, from facts of docs/wire; what the
recorded answer shows overrules it (see `fates`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from sigscope.conversation import Message, Part, PartKind, SignatureKind
from sigscope.dialects.base import Dialect
from sigscope.ledger.linking import plain
from sigscope.ledger.models import (
    enforces_signatures,
    is_claude,
    is_gemini,
    is_older_gemini,
)
from sigscope.ledger.records import Grade, Signature
from sigscope.opaque import guess_origin, sha256
from sigscope.reading import Reading


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What a request is, as far as verdicts about its messages depend on it."""

    dialect: Dialect | None
    surface: str | None
    """ "vertex" or "ai-studio", where the host tells."""
    model: str
    """The model asked for."""
    thinks: bool
    """Whether it asks for reasoning, the way OpenRouter is asked."""
    is_accepted: bool
    has_status: bool
    """Whether the recording holds a status: without one, only an answer shows."""
    is_side: bool
    """A title or summary request, no turn."""
    misses: bool = False
    """Whether it was refused because a signature is not there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A signature, where it came from and where it should stand now.

    A verdict is kept as long as the next request makes an equal case, so it must rest
    on nothing else: see `build`.
    """

    signature: Signature
    reply: Reading
    """The step that brought it."""
    scene: Scene
    history: Sequence[Message]
    """All messages of the request; to be looked at only where a sighting stands."""
    messages: tuple[int, ...]
    """Indices of the messages of the request that hold the reply."""
    is_current: bool
    """Whether its message belongs to the current turn."""

    @property
    def held(self) -> tuple[Message, ...]:
        """The messages that hold the reply."""
        return tuple([self.history[index] for index in self.messages])

    @property
    def is_of_other_answer(self) -> bool:
        """Whether it came with an answer beside the first one (`n` above 1)."""
        places = self.signature.received
        return all(place.sighting.anchor.message < 0 for place in places)

    @property
    def is_enforced_model(self) -> bool:
        """Whether the model asked, or the one that answered, enforces signatures."""
        asked, answered = self.scene.model, self.reply.reply.model
        return enforces_signatures(asked, answered)

    @property
    def anchor_parts(self) -> tuple[Part, ...]:
        """The parts of the reply that it stands on; empty if on the message."""
        message = self.reply.reply.message
        places = {p.sighting.anchor.part for p in self.signature.received}
        parts = message.parts if message else ()
        return tuple(part for part in parts if part.pointer in places)


Policy = Callable[[Case], tuple[Grade, str]]

CLOSED = (Grade.OPTIONAL, "its turn is over")
ANSWER = (Grade.OPTIONAL, "it signs no tool call")


def grade_gemini(case: Case) -> tuple[Grade, str]:
    """Only the first call of a step in the current turn, and only from Gemini 3 on
    (GEM-1, GEM-9, GEM-10)."""
    if not case.is_enforced_model:
        return Grade.OPTIONAL, "this model does not insist"
    if not any(part.kind is PartKind.CALL for part in case.anchor_parts):
        return ANSWER
    if not case.is_current:
        return CLOSED
    if not _signs_first_call(case):
        return Grade.OPTIONAL, "only the first call of a step needs one"
    return Grade.REQUIRED, "it signs the first call of the current turn's step"


def _signs_first_call(case: Case) -> bool:
    message = case.reply.reply.message
    first = message.calls[0].pointer if message and message.calls else None
    return any(part.pointer == first for part in case.anchor_parts)


def grade_copilot(case: Case) -> tuple[Grade, str]:
    """The envelope of a message with calls in the current turn (CPC-1, conditional:
    observed in November 2025, contested since; docs/wire/copilot-chat.md#cpc-1)."""
    last = _last_of_carrier(case)
    if last is not None and last != case.signature.sha256:
        return Grade.SUPERSEDED, "a later one of the same reply counts"
    message = case.reply.reply.message
    if message is None or not message.calls:
        return ANSWER
    if not case.is_current:
        return CLOSED
    if not case.is_enforced_model:
        return Grade.OPTIONAL, "no refusal is known for this model"
    return Grade.REQUIRED, "it covers a tool call of the current turn"


def _last_of_carrier(case: Case) -> str | None:
    """SHA-256 of the last signature that the reply brought on the same carrier."""
    carrier = case.signature.received[0].sighting.carrier
    same = [
        s.value
        for s in case.reply.received
        if s.carrier == carrier and s.anchor.message >= 0
    ]
    return sha256(same[-1]) if same else None


def grade_openrouter(case: Case) -> tuple[Grade, str]:
    """Gemini's rules for Gemini, the tool loop for Claude, advice for the others
    (ORT-1, ORT-7; docs/wire/README.md#comparison)."""
    if not case.is_current:
        return CLOSED
    message = case.reply.reply.message
    if message is None or not message.calls:
        return ANSWER
    if is_claude(case.scene.model) and case.scene.thinks:
        return Grade.REQUIRED, "Claude wants its thinking back inside a tool loop"
    if not case.is_enforced_model:
        return Grade.OPTIONAL, "accepted without it for this model"
    if case.signature.kind is not SignatureKind.SEALED:
        return ANSWER
    wanted = plain(message.calls[0].call_id or "")
    signed = {plain(call_id) for call_id in case.signature.call_ids}
    if signed and wanted not in signed:
        return Grade.OPTIONAL, "only the first call of a step needs one"
    return Grade.REQUIRED, "it signs the first call of the current turn's step"


def thinks(request: Reading) -> bool:
    """Whether a request asks for reasoning in OpenRouter's words."""
    body = request.request_json
    reasoning = body.get("reasoning") if isinstance(body, dict) else None
    return isinstance(reasoning, dict) and reasoning.get("enabled") is not False


def grade_litellm(case: Case) -> tuple[Grade, str]:
    """Never compulsory: the proxy signs with a stand-in what comes unsigned
    (docs/wire/litellm.md#placements, docs/wire/litellm.md#bypass); what is lost is
    lost in silence (6(g))."""
    if not case.is_current:
        return CLOSED
    models = case.scene.model, case.reply.reply.model
    if is_older_gemini(*models):
        return Grade.OPTIONAL, "this model does not insist"
    origin = guess_origin(case.signature.value).family
    if origin == "gemini" or any(is_gemini(model) for model in models):
        return Grade.OPTIONAL, "LiteLLM stamps a stand-in where it is missing"
    return Grade.OPTIONAL, "no refusal is known for this model"


def is_missable(case: Case) -> bool:
    """Whether it is one of those that a service can mean that complains of a missing
    signature: of the first call of a step in the current turn, or of all its calls."""
    message = case.reply.reply.message
    if message is None or not message.calls or not case.is_current:
        return False
    if is_claude(case.scene.model):
        return True
    first = message.calls[0]
    signed = {plain(call_id) for call_id in case.signature.call_ids}
    if signed and first.call_id is not None:
        return plain(first.call_id) in signed
    places = {part.pointer for part in case.anchor_parts}
    return not places or first.pointer in places


POLICIES: Mapping[str, Policy] = {
    "gemini": grade_gemini,
    "copilot-chat": grade_copilot,
    "openrouter": grade_openrouter,
    "litellm": grade_litellm,
}


def grade(case: Case) -> tuple[Grade, str]:
    """The grade of a signature in a request that has its message."""
    if case.is_of_other_answer:
        return Grade.NOT_APPLICABLE, "it belongs to another answer of that response"
    if case.signature.is_own:
        return Grade.OPTIONAL, "no rule is known for a carrier of your own"
    dialect = case.scene.dialect
    policy = POLICIES.get(dialect.name) if dialect else None
    if policy is None:
        return Grade.OPTIONAL, "no rule is known for this API"
    return policy(case)
