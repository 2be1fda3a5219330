"""The stable JSON of `ledger` and `check`, made from a document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from heapq import merge
from itertools import chain, repeat
from operator import attrgetter, itemgetter
from typing import Any

from sigscope.edits.notation import to_json
from sigscope.edits.records import Edit
from sigscope.engine.sessions.document import Document
from sigscope.fingerprints import hint_rows
from sigscope.jsontext.printer import AlikeRows, RepeatedRows, Row
from sigscope.ledger import Signature
from sigscope.ledger.opaque_fields import FieldSpot, OpaqueField
from sigscope.ledger.records import FateStretch, hints_in
from sigscope.ledger.unjudged import REASON, step_runs, why_unjudged
from sigscope.opaque import fingerprint, sha256
from sigscope.reader import Reading
from sigscope.rules.findings import Finding
from sigscope.rules.groups import group_findings

FORMAT = 1
"""Of both tables; raised only when a field changes its meaning or goes away."""


def ledger_table(
    document: Document, *, is_compact: bool = False, is_lazy: bool = False
) -> dict[str, Any]:
    """Steps, and every signature with its places and fates.

    {"format":1,"steps":[{"step":1,"status":200,...}],
     "signatures":[{"id":"9f3a21","received":{...},"sent":[...],"fates":[...]}]}

    The compact form has, in place of "sent" and "fates", whose number grows with the
    square of the steps, "stretches": steps that did the same with a signature, with the
    places where it stands in each of them.

    {"stretches":[{"steps":[[5,1000]],"fate":"exact","grade":"required","note":"",
     "sent":[{"pointer":"/messages/2/...","sha256":"..."}]}]}

    A step's "dialect" is the API that it speaks, its "service" whose that is
    ("openai", "azure", "copilot", "vertex"); each null where it is not known.

    A signature's "hints" are what its outer bytes tell of who minted it, where, when,
    and of damage: {"about":"surface","value":"vertex","says":"Vertex, key ...",
    "confidence":"inferred","source":"docs/wire/fingerprints.md#key-6"}; "about" is
    origin, surface, model, minted, cut or alphabet. No finding rests on being there;
    empty where nothing is known.

    "opaque" are fields of steps whose dialect is not known, followed by name and shape;
    "not_judged" are these steps, as in `unjudged_rows`.

    A step's "mended" is what the recorder changed in its request before it sent it on
    ("2 signatures put back (CPC-1)"), or null: fates are those of what was sent on.

    Where two hops were recorded, each step has "hop_of" (the step whose request a
    gateway made it for, or null) and the table "hop_losses".

    With `is_lazy` the signatures, their places and fates are made as they are printed
    (`jsontext.printer`).
    """
    fates = _stretches if is_compact else _steps if is_lazy else _all_steps
    rows = (
        _head(signature)
        | fates(signature)
        | {"hints": hint_rows(signature.hints), "origin": str(signature.origin)}
        for signature in document.ledger.signatures
    )
    table: dict[str, Any] = {
        "format": FORMAT,
        "steps": step_rows(document),
        "signatures": rows if is_lazy else [*rows],
        "opaque": opaque_rows(document),
        "not_judged": unjudged_rows(document),
    }
    if document.hops:
        for step in table["steps"]:
            step["hop_of"] = document.hops.get(step["step"])
        table["hop_losses"] = [asdict(loss) for loss in document.hop_losses]
    return table


def step_rows(document: Document) -> list[dict[str, Any]]:
    """The steps of the ledger's table."""
    return [_step(reading, document) for reading in document.readings]


def _step(reading: Reading, document: Document) -> dict[str, Any]:
    dialect, message = reading.dialect, reading.reply.message
    thread = document.ledger.thread_of.get(reading.number)
    return {
        "step": reading.number,
        "dialect": dialect.name if dialect else None,
        "model": reading.model or None,
        "status": reading.status,
        "streamed": reading.is_streamed,
        "events": len(reading.events) if reading.is_streamed else None,
        "thread": thread.number if thread else None,
        "text_chars": len(message.text) if message else 0,
        "reasoning_chars": len(message.thoughts) if message else 0,
        "tool_calls": list(reading.reply.call_ids),
        "dialect_by": reading.decision.how or None,
        "judged": not why_unjudged(reading),
        "service": reading.service,
        "mended": reading.exchange.mended.words if reading.exchange.mended else None,
    }


def _head(signature: Signature) -> dict[str, Any]:
    first = signature.received[0] if signature.received else None
    return {
        "id": signature.id,
        "sha256": signature.sha256,
        "kind": str(signature.kind),
        "chars": len(signature.value),
        "received": None
        if first is None
        else {
            "step": first.step,
            "event": first.sighting.event,
            "pointer": first.sighting.pointer,
        },
    }


def _steps(signature: Signature) -> dict[str, AlikeRows]:
    places = _by_step(zip(signature.stretches), _places)
    # Where each step says it in words of its own, each is a part.
    fates = _by_step(map(attrgetter("worded"), signature.stretches), _fates)
    return {"sent": AlikeRows("step", places), "fates": AlikeRows("step", fates)}


def _all_steps(signature: Signature) -> dict[str, Any]:
    return {
        key: [{told.name: step, **row} for step, row in told.rows]
        for key, told in _steps(signature).items()
    }


def _by_step(
    stretches: Iterable[Iterable[FateStretch]],
    tell: Callable[[FateStretch], Sequence[Row]],
) -> Iterator[tuple[int, Row]]:
    """What stretches, each in its parts, say of each of their steps, by step."""
    each = (
        chain.from_iterable(zip(part.steps, repeat(tell(part))) for part in parts)
        for parts in stretches
    )
    told = merge(*each, key=itemgetter(0))
    return ((step, row) for step, rows in told for row in rows)


def _places(stretch: FateStretch) -> Sequence[Row]:
    return [
        {"pointer": each.pointer, "sha256": sha256(each.value)}
        for each in stretch.sightings
    ]


def _fates(stretch: FateStretch) -> Sequence[Row]:
    return [_fate(stretch)]


def _fate(stretch: FateStretch) -> dict[str, str]:
    fate = stretch.fate
    return {"fate": str(fate.fate), "grade": str(fate.grade), "note": fate.note}


def _stretches(signature: Signature) -> dict[str, Any]:
    return {
        "stretches": [
            {
                "steps": step_runs(set(stretch.steps)),
                **_fate(stretch),
                "sent": _places(stretch),
            }
            for stretch in signature.worded
        ]
    }


def hints_of(reading: Reading) -> list[dict[str, Any]]:
    """What the signatures of a step tell of themselves, each once; none that tells
    nothing. [{"signature":"9f3a21","pointer":"/input/2/encrypted_content",
    "in_response":false,"event":null,"hints":[...]}]"""
    sides = [(False, reading.sent), (True, reading.received)]
    seen: set[str] = set()
    rows: list[dict[str, Any]] = []
    for in_response, sightings in sides:
        for sighting in sightings:
            hints = hints_in(sighting)
            if hints and sighting.value not in seen:
                seen.add(sighting.value)
                rows.append(
                    {
                        "signature": fingerprint(sighting.value),
                        "pointer": sighting.pointer,
                        "in_response": in_response,
                        "event": sighting.event,
                        "hints": hint_rows(hints),
                    }
                )
    return rows


def opaque_rows(document: Document, step: int | None = None) -> list[dict[str, Any]]:
    """Fields followed by name and shape; with a step, those that it has."""
    return [_field(field) for field in document.opaque_in(step)]


def _field(field: OpaqueField) -> dict[str, Any]:
    return {
        "name": field.name,
        "id": field.id,
        "sha256": sha256(field.value),
        "chars": len(field.value),
        "reference": field.value if field.is_reference else None,
        "received": _spot(field.received[0]) if field.received else None,
        "sent": [_spot(spot) for spot in field.sent],
    }


def _spot(spot: FieldSpot) -> dict[str, Any]:
    return {"step": spot.step, "event": spot.event, "pointer": spot.pointer}


def unjudged_rows(document: Document, step: int | None = None) -> list[dict[str, Any]]:
    """[{"reason":"dialect not known","steps":[3,5],"method":"POST","place":"h/path"}];
    with a step, its own only."""
    return [
        {
            "reason": group.reason,
            "steps": list(group.steps),
            "method": group.method,
            "place": group.place,
        }
        for group in document.unjudged
        if step is None or step in group.steps
    ]


def findings_table(
    findings: tuple[Finding, ...], *, is_compact: bool = False, is_lazy: bool = False
) -> dict[str, Any]:
    """{"format":1,"findings":[{"rule":"CPC-1","severity":"error",...}],"groups":[...]}

    "groups" are the findings again, those that say the same of several steps told
    once: {"first":3,"count":998,"steps":[[2,999]]}, where "first" is an index into
    "findings" and "steps" are runs of steps, the first one's own among them.

    The compact form has of each group the first finding only: a client that loses
    everything has it told in each step with all that mends it, which grows with the
    square of the steps.

    With `is_lazy` the findings are made as they are printed (`jsontext.printer`).
    """
    told = group_findings(findings)
    if is_compact:
        kept = {id(group.first) for group in told}
        findings = tuple(finding for finding in findings if id(finding) in kept)
    at = {id(finding): index for index, finding in enumerate(findings)}
    groups = [
        {
            "first": at[id(group.first)],
            "count": 1 + len(group.others),
            "steps": step_runs({group.first.step, *group.steps}),
        }
        for group in told
    ]
    rows = _lazy_rows(findings) if is_lazy else [finding_row(f) for f in findings]
    return {"format": FORMAT, "findings": rows, "groups": groups}


def _lazy_rows(findings: Sequence[Finding]) -> Iterator[dict[str, Any]]:
    """The same, each edit that several findings have as one object."""
    known: dict[int, Row] = {}

    def as_row(edit: Edit) -> Row:
        if id(edit) not in known:
            known[id(edit)] = to_json(edit)
        return known[id(edit)]

    for finding in findings:
        row = finding_row(replace(finding, fix=None))
        if finding.fix is not None:
            row["fix"] = RepeatedRows(map(as_row, finding.fix))
        yield row


def finding_row(finding: Finding) -> dict[str, Any]:
    """One finding as JSON; `fix` is a list of edits or null."""
    fix = finding.fix
    return {
        "rule": finding.rule,
        "severity": str(finding.severity),
        "confidence": str(finding.confidence),
        "step": finding.step,
        "pointer": finding.pointer,
        "message": finding.message,
        "fix": [to_json(edit) for edit in fix] if fix is not None else None,
        "in_response": finding.in_response,
        "event": finding.event,
        "confirmed": finding.is_confirmed,
        "candidates": list(finding.candidates),
        "basis": finding.basis,
        "echo": finding.is_echo,
        "spoken": list(finding.spoken),
    }
