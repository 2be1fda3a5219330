"""A signature that goes back on its call, under another of the names that calls have
for one: `OnCall.paths` has the carrier's own."""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.conversation import Json
from sigscope.dialects.homes import OnCall
from sigscope.ledger import Fate
from sigscope.records import dataclass
from sigscope.rules.base import Claim, Subject
from sigscope.rules.edits import drop, joined, put
from sigscope.rules.outcome import all_the_same
from sigscope.rules.words import told


@dataclass(frozen=True, slots=True)
class Renamed:
    """Signatures under another name alone; each goes back under its own."""

    def __call__(self, subject: Subject) -> Iterator[Claim]:
        """One claim for each."""
        home = subject.reading.dialect.home if subject.reading.dialect else None
        paths = home.paths if isinstance(home, OnCall) else {}
        for signature, _ in subject.met(Fate.EXACT):
            came = {paths.get(p.sighting.carrier) for p in signature.received}
            spots = [s for s in subject.placed(signature) if s.carrier in paths]
            if not spots or None in came or {paths[s.carrier] for s in spots} & came:
                continue
            sent = spots[0]
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
