"""The one thing that every pane shows: a step (or a run), and a node in it.

Choosing is two moves. `choose_*` says what is wanted, from anywhere; `settle` finds the
node once the step is on show. Pure: what stands where comes in as arguments.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from sigscope.ledger import Ledger, Signature
from sigscope.records import dataclass
from sigscope.rules.findings import Finding, Severity
from sigscope.tui.place import NodePlace
from sigscope.tui.views.marks import Marks, SignatureMark, place_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    step: int
    run: int | None = None
    """The run on show in place of the step; None: the step as recorded."""
    place: NodePlace | None = None
    """The node; None until the step is on show."""
    signature: str | None = None
    """SHA-256 of the signature that is followed."""
    finding: Finding | None = None


def concerns(signature: Signature, step: int) -> bool:
    """Whether a step received or should have sent a signature."""
    if any(place.step == step for place in (*signature.received, *signature.sent)):
        return True
    return signature.fate_in(step) is not None


def choose_step(
    now: Selection, step: int, ledger: Ledger | None, run: int | None = None
) -> Selection:
    """Show another step, or a run of it. A signature that has to do with it stays
    selected, so that it can be followed from step to step."""
    if (now.step, now.run) == (step, run):
        return now
    kept = None
    if ledger is not None and now.signature is not None:
        for signature in ledger.signatures:
            if signature.sha256 == now.signature and concerns(signature, step):
                kept = now.signature
    return Selection(step=step, run=run, signature=kept)


def choose_signature(now: Selection, signature: Signature) -> Selection:
    """Follow a signature: in the step on show if it has to do with it, else where it
    came from, else where it was first sent."""
    wanted = replace(now, place=None, finding=None, signature=signature.sha256)
    if concerns(signature, now.step):
        return wanted
    places = signature.received or signature.sent
    step = places[0].step if places else now.step
    return replace(wanted, step=step, run=None)


def choose_finding(now: Selection, finding: Finding) -> Selection:
    """Show what a finding is about. In a run, findings are about the run."""
    return Selection(
        step=finding.step,
        run=now.run if finding.step == now.step else None,
        place=place_of(finding),
        signature=finding.signature,
        finding=finding,
    )


def choose_place(now: Selection, place: NodePlace, marks: Marks) -> Selection:
    """Choose a node, and with it the signature and the finding that are there. In the
    object that misses the signature that is followed, that one stays: a member that
    could bring it back is no end of it."""
    around = replace(place, pointer=place.pointer.rpartition("/")[0])
    here = [*marks.near(place)] or _missed(marks, around, now.signature)
    signature = next((m.sha256 for m in here if m.sha256 == now.signature), None)
    if signature is None and here:
        signature = here[0].sha256
    findings = marks.findings.get(place, ())
    finding = now.finding if now.finding in findings else next(iter(findings), None)
    return replace(now, place=place, signature=signature, finding=finding)


def _missed(marks: Marks, place: NodePlace, sha256: str | None) -> list[SignatureMark]:
    here = marks.signatures.get(place, ())
    return [mark for mark in here if mark.is_ghost and mark.sha256 == sha256]


def settle(now: Selection, marks: Marks, findings: Sequence[Finding]) -> Selection:
    """Find the node of what is wanted, now that its step is on show.

    Without a wish it is what is wrong with the step, else the top of the request.
    """
    if now.place is not None:
        return now
    if now.signature is not None:
        found = place_of_signature(now.signature, marks)
        if found is not None:
            at = marks.findings.get(found, ())
            about = [f for f in at if f.signature in (None, now.signature)]
            return replace(now, place=found, finding=next(iter(about), None))
    if now.finding is None and findings:
        worst = findings[0]
        return replace(
            now, place=place_of(worst), finding=worst, signature=worst.signature
        )
    return replace(now, place=NodePlace())


def place_of_signature(sha256: str, marks: Marks) -> NodePlace | None:
    """Where a signature stands in the step on show; the request counts first, for
    that is where it gets lost."""
    found = [
        place
        for place, here in marks.signatures.items()
        if any(mark.sha256 == sha256 for mark in here)
    ]
    order = {"request": 0, "event": 1, "response": 2}
    return min(found, key=lambda place: order[place.side], default=None)


def begin(steps: Sequence[int], failed: Sequence[int]) -> Selection | None:
    """What a session opens on: its first failure, or whatever else is wrong, else its
    first step."""
    if not steps:
        return None
    return Selection(step=failed[0] if failed else steps[0])


def begin_at(findings: Sequence[Finding], refused: Sequence[int]) -> Selection | None:
    """What a session that was studied opens on: its worst error; where there is none,
    the first step that was refused; else a warning. None where nothing is wrong."""
    worst = worst_finding(findings)
    if worst is not None and (worst.severity is Severity.ERROR or not refused):
        place, signature = place_of(worst), worst.signature
        return Selection(
            step=worst.step, place=place, signature=signature, finding=worst
        )
    return Selection(step=refused[0]) if refused else None


def worst_finding(findings: Iterable[Finding]) -> Finding | None:
    """The gravest; among those alike one whose cause a rule knows, then one that the
    recorded answer confirms, then the earliest. Remarks are nothing wrong."""
    gravity = {Severity.ERROR: 0, Severity.WARNING: 1}

    def rank(finding: Finding) -> tuple[int, bool, bool, int]:
        is_sure = finding.is_confirmed
        return gravity[finding.severity], finding.is_echo, not is_sure, finding.step

    serious = (finding for finding in findings if finding.severity in gravity)
    return min(serious, key=rank, default=None)
