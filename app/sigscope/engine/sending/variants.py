"""One step in many variants, shown to both voices; nothing is sent, nothing kept.

What does not depend on the edits is made once: the body with its spans, the settings
of the simulator, the ledger of the steps before. A variant costs one judgement, one
reading of the request and the rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from sigscope.edits.apply import apply_to_request
from sigscope.edits.plan import EditMemory
from sigscope.edits.records import Edit
from sigscope.engine.sending.controls import doubt_of, mask_doubt
from sigscope.engine.sending.simulation import config_for, default_path, predict
from sigscope.engine.sending.voices import MOST_STEPS, voice_of
from sigscope.engine.sessions.document import Document
from sigscope.errors import UsageError
from sigscope.exchange import Exchange, Request
from sigscope.ledger.prefix import LedgerPrefix
from sigscope.reader import Reading
from sigscope.rules.base import Subject
from sigscope.rules.findings import Finding
from sigscope.rules.runner import check_step
from sigscope.runs import RulesVoice
from sigscope.upstreams.simulator import Judge, Judgement, SimConfig

Identity = tuple[str, tuple[tuple[str, str], ...], bytes]
"""URL, headers and body: requests with the same are one request."""


class Variants:
    """A step of a document, asked about as often as one likes."""

    def __init__(
        self,
        document: Document,
        step: int,
        base: SimConfig | None = None,
        *,
        most_steps: int = MOST_STEPS,
    ) -> None:
        """`most_steps`: so many steps before it are looked at. Raises UsageError for a
        step without a request."""
        self._document = document
        self._step = step
        self._base = base
        self._reading = document.reading(step)
        self._recorded = document.request(step)
        before = [r for r in document.readings if r.number < step]
        self._before = before[-most_steps:]
        self._text = self._reading.request_text
        self._memory = EditMemory()
        known = self._reading.histories
        self._histories = known.beside() if known else None
        self._heard: dict[Identity, Judgement | None] = {}
        self._ruled: dict[Identity, RulesVoice | None] = {}

    @cached_property
    def _prefix(self) -> LedgerPrefix:
        return LedgerPrefix(self._before)

    @cached_property
    def _judge(self) -> Judge | None:
        try:
            return Judge(config_for(self._document, self._reading, self._base))
        except UsageError:
            return None

    @cached_property
    def _path(self) -> str:
        return default_path(self._reading)

    @cached_property
    def _readings(self) -> dict[int, Reading]:
        return {each.number: each for each in self._before}

    @cached_property
    def doubt(self) -> str:
        """Why the simulator's acceptance tells nothing here; "" where it does."""
        return doubt_of(self._document, self._step, self._base)

    def doubt_about(self, edits: Sequence[Edit]) -> str:
        """The same of the request with edits."""
        return mask_doubt(self._document, edits) or self.doubt

    def request(self, edits: Sequence[Edit]) -> Request:
        """The request with edits. Raises EditError."""
        if self._reading.request_body.codings:
            return self._document.edited(self._step, edits)
        return apply_to_request(
            edits, self._recorded, text=self._text, known=self._memory
        )

    def simulator(self, request: Request) -> Judgement | None:
        """Whether the simulator refuses it, and why; None where it knows no such
        service or path."""
        if self._judge is None:
            return None
        key = identity(request)
        if key not in self._heard:
            self._heard[key] = predict(
                self._judge, request, self._path, is_verdict=True
            )
        return self._heard[key]

    def rules(self, request: Request) -> RulesVoice | None:
        """What the rules say; None where they do not know the dialect."""
        key = identity(request)
        if key not in self._ruled:
            pending, found = self.findings(request)
            self._ruled[key] = voice_of(found) if pending.dialect else None
        return self._ruled[key]

    def findings(self, request: Request) -> tuple[Reading, tuple[Finding, ...]]:
        """The request read as if it were about to be sent, and what is found in it."""
        pending = Reading(
            Exchange(request=request), number=self._step, histories=self._histories
        )
        pending.follow(self._reading)
        subject = Subject(
            reading=pending,
            ledger=self._prefix.ledger(pending),
            readings={**self._readings, self._step: pending},
        )
        return pending, tuple(check_step(subject))


def identity(request: Request) -> Identity:
    """What makes two requests one."""
    return request.url, request.headers, request.body.raw
