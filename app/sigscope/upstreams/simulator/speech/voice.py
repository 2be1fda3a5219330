"""One reply on its way to the wire: ids, signatures, figures, framing."""

from __future__ import annotations

import json
from dataclasses import field
from typing import Any

from sigscope.records import dataclass
from sigscope.upstreams.simulator.checks.case import JudgedRequest
from sigscope.upstreams.simulator.config import Anchor, SimConfig
from sigscope.upstreams.simulator.keptanswers import KeptAnswers
from sigscope.upstreams.simulator.mint.draws import Draws
from sigscope.upstreams.simulator.mint.keyring import Keyring, SealOwner
from sigscope.upstreams.simulator.mint.seals import Seal
from sigscope.upstreams.simulator.models import Model
from sigscope.upstreams.simulator.records import Json
from sigscope.upstreams.simulator.speech.callids import CallId
from sigscope.upstreams.simulator.speech.script import ScriptedReply

Headers = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SimAnswer:
    """A response, whole but in pieces."""

    status: int
    headers: Headers
    pieces: tuple[bytes, ...]
    pauses: tuple[float, ...] = ()
    """Seconds before each piece, where it is a recorded answer that tells them; else
    pieces come at the simulator's own pace."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Voice:
    """What every wire module needs to say a reply."""

    case: JudgedRequest
    reply: ScriptedReply
    draws: Draws
    keyring: Keyring
    config: SimConfig
    seal: Seal
    """How the service's signatures look."""
    unix: float
    """The clock, in seconds."""
    prompt_bytes: int
    shelf: KeptAnswers = field(default_factory=KeptAnswers)
    """What the service keeps of its answers."""

    @property
    def model(self) -> Model:
        assert self.case.model is not None
        return self.case.model

    @property
    def origin(self) -> SealOwner:
        assert self.case.origin is not None
        return self.case.origin

    @property
    def created(self) -> int:
        return int(self.unix)

    def sign(self, anchor: Anchor) -> str:
        """A signature for that anchor, in the form its origin gives it."""
        draws = self.draws.child(f"signature {anchor}")
        surface = self.case.judgement.surface
        form, size = self.seal.choose(self.model, surface, draws)
        return self.keyring.mint(
            form, self.origin, anchor, draws, size=size, unix=self.created
        )

    def call_ids(self, make: CallId) -> list[str]:
        """Ids for the calls of this reply."""
        names = [call.name for call in self.reply.calls]
        draws = self.draws.child("call ids")
        return [make(n, name, draws) for n, name in enumerate(names)]

    def arguments(self, number: int) -> str:
        """A call's arguments as chat completions carry them: JSON in a string."""
        return compact(self.reply.calls[number].arguments)

    def call_anchor(self, number: int, call_id: str) -> Anchor:
        call = self.reply.calls[number]
        return Anchor(
            kind="call", name=call.name, call_id=call_id, arguments=call.arguments
        )

    def usage(self) -> tuple[int, int, int]:
        """Prompt, visible and reasoning tokens (about four characters each)."""
        visible = len(self.reply.text) + sum(
            len(call.name) + len(compact(call.arguments)) for call in self.reply.calls
        )
        thought = sum(len(text) for text in self.reply.thoughts)
        if self.reply.signed:
            thought += 160 + self.draws.child("usage").below(400)
        return max(1, self.prompt_bytes // 4), (visible + 3) // 4, thought // 4


def compact(value: Json) -> str:
    """JSON as most services print it: no white space, letters as they are."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def event(value: Json) -> bytes:
    """One server-sent event with compact JSON."""
    return _encode(f"data: {compact(value)}\n\n")


def document(value: Any) -> bytes:
    """A whole body of compact JSON."""
    return _encode(compact(value))


DONE = b"data: [DONE]\n\n"


def _encode(text: str) -> bytes:
    # A lone surrogate of the client's own text comes back as a JSON escape would.
    return text.encode(errors="backslashreplace")
