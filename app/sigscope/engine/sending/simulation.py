"""The strict simulator, told what a recorded session knows."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from typing import Any, cast, get_args

from sigscope.conversation import PartKind, SignatureKind
from sigscope.engine.sessions.document import Document
from sigscope.errors import SigscopeError, UsageError
from sigscope.exchange import Request
from sigscope.jsontext.meaning import maybe_json
from sigscope.ledger import Signature
from sigscope.ledger.fates import surface
from sigscope.opaque import decode, split_call_id
from sigscope.reader import Reading
from sigscope.upstreams.base import AnswerHead, Arrival, Clock, Data, End
from sigscope.upstreams.simulator import (
    Anchor,
    Judge,
    Judgement,
    ResponseStart,
    SimConfig,
    Simulator,
    create_app,
)
from sigscope.upstreams.simulator import exchange as call_in_process
from sigscope.upstreams.simulator.config import Surface
from sigscope.upstreams.simulator.families.base import SimulatedService
from sigscope.upstreams.simulator.services import registry as services
from sigscope.upstreams.target import SIMULATOR

MODELLED = frozenset[str]().union(*(one.rules for one in services.SERVICES))
"""Rules that the simulator judges requests by."""
_OF_VALUES = frozenset[str]().union(*(one.value_rules for one in services.SERVICES))
"""Rules whose errors say that a value is wrong."""


def default_path(reading: Reading) -> str:
    """The path that a request of this dialect is sent to; "" where none is known."""
    dialect = reading.dialect
    if dialect is None:
        return ""
    model = reading.conversation.model or dialect.default_model
    method = "streamGenerateContent" if reading.is_streamed else "generateContent"
    return dialect.default_path.format(model=model, method=method)


def config_for(
    document: Document, reading: Reading, base: SimConfig | None = None
) -> SimConfig:
    """Settings that make the simulator stand in for the service of a step.

    The signatures received in the session are the genuine ones; so are those that came
    from before the recording, as far as nothing recorded speaks against them. Raises
    UsageError for a dialect it does not speak.
    """
    name = service_of(reading)
    service = services.named(name or "")
    if service is None:
        spoken = ", ".join(services.names())
        raise UsageError(
            f"the simulator does not speak the dialect of step {reading.number}"
            f" ({name or 'not recognised'}); it speaks {spoken}. If the step speaks"
            " one of these, say so with --dialect NAME; else send it to a live API"
            " with --to URL (on the screens: S)"
        )
    base = base or SimConfig()
    response = reading.exchange.response
    base = service.tuned(base, response.headers if response else ())
    return replace(
        base,
        dialect=service.name,
        service=reading.service or "",
        surface=base.surface or _google_surface(reading),
        genuine=genuine_signatures(document),
        stored=stored_answers(document, reading),
        refused_arguments=(
            *base.refused_arguments,
            *_refused_arguments(document, service),
        ),
    )


def _google_surface(reading: Reading) -> Surface | None:
    """Google's surface that a step was sent to; None where it is another service."""
    told = surface(reading)
    return cast(Surface, told) if told in get_args(Surface) else None


def service_of(reading: Reading) -> str | None:
    """The dialect that a step is answered in; None where it is not known."""
    return reading.dialect.name if reading.dialect is not None else None


def _refused_arguments(
    document: Document, service: SimulatedService
) -> tuple[str, ...]:
    """Arguments that a recorded answer refused by name."""
    named = (
        pointer.split("/")[1]
        for refusal in document.refusals.values()
        for match in refusal.matches
        if match.rule in service.argument_rules
        for pointer in match.pointers
    )
    return tuple(dict.fromkeys(named))


def genuine_signatures(document: Document) -> dict[str, Anchor]:
    """Signatures to accept, and what each belongs to.

    One from before the recording is taken as genuine where an accepted request carried
    it, and where no error was recorded that speaks of such values: the fault is looked
    for in the request, not in what nobody can check.
    """
    found: dict[str, Anchor] = {}
    bound = _bound_to(document)
    accepted = {r.number for r in document.readings if r.is_accepted}
    for signature in document.ledger.signatures:
        if signature.kind is SignatureKind.BYPASS:
            continue
        if signature.is_provisional:
            continue
        if signature.step is not None:
            before = bound.get(signature.step, "")
            anchor = _anchor(document, signature)
            found[signature.value] = replace(anchor, before=before)
            continue
        is_proven = any(place.step in accepted for place in signature.sent)
        is_likely = signature.is_earlier and not _is_doubted(document, signature)
        if is_proven or is_likely:
            found[signature.value] = Anchor()
    return found


def _bound_to(document: Document) -> dict[int, str]:
    """Step → what the signatures of its answer are bound to, where a recorded answer
    told that the account's are bound at all."""
    found: dict[int, str] = {}
    refused = {match.rule for r in document.refusals.values() for match in r.matches}
    for reading in document.readings if refused else ():
        service = services.named(service_of(reading) or "")
        if service is not None and refused & service.binding_rules:
            found[reading.number] = service.bind(reading.request_json)
    return found


def _is_doubted(document: Document, signature: Signature) -> bool:
    """Whether a recorded error speaks of values, and may mean this one: it names its
    place, or no place at all. What is no base64 is no signature of anybody's, and
    neither is the field's own name."""
    if signature.kind is not SignatureKind.TEXT and decode(signature.value) is None:
        return True
    places = [place.sighting.pointer for place in signature.sent]
    if any(place.endswith(f"/{signature.value}") for place in places):
        return True
    return any(
        _may_mean(match.pointers, place.sighting.pointer)
        for place in signature.sent
        if place.step in document.refusals
        for match in document.refusals[place.step].matches
        if match.rule in _OF_VALUES
    )


def _may_mean(pointers: Sequence[str], pointer: str) -> bool:
    near = (p for p in pointers if f"{pointer}/".startswith(f"{p}/"))
    return not pointers or any(near)


def _anchor(document: Document, signature: Signature) -> Anchor:
    """What a received signature stands on, as far as the reply tells."""
    assert signature.step is not None
    reading = document.reading(signature.step)
    place = _google_surface(reading) or ""
    message = reading.reply.message
    pointers = {p.sighting.anchor.part for p in signature.received}
    parts = [p for p in (message.parts if message else ()) if p.pointer in pointers]
    calls = [part for part in parts if part.kind is PartKind.CALL]
    by_id = {c.call_id: c for c in (message.calls if message else ()) if c.call_id}
    calls += [by_id[i] for i in signature.call_ids if i in by_id]
    if calls:
        return Anchor(
            kind="call",
            name=calls[0].name or "",
            call_id=split_call_id(calls[0].call_id or "").plain,
            arguments=maybe_json(calls[0].arguments),
            surface=place,
        )
    holder = reading.holder_of(signature.received[0].sighting)
    name = holder.get("id") if isinstance(holder, dict) else None
    if any(part.item_id for part in parts) and isinstance(name, str):
        return Anchor(surface=place, call_id=name)
    thoughts = [part for part in parts if part.kind is PartKind.THOUGHT]
    if thoughts:
        return Anchor(kind="thought", text=thoughts[0].text, surface=place)
    return Anchor(surface=place)


def stored_answers(
    document: Document, reading: Reading
) -> dict[str, tuple[tuple[Any, ...], tuple[Any, ...]]]:
    """Answers before a step that the service keeps, as far as the recording tells: the
    items of the history, and the answer's own."""
    found: dict[str, tuple[tuple[Any, ...], tuple[Any, ...]]] = {}
    for each in document.readings:
        if reading.number and each.number >= reading.number:
            break
        name, body = each.reply.response_id, each.response_json
        if not name or each.reply.is_stored is not True:
            continue
        output = body.get("output") if isinstance(body, dict) else None
        before, own = found.get(each.conversation.continues, ((), ()))
        found[name] = ((*before, *own, *each.entries), tuple(output or ()))
    return found


def predict(
    judge: Judge | SimConfig, request: Request, path: str, *, is_verdict: bool = False
) -> Judgement | None:
    """What the simulator would answer, without sending; None where it has no such
    path. `path` serves requests whose recording names none. Who asks about many has a
    judge for all of them, and asks for the verdict alone (as `Judge.judge` has it)."""
    if isinstance(judge, SimConfig):
        judge = Judge(judge)
    return judge.judge(
        request.url or path,
        request.body.raw,
        method=request.method,
        headers=request.headers,
        is_verdict=is_verdict,
    )


class Simulated:
    """The simulator as an upstream, in process: no port, and it really streams."""

    def __init__(self, config: SimConfig, clock: Clock, path: str = "") -> None:
        self.app: Simulator = create_app(config)
        self._clock = clock
        self._path = path

    @property
    def name(self) -> str:
        """As written into runs."""
        return SIMULATOR

    async def send(self, request: Request) -> AsyncIterator[Arrival]:
        """Call the application; hand on each piece as it is sent."""
        started = self._clock()

        def now() -> float:
            return (self._clock() - started) * 1000

        target = request.url or self._path
        stream = call_in_process(
            self.app, request.method, target, request.headers, request.body.raw
        )
        try:
            async for part in stream:
                if isinstance(part, ResponseStart):
                    yield AnswerHead(
                        status=part.status, headers=part.headers, at_ms=now()
                    )
                else:
                    yield Data(data=part, at_ms=now())
            yield End(ending="complete", at_ms=now())
        except SigscopeError as error:
            yield End(ending="upstream-aborted", at_ms=now(), problem=str(error))
        finally:
            await stream.aclose()
