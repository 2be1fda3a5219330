"""The steps one wants to see next: findings, refusals, losses, fading, what nobody
judged. In the order of steps, around the end.

What lasts for many steps (a signature that stays lost, a dialect that is not known) is
told where it begins; a finding or a refusal in each step that has one. Remarks are
nothing wrong, and are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from sigscope.ledger import Ledger
from sigscope.overview.records import StepState
from sigscope.overview.strip import SessionStrip
from sigscope.records import dataclass
from sigscope.refusals import Refusal
from sigscope.rules.findings import Finding, Severity
from sigscope.rules.session.ses_1_reasoning_fades import RULE as FADES

NAMED = 2
"""Things that are named of one step; more become a number."""
_GRAVITY = {Severity.ERROR: 0, Severity.WARNING: 1}


@dataclass(frozen=True, slots=True, kw_only=True)
class Anomaly:
    """A step, and why one wants to see it."""

    step: int
    names: tuple[str, ...]
    """ "CPC-1", "refused with 400", "lost 4fc87b", "reasoning fades", "not judged"."""
    finding: Finding | None = None
    """The worst; None where no rule says anything."""
    signature: str | None = None
    """SHA-256 of what was lost, or of what the finding is about."""
    event: int | None = None
    """The event of the stream it is in."""

    @property
    def words(self) -> str:
        """ "CPC-1 and CPC-2 in step 12"."""
        named, rest = self.names[:NAMED], len(self.names) - NAMED
        joined = (
            f"{', '.join(named)} and {rest} more" if rest > 0 else " and ".join(named)
        )
        return f"{joined} in step {self.step}"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnomalyStop:
    """An anomaly that was gone to."""

    anomaly: Anomaly
    number: int
    """From 1."""
    total: int
    turned: str = ""
    """ "from the top", "from the end": it went around."""

    @property
    def words(self) -> str:
        """ "3 of 17: CPC-1 in step 12"."""
        lead = f"{self.turned}: " if self.turned else ""
        return f"{lead}{self.number} of {self.total}: {self.anomaly.words}"


@dataclass(frozen=True, kw_only=True)
class Anomalies:
    """All of a session."""

    listed: tuple[Anomaly, ...] = ()
    """By step, one for a step."""
    unknown: str = ""
    """Why there may be more; empty if all is known."""

    def after(self, step: int, by: int) -> AnomalyStop | None:
        """The next one after a step (1), or the one before it (-1), around the end;
        None if there is none at all."""
        total = len(self.listed)
        if not total:
            return None
        if by > 0:
            ahead = [at for at, each in enumerate(self.listed) if each.step > step]
            at, turned = (ahead[0], "") if ahead else (0, "from the top")
        else:
            back = [at for at, each in enumerate(self.listed) if each.step < step]
            at, turned = (back[-1], "") if back else (total - 1, "from the end")
        return AnomalyStop(
            anomaly=self.listed[at], number=at + 1, total=total, turned=turned
        )

    def told(self, stop: AnomalyStop | None, remarks: int = 0) -> str:
        """What to say of where one went, or why one went nowhere. `remarks`: how many
        there are on the recording, so that it may hide something."""
        if stop is not None:
            more = f" ({self.unknown})" if self.unknown else ""
            return stop.words + more
        if self.unknown:
            return f"no anomaly known: {self.unknown}"
        none = (
            "no finding but remarks, no refusal, no loss of what is required, nothing"
            " left unjudged"
        )
        if remarks:
            count = f"{remarks} remark{'s' * (remarks > 1)}"
            return f"no anomaly known: {none}; but read with {count} (sigscope check)"
        return f"no anomaly: {none}"


def find_anomalies(
    strip: SessionStrip,
    ledger: Ledger,
    refusals: Mapping[int, Refusal],
    findings: Iterable[Finding],
) -> Anomalies:
    by_step: dict[int, list[Finding]] = {}
    for finding in findings:
        if finding.severity in _GRAVITY:
            by_step.setdefault(finding.step, []).append(finding)
    losses: dict[int, list[tuple[str, str]]] = {}
    for signature in ledger.signatures:
        for stretch in signature.stretches:
            if stretch.fate.is_lost:
                one = (signature.id, signature.sha256)
                losses.setdefault(stretch.steps[0], []).append(one)
    found: list[Anomaly] = []
    before: StepState | None = None
    for state in strip.states:
        serious = sorted(
            by_step.get(state.step, ()), key=lambda f: _GRAVITY[f.severity]
        )
        refusal = refusals.get(state.step)
        told = {finding.signature for finding in serious}
        lost = [each for each in losses.get(state.step, ()) if each[1] not in told]
        names = [finding.rule for finding in serious if finding.rule != FADES.code]
        names += _failures(state, refusal) if not names else ()
        names += [f"lost {name}" for name, _ in lost]
        names += [f"reasoning {state.fading}"] if state.fading else ()
        is_new = before is None or not before.unjudged
        names += ["not judged"] if is_new and state.unjudged else ()
        before = state
        if not names:
            continue
        worst = next(iter(serious), None)
        about = worst.signature if worst else lost[0][1] if lost else None
        event = worst.event if worst else refusal.event if refusal else None
        found.append(
            Anomaly(
                step=state.step,
                names=tuple(dict.fromkeys(names)),
                finding=worst,
                signature=about,
                event=event,
            )
        )
    unknown = "" if strip.is_checked else "the rules have not run yet"
    return Anomalies(listed=tuple(found), unknown=unknown)


def _failures(state: StepState, refusal: Refusal | None) -> Iterator[str]:
    if state.failure == "refused":
        status = f" with {state.status}" if state.status is not None else ""
        yield f"refused{status}"
    elif state.failure == "stream error":
        event = f" in event {refusal.event}" if refusal and refusal.event else ""
        yield f"error{event} of the stream"
    elif state.failure is not None:
        yield state.failure
