"""Where to stop: conditions on events, and the next event that meets one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from sigscope.conversation import SignatureKind
from sigscope.dialects.assembly import Effect
from sigscope.records import dataclass
from sigscope.stepthrough.happenings import Happening
from sigscope.stepthrough.provenance import Provenance

Kind = Literal["signature", "call", "finish", "error", "kind", "pointer", "anomaly"]

KINDS: tuple[tuple[Kind, str], ...] = (
    ("signature", "signature arrives"),
    ("call", "tool call starts"),
    ("finish", "finish"),
    ("error", "error"),
    ("anomaly", "anomaly"),
    ("kind", "event kind"),
    ("pointer", "value changes"),
)
"""Every kind of breakpoint, and what it is called."""

_EFFECTS = {effect.value: effect.value for effect in Effect} | {"call": "tool call"}
"""What an event did, as it is called on screen."""


@dataclass(frozen=True, slots=True, order=True)
class StreamBreakpoint:
    kind: Kind
    what: str = ""
    """For `kind`: an effect ("thought"), the name of an event on the wire, "done" or
    "nothing". For `pointer`: a pointer in the assembled message."""

    def __str__(self) -> str:
        name = dict(KINDS)[self.kind]
        if self.kind == "kind":
            return f"event kind: {_EFFECTS.get(self.what, self.what)}"
        return f"{self.what} changes" if self.kind == "pointer" else name


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """Where a search came to rest."""

    event: int
    breakpoint: StreamBreakpoint
    note: str = ""
    """What exactly happened there: "9f3a21, 1,464 chars"; empty if the name says
    it."""


def find_next(
    happenings: Sequence[Happening],
    provenance: Provenance,
    breakpoints: Iterable[StreamBreakpoint],
    start: int,
    *,
    way: Literal[1, -1] = 1,
    until: int | None = None,
) -> Stop | None:
    """The first event after `start` (before it, with `way` -1) at which a breakpoint
    is met, `until` included; None if there is none. Of several breakpoints met at one
    event the first in the order of `KINDS` is told."""
    order = [kind for kind, _ in KINDS]
    wanted = sorted(set(breakpoints), key=lambda b: (order.index(b.kind), b.what))
    tests = [(point, _test(point, provenance)) for point in wanted]
    end = until if until is not None else (len(happenings) if way > 0 else 1)
    for number in range(start + way, end + way, way):
        if not 1 <= number <= len(happenings):
            break
        happening = happenings[number - 1]
        for point, is_met in tests:
            if is_met(happening):
                note = _note(point, happening)
                return Stop(event=number, breakpoint=point, note=note)
    return None


def meets(
    happening: Happening,
    breakpoints: Iterable[StreamBreakpoint],
    provenance: Provenance,
) -> bool:
    """Whether an event meets any of some breakpoints."""
    return any(_test(point, provenance)(happening) for point in breakpoints)


def _test(
    point: StreamBreakpoint, provenance: Provenance
) -> Callable[[Happening], bool]:
    if point.kind == "signature":
        return _brings_signature
    if point.kind == "call":
        return lambda happening: bool(happening.calls)
    if point.kind == "finish":
        return lambda happening: Effect.FINISH in happening.effects
    if point.kind == "error":
        return lambda happening: Effect.ERROR in happening.effects
    if point.kind == "anomaly":
        return lambda happening: bool(happening.anomalies)
    if point.kind == "kind":
        return lambda happening: _is_of_kind(happening, point.what)
    changed = frozenset(provenance.changes_of(point.what))
    return lambda happening: happening.number in changed


def _brings_signature(happening: Happening) -> bool:
    """Readable reasoning that has to be carried back comes in every event; it would
    stop at each."""
    return any(a.kind is not SignatureKind.TEXT for a in happening.arrivals)


def _is_of_kind(happening: Happening, what: str) -> bool:
    if what == "done":
        return happening.is_done
    if what == "nothing":
        return not happening.effects and not happening.is_done
    return happening.name == what or any(e.value == what for e in happening.effects)


def kinds_in(happenings: Iterable[Happening]) -> tuple[str, ...]:
    """What a breakpoint on the event kind may name in this stream."""
    effects: dict[str, None] = {}
    names: dict[str, None] = {}
    rest: dict[str, None] = {}
    for happening in happenings:
        effects.update(dict.fromkeys(e.value for e in happening.effects))
        if happening.name:
            names[happening.name] = None
        if happening.is_done:
            rest["done"] = None
        elif not happening.effects:
            rest["nothing"] = None
    return tuple(dict.fromkeys((*effects, *names, *rest)))


def _note(point: StreamBreakpoint, happening: Happening) -> str:
    if point.kind == "signature":
        found = [a for a in happening.arrivals if a.kind is not SignatureKind.TEXT]
        return ", ".join(f"{a.sha256[:6]} of {a.chars:,} chars" for a in found)
    if point.kind == "anomaly":
        return "; ".join(happening.anomalies)
    if point.kind == "call" and len(happening.calls) > 1:
        return f"{len(happening.calls)} calls"
    return ""
