"""What is said of a session that grows: with one more step, what is new in it is
judged, and all else stays said.

    found = Conclusions()
    ledger = found.ledger(readings)                     # again with more of them
    found.findings(readings, ledger, refusals)
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from sigscope.ledger import Ledger
from sigscope.ledger.prefix import LedgerPrefix
from sigscope.reader import Reading
from sigscope.refusals import Refusal
from sigscope.rules.findings import Finding

if TYPE_CHECKING:  # all rules; dear to import
    from sigscope.rules.sessioncheck import SessionCheck


class Conclusions:
    """Of the steps that it was last asked about. Where others do not begin with these,
    or change what is said of them, all is judged anew. For any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._prefix: LedgerPrefix | None = None
        self._ledger: Ledger | None = None
        """The last one, from that."""
        self._check: SessionCheck | None = None
        self._judged: LedgerPrefix | None = None
        """Where the ledger came from that the rules were asked with last: all ledgers
        of one prefix say the same of the steps that they share."""

    def ledger(self, readings: Sequence[Reading]) -> Ledger:
        """As `build_hop_ledger` makes it."""
        with self._lock:
            prefix, self._prefix = self._prefix, None  # of no use if it fails
            if prefix is None or not prefix.take(readings):
                prefix = LedgerPrefix(readings)
            self._ledger, self._prefix = prefix.whole(), prefix
            return self._ledger

    def findings(
        self,
        readings: Sequence[Reading],
        ledger: Ledger,
        refusals: Mapping[int, Refusal],
    ) -> tuple[tuple[Finding, ...], ...]:
        """What the rules say of each step, the worst first; the same object as long as
        they say the same."""
        from sigscope.rules.sessioncheck import SessionCheck

        with self._lock:
            is_known = ledger is self._ledger and self._prefix is self._judged
            check = self._check if is_known else None
            self._check = self._judged = None  # of no use if this one fails
            found = check or SessionCheck()
            said = found.take(readings, ledger, refusals, goes_on=is_known)
            if ledger is self._ledger:
                self._check, self._judged = found, self._prefix
            return said
