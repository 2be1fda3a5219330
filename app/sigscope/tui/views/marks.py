"""What stands where in the request and the response on show: signatures, findings.

One index for everybody who draws badges or has to find the things at a node.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import field

from sigscope.conversation import Sighting
from sigscope.ledger import FateAt, Ledger
from sigscope.ledger.records import LOST
from sigscope.opaque import sha256
from sigscope.reader import Reading
from sigscope.records import dataclass
from sigscope.rules.findings import Finding
from sigscope.tui.place import NodePlace


@dataclass(frozen=True, slots=True, kw_only=True)
class SignatureMark:
    """A signature at a node."""

    sha256: str
    fate: FateAt | None = None
    """Its fate in this request; None where it stands in the response that brought
    it, or where the ledger has nothing to say about it."""
    is_ghost: bool = False
    """It should stand here and does not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """The index."""

    signatures: dict[NodePlace, tuple[SignatureMark, ...]] = field(default_factory=dict)
    findings: dict[NodePlace, tuple[Finding, ...]] = field(default_factory=dict)

    def near(self, place: NodePlace) -> Iterator[SignatureMark]:
        """Signatures at a node, or else inside it."""
        exact = self.signatures.get(place)
        if exact:
            yield from exact
            return
        for other, marks in self.signatures.items():
            if place.holds(other):
                yield from marks


def marks_of(
    reading: Reading,
    ledger: Ledger,
    findings: Iterable[Finding],
    *,
    step: int,
) -> Marks:
    """Index one step, or a run in its place; `ledger` is the one that has it."""
    signatures: defaultdict[NodePlace, list[SignatureMark]] = defaultdict(list)
    stretches = {s.sha256: found for s, found in ledger.stretches_in(step)}
    aliases = aliases_in(ledger, step)
    for sighting in reading.sent:
        key = aliases.get(sighting.pointer, sha256(sighting.value))
        fate = stretches[key].fate_in(step) if key in stretches else None
        place = NodePlace(side="request", pointer=sighting.pointer)
        signatures[place].append(SignatureMark(sha256=key, fate=fate))
    for sighting in reading.received:
        place = place_received(sighting)
        signatures[place].append(SignatureMark(sha256=sha256(sighting.value)))
    for key, fate, pointer in ghosts(reading, ledger, step):
        place = NodePlace(side="request", pointer=pointer)
        ghost = SignatureMark(sha256=key, fate=fate, is_ghost=True)
        signatures[place].append(ghost)
    return Marks(
        signatures={place: tuple(marks) for place, marks in signatures.items()},
        findings=_by_place(findings),
    )


def place_received(sighting: Sighting) -> NodePlace:
    """Where a received signature stands."""
    if sighting.event is None:
        return NodePlace(side="response", pointer=sighting.pointer)
    return NodePlace(side="event", event=sighting.event, pointer=sighting.pointer)


def aliases_in(ledger: Ledger, step: int) -> dict[str, str]:
    """For what was sent in a step under another text (cut, altered, a bypass):
    which signature it was made of, by pointer. One that was received counts more than
    the bypass that was put in its place."""
    found: dict[str, str] = {}
    sent = ledger.stretches_in(step)
    for signature, stretch in sorted(sent, key=lambda each: not each[0].received):
        for sighting in stretch.sightings:
            found.setdefault(sighting.pointer, signature.sha256)
    return found


def ghosts(
    reading: Reading, ledger: Ledger, step: int
) -> Iterator[tuple[str, FateAt, str]]:
    """Required signatures that this request has not, with the message they belong
    to."""
    messages = reading.conversation.messages
    for signature, fate in ledger.concerning(step, LOST):
        if not fate.is_lost or fate.message is None:
            continue
        if 0 <= fate.message < len(messages):
            yield signature.sha256, fate, messages[fate.message].pointer


def _by_place(findings: Iterable[Finding]) -> dict[NodePlace, tuple[Finding, ...]]:
    found: defaultdict[NodePlace, list[Finding]] = defaultdict(list)
    for finding in findings:
        found[place_of(finding)].append(finding)
    return {place: tuple(list_) for place, list_ in found.items()}


def place_of(finding: Finding) -> NodePlace:
    """The node a finding is about."""
    if finding.in_response:
        return NodePlace(side="response", pointer=finding.pointer)
    return NodePlace(pointer=finding.pointer)
