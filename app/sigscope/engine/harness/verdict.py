"""What is said of a client under test: whether it lost a signature, and whether it had
occasion to."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import field

from sigscope.engine.sessions.baseline import Known, is_known
from sigscope.engine.sessions.document import Document
from sigscope.ledger.records import LOST, Fate, FateAt, Grade, Signature
from sigscope.records import dataclass
from sigscope.rules.findings import Finding, Severity

KEPT = frozenset({Fate.EXACT, Fate.STORED})
"""Fates of signatures that the service has again, as it issued them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """What a client is held to."""

    at_least: int = 1
    """How many signatures have to come back for the test to show anything."""
    strict: bool = False
    """Whether all warnings count; those that tell of a lost signature do so anyway."""
    ignored: Collection[str] = ()
    """Rules whose findings do not count."""
    known: Known = field(default_factory=dict)
    """Findings that do not count, unless they have become worse."""
    address: str = ""
    """Where the client was to go; empty where that is of no help."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientVerdict:
    """Against it, for it, or not known."""

    document: Document
    against: tuple[Finding, ...]
    """Findings that count."""
    beside: tuple[Finding, ...]
    """Warnings of the same steps: what a refusal that tells nothing may be about."""
    left_out: tuple[Finding, ...]
    """Findings that would have counted, and do not."""
    doubts: tuple[str, ...]
    """Why no finding does not mean that all is well."""
    brought_back: int
    """Signatures that a later request had as they were issued."""
    untried: tuple[int, ...]
    """Requests whose answers called tools, and that no other one went on from: what
    these answers brought was not put to the test."""
    optional: int
    """Signatures that a later request had otherwise, or had not, of which no finding
    that counts tells: the service does not insist on them."""

    @property
    def is_fine(self) -> bool:
        return not (self.against or self.doubts)


def judge(document: Document, measure: Measure) -> ClientVerdict:
    """Hold a client to it, by all that was recorded."""
    from sigscope.rules.fingerprint import fingerprint_of

    wanted = {Severity.ERROR} | ({Severity.WARNING} if measure.strict else set())
    against: list[Finding] = []
    left_out: list[Finding] = []
    warnings: list[Finding] = []
    losses = _losses(document)
    for finding in document.findings:
        about = losses.get(finding.step, ())
        if finding.severity not in wanted and not _is_of_loss(finding, document, about):
            if finding.severity is Severity.WARNING:
                warnings.append(finding)
            continue
        is_old = finding.rule in measure.ignored or (
            bool(measure.known)
            and is_known(
                finding,
                fingerprint_of(finding, document.reading(finding.step)),
                measure.known,
            )
        )
        (left_out if is_old else against).append(finding)
    count = sum(
        any(fate.fate in KEPT for fate in signature.fates)
        for signature in document.ledger.signatures
        if signature.received
    )
    told = {finding.step for finding in against}
    lost = {signature.sha256 for each in losses.values() for signature, _ in each}
    named = {finding.signature for finding in (*against, *left_out)}
    excused = {finding.step for finding in (*against, *left_out)}
    return ClientVerdict(
        document=document,
        against=tuple(against),
        beside=tuple(finding for finding in warnings if finding.step in told),
        left_out=tuple(left_out),
        doubts=tuple(_doubts(document, measure, count, excused)),
        brought_back=count,
        untried=tuple(_untried(document)),
        optional=len(lost - named),
    )


_Loss = tuple[Signature, FateAt]


def _losses(document: Document) -> dict[int, list[_Loss]]:
    """By request, the signatures of recorded answers that it had otherwise than they
    were issued, or had not, though it has a place for them."""
    found: dict[int, list[_Loss]] = {}
    for signature in document.ledger.signatures:
        if signature.is_provisional or not signature.received:
            continue
        for fate in signature.fates:
            if fate.fate in LOST and fate.grade in (Grade.REQUIRED, Grade.OPTIONAL):
                found.setdefault(fate.step, []).append((signature, fate))
    return found


def _untried(document: Document) -> Iterator[int]:
    for thread in document.ledger.threads:
        reading = document.reading(thread.steps[-1])
        message = reading.reply.message
        if reading.is_accepted and message is not None and message.calls:
            yield reading.number


def _is_of_loss(
    finding: Finding, document: Document, losses: Collection[_Loss]
) -> bool:
    """Whether a warning is about a signature that was lost: a bypass in its place, or
    a dummy that a gateway puts there, makes the service take the request."""
    if finding.severity is not Severity.WARNING or finding.in_response:
        return False
    messages = document.reading(finding.step).conversation.messages
    for signature, fate in losses:
        if finding.signature == signature.sha256:
            return True
        place = messages[fate.message].pointer if fate.message is not None else None
        if place and f"{finding.pointer}/".startswith(f"{place}/"):
            return True
    return False


def _doubts(
    document: Document, measure: Measure, count: int, excused: Collection[int]
) -> Iterator[str]:
    if not document.steps:
        told = "no request came: the client went elsewhere, or nowhere"
        help_ = f"; its base URL has to be {measure.address}" if measure.address else ""
        yield f"{told}{help_}"
        return
    for group in document.unjudged:
        yield str(group)
    for reading in document.readings:
        if reading.number in excused:
            continue
        if reading.status is None:
            yield f"step {reading.number} was not answered to its end"
        elif reading.status >= 400:
            refusal = document.refusals.get(reading.number)
            said = f": {refusal.text}" if refusal else ""
            yield f"step {reading.number} was answered with {reading.status}{said}"
    if count < measure.at_least:
        yield _unshown(document, count, measure.at_least)


def _unshown(document: Document, count: int, wanted: int) -> str:
    """Why too little came back, as far as can be seen."""
    issued = sum(1 for s in document.ledger.signatures if s.received)
    requests = len(document.steps)
    told = (
        f"{_many(count, 'signature')} came back of {_many(wanted, 'wanted one')}:"
        f" {_many(requests, 'request')}, {issued} issued"
    )
    if requests == 1:
        return f"{told}; only a second request can bring one back"
    if not issued:
        return (
            f"{told}; no answer had one: does the client offer tools, and which model"
        )
    return told


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count != 1)}"
