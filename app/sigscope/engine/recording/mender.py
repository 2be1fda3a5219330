"""Mending requests of a client that cannot be changed, before they are sent on.

    mender = Mender(only=("CPC-1",))
    done = mender.mend(request)               # Mend or Unmended
    mender.learn(request, response, step=3)  # when it was answered

It saw what the service issued, so it can put back what the client drops, by the fixes
that the rules offer for it. Only what is certain: the answer belongs to this very
conversation and came to this very credential (`Foresight`, `Archive`), the rule rests
on more than our own conclusion, nothing but signatures and doubled results changes
(`restraint`), and the rules find nothing new in what comes of it. Whether a service
refuses the request as it was may be contested; what it issued is not.

Plain and without sockets; costs what is new in a request, and the answers it repeats.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import replace

from sigscope.dialects.base import Dialect
from sigscope.dialects.registry import DIALECTS
from sigscope.dialects.settlement import Naming
from sigscope.edits.apply import apply_to_request
from sigscope.edits.records import Edit
from sigscope.engine.recording import restraint
from sigscope.engine.recording.archive import Archive
from sigscope.engine.recording.credential import credential_digest, is_sealed
from sigscope.errors import EditError
from sigscope.exchange import Act, Remedy, Request, Response
from sigscope.ledger.foresight import Foreseen
from sigscope.opaque import fingerprint
from sigscope.reader import Reading
from sigscope.recorder.mend import Mend, MendVerdict, Unmended
from sigscope.records import dataclass
from sigscope.rules.base import Confidence, Finding, Rule, Severity, Subject
from sigscope.rules.registry import RULES
from sigscope.rules.runner import check_step
from sigscope.wire.urls import split_url

ROUNDS = 3
"""One fix may uncover the next mistake."""
SINGLY = 16
"""Findings whose fixes are tried one by one, where not all go together."""
MOST_ARCHIVES = 64
"""Credentials and services that are known at a time."""
MOST_BYTES = 128 * 1024 * 1024
"""Of answers that are kept; the oldest go first."""
_GRAVE = (Severity.ERROR, Severity.WARNING)
Key = tuple[bytes, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Outlook:
    """A request, and what rules say of it."""

    reading: Reading
    foreseen: Foreseen
    findings: Sequence[Finding]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Trial:
    """Fixes that may be applied together."""

    chosen: tuple[Finding, ...]
    change: restraint.RequestChange
    after: Reading


class Mender:
    """For one thread at a time."""

    def __init__(
        self,
        *,
        only: Iterable[str] = (),
        dialects: Sequence[Dialect] = DIALECTS,
        namings: Sequence[Naming] = (),
        rules: Sequence[Rule] = RULES,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        """`only`: mend what these rules find; empty for all."""
        self._only = frozenset(only)
        self._dialects = dialects
        self._namings = namings
        self._rules = rules
        self._archives: dict[Key, Archive] = {}
        self._kept: deque[tuple[Archive, int, int]] = deque()
        """Answers with their sizes, the oldest first."""
        self._size = 0
        self._most = most_bytes

    # --- What comes ------------------------------------------------------------------

    def learn(self, request: Request, response: Response, step: int) -> None:
        """Know what a request was answered. `request`: as the client sent it."""
        if response.status is None or not 200 <= response.status < 300:
            return
        archive = self._archive(request)
        number = archive.learn(request, response, step)
        self._kept.append((archive, number, response.body.size))
        self._size += response.body.size
        while self._size > self._most and len(self._kept) > 1:
            oldest, number, size = self._kept.popleft()
            oldest.forget(number)
            self._size -= size

    def mend(self, request: Request) -> MendVerdict:
        """What to send instead. Raises nothing that is not a bug."""
        archive = self._known(request)
        if archive is None:
            return Unmended()
        before = archive.read(request)
        if before.dialect is None or before.bodies.remarks(request):
            return Unmended()
        outlook = self._look(archive, before)
        wanted = self._wanted(outlook.findings)
        if not wanted:
            return Unmended(self._doubt(archive, outlook))
        if is_sealed(request):
            return Unmended("its body is signed, or its digest is sent along")
        remedies: list[Remedy] = []
        reasons: list[str] = []
        for _ in range(ROUNDS):
            step = self._step(archive, outlook, wanted, reasons)
            if step is None:
                break
            outlook, done = step
            remedies += done
            wanted = self._wanted(outlook.findings)
            if not wanted:
                break
        if not remedies:
            return Unmended("; ".join(dict.fromkeys(reasons)))
        sent = outlook.reading.exchange.request
        assert sent is not None
        return Mend(request=sent, remedies=tuple(_joined(remedies)))

    def stands_for(self, sent: Request, came: Request) -> bool:
        """Whether the answer of a request that was edited by hand is worth to the
        client what that of its own would be: it came to the same credential, from the
        same place, the same model."""
        if _key(sent) != _key(came):
            return False
        archive = Archive(self._dialects, self._namings)
        one, other = archive.read(sent), archive.read(came)
        is_alike = one.dialect is other.dialect and one.endpoint == other.endpoint
        return is_alike and one.conversation.model == other.conversation.model

    # --- One round -------------------------------------------------------------------

    def _step(
        self,
        archive: Archive,
        outlook: _Outlook,
        wanted: Sequence[Finding],
        reasons: list[str],
    ) -> tuple[_Outlook, list[Remedy]] | None:
        """All that can be mended at once; None where nothing can, with reasons."""
        received = _received(outlook.foreseen)
        trial = self._choose(archive, outlook.reading, wanted, received, reasons)
        if trial is None:
            return None
        after = self._look(archive, trial.after)
        known = {finding.rule for finding in outlook.findings}
        new = [f.rule for f in self._grave(after.findings) if f.rule not in known]
        if new:
            reasons.append(f"what comes of it breaks {', '.join(dict.fromkeys(new))}")
            return None
        return after, _remedies(archive, outlook, trial)

    def _choose(
        self,
        archive: Archive,
        before: Reading,
        wanted: Sequence[Finding],
        received: frozenset[str],
        reasons: list[str],
    ) -> _Trial | None:
        """The findings whose fixes may be applied together: all, or else those that go
        with the ones before."""
        found = self._try(archive, before, wanted, received)
        if isinstance(found, _Trial):
            return found
        best: _Trial | None = None
        for finding in wanted[:SINGLY]:
            chosen = best.chosen if best else ()
            if set(finding.fix or ()) <= set(_edits(chosen)):
                continue
            found = self._try(archive, before, (*chosen, finding), received)
            if isinstance(found, _Trial):
                best = found
            else:
                reasons.append(f"{finding.rule}: {found}")
        return best

    def _try(
        self,
        archive: Archive,
        before: Reading,
        chosen: Sequence[Finding],
        received: frozenset[str],
    ) -> _Trial | str:
        """What comes of fixes; or why they are not applied."""
        edits = _edits(chosen)
        objection = restraint.maybe_object(edits, before, received)
        if objection is not None:
            return objection
        try:
            after = self._edited(archive, before, edits)
        except EditError as error:
            return f"its fix does not fit: {error}"
        change = restraint.compare(before, after, received)
        if isinstance(change, str):
            return change
        return _Trial(chosen=tuple(chosen), change=change, after=after)

    def _edited(
        self, archive: Archive, before: Reading, edits: Sequence[Edit]
    ) -> Reading:
        """Raises EditError."""
        request = before.exchange.request
        assert request is not None
        body = before.request_body
        decoded = body.data if body.codings else None
        after = archive.read(apply_to_request(edits, request, decoded=decoded))
        after.settle(before.decision)
        return after

    def _look(self, archive: Archive, reading: Reading) -> _Outlook:
        foreseen = archive.foresee(reading)
        subject = Subject(
            reading=reading, ledger=foreseen.ledger, readings=foreseen.readings
        )
        return _Outlook(
            reading=reading,
            foreseen=foreseen,
            findings=check_step(subject, self._rules),
        )

    # --- Which -----------------------------------------------------------------------

    def _wanted(self, findings: Sequence[Finding]) -> list[Finding]:
        return [
            finding
            for finding in self._grave(findings)
            if finding.fix and (not self._only or finding.rule in self._only)
        ]

    @staticmethod
    def _grave(findings: Sequence[Finding]) -> list[Finding]:
        """What more than our own conclusion speaks for, about one place."""
        return [
            finding
            for finding in findings
            if finding.severity in _GRAVE
            and finding.confidence is not Confidence.INFERRED
            and not (finding.in_response or finding.is_echo or finding.candidates)
        ]

    @staticmethod
    def _doubt(archive: Archive, outlook: _Outlook) -> str:
        """Why nothing is mended that might have to be."""
        steps = sorted(archive.step_of(n) for n in outlook.foreseen.doubtful)
        if not steps or not Mender._grave(outlook.findings):
            return ""
        names = ", ".join(map(str, steps))
        plural = "s" * (len(steps) > 1)
        return (
            f"whether it brings back the answer{plural} of step{plural} {names} or of"
            " another conversation is not certain"
        )

    # --- Whose -----------------------------------------------------------------------

    def _archive(self, request: Request) -> Archive:
        key = _key(request)
        archive = self._archives.pop(key, None)
        if archive is None:
            archive = Archive(self._dialects, self._namings)
        self._archives[key] = archive  # the last one used
        while len(self._archives) > MOST_ARCHIVES:
            del self._archives[next(iter(self._archives))]
        return archive

    def _known(self, request: Request) -> Archive | None:
        return self._archives.get(_key(request))


def _key(request: Request) -> Key:
    url = split_url(request.url)
    return credential_digest(request), f"{url.scheme}://{url.host}"


def _received(foreseen: Foreseen) -> frozenset[str]:
    """Signatures that came in this conversation."""
    return frozenset(
        signature.value
        for signature in foreseen.ledger.signatures
        if signature.received
    )


def _edits(findings: Sequence[Finding]) -> list[Edit]:
    """Those of all fixes, each once."""
    return list(dict.fromkeys(edit for f in findings for edit in f.fix or ()))


def _remedies(
    archive: Archive,
    outlook: _Outlook,
    trial: _Trial,
) -> list[Remedy]:
    """What each fix did beyond those before it."""
    found: list[Remedy] = []
    change = trial.change
    put_back, moved, dropped = set(change.put_back), set(change.moved), change.dropped
    known = {s.sha256: s for s in outlook.foreseen.ledger.signatures if s.received}
    for finding in trial.chosen:
        values = set(restraint.brought(finding.fix or (), outlook.reading))
        back, away = values & put_back, values & moved
        put_back -= back
        moved -= away
        gone = 0 if values else dropped
        dropped -= gone
        signature = known.get(finding.signature or "")
        words = f"at {finding.pointer}"
        if signature is not None and signature.step is not None:
            step = archive.step_of(signature.step)
            words = f"{fingerprint(signature.value)} of step {step}, {words}"
        acts: tuple[tuple[Act, int], ...] = (
            ("put back", len(back)),
            ("moved", len(away)),
            ("dropped", gone),
        )
        found += (
            Remedy(
                rule=finding.rule, act=act, count=count, at=finding.pointer, words=words
            )
            for act, count in acts
            if count
        )
    return found


def _joined(remedies: Sequence[Remedy]) -> list[Remedy]:
    """One for each place and act."""
    found: dict[tuple[str, str, str], Remedy] = {}
    for remedy in remedies:
        key = (remedy.rule, remedy.act, remedy.at)
        if key in found:
            remedy = replace(remedy, count=remedy.count + found[key].count)
        found[key] = remedy
    return list(found.values())
