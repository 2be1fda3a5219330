"""A request that was looked at: what to answer, and what is needed to answer it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sigscope.records import dataclass
from sigscope.upstreams.simulator.config import SimConfig
from sigscope.upstreams.simulator.contents import Content
from sigscope.upstreams.simulator.mint.keyring import Keyring, SealOwner
from sigscope.upstreams.simulator.models import Model
from sigscope.upstreams.simulator.records import (
    Json,
    Judgement,
    Refusal,
    SignatureJudgement,
)
from sigscope.upstreams.simulator.talk import HeardTalk

if TYPE_CHECKING:
    from sigscope.upstreams.simulator.families.base import Inquiry

Wrap = Callable[[Refusal], Json]
"""Makes the error body of a service around what was refused."""


def _bare(refusal: Refusal) -> Json:
    return {"error": {"message": refusal.message}}


_MISSING = frozenset({"GEM-1", "GEM-2", "ORT-1", "CPC-1", "LLM-2"})
"""Rules a missing signature is refused under."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedRequest:
    """One request, judged."""

    judgement: Judgement
    model: Model | None = None
    origin: SealOwner | None = None
    request: Json = None
    talk: HeardTalk | None = None
    """None if the request is refused."""
    finish: str = ""
    """An abnormal finish reason to answer with, in Google's words."""


@dataclass(slots=True, kw_only=True)
class Docket:
    """What is known about a request while it is looked at; `close` makes the case."""

    config: SimConfig
    keyring: Keyring
    dialect: str
    model: Model
    wrap: Wrap = _bare
    inquiry: Inquiry | None = None
    """The request with its route and headers, where the checks ask for them."""
    is_verdict: bool = False
    """As the inquiry has it: signatures, upstream and talk need not be told."""
    surface: str = ""
    request: Json = None
    streams: bool = False
    origin: SealOwner | None = None
    signatures: Sequence[SignatureJudgement] = ()
    contents: Sequence[Content] = ()
    is_gateway: bool = True
    lost_turns: int = 0
    notes: tuple[str, ...] = ()

    def close(
        self, refusal: Refusal | None, talk: HeardTalk | None = None
    ) -> JudgedRequest:
        """The case: refused, or to be answered with this talk in mind."""
        finish = ""
        if refusal and refusal.rule in _MISSING and self.config.missing == "finish":
            refusal, finish = None, "MISSING_THOUGHT_SIGNATURE"
        upstream = None
        if self.is_gateway and self.contents and not self.is_verdict:
            upstream = {"contents": [content.to_json() for content in self.contents]}
        judgement = Judgement(
            dialect=self.dialect,
            model=self.model.name,
            surface=self.surface,
            streams=self.streams,
            status=refusal.status if refusal else 200,
            rule=refusal.rule if refusal else "",
            error=refusal.message if refusal else None,
            body=self.wrap(refusal) if refusal else None,
            pointer=refusal.pointer if refusal else "",
            source=refusal.source if refusal else "",
            signatures=tuple(self.signatures),
            upstream=upstream,
            lost_turns=self.lost_turns,
            notes=self.notes,
        )
        return JudgedRequest(
            judgement=judgement,
            model=self.model,
            origin=self.origin,
            request=self.request,
            talk=None if refusal else talk,
            finish=finish,
        )


def under(refusal: Refusal | None, rule: str) -> Refusal | None:
    """The same refusal cited under a gateway's own rule."""
    return replace(refusal, rule=rule) if refusal else None
