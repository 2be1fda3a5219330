"""The ledger of the steps before a request, continued with one request at a time.

    prefix = LedgerPrefix(readings)     # all steps before the one that is varied
    prefix.ledger(reading)              # with one more: as often as one likes
    prefix.take(steps)                  # it was sent: these are the steps now

A request that is asked about in a thousand variants has the same steps before it every
time. They are accounted for once; a variant costs what it says itself, and a copy of
what is known of each signature. What comes out is what `build_ledger` and
`build_hop_ledger` give for all of them together: where the variant changes what is said
of the steps before it (another fork becomes the conversation, it is the other hop of
one of them), the whole is built.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sigscope.ledger.build import KEPT_MESSAGES, Builder, link_all
from sigscope.ledger.fates import scene_of
from sigscope.ledger.hops import build_hop_ledger, find_hops
from sigscope.ledger.links import Linker
from sigscope.ledger.records import Ledger, Thread
from sigscope.ledger.threads import sort_threads
from sigscope.reader import Reading


class LedgerPrefix:
    """Knows the steps before a request; remembers nothing of those it is asked for,
    until it takes them."""

    def __init__(self, readings: Sequence[Reading]) -> None:
        self._readings = tuple(readings)
        self._has_hops = bool(find_hops(self._readings))
        if self._has_hops:
            return  # each ledger is built whole
        self._linker = Linker()
        self._links, self._scenes = link_all(self._readings, self._linker)
        self._threads = sort_threads(
            self._readings, self._links, self._linker.whole, self._linker.kept
        )
        self._builder = Builder(
            self._readings,
            self._links,
            self._threads,
            self._linker.kept,
            self._scenes,
            KEPT_MESSAGES,
        )
        for reading in self._readings:
            self._builder.take(reading)
        # Verdicts rest on the identity of these: another must not get their address.
        self._alive = [(r.conversation, r.sent) for r in self._readings]

    def take(self, readings: Sequence[Reading]) -> bool:
        """Know these steps, which begin with those that it knows; costs what is new and
        a copy of what is known of each signature. False where they do not, or where a
        new one changes what is said of those before: then it is of no use any more."""
        size = len(self._readings)
        begins = zip(readings, self._readings, strict=False)
        if len(readings) < size or any(one is not known for one, known in begins):
            return False
        new = readings[size:]
        return not new or self._learn(new)

    def _learn(self, new: Sequence[Reading]) -> bool:
        self._readings = (*self._readings, *new)
        if self._has_hops or find_hops(self._readings):
            return False
        links, scenes = link_all(new, self._linker)
        self._links |= links
        self._scenes |= scenes
        threads = sort_threads(
            self._readings, self._links, self._linker.whole, self._linker.kept
        )
        if not self._goes_on(threads, links.keys()):
            return False
        self._threads = threads
        self._builder = self._builder.forked(
            self._readings, self._links, threads, self._linker.kept, self._scenes
        )
        for reading in new:
            self._builder.take(reading)
        self._alive += [(r.conversation, r.sent) for r in new]
        return True

    def whole(self) -> Ledger:
        """The ledger of the steps that it knows; costs a copy of what is known of each
        signature."""
        if self._has_hops:
            return build_hop_ledger(self._readings)
        builder = self._builder.forked(
            self._readings,
            self._links,
            self._threads,
            self._linker.kept,
            self._scenes,
        )
        return Ledger(
            signatures=builder.signatures(),
            threads=self._threads,
            links={**self._links},
            anew={**self._linker.anew},
            unmet={**self._linker.unmet},
        )

    def ledger(self, reading: Reading) -> Ledger:
        """The ledger of all steps, this request the last one: its number is above
        those of the others, and it has no answer yet."""
        readings = (*self._readings, reading)
        if self._has_hops or find_hops(readings):
            return build_hop_ledger(readings)
        number = reading.number
        found, digests = self._linker.look(reading)
        links = {**self._links, number: found}
        kept = dict(self._linker.kept)
        left = self._linker.left_by(reading)
        if left is not None:
            kept[number] = left
        whole = {**self._linker.whole, number: digests[-1]}
        threads = sort_threads(readings, links, whole, kept)
        if not self._goes_on(threads, {number}):
            return build_hop_ledger(readings)
        scenes = {**self._scenes, number: scene_of(reading)}
        builder = self._builder.forked(readings, links, threads, kept, scenes)
        builder.account(reading)
        return Ledger(
            signatures=builder.signatures(),
            threads=threads,
            links=links,
            anew=self._linker.anew,
            unmet=self._linker.unmet,
        )

    def _goes_on(self, threads: Sequence[Thread], new: Collection[int]) -> bool:
        """Whether the steps before are sorted as they were without the new ones."""
        kept = [(t, tuple(s for s in t.steps if s not in new)) for t in threads]
        before = [(t.number, steps, t.kind, t.parent) for t, steps in kept if steps]
        known = [(t.number, t.steps, t.kind, t.parent) for t in self._threads]
        return before == known
