"""A signature that goes back on its call, under another of the names that calls have
for one: `OnCall.paths` has the carrier's own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sigscope.conversation import Json
from sigscope.dialects.homes import OnCall
from sigscope.ledger import Fate, Ledger, Signature
from sigscope.ledger.records import FateStretch
from sigscope.records import dataclass
from sigscope.rules.base import Claim, Subject
from sigscope.rules.edits import drop, joined, put
from sigscope.rules.outcome import all_the_same
from sigscope.rules.words import told

_Found = tuple[Signature, FateStretch, set[str]]
"""With the paths that it came under."""


@dataclass(frozen=True, slots=True)
class Renamed:
    """Signatures under another name alone; each goes back under its own."""

    def __call__(self, subject: Subject) -> Iterator[Claim]:
        """One claim for each."""
        home = subject.reading.dialect.home if subject.reading.dialect else None
        paths = home.paths if isinstance(home, OnCall) else {}
        known = subject.once_in_session(_by_dialect)
        if subject.wire not in known:
            known[subject.wire] = [*_renamed(subject.ledger, paths)]
        for signature, stretch, came in known[subject.wire]:
            if subject.step not in stretch.steps:
                continue
            sent = next(s for s in stretch.sightings if s.carrier in paths)
            places = (*map(str, came), paths[sent.carrier])
            own, other = places[0].split("/"), places[-1].split("/")
            at = next(n for n, key in enumerate(own) if other[n : n + 1] != [key])
            call = sent.pointer.removesuffix("/".join(other))
            value: Json = signature.value
            for key in reversed(own[at + 1 :]):
                value = {key: value}
            gone, right = (call + "/".join(keys[: at + 1]) for keys in (other, own))
            yield Claim(
                sent.pointer,
                f"{told(signature)} came under {'.'.join(own[: at + 1])} and is sent"
                f" under {other[at]}{all_the_same(subject)}",
                fix=joined(
                    [drop(gone, f"take it from under {other[at]}")],
                    [put(right, value, f"put it under {own[at]}")],
                ),
                signature=signature.sha256,
            )


def _by_dialect(_: Subject) -> dict[str, list[_Found]]:
    """All of the session's, once a step of the dialect asked."""
    return {}


def _renamed(ledger: Ledger, paths: Mapping[str, str]) -> Iterator[_Found]:
    """Signatures that stand under another name in some steps, by arrival."""
    for signature in () if not paths else ledger.signatures:
        came = {paths.get(place.sighting.carrier) for place in signature.received}
        known = {path for path in came if path is not None}
        if len(known) < len(came) or signature.is_unruled:
            continue
        for stretch in signature.stretches:
            sent = {paths[s.carrier] for s in stretch.sightings if s.carrier in paths}
            if sent and not sent & known and stretch.fate.fate is Fate.EXACT:
                yield signature, stretch, known
