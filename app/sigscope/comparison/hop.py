"""What a gateway made of a request and of its answer: two hops of one step.

Left stands the hop between client and gateway, right that between gateway and provider.
A request goes from left to right, an answer from right to left; changes are told in
the direction in which it went: `dropped` is what the gateway did not hand on, `stamped`
what it put there, `renamed` and `moved` what stands under another key or elsewhere with
the same value, `changed` what has another value at its place.

That a value which came is one that went is concluded from their being equal, and only
where no other is; short values that occur anywhere (true, 1, "") are never matched.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, Literal

from sigscope import opaque
from sigscope import pointer as pointers
from sigscope.comparison.compare import Comparison, compare
from sigscope.comparison.halves import Half, half_of
from sigscope.comparison.records import ComparedRow, RowChange, Side
from sigscope.conversation import Conversation, Sighting, SignatureKind
from sigscope.dialects.sightings import sight_whole_response
from sigscope.jsontext import JsonText, Node
from sigscope.reader import Reading
from sigscope.records import dataclass
from sigscope.utf8 import to_bytes

HopAct = Literal["dropped", "stamped", "renamed", "moved", "changed"]

_TELLING = 3
"""Characters from which an equal string is no coincidence, if there is only one."""
_MOST = 2_000
"""Values of one lone container that are looked at one by one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HopChange:
    """One thing that the gateway did."""

    act: HopAct
    came: str = ""
    """Pointer in what the gateway got; empty for what it stamped."""
    went: str = ""
    """Pointer in what it sent on; empty for what it dropped."""
    signature: str = ""
    """Its id, where a signature is concerned."""
    value: str = ""
    """What is told of the value, as JSON; of a changed one what went."""
    row: ComparedRow | None = None
    """The row of the comparison; None for a signature that only moved."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HopSide:
    """The request, or the answer, on both hops."""

    name: Literal["request", "answer"]
    comparison: Comparison | None
    """Client's hop left, provider's right; None where it could not be made."""
    changes: tuple[HopChange, ...] = ()
    missing: str = ""
    """Why there is no comparison."""
    cut: tuple[int, ...] = ()
    """Steps whose recording of it breaks off."""

    @property
    def words(self) -> str:
        """ "2 dropped, 1 renamed"; "nothing changed"; of what was recorded."""
        if self.comparison is None:
            return self.missing
        acts = [change.act for change in self.changes]
        told = [f"{acts.count(act)} {act}" for act in dict.fromkeys(acts)]
        words = ", ".join(told) or "nothing changed"
        if self.cut:
            steps = " and ".join(f"step {number}" for number in self.cut)
            words += f" as far as is recorded: {steps} cut short"
        return words


@dataclass(frozen=True, slots=True, kw_only=True)
class HopComparison:
    """One call on both its hops."""

    client: int
    """The step between client and gateway."""
    provider: int
    """The step between gateway and provider."""
    request: HopSide
    answer: HopSide


def compare_hops(client: Reading, provider: Reading) -> HopComparison:
    """Compare both hops of a call; parses all four bodies."""
    return HopComparison(
        client=client.number,
        provider=provider.number,
        request=_request(client, provider),
        answer=_answer(client, provider),
    )


def _request(client: Reading, provider: Reading) -> HopSide:
    bare = [r.number for r in (client, provider) if r.request_text.is_blank]
    if bare:
        steps = " and ".join(f"step {number}" for number in bare)
        missing = f"{steps} recorded without a body: nothing to compare"
        return HopSide(name="request", comparison=None, missing=missing)
    cut = [r.number for r in (client, provider) if r.request_extent == "cut"]
    return _side("request", half_of(client), half_of(provider), cut)


def _answer(client: Reading, provider: Reading) -> HopSide:
    halves: list[Half] = []
    cut: list[int] = []
    for reading in (client, provider):
        body = reading.response_json
        if body is None:
            missing = _why_no_answer(reading)
            return HopSide(name="answer", comparison=None, missing=missing)
        halves.append(_answer_half(reading, body))
        if reading.breaks_off or reading.is_answer_cut:
            cut.append(reading.number)
    return _side("answer", halves[0], halves[1], cut)


def _why_no_answer(reading: Reading) -> str:
    step = f"step {reading.number}"
    if reading.exchange.response is None or not reading.response_body.data:
        return f"{step} has no answer"
    if reading.is_streamed:
        return f"the streamed answer of {step} is of no known dialect"
    return f"the answer of {step} is no JSON"


def _answer_half(reading: Reading, body: Any) -> Half:
    """The first answer as a history of one message."""
    dialect, message = reading.dialect, reading.reply.message
    text = to_bytes(json.dumps(body, ensure_ascii=False))
    seen = sight_whole_response(dialect, body, reading.reply) if dialect else ()
    return Half(
        title=f"step {reading.number}",
        text=JsonText(text),
        dialect=dialect.name if dialect else "",
        conversation=Conversation(messages=(message,) if message else ()),
        sent=seen,
    )


def _side(
    name: Literal["request", "answer"],
    client: Half,
    provider: Half,
    cut: Sequence[int],
) -> HopSide:
    found = compare(client, provider)
    came: Side = "left" if name == "request" else "right"
    changes = _Changes(found, came)
    return HopSide(
        name=name, comparison=found, changes=tuple(changes.told()), cut=tuple(cut)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Lone:
    """A value that only one side has, or a part of one."""

    row: ComparedRow
    pointer: str
    value: Any

    @property
    def key(self) -> str:
        """Equal for equal values."""
        return json.dumps(self.value, sort_keys=True, default=str)

    @property
    def is_telling(self) -> bool:
        """Whether another place with this value would be no coincidence."""
        value = self.value
        if isinstance(value, str):
            return len(value) >= _TELLING
        if isinstance(value, bool) or value is None:
            return False
        if isinstance(value, int | float):
            return value not in (0, 1)
        return bool(value)


class _Changes:
    """Reads a comparison in the direction in which something went."""

    def __init__(self, found: Comparison, came: Side) -> None:
        self._came: Side = came
        self._went: Side = "right" if came == "left" else "left"
        self._found = found
        halves = found.half(self._came), found.half(self._went)
        self._signatures = [_signatures(half.sent) for half in halves]
        self._places = [{s.pointer for s in half.sent} for half in halves]

    def told(self) -> Iterator[HopChange]:
        """Signatures first."""
        yield from self._of_signatures()
        differing = self._found.differences
        came = [*self._lone(differing, self._came)]
        went = [*self._lone(differing, self._went)]
        pairs = _pairs(came, went)
        paired = {id(one) for pair in pairs for one in pair}
        for one, other in pairs:
            yield _moved(one, other)
        for row in differing:
            if row.op is RowChange.CHANGED:
                yield from self._changed(row)
        yield from self._rest("dropped", came, paired)
        yield from self._rest("stamped", went, paired)

    # --- Signatures ------------------------------------------------------------------

    def _of_signatures(self) -> Iterator[HopChange]:
        came, went = self._signatures
        for key, seen in {
            **came,
            **{k: went[k] for k in went if k not in came},
        }.items():
            value = seen.value
            places = [self._place(key, value, side) for side in (0, 1)]
            for known, place in zip(self._places, places, strict=True):
                known.update([place] if place is not None else [])
            if places[0] == places[1]:
                continue
            name = opaque.fingerprint(value)
            one, other = places
            if one is not None and other is not None:
                yield HopChange(act="moved", came=one, went=other, signature=name)
            elif one is not None:
                row = self._row_at(one, self._came)
                yield HopChange(act="dropped", came=one, signature=name, row=row)
            elif other is not None:
                row = self._row_at(other, self._went)
                told = "a bypass" if seen.kind is SignatureKind.BYPASS else ""
                yield HopChange(
                    act="stamped", went=other, signature=name, value=told, row=row
                )

    def _place(self, key: bytes, value: str, side: int) -> str | None:
        """Where a signature stands on a side; also where no carrier is, in a dialect
        that does not know it there."""
        seen = self._signatures[side].get(key)
        if seen is not None:
            return seen.pointer
        half = self._found.half((self._came, self._went)[side])
        at = half.text.data.find(to_bytes(value))
        return half.text.pointer_at(at) if at >= 0 else None

    def _row_at(self, pointer: str, side: Side) -> ComparedRow | None:
        return next((r for r in self._rows if r.place(side) == pointer), None)

    @property
    def _rows(self) -> Sequence[ComparedRow]:
        return self._found.differences

    # --- Other values ----------------------------------------------------------------

    def _lone(self, rows: Sequence[ComparedRow], side: Side) -> Iterator[_Lone]:
        """What only one side has, container by container down to single values."""
        op = RowChange.LEFT if side == "left" else RowChange.RIGHT
        text = self._found.half(side).text
        places = self._places[0 if side == self._came else 1]
        for row in rows:
            node = row.node(side)
            if row.op is not op or node is None:
                continue
            for leaf in _leaves(text, node):
                pointer = text.pointer(leaf)
                if pointer not in places:
                    yield _Lone(row=row, pointer=pointer, value=text.value(leaf))

    def _changed(self, row: ComparedRow) -> Iterator[HopChange]:
        places = self._places
        came, went = row.place(self._came), row.place(self._went)
        if came in places[0] or went in places[1]:
            return
        node = row.node(self._went)
        text = self._found.half(self._went).text
        value = ""
        if row.what != "history" and node is not None:
            value = json.dumps(text.value(node), ensure_ascii=False)
        yield HopChange(act="changed", came=came, went=went, value=value, row=row)

    def _rest(
        self, act: HopAct, lone: Sequence[_Lone], paired: set[int]
    ) -> Iterator[HopChange]:
        """What has no partner: a container as a whole where nothing in it has one."""
        has_pair = {one.row for one in lone if id(one) in paired}
        told: set[ComparedRow] = set()
        for one in lone:
            row = one.row
            if id(one) in paired or row in told:
                continue
            pointer, value = one.pointer, one.value
            if row not in has_pair:
                told.add(row)
                side = self._came if act == "dropped" else self._went
                node = row.node(side)
                assert node is not None
                pointer = row.place(side)
                value = self._found.half(side).text.value(node)
            yield HopChange(
                act=act,
                came=pointer if act == "dropped" else "",
                went=pointer if act == "stamped" else "",
                value=json.dumps(value, ensure_ascii=False),
                row=row,
            )


def _signatures(sent: Sequence[Sighting]) -> dict[bytes, Sighting]:
    """The first sighting of each, by its value however it is coded."""
    found: dict[bytes, Sighting] = {}
    for sighting in sent:
        if sighting.kind is not SignatureKind.TEXT:
            found.setdefault(opaque.comparison_key(sighting.value), sighting)
    return found


def _leaves(text: JsonText, node: Node) -> Iterator[Node]:
    queue, seen = [node], 0
    while queue and seen < _MOST:
        here = queue.pop(0)
        seen += 1
        children = text.children(here) if here.is_container else ()
        if children:
            queue += children
        else:
            yield here


def _pairs(came: Sequence[_Lone], went: Sequence[_Lone]) -> list[tuple[_Lone, _Lone]]:
    """Equal values that there are once on either side."""
    found = []
    by_value: dict[str, list[_Lone]] = {}
    for one in went:
        by_value.setdefault(one.key, []).append(one)
    counts: dict[str, int] = {}
    for one in came:
        counts[one.key] = counts.get(one.key, 0) + 1
    for one in came:
        partners = by_value.get(one.key, [])
        if one.is_telling and len(partners) == 1 and counts[one.key] == 1:
            found.append((one, partners[0]))
    return found


def _moved(one: _Lone, other: _Lone) -> HopChange:
    is_renamed = pointers.parent(one.pointer) == pointers.parent(other.pointer)
    return HopChange(
        act="renamed" if is_renamed else "moved",
        came=one.pointer,
        went=other.pointer,
        value=json.dumps(one.value, ensure_ascii=False),
        row=one.row,
    )
